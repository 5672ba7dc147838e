"""A generator's folder of the release: its cruxes, with what the release's judges made of them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.crux_import import ImportedCrux, import_crux
from cruxbench_inspect.markets.release.layout import RAW_RESOLVED, RESOLVED, UNJUDGED
from cruxbench_inspect.markets.release.question_import import ImportedQuestion
from cruxbench_inspect.markets.release.records import GeneratedQuestion, ReleasedCrux, VerifiedTime, read_records
from cruxbench_inspect.questions import Question
from cruxbench_inspect.settlement import fault_of


@dataclass(frozen=True)
class GeneratorRun:
    """What a generator's folder holds.

    Attributes:
        name: The generator, as Inspect names models.
        file: The file that was read.
        cruxes: By question id.
        verified: The verifier's entries by question id; empty if there are none.
        notes: What is missing or wrong.
    """

    name: str
    file: str
    cruxes: Mapping[str, ImportedCrux]
    verified: Mapping[str, VerifiedTime]
    notes: list[str]

    @property
    def is_judged(self) -> bool:
        """Whether it holds resolutions; else the log is to be scored yet."""
        return self.file != UNJUDGED

    @property
    def times_are_verified(self) -> bool:
        """Whether a verifier has been over its times."""
        return self.file == RESOLVED or bool(self.verified)

    def lacks_resolution(self, question: Question) -> bool:
        """Whether the release leaves a crux unjudged that could have been judged."""
        crux = self.cruxes[question.id]
        return self.is_judged and crux.resolution is None and fault_of(question, crux.crux) is None


def read_generator(
    name: str, folder: Path, questions: Mapping[str, ImportedQuestion], verified: Mapping[str, VerifiedTime]
) -> GeneratorRun:
    """Read a generator's folder: the first of its files that is whole, resolved ones first.

    Args:
        name: The generator.
        folder: Its folder.
        questions: All questions, by id.
        verified: The verifier's entries about this generator, by question id.

    Raises:
        InputError: If none of its files can be read.
    """
    notes = []
    for file in (RESOLVED, RAW_RESOLVED, UNJUDGED):
        if not (folder / file).is_file():
            continue
        try:
            records, problems = read_records(folder / file, GeneratedQuestion)
        except InputError as error:
            notes.append(str(error))
            continue
        notes += problems
        break
    else:
        raise InputError("; ".join(notes))
    if file != RESOLVED:
        notes.append(
            f"it has no usable {RESOLVED}: its cruxes come from {file}"
            + (", without resolutions: `inspect score` has a judge settle them" if file == UNJUDGED else "")
        )
    cruxes: dict[str, ImportedCrux] = {}
    counts: Counter[str] = Counter()
    for record in records:
        imported = questions.get(record.id)
        if imported is None:
            counts["of its questions are not among the release's"] += 1
            continue
        if record.id in cruxes:
            counts["records of a question after the first one are left out"] += 1
            continue
        window = next((each for each in record.active_windows if each.period_idx == imported.period), None)
        if window is None or window.subquestions is None:
            counts["of its questions have no cruxes for the window"] += 1
            continue
        released = window.subquestions[0] if window.subquestions else None
        entry = verified.get(record.id)
        if released and entry and entry.adjudicated_datetime and file == RAW_RESOLVED:
            released = released.model_copy(update={"resolution_datetime": entry.adjudicated_datetime})
        counts["verified times or answers are not those of its file, which count"] += (
            released is not None and file == RESOLVED and _contradicts(entry, released)
        )
        cruxes[record.id] = crux = import_crux(released, None if file == UNJUDGED else entry, imported.question)
        counts["cruxes after the first one of their window are left out"] += len(window.subquestions[1:])
        counts["cruxes have dates outside of their window, which the release takes: they are moved into it"] += (
            crux.dates_moved
        )
        counts["of these cruxes end after the window that is shown: they are scored as the release did"] += (
            crux.ends_later
        )
        counts["cruxes are resolvable, but without a usable answer or time: they count as unresolvable"] += (
            crux.unsettled
        )
        counts["resolutions have no verified rule and precision: these follow from their times"] += crux.inferred
    counts["questions are missing"] = len(questions.keys() - cruxes.keys())
    run = GeneratorRun(name, file, cruxes, {} if file == UNJUDGED else verified, notes)
    counts["cruxes have no resolution: they are unscored"] = sum(
        run.lacks_resolution(questions[question_id].question) for question_id in cruxes
    )
    notes += [f"{count} {told}" for told, count in counts.items() if count]
    return run


def _contradicts(entry: VerifiedTime | None, released: ReleasedCrux) -> bool:
    """Whether a verified record is not what the verifier decided, as far as both tell."""
    if entry is None or not released.resolvable:
        return False
    answers = {text.strip().casefold() for text in (entry.resolution, released.resolution)} - {""}
    moments = {entry.adjudicated_datetime, released.resolution_datetime} - {None}
    return len(answers) > 1 or len(moments) > 1
