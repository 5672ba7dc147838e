"""The cruxes of one question side by side, the questions that tell most, and the funnel."""

import json
import math
from dataclasses import replace
from datetime import datetime

import polars as pl
import pytest
from inspect_ai.log import read_eval_log

from cruxbench_inspect.report.case_samples import read_case_samples
from cruxbench_inspect.report.tables.funnel import funnel
from cruxbench_inspect.report.tables.questions import question_table, telling_questions
from tests.report.tables.logged import samples_of, scored
from tests.report.tables.sample_study import LABELS, Sample, close, with_rows


def test_the_most_telling_questions_come_first(sample: Sample) -> None:
    values: dict[str, list[float]] = {}
    for label in LABELS:
        for row in scored(sample.logged[label]):
            values.setdefault(row.question, []).append(row.values["voi_kl"])
    keys = sorted(values, key=lambda key: (min(values[key]) - max(values[key]), -max(values[key]), key))
    assert telling_questions(sample.study, 30) == keys
    assert telling_questions(sample.study, 4) == keys[:4]
    assert telling_questions(sample.study, 0) == []


def test_of_equal_spreads_the_one_with_the_best_crux_comes_first(sample: Sample) -> None:
    values = {"q000": (0.0, 0.25), "q001": (0.5, 0.75), "q002": (0.5, 0.75), "q003": (0.0, 0.5)}

    def of_two(rows: pl.DataFrame) -> pl.DataFrame:
        two = rows.filter(pl.col("entry").is_in(["keen", "weak"]), pl.col("question").is_in(list(values)))
        return two.sort("question", "entry").with_columns(
            voi_kl=pl.Series([value for pair in values.values() for value in pair]), coverage=pl.lit(1.0)
        )

    assert telling_questions(with_rows(sample.study, of_two), 9) == ["q003", "q001", "q002", "q000"]


@pytest.mark.parametrize("place", range(30))
def test_a_question_has_every_crux_the_best_first(sample: Sample, place: int) -> None:
    key = f"q{place:03}"
    # Of several epochs the first with a score is shown.
    rows = {label: sample.logged[label][key].first for label in LABELS}
    order = sorted(
        LABELS,
        key=lambda label: (
            not rows[label].is_scored,
            -rows[label].values["voi_kl"] if rows[label].is_scored else 0,
            label,
        ),
    )

    table = question_table(sample.study, key)

    assert table.title == sample.made.set.question(key).question
    assert table.name == f"question_{key}"
    assert [row["model"] for row in table.rows] == order
    for row in table.rows:
        own = rows[str(row["model"])]
        assert row["crux"] == (own.answer or "none")
        assert row["voi"] == close(own.values["voi_kl"])
        assert row["before"] == close(own.told.get("p_before", math.nan))
        assert row["after"] == close(own.told.get("p_after", math.nan))
        assert row["outcome"] == own.told.get("outcome", (own.reason or "").replace("_", " "))
        for name in ("rule", "precision"):
            assert row[name] == (own.told[name].replace("_", " ") if name in own.told else None)
        shown = row["resolved_at"]
        if own.resolved_at is None:
            assert shown is None
        else:
            assert datetime.fromisoformat(f"{shown}Z") == own.resolved_at


def test_whole_cruxes_are_notes_and_data_of_the_entries_that_are_shown(sample: Sample) -> None:
    key, shown = "q004", ["keen", "weak"]
    criteria = {label: _criteria(sample, label, key) for label in LABELS}
    table = question_table(sample.study, key, read_case_samples(sample.study, shown, key), shown)
    answered = [label for label in (str(row["model"]) for row in table.rows) if label in shown]
    assert answered and [note.split("\n\n")[0] for note in table.notes[:-2]] == [
        f"**{label}**: the whole crux and what settled it" for label in answered
    ]
    for label, note in zip(answered, table.notes, strict=False):
        assert f"- *Resolution criteria*: {criteria[label]}\n" in note
    assert table.notes[-2:] == (
        "Whole cruxes are shown of the 2 models with the highest VOI.",
        "Of several epochs the first that has a score is shown, with its own numbers.",
    )
    for row in table.rows:
        assert row.get("resolution_criteria") == (criteria[str(row["model"])] if row["model"] in shown else None)
    everyone = question_table(sample.study, key, read_case_samples(sample.study, LABELS, key), LABELS)
    assert len(everyone.notes) == len(LABELS) + 1


def test_a_question_that_nobody_was_asked_has_no_rows(sample: Sample) -> None:
    table = question_table(sample.study, "q999")
    assert table.rows == ()
    assert table.title == "q999"


def test_the_funnel_counts_what_each_stage_dropped(sample: Sample) -> None:
    table = funnel(sample.made.set)
    assert table is not None
    assert table.rows == (
        {"stage": "markets", "left": 3000},
        {"stage": "long enough", "left": 200, "dropped": 2800},
        {"stage": "chosen", "left": 30, "dropped": 170},
    )
    assert table.shown()[0] == ["markets", "3,000", "–"]


@pytest.mark.parametrize("stages", [None, [], "many", [{"stage": "markets"}], [{"left": None}, 3]])
def test_a_manifest_without_counts_has_no_funnel(sample: Sample, stages: object) -> None:
    manifest = sample.made.set.manifest.model_copy(update={"funnel": stages})
    assert funnel(replace(sample.made.set, manifest=manifest)) is None


def test_missing_means_are_not_drawn_as_numbers(sample: Sample) -> None:
    unscored = [
        (label, row.question)
        for label in LABELS
        for row in sample.logged[label].values()
        if math.isnan(row.values["voi_kl"])
    ]
    label, key = unscored[0]
    table = question_table(sample.study, key)
    place = [row["model"] for row in table.rows].index(label)
    assert table.shown()[place][-1] == "–"


def _criteria(sample: Sample, label: str, key: str) -> str:
    """The resolution criteria of a model's crux, as it wrote it in the epoch that tables tell."""
    own = [one for one in samples_of(read_eval_log(str(sample.paths[label]))) if one.id == key]
    first = next((one for one in own if one.scores["voi"].value["coverage"]), own[0])
    return str(json.loads(first.output.completion)["resolution_criteria"])
