"""What is told of cruxes over three epochs is told of every epoch's crux: counted in the logs."""

import math
from collections import Counter
from pathlib import Path

import pytest

from cruxbench_inspect.report.drawings import timings
from cruxbench_inspect.report.gathering.price_list import PriceList
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.tables.breakdowns import breakdown_groups
from cruxbench_inspect.report.tables.direction_and_timing import direction_and_timing
from cruxbench_inspect.report.tables.informativeness import informativeness_of_cruxes
from cruxbench_inspect.report.tables.martingale import martingale_fit
from cruxbench_inspect.report.tables.nulls import matched_nulls
from cruxbench_inspect.report.widths import width_scores
from tests.report.tables.direct_prices import pivot_of, read_prices
from tests.report.tables.logged import LoggedSample, logged, mean, scored, scored_samples
from tests.report.tables.sample_study import close, rows_of
from tests.synthetic_study import Subject, SyntheticStudy

EPOCHS = 3
SUBJECTS = (
    Subject("lab/early", skill=0.5, resolvable=0.6, faulty=0.1, unscored=0.2, date_only=0.3, epochs=EPOCHS),
    Subject("lab/late", resolvable=0.7, late=0.3, informative=0.4, epochs=EPOCHS),
)
LABELS = [subject.name.removeprefix("lab/") for subject in SUBJECTS]


class Repeated:
    """A study of three epochs and what its logs say."""

    def __init__(self, folder: Path) -> None:
        self.made = SyntheticStudy(folder, questions=16, seed=7, early=3)
        paths = self.made.write(SUBJECTS)
        self.logged = {label: logged(path) for label, path in zip(LABELS, paths, strict=True)}
        self.study: Study = make_study([str(path) for path in paths], {}, Options(rank_all=True))

    def resolved(self, label: str) -> list[LoggedSample]:
        """The scored samples of all epochs whose crux was resolved."""
        return [one for one in scored_samples(self.logged[label]) if one.resolved_at is not None]


@pytest.fixture(scope="module")
def repeated(tmp_path_factory: pytest.TempPathFactory) -> Repeated:
    return Repeated(tmp_path_factory.mktemp("three_epochs"))


@pytest.mark.parametrize("label", LABELS)
def test_epochs_of_a_question_differ(repeated: Repeated, label: str) -> None:
    rows = scored(repeated.logged[label])
    assert all(len(row.samples) == EPOCHS for row in rows)
    assert any(0 < sum(moment is not None for moment in row.moments) < len(row.moments) for row in rows)
    assert any(len({one.told.get("outcome") for one in row.scored_samples} - {None}) == 2 for row in rows)
    assert label != "early" or any(len(row.moments) < EPOCHS for row in rows)


@pytest.mark.parametrize("label", LABELS)
def test_table_8_counts_all_resolved_cruxes(repeated: Repeated, label: str) -> None:
    ended = Counter(repeated.made.set.outcome(one.question).outcome for one in repeated.resolved(label))
    row = rows_of(informativeness_of_cruxes(repeated.study))[label]
    assert (row["positives"], row["negatives"]) == (ended["Yes"], ended["No"])
    assert ended.total() == len(repeated.resolved(label)) > len(scored(repeated.logged[label]))


@pytest.mark.parametrize("by", ["rule", "precision", "lead time"])
@pytest.mark.parametrize("label", LABELS)
def test_what_is_not_resolved_has_no_score_in_any_epoch(repeated: Repeated, label: str, by: str) -> None:
    unresolved = [one for one in scored_samples(repeated.logged[label]) if one.resolved_at is None]
    groups = {(group.group, group.entry): group for group in breakdown_groups(repeated.study) if group.by == by}
    group = groups["not resolved", label]
    assert group.count == len(unresolved) >= 5
    assert group.voi == 0.0 and {one.values["voi_kl"] for one in unresolved} == {0.0}
    assert group.above == close(-mean(one.values["random_kl"] for one in unresolved))


@pytest.mark.parametrize("label", LABELS)
def test_shares_of_resolutions_are_of_all_samples(repeated: Repeated, label: str) -> None:
    resolved = repeated.resolved(label)
    row = rows_of(direction_and_timing(repeated.study))[label]
    shares = {
        "deadline": sum(one.told["rule"] == "no_deadline" for one in resolved),
        "date_only": sum(one.told["precision"] == "date_only" for one in resolved),
        "settled": sum(one.reason == "after_settlement" for one in resolved),
    }
    assert {name: row[name] for name in shares} == close({name: n / len(resolved) for name, n in shares.items()})
    assert 0 < shares["deadline"] < len(resolved)
    moves = [one.values["signed_move"] for one in resolved]
    assert row["directions"] == sum(move != 0 for move in moves if not math.isnan(move))


def test_the_martingale_check_counts_all_samples_with_both_prices(repeated: Repeated) -> None:
    known = [
        one for label in LABELS for one in repeated.resolved(label) if "p_before" in one.told and "p_after" in one.told
    ]
    fit = martingale_fit(repeated.study)
    assert fit.count == len(known) > sum(len(scored(repeated.logged[label])) for label in LABELS)


@pytest.mark.parametrize("label", LABELS)
def test_timings_and_matched_nulls_count_all_samples(repeated: Repeated, label: str) -> None:
    resolved = repeated.resolved(label)
    widths = width_scores(repeated.study)
    percentiles, _ = timings(Material(repeated.study, widths, PriceList({}), 3))
    placed = [one for one in resolved if not math.isnan(one.values["timing_percentile"])]
    bins = [row for row in percentiles.spec["datasets"]["bins"] if row["model"] == label]
    assert sum(row["count"] for row in bins) == len(placed) > EPOCHS
    prices = read_prices(repeated.made.set.folder)
    inside = [
        one
        for one in resolved
        if one.resolved_at is not None and pivot_of(one.resolved_at) in prices[one.question].every_hour(24)
    ]
    row = rows_of(matched_nulls(repeated.study, widths))[label]
    assert row["count"] == len(inside)
    assert row["voi"] == close(mean(one.values["voi_kl"] for one in inside))
