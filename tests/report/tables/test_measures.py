"""Table 6: against SciPy on logs and prices, and in print against the published table."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from cruxbench_inspect.report.tables.measures import LOGGED, measures, table_of_means
from cruxbench_inspect.report.tables.value_of_information import stars
from tests.report.tables.logged import mean, one_sided_p, scored
from tests.report.tables.sample_study import LABELS, Sample, close, rows_of

PUBLISHED = {"entropy_drop": "entropy_drop_bits", "abs_change": "abs_change", "squared_change": "squared_change"}
"""What the published table calls measures."""


@pytest.fixture
def published(reference_data: Path) -> dict[str, Any]:
    path = reference_data / "spec" / "paper_facts.json"
    if not path.is_file():
        pytest.skip(f"no published values at {path}")
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return facts


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("measure", LOGGED)
def test_equals_scipy_on_logs_and_prices(sample: Sample, label: str, measure: str) -> None:
    own = scored(sample.logged[label])
    values = [row.values[LOGGED[measure]] for row in own]
    random = [sample.direct[row.question].at_random(24)[measure] for row in own]
    p = one_sided_p([one - other for one, other in zip(values, random, strict=True)])

    row = rows_of(measures(sample.study, sample.widths))[label]

    assert row[measure] == close(sum(values) / len(values))
    assert row[f"{measure}_p"] == close(p)
    assert row[f"{measure}_stars"] == stars(p)


@pytest.mark.parametrize("measure", LOGGED)
def test_ranks_and_baselines(sample: Sample, measure: str) -> None:
    rows = rows_of(measures(sample.study, sample.widths))
    means = {label: mean(row.values[LOGGED[measure]] for row in scored(sample.logged[label])) for label in LABELS}
    for label in LABELS:
        assert rows[label][f"{measure}_rank"] == 1 + sum(other > means[label] for other in means.values())
    random = [prices.at_random(24)[measure] for prices in sample.direct.values()]
    oracle = [prices.oracle(24)[measure] for prices in sample.direct.values()]
    assert rows["random timing"][measure] == close(mean(random))
    assert rows["oracle"][measure] == close(mean(oracle))


def test_without_prices_only_kl_is_tested(sample: Sample) -> None:
    rows = rows_of(measures(sample.study, None))
    assert set(rows) == set(LABELS)
    for label, row in rows.items():
        excess = [each.values["excess_kl"] for each in scored(sample.logged[label])]
        assert row["kl_p"] == close(one_sided_p(excess))
        assert all(math.isnan(row[f"{name}_p"]) for name in LOGGED if name != "kl")  # type: ignore[arg-type]


def test_ties_get_the_lower_number_and_missing_means_none() -> None:
    means = {name: dict.fromkeys(LOGGED, value) for name, value in (("a", 0.1), ("b", 0.3), ("c", 0.3), ("d", 0.2))}
    means["e"] = dict.fromkeys(LOGGED, math.nan)
    p_values = {name: dict.fromkeys(LOGGED, math.nan) for name in means}
    table = table_of_means(means, p_values, {}, {"d"})
    assert [(row["model"], row["kl_rank"], row["abs_change_rank"]) for row in table.rows] == [
        ("b", 1, 1), ("c", 1, 1), ("d", None, None), ("a", 3, 3), ("e", None, None),
    ]  # fmt: skip


def test_prints_the_published_table(published: dict[str, Any]) -> None:
    facts = {name: row for name, row in published["table6_other_measures"].items() if name != "columns"}
    columns = published["table6_other_measures"]["columns"]
    kl = published["table1_voi_kl_bits"]
    models = [name for name in facts if name not in ("random_timing", "oracle")]
    means = {name: {"kl": kl[name]["mean4"], **_unrounded(published, name)} for name in sorted(models)}
    p_values = {
        name: {"kl": _p(kl[name]["stars"])}
        | {own: _p(published["table6_stars"][theirs].get(name, "")) for own, theirs in PUBLISHED.items()}
        for name in models
    }
    baselines = {
        label: dict(zip(PUBLISHED, facts[name], strict=True)) | {"kl": kl[name]["mean"]}
        for label, name in (("random timing", "random_timing"), ("oracle", "oracle"))
    }

    table = table_of_means(means, p_values, baselines)

    shown = [dict(zip((column.key for column in table.columns), cells, strict=True)) for cells in table.shown()]
    assert [row["model"] for row in shown] == [*models, "random timing", "oracle"]
    for row, name in zip(shown, [*models, "random_timing", "oracle"], strict=True):
        for own, theirs in PUBLISHED.items():
            assert row[own] == f"{facts[name][columns.index(theirs)]:.3f}"
            if name in models:
                assert row[f"{own}_rank"] == str(published["table6_ranks"][name][theirs])
                assert row[f"{own}_stars"] == published["table6_stars"][theirs].get(name, "")
            else:
                assert (row[f"{own}_rank"], row[f"{own}_stars"]) == ("–", "")
    assert [row["kl_rank"] for row in shown[: len(models)]] == [str(rank + 1) for rank in range(len(models))]


def _unrounded(published: dict[str, Any], name: str) -> dict[str, float]:
    """Means that round to the published ones; models that print the same differ as their published ranks say."""
    columns = published["table6_other_measures"]["columns"]
    return {
        own: published["table6_other_measures"][name][columns.index(theirs)]
        - 4e-5 * (published["table6_ranks"][name][theirs] - 4.5)
        for own, theirs in PUBLISHED.items()
    }


def _p(marks: str) -> float:
    return {"": 0.3, "*": 0.02, "**": 0.002}[marks]
