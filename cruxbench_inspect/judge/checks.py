"""Mechanical checks of what a judge submits: documents really returned, quotes in them, a time that fits."""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.judge.submission import Citation, Refused, ResolutionSubmission, TimeSubmission, TooEarly
from cruxbench_inspect.resolution import GRACE, Evidence, Precision, Resolution, Rule, Verification, moment_of
from cruxbench_inspect.utc import format_utc

SHORTEST_QUOTE = 12
"""Characters that a quote has at least, so that it shows something."""

_QUOTE_MARKS = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"})


def resolution_of(
    submission: ResolutionSubmission,
    crux: Crux,
    documents: Mapping[str, Document],
    searches: int,
    opens: datetime | None = None,
) -> Resolution:
    """Turn a submission into a resolution.

    Args:
        submission: What the resolver submitted.
        crux: The crux.
        documents: The documents that its tools returned in this run, by id.
        searches: How many searches were made.
        opens: The first moment that counts, where it is later than the crux's start date.

    Raises:
        Refused: With everything that is wrong with the submission.
    """
    if not submission.resolvable:
        return _unresolvable(submission, searches)
    evidence, problems = _evidence(submission.evidence, documents)
    if not submission.evidence:
        problems.append("evidence is empty: cite at least one document with a quote")
    if problems:
        raise Refused(problems, "evidence")
    if submission.answer is None or submission.rule is None or submission.precision is None:
        missing = [name for name in ("answer", "rule", "precision") if getattr(submission, name) is None]
        raise Refused([f"{name} is missing" for name in missing], "time")
    if (submission.answer == "Yes") != (submission.rule == "yes_event"):
        raise Refused([f"answer {submission.answer} does not go with rule {submission.rule}"], "time")
    moment = _moment(
        crux,
        opens or crux.opens,
        submission.rule,
        submission.precision,
        submission.local_time,
        submission.zone,
        _cited(evidence, documents),
    )
    return Resolution(
        resolvable=True,
        answer=submission.answer,
        moment=moment,
        local_time=submission.local_time,
        zone=submission.zone,
        precision=submission.precision,
        rule=submission.rule,
        evidence=tuple(evidence),
        reasoning=submission.reasoning,
    )


def verified(
    submission: TimeSubmission,
    resolution: Resolution,
    crux: Crux,
    documents: Mapping[str, Document],
    opens: datetime | None = None,
) -> Resolution:
    """Apply a verifier's time to a resolution; its answer stays.

    Args:
        submission: What the verifier submitted.
        resolution: The resolver's.
        crux: The crux.
        documents: The documents that were returned in this run, by id.
        opens: The first moment that counts, where it is later than the crux's start date.

    Raises:
        Refused: If the time does not fit.
    """
    if (resolution.answer == "Yes") != (submission.rule == "yes_event"):
        raise Refused([f"rule {submission.rule} does not go with the answer {resolution.answer}, which stands"], "time")
    moment = _moment(
        crux,
        opens or crux.opens,
        submission.rule,
        submission.precision,
        submission.local_time,
        submission.zone,
        _cited(resolution.evidence, documents),
    )
    moved = moment != resolution.moment
    return resolution.model_copy(
        update={
            "moment": moment,
            "local_time": submission.local_time,
            "zone": submission.zone,
            "precision": submission.precision,
            "rule": submission.rule,
            "verification": Verification(
                changed=moved,
                reason=submission.reason,
                moment_before=resolution.moment if moved else None,
            ),
        }
    )


def _unresolvable(submission: ResolutionSubmission, searches: int) -> Resolution:
    problems = []
    if submission.failure_mode is None:
        problems.append("failure_mode is missing: data_availability, temporal or observability")
    elif not searches:
        problems.append("nothing was searched: search before you conclude that nothing was reported")
    if submission.failure_mode is None or problems:
        raise Refused(problems, "evidence")
    return Resolution.unresolvable(submission.failure_mode, submission.reasoning)


def _evidence(citations: Iterable[Citation], documents: Mapping[str, Document]) -> tuple[list[Evidence], list[str]]:
    evidence, problems = [], []
    for citation in citations:
        document = documents.get(citation.document_id)
        if document is None:
            problems.append(f"{citation.document_id!r} was not returned by your tools: cite ids that they showed")
            continue
        text = f"{_folded(document.title)}\n{_folded(document.text)}"
        # Tools show text with &, <, > and quotation marks escaped, and a quote may be copied from there.
        readings = {_folded(citation.quote), _folded(html.unescape(citation.quote))}
        if min(map(len, readings)) < SHORTEST_QUOTE:
            problems.append(f"the quote {citation.quote!r} is too short to show anything")
        elif not any(reading in text for reading in readings):
            problems.append(f"the quote {citation.quote!r} does not occur in {citation.document_id}: copy it exactly")
        else:
            evidence.append(
                Evidence(
                    document_id=document.id,
                    url=document.url,
                    title=document.title,
                    published="" if document.published is None else str(document.published),
                    quote=citation.quote,
                    proof=document.proof,
                )
            )
    return evidence, problems


def _cited(evidence: Iterable[Evidence], documents: Mapping[str, Document]) -> list[Document]:
    return [documents[item.document_id] for item in evidence]


def _moment(
    crux: Crux,
    opens: datetime,
    rule: Rule,
    precision: Precision,
    local_time: str | None,
    zone: str | None,
    cited: list[Document],
) -> datetime:
    if (rule == "no_deadline") != (precision == "deadline"):
        raise Refused([f"rule {rule} does not go with precision {precision}"], "time")
    if precision == "deadline":
        return _deadline(crux, local_time, zone)
    if local_time is None:
        raise Refused([f"local_time is missing: precision {precision} needs one"], "time")
    try:
        moment = moment_of(local_time, zone, precision)
    except ValueError as error:
        raise Refused([str(error)], "time") from None
    latest = crux.deadline + GRACE
    if not opens <= moment <= latest:
        raise (TooEarly if moment < opens else Refused)(
            [f"{format_utc(moment)} is outside of {format_utc(opens)} to {format_utc(latest)}: it cannot count"],
            "time",
        )
    if rule == "no_irreversible" and moment > crux.deadline:
        raise Refused([f"{format_utc(moment)} is after the deadline: {rule} is for an event before it"], "time")
    # A document cannot report an event before it happens; that a right lapses it can say in advance.
    known_by = [last for document in cited if (last := _last_change(document)) is not None]
    if rule == "yes_event" and known_by and moment > max(known_by):
        raise Refused(
            [f"{format_utc(moment)} is after every cited document was written: they cannot report it"], "time"
        )
    return moment


def _deadline(crux: Crux, local_time: str | None, zone: str | None) -> datetime:
    """The crux's deadline, or the later one that its own time zone gives; anything else falls back to the deadline."""
    if local_time is None:
        return crux.deadline
    try:
        moment = moment_of(local_time, zone, "deadline")
    except ValueError:
        return crux.deadline
    return moment if crux.deadline <= moment <= crux.deadline + GRACE else crux.deadline


def _last_change(document: Document) -> datetime | None:
    moments = [document.published, document.modified, document.captured]
    return max((moment.latest for moment in moments if moment is not None), default=None)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTE_MARKS).casefold()
    return re.sub(r"\s+", " ", plain).strip()
