"""How alike cruxes are: against loops over the logs' cruxes."""

from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from statistics import median

import pytest

from cruxbench_inspect.inference.text_similarity import lexical_similarities
from cruxbench_inspect.report.crux_similarity import lexical_pairs
from cruxbench_inspect.report.likeness import crux_pairs, likeness
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.table import Table
from tests.report.tables.logged import mean, wilson
from tests.report.tables.sample_study import LABELS, Sample, close, with_rows

EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def test_similarities_are_of_two_models_cruxes_for_one_question(sample: Sample) -> None:
    texts = [
        (key, label, answer)
        for key in sorted(sample.logged["keen"])
        for label in LABELS
        if (answer := sample.logged[label][key].answer) is not None
    ]
    matrix = lexical_similarities([text for _, _, text in texts])
    expected = {
        (texts[one][0], texts[one][1], texts[other][1]): matrix[one, other]
        for one, other in combinations(range(len(texts)), 2)
        if texts[one][0] == texts[other][0]
    }
    found = lexical_pairs(sample.study)
    assert set(found) == set(expected)
    assert all(found[key] == close(expected[key]) for key in expected)


def test_the_table_equals_loops_over_pairs(sample: Sample) -> None:
    # Similarities that fill several groups, an edge among them.
    keys = sorted(lexical_pairs(sample.study))
    similarities = {key: (0.1, 0.5, 0.55, 0.72, 0.8, 0.93, 1.0)[place % 7] for place, key in enumerate(keys)}
    groups: dict[int, list[tuple[bool | None, timedelta | None]]] = {}
    for (question, first, second), similarity in similarities.items():
        one, other = sample.logged[first][question], sample.logged[second][question]
        answers = (one.told.get("outcome"), other.told.get("outcome"))
        times = (one.resolved_at, other.resolved_at)
        place = max(step for step in range(6) if EDGES[step] <= similarity)
        groups.setdefault(place, []).append(
            (
                None if None in answers else answers[0] != answers[1],
                None if times[0] is None or times[1] is None else abs(times[0] - times[1]),
            )
        )

    pairs = crux_pairs(sample.study, similarities)

    assert len(pairs) == len(similarities)
    assert [(first, second) for first, second, _ in pairs] == [key[1:] for key in keys]
    different = {place: [one for one, _ in rows if one is not None] for place, rows in groups.items()}
    found: dict[int, list[bool | None]] = {}
    days: dict[int, list[float]] = {}
    for _, _, pair in pairs:
        place = max(step for step in range(6) if EDGES[step] <= pair.similarity)
        found.setdefault(place, []).append(None if pair.same_answer is None else not pair.same_answer)
        if pair.days_apart is not None:
            days.setdefault(place, []).append(pair.days_apart)
    for place, rows in groups.items():
        assert [one for one in found[place] if one is not None] == different[place]
        assert days[place] == close([apart / timedelta(days=1) for _, apart in rows if apart is not None])


def test_groups_have_shares_with_wilsons_intervals(sample: Sample) -> None:
    similarities = lexical_pairs(sample.study)
    table = likeness(sample.material)[0]
    assert isinstance(table, Table)
    assert sum(int(str(row["count"])) for row in table.rows) == len(similarities)
    assert f"is {mean(similarities.values()):.3f}." in table.notes[0]
    checked = 0
    named: list[tuple[int, int, int]] = []
    for place, row in enumerate(table.rows):
        keys = [key for key, value in similarities.items() if _group(value) == place]
        cruxes = [(sample.logged[first][key], sample.logged[second][key]) for key, first, second in keys]
        both = [
            (one.told["outcome"], other.told["outcome"])
            for one, other in cruxes
            if "outcome" in one.told and "outcome" in other.told
        ]
        assert row["count"] == len(keys)
        if both:
            checked += 1
            differ = sum(one != other for one, other in both)
            assert row["different"] == close(differ / len(both))
            assert row["different_interval"] == close(wilson(differ, len(both)))
            apart = [
                abs(one.resolved_at - other.resolved_at) / timedelta(days=1)
                for one, other in cruxes
                if one.resolved_at is not None and other.resolved_at is not None
            ]
            assert row["days"] == close(median(apart))
            # Every crux of the study names the same number, 5%.
            assert (row["threshold"], row["thresholds"]) == (1.0, len(keys))
            assert row["threshold_interval"] == close(wilson(len(keys), len(keys)))
            first_named = [
                (one.told["source_kinds"].split(", ")[0], other.told["source_kinds"].split(", ")[0])
                for one, other in cruxes
                if one.told["source_kinds"] and other.told["source_kinds"]
            ]
            equal = sum(one == other for one, other in first_named)
            named.append((equal, len(first_named), len(keys)))
            assert (row["source"], row["sources"]) == (close(equal / len(first_named)), len(first_named))
            assert row["source_interval"] == close(wilson(equal, len(first_named)))
    assert checked > 0
    equal, known, pairs = map(sum, zip(*named, strict=True))
    assert 0 < equal < known < pairs


def test_one_model_alone_is_like_nobody(sample: Sample) -> None:
    study = replace(sample.study, entries=sample.study.entries[:1])
    study = with_rows(study, lambda rows: rows.filter(entry=study.labels[0]))
    with pytest.raises(ValueError, match=r"no question has cruxes of two models\.$"):
        likeness(Material(study, sample.widths, sample.material.prices, 3))


def _group(similarity: float) -> int:
    return max(step for step in range(6) if EDGES[step] <= similarity)
