"""What runs cost: against sums over the logs' samples, and by hand."""

import math
from dataclasses import replace

import pytest
from inspect_ai.log import read_eval_log

from cruxbench_inspect.report.gathering.price_list import ModelPrice, PriceList
from cruxbench_inspect.report.gathering.run import Usage
from cruxbench_inspect.report.tables.costs import ALL, costs, role_costs, usd_per_question
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
        searches = sum(one.told.get("searches", 0) for row in rows.values() for one in row.samples)
        assert searches > 0
        assert found[label].usd == close(0.01 * searches)
        assert found[label].model == f"{searches} searches"
    assert not [one for one in role_costs(sample.study, PriceList({})) if one.role == "search"]


def test_the_table_divides_by_samples(sample: Sample) -> None:
    found = role_costs(sample.study, PRICES)
    rows = [row for row in costs(sample.study, found).rows if row["role"] != ALL]
    assert [(row["model"], row["role"], row["usd"]) for row in rows] == [
        (one.entry, one.role, one.usd) for one in found
    ]
    for row, one in zip(rows, found, strict=True):
        samples = 60 if one.entry == "twice" else 30
        assert row["per_question"] == (None if one.usd is None else close(one.usd / samples))
    per_question = usd_per_question(sample.study, found)
    for label in ("keen", "plain", "twice"):
        (usd,) = [one.usd for one in found if (one.entry, one.role) == (label, "generator")]
        assert usd is not None
        assert per_question[label] == close(usd / (60 if label == "twice" else 30))
    assert per_question["weak"] is None


def test_each_model_has_a_total_and_all_have_one(sample: Sample) -> None:
    prices = replace(PRICES, models={**PRICES.models, "judge/resolver": ModelPrice(1.0, 1.0, 2.0)})
    found = role_costs(sample.study, prices)
    table = costs(sample.study, found)
    totals = {str(row["model"]): row for row in table.rows if row["role"] == ALL}
    assert list(totals) == [*sample.study.labels, "all models"]
    assert table.emphasised == {place for place, row in enumerate(table.rows) if row["role"] == ALL}
    for label in sample.study.labels:
        own = [one for one in found if one.entry == label]
        row = totals[label]
        assert table.rows.index(row) == max(place for place, each in enumerate(table.rows) if each["model"] == label)
        assert (row["tokens_in"], row["tokens_out"]) == (
            sum(one.tokens_in for one in own),
            sum(one.tokens_out for one in own),
        )
        usd = sum(one.usd or 0.0 for one in own)
        assert row["usd"] == close(usd)
        assert row["per_question"] == close(usd / (60 if label == "twice" else 30))
        taken = [each.total_time for each in samples_of(read_eval_log(str(sample.paths[label])))]
        assert row["seconds"] == close(math.nan if None in taken else mean(taken))
    assert totals["all models"]["usd"] == close(sum(one.usd or 0.0 for one in found))
    assert totals["all models"]["tokens_in"] == sum(one.tokens_in for one in found)
    assert "per_question" not in totals["all models"]


def test_a_total_is_unknown_where_a_part_of_it_is(sample: Sample) -> None:
    found = role_costs(sample.study, PRICES)
    totals = {row["model"]: row for row in costs(sample.study, found).rows if row["role"] == ALL}
    # The resolver has no price, and weak used searches alone.
    assert {label for label, row in totals.items() if row["usd"] is None} == {"keen", "plain", "twice", "all models"}
    assert all(row["tokens_in"] is not None for row in totals.values())


def test_fees_that_are_not_known_are_told_of(sample: Sample) -> None:
    assert len(costs(sample.study, role_costs(sample.study, PRICES)).notes) == 1
    notes = costs(sample.study, role_costs(sample.study, replace(PRICES, search=None))).notes
    assert notes[1].startswith("What searches cost is not in it")


def test_a_price_list_by_hand() -> None:
    prices = PriceList({"lab/a": ModelPrice(3.0, 0.3, 15.0)})
    assert prices.usd(Usage("Lab/A", "generator", 2_000_000, 500_000, 100_000, None)) == close(4.5 + 0.15 + 1.5)
    assert prices.usd(Usage("lab/b", "generator", 10, 0, 10, 0.25)) == 0.25
    assert prices.usd(Usage("lab/b", "generator", 10, 0, 10, None)) is None


def test_without_usage_there_is_a_sentence(sample: Sample) -> None:
    with pytest.raises(ValueError, match=r"these logs do not tell what was used\.$"):
        costs(sample.study, [])
