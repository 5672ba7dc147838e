"""Long names of models in little room: cut in the middle, where they still differ."""

from collections.abc import Collection, Sequence
from os.path import commonprefix

_CUT = "…"


def short_names(names: Sequence[str], most: int) -> dict[str, str]:
    """What to show of names that are longer than there is room for.

    Args:
        names: All names that are shown together.
        most: How many characters there is room for, at least 9.

    Returns:
        By name, those of long names alone; all that is shown is different.
    """
    long = [name for name in names if len(name) > most]
    found = {name: _middle(name, most) for name in long}
    taken = {name for name in names if len(name) <= most}
    for name in long:
        alike = [other for other in long if found[other] == found[name]]
        if len(alike) > 1:
            found |= dict(zip(alike, _told_apart(alike, most, taken), strict=True))
    return found


def _middle(name: str, most: int) -> str:
    tail = (most - 1) // 2
    return name[: most - 1 - tail] + _CUT + name[-tail:]


def _told_apart(names: Sequence[str], most: int, taken: Collection[str]) -> list[str]:
    """Names that are equal at their ends, with what follows on what they have in common."""
    differ = len(commonprefix(list(names)))
    head = max(most // 3, 1)
    shown = [name[:head] + _CUT + name[differ : differ + most - head - 1] for name in names]
    if len(set(shown)) == len(shown) and not set(shown) & set(taken):
        return shown
    return [f"{name[: most - 4]}{_CUT}{place:>3}" for place, name in enumerate(names, start=1)]
