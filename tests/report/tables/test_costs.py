"""What runs cost: against sums over the logs' samples, and by hand."""

import pytest
from inspect_ai.log import read_eval_log

from cruxbench_inspect.report.gathering.price_list import ModelPrice, PriceList
from cruxbench_inspect.report.gathering.run import Usage
from cruxbench_inspect.report.tables.costs import costs, role_costs, usd_per_question
from tests.report.tables.logged import mean, samples_of
from tests.report.tables.sample_study import PRICES, Sample, close

ROLES = {"generator": "lab/{}", "resolver": "judge/resolver"}


def test_tokens_and_money_are_sums_over_samples_by_role(sample: Sample) -> None:
    found = {(one.entry, one.role): one for one in role_costs(sample.study, PRICES)}
    assert set(found) == {(label, role) for label in ("keen", "plain", "twice") for role in ROLES} | {
        (label, "search") for label in sample.study.labels
    }
    for label in ("keen", "plain", "twice"):
        for role, model in ROLES.items():
            used = [one.model_usage[model.format(label)] for one in samples_of(read_eval_log(str(sample.paths[label])))]
            cached = sum(one.input_tokens_cache_read or 0 for one in used)
            fresh, written = sum(one.input_tokens for one in used), sum(one.output_tokens for one in used)
            cost = found[label, role]
            assert (cost.tokens_in, cost.tokens_out) == (fresh + cached, written)
            if role == "resolver":
                assert cost.usd is None
            elif label == "keen":
                assert cost.usd == close((2 * fresh + 0.5 * cached + 8 * written) / 1e6)
            elif label == "twice":
                assert cost.usd == close((fresh + cached + 3 * written) / 1e6)
            else:
                assert cost.usd == close(sum(one.total_cost for one in used))


def test_searches_are_counted_from_scores_and_charged(sample: Sample) -> None:
    found = {one.entry: one for one in role_costs(sample.study, PRICES) if one.role == "search"}
    for label, rows in sample.logged.items():
        searches = sum(told.get("searches", 0) for row in rows.values() for told in row.told_by_epoch)
        assert searches > 0
        assert found[label].usd == close(0.01 * searches)
        assert found[label].model == f"{searches} searches"
    assert not [one for one in role_costs(sample.study, PriceList({})) if one.role == "search"]


def test_the_table_divides_by_samples(sample: Sample) -> None:
    found = role_costs(sample.study, PRICES)
    table = costs(sample.study, found)
    assert [(row["model"], row["role"], row["usd"]) for row in table.rows] == [
        (one.entry, one.role, one.usd) for one in found
    ]
    for row, one in zip(table.rows, found, strict=True):
        samples = 60 if one.entry == "twice" else 30
        assert row["per_question"] == (None if one.usd is None else close(one.usd / samples))
        if one.role == "generator":
            log = samples_of(read_eval_log(str(sample.paths[one.entry])))
            assert row["seconds"] == close(mean(each.total_time for each in log))
        else:
            assert row["seconds"] is None
    per_question = usd_per_question(sample.study, found)
    for label in ("keen", "plain", "twice"):
        (usd,) = [one.usd for one in found if (one.entry, one.role) == (label, "generator")]
        assert usd is not None
        assert per_question[label] == close(usd / (60 if label == "twice" else 30))
    assert per_question["weak"] is None


def test_a_price_list_by_hand() -> None:
    prices = PriceList({"lab/a": ModelPrice(3.0, 0.3, 15.0)})
    assert prices.usd(Usage("Lab/A", "generator", 2_000_000, 500_000, 100_000, None)) == close(4.5 + 0.15 + 1.5)
    assert prices.usd(Usage("lab/b", "generator", 10, 0, 10, 0.25)) == 0.25
    assert prices.usd(Usage("lab/b", "generator", 10, 0, 10, None)) is None


def test_without_usage_there_is_a_sentence(sample: Sample) -> None:
    with pytest.raises(ValueError, match=r"these logs do not tell what was used\.$"):
        costs(sample.study, [])
