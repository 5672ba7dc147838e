"""A crux of the release as the scorer reads one: its text, and what the release's judges made of it."""

import json
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple, get_args

from cruxbench_inspect.crux import Crux, CruxFault, read_crux
from cruxbench_inspect.crux_dates import read_date
from cruxbench_inspect.markets.release.records import ReleasedCrux, VerifiedTime
from cruxbench_inspect.questions import Question
from cruxbench_inspect.resolution import Evidence, Precision, Resolution, Rule, Verification
from cruxbench_inspect.settlement import fault_of

_LONGEST_REASONING = 4000


@dataclass(frozen=True)
class ImportedCrux:
    """What a generator proposed for one question.

    Attributes:
        text: The generator's answer in the form that this project asks for; empty where there was none.
        crux: What a scorer reads in it.
        resolution: How the release's judges settled it; None where they did not.
        dates_moved: Whether its dates were moved into the window, since the release takes it all the same.
        ends_later: Whether its end date was one of them, moved from after the window that is shown.
        unsettled: Whether the release calls it resolvable, but gives no answer or no time that can be used.
        inferred: Whether rule and precision follow from its time alone, for lack of a verifier's word.
    """

    text: str
    crux: Crux | CruxFault
    resolution: Resolution | None = None
    dates_moved: bool = False
    ends_later: bool = False
    unsettled: bool = False
    inferred: bool = False


def import_crux(released: ReleasedCrux | None, verified: VerifiedTime | None, question: Question) -> ImportedCrux:
    """Make a crux and a resolution of the release's record.

    Args:
        released: The record; None where the generator answered nothing usable.
        verified: What the verifier said of its time, if it did.
        question: The ultimate question.
    """
    if released is None:
        return ImportedCrux("", read_crux(""))
    dates = _dates(released, question)
    text = json.dumps(
        {
            "question": released.question,
            "background": released.background_information,
            "resolution_criteria": released.resolution_criteria,
            "start_date": dates.start,
            "end_date": dates.end,
            "rationale": released.rationale,
        },
        ensure_ascii=False,
        indent=2,
    )
    crux = read_crux(text)
    imported = ImportedCrux(text, crux, None, dates.moved, dates.ends_later)
    if isinstance(crux, CruxFault) or fault_of(question, crux) is not None:
        return imported
    if released.valid_period is False:
        reasoning = "The release left it unjudged: by its reckoning the end date lies outside of the window."
        return replace(imported, resolution=Resolution.unresolvable("unclassified", reasoning))
    if released.resolvable is None:
        return imported
    return _settled(imported, released, verified, dates.deadline or crux.end_date)


class _Dates(NamedTuple):
    """Start and end date as the crux gets them, and the day on which it ended in the release."""

    start: str
    end: str
    deadline: date | None
    moved: bool = False
    ends_later: bool = False


def _dates(released: ReleasedCrux, question: Question) -> _Dates:
    """Start and end date, moved into the window unless the release found the end date wrong: it looks at no more.

    The release's own window may be longer than the one that is shown, or shorter.
    """
    start, end = _date(released.start_date), _date(released.end_date)
    if released.valid_period is False and released.resolvable is None:
        return _Dates(str(start or released.start_date), str(end or released.end_date), end)
    first, last = question.window.start.date(), question.window.end.date()
    new_end = last if end is None or end > last else max(end, first)
    new_start = first if start is None or start < first else min(start, new_end)
    moved = (new_start, new_end) != (start, end)
    return _Dates(str(new_start), str(new_end), end, moved, end is not None and end > last)


def _date(text: str) -> date | None:
    """A date as the release reads one: that in UTC, where the text has a time of another zone."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        try:
            return read_date(text)
        except ValueError:
            return None
    try:
        return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()
    except OverflowError:
        return None


def _settled(
    imported: ImportedCrux, released: ReleasedCrux, verified: VerifiedTime | None, deadline: date
) -> ImportedCrux:
    """The crux with the release's resolution."""
    reasoning = _reasoning(released.evidence)
    answer = released.resolution.strip().capitalize()
    moment = released.resolution_datetime
    if not released.resolvable:
        return replace(imported, resolution=Resolution.unresolvable("unclassified", reasoning))
    if answer not in ("Yes", "No"):
        unclear = Resolution.unresolvable("unclassified", f"(Its answer is {answer!r}.) {reasoning}")
        return replace(imported, resolution=unclear, unsettled=True)
    if moment is None:
        undated = Resolution.unresolvable("unclassified", f"(The release gives no time.) {reasoning}")
        return replace(imported, resolution=undated, unsettled=True)
    rule, precision = _rule(verified), _precision(verified)
    verification = None
    if verified is not None:
        before = verified.old_datetime
        changed = before is not None and before != moment
        verification = Verification(
            changed=changed, reason=verified.rationale, moment_before=before if changed else None
        )
    resolution = Resolution(
        resolvable=True,
        answer="Yes" if answer == "Yes" else "No",
        moment=moment,
        precision=precision or _likely_precision(answer, moment, deadline),
        rule=rule or _likely_rule(answer, moment, deadline),
        evidence=tuple(
            Evidence(document_id=f"source-{number}", url=url, title=url, published="", quote="", proof="")
            for number, url in enumerate(released.source_urls, start=1)
        ),
        reasoning=reasoning,
        verification=verification,
    )
    return replace(imported, resolution=resolution, inferred=rule is None or precision is None)


def _rule(verified: VerifiedTime | None) -> Rule | None:
    return next((rule for rule in get_args(Rule) if verified and rule == verified.rule), None)


def _precision(verified: VerifiedTime | None) -> Precision | None:
    return next((level for level in get_args(Precision) if verified and level == verified.time_precision), None)


def _likely_rule(answer: str, moment: datetime, deadline: date) -> Rule:
    if answer == "Yes":
        return "yes_event"
    return "no_deadline" if moment.date() >= deadline else "no_irreversible"


def _likely_precision(answer: str, moment: datetime, deadline: date) -> Precision:
    if _likely_rule(answer, moment, deadline) == "no_deadline":
        return "deadline"
    return "date_only" if moment.time() == time() else "stated"


def _reasoning(evidence: Any) -> str:
    """The end of the resolver's steps, which is its decision."""
    text = next(reversed(evidence.values()), "") if isinstance(evidence, dict) else evidence
    return "" if text is None else str(text)[:_LONGEST_REASONING]
