"""Is one model better than another? The answer in plain words, with the numbers behind it."""

import math

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.inference.paired import PairedDifference
from cruxbench_inspect.inference.power import detectable_difference, questions_needed
from cruxbench_inspect.report.figures.wording import counted
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.tables.comparisons import difference

_LEVEL = 0.05


def compare_in_words(study: Study, first: str, second: str) -> str:
    """The answer to "is the first better than the second?".

    Args:
        study: The study.
        first: A model's label, or a part of it or of its name that no other has.
        second: Another one's.

    Raises:
        InputError: If a name is of none or several, or both are of one.
    """
    one, other = _entry(study, first), _entry(study, second)
    if one == other:
        raise InputError(f"{first!r} and {second!r} are the same model, {one}")
    found = difference(study, one, other)
    if found.count < 2:
        shared = counted(found.count, "scored question")
        return f"It cannot be said: {one} and {other} share {shared}, and at least 2 are needed."
    higher = round(found.share_first_higher * found.count)
    lines = [
        _answer(found, one, other),
        "",
        f"On the {found.count} questions that both have scores for, {one} has {_signed(found.mean)} bits a question "
        f"against {other} ({_interval(found)}; p {_p(found.p_sign_flip)} by sign flips).",
        f"{one} scores more on {higher} of them, {other} on {found.count - higher - found.ties}; "
        f"on {found.ties} both score the same.",
    ]
    if not math.isnan(found.p) and found.standard_deviation > 0:
        seen = detectable_difference(found.count, found.standard_deviation)
        needed = questions_needed(found.mean, found.standard_deviation)
        lines.append(
            f"Four times out of five, {found.count} questions would show a difference of {seen:.4f} bits."
            + _needed(needed)
        )
    doubts = [f"{label} {doubt}" for label in (one, other) if (doubt := study.doubts(label))]
    lines += [f"Mind that {doubt}." for doubt in doubts]
    lines.append(
        "The interval and p allow for questions that share an event; they are of this pair alone, and not "
        "corrected for looking at several pairs."
    )
    return "\n".join(lines)


def _answer(found: PairedDifference, one: str, other: str) -> str:
    better, worse = (one, other) if found.mean >= 0 else (other, one)
    by_tests = [p < _LEVEL for p in (found.p, found.p_sign_flip)]
    if all(by_tests):
        return f"{'Yes' if better == one else 'No, the other way round'}: {better} is better than {worse}."
    if any(by_tests):
        return f"That is not sure: {better} seems better than {worse}, but of two tests only one shows it."
    if found.mean == 0 and found.standard_deviation == 0:
        return f"No: {one} and {other} score the same on every question."
    return f"That cannot be said: the data fit {one} being better than {other}, and not being better."


def _interval(found: PairedDifference) -> str:
    low, high = found.interval
    if math.isnan(low):
        return "no interval: all of them are of one event"
    return f"95% interval {_signed(low)} to {_signed(high)}, two-sided p {_p(found.p)}"


def _entry(study: Study, name: str) -> str:
    wanted = name.lower()
    names = {entry.label: (entry.label.lower(), entry.model.lower()) for entry in study.entries}
    exact = [label for label, known in names.items() if wanted in known]
    found = exact or [label for label, known in names.items() if any(wanted in one for one in known)]
    if len(found) != 1:
        which = "none of the models" if not found else f"several models ({', '.join(found)})"
        raise InputError(f"{name!r} names {which}; there are: {', '.join(study.labels)}")
    return found[0]


def _needed(count: float) -> str:
    return f" To show one as large as here so often, it takes {count:,.0f}." if math.isfinite(count) else ""


def _signed(bits: float) -> str:
    """Bits with their sign; what rounds to 0 has no minus."""
    return f"{round(bits, 4) + 0.0:+.4f}"


def _p(value: float) -> str:
    return "is unknown" if math.isnan(value) else "< 0.0001" if value < 0.0001 else f"= {value:.4f}"
