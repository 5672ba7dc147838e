"""Forecasts of the miniature release: against Brier scores and areas under the ROC curve by loops."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cruxbench_inspect.markets.release.importing import import_release
from cruxbench_inspect.report.gathering.forecast_run import quality
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.tables.forecasts import forecastings, forecasts, own_forecasts
from cruxbench_inspect.utc import parse_utc
from tests.mini_release import FORECASTERS, GENERATORS, IDS, QWEN, MiniRelease
from tests.report.tables.sample_study import close

LABELS = {name: name.rsplit("/", 1)[-1] for name in GENERATORS}
OUTSIDER, INSIDER = FORECASTERS
"""The second forecaster is one of the generators."""


class Imported(NamedTuple):
    release: MiniRelease
    study: Study


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    folder = tmp_path_factory.mktemp("forecasts")
    release = MiniRelease(folder / "release")
    # Forecasts that differ from each other, some of them equal.
    for path in sorted((folder / "release" / "outputs_forecast").rglob("*.json")):
        records = json.loads(path.read_text(encoding="utf-8"))
        for number, record in enumerate(records):
            record["p_u"] = (7 * number + len(path.stem)) % 10 / 10 + 0.05
        path.write_text(json.dumps(records), encoding="utf-8")
    report = import_release(folder / "release", folder / "set", folder / "logs", now=parse_utc("2026-11-30T08:00:00Z"))
    return Imported(release, make_study([str(path) for path in report.logs], {}, Options()))


def test_own_forecasts_equal_loops(imported: Imported) -> None:
    own = own_forecasts(imported.study)
    (label,) = own
    assert label == LABELS[QWEN]
    forecasts_of = _forecasts(imported.release, INSIDER, "baseline_pu.json")
    assert own[label].count == len(forecasts_of) == 12
    assert own[label].brier == close(_brier(imported.release, forecasts_of))
    assert own[label].auc == close(_auc(imported.release, forecasts_of))


@pytest.mark.parametrize("generator", GENERATORS)
def test_forecasts_given_cruxes_equal_loops(imported: Imported, generator: str) -> None:
    baseline = _forecasts(imported.release, OUTSIDER, "baseline_pu.json")
    informed = _forecasts(imported.release, OUTSIDER, f"subq_pu__{generator.replace('/', '_')}.json")
    assert 0 < len(informed) < len(baseline)
    # A crux that informs nobody keeps the forecast without it.
    given = baseline | informed

    row = next(
        row for row in forecasts(imported.study).rows
        if row["forecaster"] == OUTSIDER and row["generator"] == LABELS[generator]
    )  # fmt: skip

    brier, auc = _brier(imported.release, given), _auc(imported.release, given)
    assert row["count"] == 12
    assert (row["brier"], row["auc"]) == close((brier, auc))
    assert row["brier_gain"] == close(_brier(imported.release, baseline) - brier)
    assert row["auc_gain"] == close(auc - _auc(imported.release, baseline))


def test_means_over_forecasters_come_last(imported: Imported) -> None:
    table = forecasts(imported.study)
    assert table.rows[0]["generator"] == "no crux"
    assert table.emphasised == {len(table.rows) - 3, len(table.rows) - 2, len(table.rows) - 1}
    for row in table.rows[-3:]:
        own = [one for one in forecastings(imported.study) if one.generator == row["generator"]]
        assert row["forecaster"] == "mean of all"
        assert row["brier"] == close(sum(one.given.brier for one in own) / len(own))
        assert row["auc_gain"] == close(sum(one.given.auc - one.without.auc for one in own) / len(own))


def test_outcomes_of_one_kind_have_no_area() -> None:
    found = quality({"a": 0.2, "b": 0.4, "c": 0.9}, {"a": False, "b": False})
    assert found.count == 2
    assert found.brier == close((0.04 + 0.16) / 2)
    assert found.auc != found.auc


def test_without_forecasters_there_is_a_sentence(imported: Imported) -> None:
    with pytest.raises(ValueError, match=r"there is no forecaster's log among these\.$"):
        forecasts(replace(imported.study, forecasts=()))


def _forecasts(release: MiniRelease, forecaster: str, file: str) -> dict[str, float]:
    ids = {record["question"]: str(record["id"]) for record in release.read("data/ultimates.json")}
    records: list[dict[str, Any]] = json.loads(
        (Path(release.root) / "outputs_forecast" / forecaster / file).read_text(encoding="utf-8")
    )
    return {ids[record["ultimate_question"]]: record["p_u"] for record in records}


def _ended(release: MiniRelease) -> dict[str, bool]:
    found = {str(record["id"]): record["resolution"] == "Yes" for record in release.read("data/ultimates.json")}
    assert set(found) == {str(each) for each in IDS}
    return found


def _brier(release: MiniRelease, given: dict[str, float]) -> float:
    ended = _ended(release)
    return sum((forecast - ended[key]) ** 2 for key, forecast in given.items()) / len(given)


def _auc(release: MiniRelease, given: dict[str, float]) -> float:
    ended = _ended(release)
    pairs = [
        1.0 if yes > no else 0.5 if yes == no else 0.0
        for key, yes in given.items() if ended[key]
        for other, no in given.items() if not ended[other]
    ]  # fmt: skip
    return sum(pairs) / len(pairs)
