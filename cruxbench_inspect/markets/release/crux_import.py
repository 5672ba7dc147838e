"""A crux of the release as the scorer reads one: its text, and what the release's judges made of it."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, get_args

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
        inferred: Whether rule and precision follow from its time alone, for lack of a verifier's word.
    """

    text: str
    crux: Crux | CruxFault
    resolution: Resolution | None = None
    dates_moved: bool = False
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
    start, end, moved = _dates(released, question)
    text = json.dumps(
        {
            "question": released.question,
            "background": released.background_information,
            "resolution_criteria": released.resolution_criteria,
            "start_date": start,
            "end_date": end,
            "rationale": released.rationale,
        },
        ensure_ascii=False,
        indent=2,
    )
    crux = read_crux(text)
    if isinstance(crux, CruxFault) or fault_of(question, crux) is not None:
        return ImportedCrux(text, crux, None, moved)
    if released.valid_period is False:
        reasoning = "The release left it unjudged: by its reckoning the end date lies outside of the window."
        return ImportedCrux(text, crux, Resolution.unresolvable("temporal", reasoning), moved)
    if released.resolvable is None:
        return ImportedCrux(text, crux, None, moved)
    resolution, inferred = _resolution(released, verified, crux)
    return ImportedCrux(text, crux, resolution, moved, inferred)


def _dates(released: ReleasedCrux, question: Question) -> tuple[str, str, bool]:
    """Start and end date, moved into the window unless the release found the end date wrong: it looks at no more."""
    start, end = _date(released.start_date), _date(released.end_date)
    if released.valid_period is False and released.resolvable is None:
        return str(start or released.start_date), str(end or released.end_date), False
    first, last = question.window.start.date(), question.window.end.date()
    new_end = last if end is None or end > last else max(end, first)
    new_start = first if start is None or start < first else min(start, new_end)
    return str(new_start), str(new_end), (new_start, new_end) != (start, end)


def _date(text: str) -> date | None:
    """A date as the release reads one: that in UTC, where the text has a time of another zone."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        try:
            return read_date(text)
        except ValueError:
            return None
    return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()


def _resolution(released: ReleasedCrux, verified: VerifiedTime | None, crux: Crux) -> tuple[Resolution, bool]:
    reasoning = _reasoning(released.evidence)
    answer = released.resolution.strip().capitalize()
    moment = released.resolution_datetime
    if not released.resolvable:
        return Resolution.unresolvable("unclassified", reasoning), False
    if answer not in ("Yes", "No"):
        return Resolution.unresolvable("observability", f"(Its answer is {answer!r}.) {reasoning}"), False
    if moment is None:
        return Resolution.unresolvable("temporal", f"(The release gives no time.) {reasoning}"), False
    rule, precision = _rule(verified), _precision(verified)
    verification = None
    if verified is not None:
        before = verified.old_datetime
        changed = before is not None and before != moment
        verification = Verification(
            changed=changed, reason=verified.rationale, moment_before=before if changed else None
        )
    return Resolution(
        resolvable=True,
        answer="Yes" if answer == "Yes" else "No",
        moment=moment,
        precision=precision or _likely_precision(answer, moment, crux),
        rule=rule or _likely_rule(answer, moment, crux),
        evidence=tuple(
            Evidence(document_id=f"source-{number}", url=url, title=url, published="", quote="", proof="")
            for number, url in enumerate(released.source_urls, start=1)
        ),
        reasoning=reasoning,
        verification=verification,
    ), rule is None or precision is None


def _rule(verified: VerifiedTime | None) -> Rule | None:
    return next((rule for rule in get_args(Rule) if verified and rule == verified.rule), None)


def _precision(verified: VerifiedTime | None) -> Precision | None:
    return next((level for level in get_args(Precision) if verified and level == verified.time_precision), None)


def _likely_rule(answer: str, moment: datetime, crux: Crux) -> Rule:
    if answer == "Yes":
        return "yes_event"
    return "no_deadline" if moment.date() >= crux.end_date else "no_irreversible"


def _likely_precision(answer: str, moment: datetime, crux: Crux) -> Precision:
    if _likely_rule(answer, moment, crux) == "no_deadline":
        return "deadline"
    return "date_only" if moment.time() == time() else "stated"


def _reasoning(evidence: Any) -> str:
    """The end of the resolver's steps, which is its decision."""
    text = next(reversed(evidence.values()), "") if isinstance(evidence, dict) else evidence
    return "" if text is None else str(text)[:_LONGEST_REASONING]
