"""Capability scores that come with a release: beside the logs, and from there in reports."""

import csv
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.importing import ImportReport, import_release
from cruxbench_inspect.report.gathering.facts import read_facts
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.utc import parse_utc
from tests.mini_release import LLAMA, QWEN, MiniRelease

NOW = parse_utc("2026-11-05T06:07:08Z")
TABLE = "data/epoch_eci_scores_2026-09-22.csv"
PUBLISHED = (
    "Model,Display name,eci,eci_ci_low,eci_ci_high,date,Organization",
    "Claude Opus 4.6,claude-opus-4-6_120K,153.5,151,155,2026-02-05,Anthropic",
    "Claude Opus 4,claude-opus-4,143.1,141,145,2025-05-22,Anthropic",
    "Qwen3-235B-A22B-Instruct-2507,,138.9,137,140,2025-07-21,Alibaba",
    "Qwen3-235B-A22B,,135.0,133,137,2025-04-29,Alibaba",
    '"Llama 3.1-8B","Llama 3.1, 8B",118.25,116,120,2024-07-23,Meta',
    "Unscored,,,,,,",
)
Import = Callable[..., ImportReport]


@pytest.fixture
def imported(tmp_path: Path) -> Import:
    """Imports the release with lines as its table of capability scores, and perhaps further tables."""
    release = MiniRelease(tmp_path / "release")

    def run(*lines: str, **others: str) -> ImportReport:
        (release.root / TABLE).write_text("\n".join(lines) + "\n", encoding="utf-8")
        for day, text in others.items():
            (release.root / f"data/epoch_eci_scores_{day.replace('_', '-')}.csv").write_text(text, encoding="utf-8")
        target = tmp_path / "set"
        return import_release(release.root, target, tmp_path / "logs", now=NOW, replace=target.exists())

    return run


def written(report: ImportReport) -> dict[str, float] | None:
    path = report.logs[0].parent / "models.csv"
    if not path.exists():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["model"]: float(row["capability"]) for row in rows}


OPUS_ROW = "claude-opus-4-6"
QWEN_ROW, LLAMA_ROW = (name.rsplit("/", 1)[-1] for name in (QWEN, LLAMA))


def test_a_report_of_an_imported_release_knows_capabilities(imported: Import) -> None:
    report = imported(*PUBLISHED)
    assert written(report) == {OPUS_ROW: 153.5, QWEN_ROW: 138.9, LLAMA_ROW: 118.25}
    assert any(note.startswith("capability scores of 3 models are in ") for note in report.notes)
    assert not any("give it to reports" in note for note in report.notes)
    logs = [str(path) for path in report.logs]
    study = make_study(logs, read_facts(None, logs), Options(rank_all=True))
    assert {study.facts[entry.label].capability for entry in study.entries} == {153.5, 138.9, 118.25}
    # What is built in stays known.
    (opus,) = [study.facts[entry.label] for entry in study.entries if entry.model.endswith(OPUS_ROW)]
    assert opus.knowledge_cutoff == date(2025, 8, 1)


@pytest.mark.parametrize("name", [OPUS_ROW, f"anthropic/{OPUS_ROW}"])
def test_what_a_user_says_stands_above_it(imported: Import, tmp_path: Path, name: str) -> None:
    logs = [str(path) for path in imported(*PUBLISHED).logs]
    own = tmp_path / "own.csv"
    own.write_text(f"model,label,capability\n{name},Opus,99\n{LLAMA},Llama,\n", encoding="utf-8")
    study = make_study(logs, read_facts(own, logs), Options(rank_all=True))
    capabilities = {entry.label: study.facts[entry.label].capability for entry in study.entries}
    assert (capabilities["Opus"], capabilities["Llama"]) == (99.0, 118.25)


def test_whole_names_beside_logs_stand_below_a_user_s_short_ones(tmp_path: Path) -> None:
    (tmp_path / "models.csv").write_text("model,capability,released\nlab/one,1,2025-01\nlab/two,2,\n", encoding="utf-8")
    own = tmp_path / "own.csv"
    own.write_text("model,capability\none,10\n", encoding="utf-8")
    facts = read_facts(own, [f"file://{tmp_path}/log.eval", "s3://bucket/log.eval"])
    assert (facts["lab/one"].capability, facts["lab/one"].released) == (10.0, date(2025, 1, 31))
    assert facts["lab/two"].capability == 2.0


def test_a_wrong_file_beside_logs_is_named(tmp_path: Path) -> None:
    (tmp_path / "models.csv").write_text("name,size\na,1\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_facts(None, [str(tmp_path / "log.eval")])
    assert error.value.message.startswith(f"{tmp_path / 'models.csv'}: the columns are name, size")


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("model,score", "claude-opus-4-6,150"),
        ("Model version,ECI Score,Model name", "claude-opus-4-6_64K,150,Claude Opus 4.6"),
        ("rank,model,eci,ci_low,ci_high,retrieved", "1,Claude Opus 4.6,150,148,152,2026-07-07"),
        ("Display name,Capability", "anthropic/claude-opus-4.6,150"),
    ],
)
def test_forms_of_the_table(imported: Import, head: str, row: str) -> None:
    report = imported(head, row)
    assert written(report) == {OPUS_ROW: 150.0}
    (note,) = [note for note in report.notes if "give it to reports" in note]
    assert note == f"no capability score is surely that of {QWEN}, {LLAMA}: give it to reports with --models"


@pytest.mark.parametrize(
    "lines",
    [
        # Other models, whose names are alike.
        ("model,eci", "Claude Opus 4,150", "Claude Opus 4.6 (high),150", "Opus 4.6,150", "Qwen3-235B-A22B,150"),
        # Which of the two is it?
        ("model,eci", "Claude Opus 4.6,150", "claude-opus-4-6,151"),
        ("model,eci", "Claude Opus 4.6,", "Claude Opus 4.6,nan", "Claude Opus 4.6,good"),
        ("model,eci",),
    ],
)
def test_no_score_is_guessed(imported: Import, lines: tuple[str, ...]) -> None:
    report = imported(*lines)
    assert written(report) is None
    assert (report.logs[0].parent / Path(TABLE).name).is_file()
    assert any("no capability score is surely that of anthropic/claude-opus-4-6" in note for note in report.notes)


@pytest.mark.parametrize("content", ["", "size,price\n1,2\n", "model,rank\na,1\n"])
def test_a_table_of_another_form_is_noted(imported: Import, content: str) -> None:
    report = imported(content.rstrip("\n"))
    assert written(report) is None
    assert any(note.startswith(f"{Path(TABLE).name}: no capability scores are read from it") for note in report.notes)


def test_the_newest_table_counts(imported: Import) -> None:
    report = imported("model,eci", "claude-opus-4-6,150", **{"2026_10_01": "model,eci\nclaude-opus-4-6,152\n"})
    assert written(report) == {OPUS_ROW: 152.0}


def test_importing_again_replaces_it_and_no_file_of_a_user(imported: Import) -> None:
    imported("model,eci", "claude-opus-4-6,150")
    report = imported("model,eci", "claude-opus-4-6,151")
    assert written(report) == {OPUS_ROW: 151.0}
    assert written(imported("model,eci", "another,151")) is None
    own = report.logs[0].parent / "models.csv"
    own.write_text("model,label,capability\nclaude-opus-4-6,Mine,1\n", encoding="utf-8")
    again = imported("model,eci", "claude-opus-4-6,152")
    assert written(again) == {OPUS_ROW: 1.0}
    assert any("is no import's, and stays as it is" in note for note in again.notes)
