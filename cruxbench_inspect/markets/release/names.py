"""Names of the release's models: those of its folders as Inspect names models, and short names matched to them."""

import re
from collections.abc import Iterable


def model_name(folder: str) -> str:
    """The model that ran under a folder, with its provider, which the release leaves out for three of them."""
    if "/" in folder:
        return folder
    provider = next((name for prefix, name in _PROVIDERS.items() if folder.startswith(prefix)), "release")
    return f"{provider}/{folder}"


def match_name(short: str, names: Iterable[str]) -> str | None:
    """The one name that a short name stands for, as ``llama70b`` for ``together/Llama-3.3-70B-Instruct``.

    It is that name, without its provider, with ``_`` for ``/``, or without case and punctuation; else the only one
    that contains it so; else the only one that contains all of its words and sizes.

    Returns:
        The name, or None where there is none or more than one.
    """
    folded = {name: _folded(name) for name in names}
    wanted, pieces = _folded(short), re.findall(r"[a-z]+|\d+[a-z]*", short.casefold())
    if not wanted:
        return None
    for found in (
        [name for name in folded if short in (name, name.partition("/")[2], name.replace("/", "_"))],
        [name for name in folded if folded[name] == wanted],
        [name for name in folded if wanted in folded[name]],
        [name for name in folded if all(piece in folded[name] for piece in pieces)],
    ):
        if found:
            return found[0] if len(found) == 1 else None
    return None


_PROVIDERS = {"claude": "anthropic", "gemini": "google", "gpt": "openai"}


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
