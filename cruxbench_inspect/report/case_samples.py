"""What only whole samples have of the cruxes of one question: their texts, and the evidence that settled them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from cruxbench_inspect.crux import Crux, CruxFault, read_cruxes
from cruxbench_inspect.report.gathering.score_rows import told_sample
from cruxbench_inspect.report.gathering.selection import Entry
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.unread import DAMAGE
from cruxbench_inspect.report.gathering.whole_samples import Event, WholeSample, read_whole_sample
from cruxbench_inspect.resolution import JUDGEMENTS, Resolution


@dataclass(frozen=True)
class SettledCrux:
    """A crux of a sample.

    Attributes:
        crux: What was proposed.
        resolution: How the judges settled it; None where they did not.
    """

    crux: Crux
    resolution: Resolution | None


CaseSamples = Mapping[str, Sequence[SettledCrux]]
"""The cruxes of one question by entry; none of an entry whose log cannot give the whole sample."""


class _Judged(BaseModel):
    model_config = ConfigDict(frozen=True)

    resolution: Resolution | None = None


class _Record(BaseModel):
    """A judgement as a scorer notes it down, as far as it is used here."""

    model_config = ConfigDict(frozen=True)

    crux: Crux
    judgement: _Judged


def read_case_samples(study: Study, shown: Sequence[str], key: str) -> CaseSamples:
    """Read one sample of each entry, that of the epoch that tables tell.

    Args:
        study: The study.
        shown: The entries that are read.
        key: The question.
    """
    found: dict[str, Sequence[SettledCrux]] = {}
    for entry in study.entries:
        place = _place(study, entry, key) if entry.label in shown else None
        if place is not None:
            try:
                found[entry.label] = _cruxes(read_whole_sample(*place))
            except DAMAGE:
                continue
    return found


def _place(study: Study, entry: Entry, key: str) -> tuple[str, str, int] | None:
    """Log, question id and epoch of the sample that stands for an entry's question."""
    rows = study.of(entry.label)
    for question, question_id, digest in rows.select("question", "question_id", "set").iter_rows():
        if question == key:
            for run in entry.runs:
                own = [sample for sample in run.samples if sample.question_id == question_id]
                if own and run.terms.questions == digest:
                    return run.location, question_id, told_sample(own).epoch
    return None


def _cruxes(sample: WholeSample) -> list[SettledCrux]:
    judged = dict(_judged(sample))
    cruxes = {crux.key: crux for crux in _proposed(sample)}
    # A crux that an agent's last message does not have is in the record of its judgement.
    cruxes = cruxes or {crux.key: crux for crux, _ in judged.values()}
    return [SettledCrux(crux, judged[key][1] if key in judged else None) for key, crux in cruxes.items()]


def _proposed(sample: WholeSample) -> list[Crux]:
    """The cruxes in the last message, else in the output."""
    last = sample.messages[-1] if sample.messages else None
    texts = (last.text if last is not None and last.role == "assistant" else "", sample.output.completion)
    for text in dict.fromkeys(texts):
        cruxes = read_cruxes(text, int(sample.metadata.get("k", 1)))
        if not isinstance(cruxes, CruxFault):
            return [crux for crux in cruxes if isinstance(crux, Crux)]
    return []


def _judged(sample: WholeSample) -> Iterator[tuple[str, tuple[Crux, Resolution | None]]]:
    """Cruxes and their resolutions by key, the newest last."""
    for event in _of_scorers(sample.events):
        if event.event == "info" and event.source == JUDGEMENTS:
            try:
                record = _Record.model_validate(event.data)
            except ValidationError:
                continue
            yield record.crux.key, (record.crux, record.judgement.resolution)


def _of_scorers(events: Iterable[Event]) -> Iterator[Event]:
    """Events between the beginning and the end of scoring: what the system under test wrote is no judgement.

    They are told by their place: the spans of a scorer that was added later name a parent that the log has not.
    """
    outermost: dict[str | None, str | None] = {}
    scoring: str | None = None
    for event in events:
        if event.event == "span_begin":
            outermost[event.id] = outermost.get(event.parent_id, event.name)
            if event.name == "scorers" and event.parent_id is None:
                scoring = event.id
        elif event.event == "span_end" and event.id == scoring:
            scoring = None
        elif scoring is not None and outermost.get(event.span_id) != "solvers":
            yield event
