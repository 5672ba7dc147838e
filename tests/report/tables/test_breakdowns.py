"""Where scores come from, and what models may have known: against loops over the logs."""

from collections.abc import Callable, Mapping
from datetime import date

import pytest

from cruxbench_inspect.report.tables.breakdowns import breakdown_groups, breakdowns
from cruxbench_inspect.report.tables.contamination import contamination, lead_groups
from tests.report.tables.logged import Logged, LoggedSample, clustered_interval, mean, scored, scored_samples
from tests.report.tables.sample_study import LABELS, Sample, close

KNOWN_FROM = {"keen": date(2025, 12, 1), "plain": date(2026, 2, 1), "twice": date(2025, 3, 4)}


def _lead(row: LoggedSample) -> list[str]:
    if row.resolved_at is None:
        return ["not resolved"]
    days = (row.resolved_at - row.start).total_seconds() / 86_400
    if days > 21:
        return ["over 21 days"]
    if days > 14:
        return ["15 to 21 days"]
    if days > 7:
        return ["8 to 14 days"]
    return ["4 to 7 days" if days > 3 else "up to 3 days"]


NAMES: Mapping[str, Callable[[LoggedSample], list[str]]] = {
    "rule": lambda row: [row.told.get("rule", "not resolved").replace("_", " ")],
    "precision": lambda row: [row.told.get("precision", "not resolved").replace("_", " ")],
    "lead time": _lead,
    "tag": lambda row: list(row.about["tags"]),
}


@pytest.mark.parametrize("by", NAMES)
def test_groups_equal_loops(sample: Sample, by: str) -> None:
    expected: dict[tuple[str, str], list[LoggedSample]] = {}
    for label in LABELS:
        for row in scored_samples(sample.logged[label]):
            for name in NAMES[by](row):
                expected.setdefault((name, label), []).append(row)
                expected.setdefault((name, "all models"), []).append(row)
    wanted = {key: rows for key, rows in expected.items() if len(rows) >= 5}

    found = {(group.group, group.entry): group for group in breakdown_groups(sample.study) if group.by == by}

    assert set(found) == set(wanted)
    assert len(found) > 4
    for key, rows in wanted.items():
        above = [row.values["excess_kl"] for row in rows]
        group = found[key]
        assert group.count == len(rows)
        assert group.voi == close(mean(row.values["voi_kl"] for row in rows))
        assert group.above == close(mean(above))
        assert group.interval == close(clustered_interval(above, [row.event for row in rows]))


@pytest.mark.parametrize("by", ["rule", "precision", "lead time"])
def test_groups_of_a_kind_partition_the_scores(sample: Sample, by: str) -> None:
    groups = [group for group in breakdown_groups(sample.study) if group.by == by and group.entry == "all models"]
    rows = [row for label in LABELS for row in scored_samples(sample.logged[label])]
    # None of these groups is so small that it is left out.
    assert sum(group.count for group in groups) == len(rows)
    assert sum(group.count * group.above for group in groups) == close(sum(row.values["excess_kl"] for row in rows))


def test_tables_have_the_groups_in_their_order(sample: Sample) -> None:
    groups = breakdown_groups(sample.study)
    tables = breakdowns(sample.study, groups)
    assert [table.name for table in tables] == ["by_rule", "by_precision", "by_lead_time", "by_tag"]
    shown = [
        (row["group"], row["model"], row["count"], row["voi"], row["above"], row["interval"])
        for table in tables
        for row in table.rows
    ]
    assert shown == [(g.group, g.entry, g.count, g.voi, g.above, g.interval) for g in groups]
    assert [table.rows for table in breakdowns(sample.study)] == [table.rows for table in tables]
    for table in tables:
        assert list(dict.fromkeys(row["model"] for row in table.rows)) == ["all models", *sample.study.labels]


def test_lead_groups_equal_loops_and_sum_to_all(sample: Sample) -> None:
    found = lead_groups(sample.study)
    assert {group.entry for group in found} == set(KNOWN_FROM)
    whole = 0
    for label, known_from in KNOWN_FROM.items():
        expected: dict[str, list[tuple[float, Logged]]] = {}
        for row in scored(sample.logged[label]):
            months = (row.start.date() - known_from).days / 30.44
            expected.setdefault(_name(months), []).append((months, row))
        own = {group.lead: group for group in found if group.entry == label}
        assert set(own) == {name for name, rows in expected.items() if len(rows) >= 5}
        for name, group in own.items():
            above = [row.values["excess_kl"] for _, row in expected[name]]
            events = [row.event for _, row in expected[name]]
            assert group.count == len(above)
            assert group.months == close(mean(months for months, _ in expected[name]))
            assert group.voi == close(mean(row.values["voi_kl"] for _, row in expected[name]))
            assert group.above == close(mean(above))
            assert group.interval == close(clustered_interval(above, events))
        if set(own) == set(expected):
            whole += 1
            everything = scored(sample.logged[label])
            assert sum(group.count for group in own.values()) == len(everything)
            total = sum(group.count * group.voi for group in own.values())
            assert total == close(sum(row.values["voi_kl"] for row in everything))
    assert whole > 0
    assert any(group.lead == "before the cutoff" for group in found)


def test_the_table_tells_of_every_model(sample: Sample) -> None:
    table = contamination(sample.study)
    assert list(dict.fromkeys(row["model"] for row in table.rows)) == sample.study.labels
    texts = {"keen": "2025-11", "plain": "2026-01", "twice": "2025-03 (release)", "weak": "not known"}
    for row in table.rows:
        label = str(row["model"])
        assert row["cutoff"] == texts[label]
        if label == "weak":
            assert row["known_windows"] is None and "lead" not in row
        else:
            starts = [one.start.date() for one in sample.logged[label].values()]
            assert row["known_windows"] == sum(start < KNOWN_FROM[label] for start in starts)
    shown = [(row["model"], row["lead"], row["voi"], row["above"]) for row in table.rows if "lead" in row]
    assert shown == [(group.entry, group.lead, group.voi, group.above) for group in lead_groups(sample.study)]


def _name(months: float) -> str:
    if months < 0:
        return "before the cutoff"
    if months < 3:
        return "up to 3 months after"
    if months < 6:
        return "3 to 6 months after"
    return "6 to 12 months after" if months < 12 else "over a year after"
