"""Which scores are of one event: from what logs tell of pages, names and days."""

import math
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from cruxbench_inspect.report.gathering.resolving_events import event_clusters, resolving_events
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.tables.comparisons import difference
from cruxbench_inspect.report.tables.intervals import intervals
from cruxbench_inspect.settlement import VALUES
from cruxbench_inspect.utc import parse_utc
from tests.evaluating import samples_of
from tests.report.tables.logged import clustered_interval, logged
from tests.report.tables.sample_study import close, rows_of
from tests.synthetic_study import Subject, SyntheticStudy

DAY = "2026-02-03"
LABELS = ("alpha", "beta")
Told = dict[str, str]


class Logs:
    """A log for each of two models whose scores' metadata can be changed by question."""

    def __init__(self, folder: Path, epochs: int = 1) -> None:
        made = SyntheticStudy(folder, 20)
        subjects = [Subject(f"lab/{label}", resolvable=1.0, faulty=0.0, epochs=epochs) for label in LABELS]
        self.paths = made.write(subjects)
        self.folder = folder

    def study(self, *told: dict[str, Told], unscored: tuple[str, ...] = ()) -> Study:
        """A study of the logs with some metadata of the first and the second model, and perhaps without some scores.

        Samples are named by their question, or by question and epoch as in ``q003 2``.
        """
        logs = []
        for path, own in zip(self.paths, told, strict=True):
            log = read_eval_log(str(path))
            for sample in samples_of(log):
                assert sample.scores is not None
                score = sample.scores["voi"]
                assert score.metadata is not None
                score.metadata |= {"resolved_at": f"{DAY}T10:00:00Z", "rule": "yes_event"}
                names = (str(sample.id), f"{sample.id} {sample.epoch}")
                for name in names:
                    score.metadata |= own.get(name, {})
                if {*names} & {*unscored}:
                    score.value = {**dict.fromkeys(VALUES, math.nan), "coverage": 0.0}
            logs.append(str(self.folder / f"changed-{path.name}"))
            write_eval_log(log, logs[-1])
        return make_study(logs, {}, Options())


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return Logs(tmp_path_factory.mktemp("events"))


@pytest.fixture(scope="module")
def repeated(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """The same with three epochs."""
    return Logs(tmp_path_factory.mktemp("events_of_epochs"), epochs=3)


def clusters(study: Study, label: str) -> set[frozenset[str]]:
    """The clusters of an entry's scores that have several questions, without the two market events of the set."""
    rows = study.scored(label)
    found: dict[int, set[str]] = {}
    for question, cluster in zip(rows["question"], event_clusters(rows), strict=True):
        found.setdefault(cluster, set()).add(question)
    return {frozenset(members) for members in found.values() if len(members) > 1}


MARKETS = {frozenset({"q000", "q001"}), frozenset({"q014", "q015"})}


def test_without_anything_in_common_only_market_events_join(logs: Logs) -> None:
    study = logs.study({}, {})
    assert clusters(study, "alpha") == clusters(study, "beta") == MARKETS


def test_a_page_and_its_day_join_the_questions_of_one_model(logs: Logs) -> None:
    study = logs.study({"q003": {"evidence_pages": "aa bb"}, "q005": {"evidence_pages": "cc bb"}}, {})
    assert clusters(study, "alpha") == MARKETS | {frozenset({"q003", "q005"})}
    assert clusters(study, "beta") == MARKETS


def test_chains_go_through_market_events(logs: Logs) -> None:
    chain = {"q003": "aa", "q005": "aa bb", "q001": "bb"}
    study = logs.study({question: {"evidence_pages": pages} for question, pages in chain.items()}, {})
    assert clusters(study, "alpha") == {frozenset({"q000", "q001", "q003", "q005"}), frozenset({"q014", "q015"})}


@pytest.mark.parametrize(
    "other",
    [
        {"resolved_at": "2026-02-04T00:00:00Z"},
        {"rule": "no_deadline"},
        {"evidence_pages": "ab"},
    ],
)
def test_another_day_another_page_or_a_deadline_join_nothing(logs: Logs, other: Told) -> None:
    same = {"evidence_pages": "aa", "event_group": ""}
    assert clusters(logs.study({"q003": same, "q005": {**same, **other}}, {}), "alpha") == MARKETS


def test_a_verifiers_name_of_an_event_joins_on_its_day(logs: Logs) -> None:
    named = {"event_group": "vote"}
    later = {"event_group": "vote", "resolved_at": "2026-02-05T10:00:00Z"}
    study = logs.study({"q003": named, "q005": named, "q008": later}, {})
    assert clusters(study, "alpha") == MARKETS | {frozenset({"q003", "q005"})}


def test_intervals_and_differences_are_clustered_by_these_events(logs: Logs) -> None:
    pages = {f"q{number:03}": {"evidence_pages": "aa"} for number in range(2, 8)}
    other = {f"q{number:03}": {"evidence_pages": "bb"} for number in range(7, 12)}
    study = logs.study(pages, other)

    def cluster(question: str, joined: set[str]) -> str:
        return "joined" if question in joined else study.of("alpha").filter(question=question)["event"][0]

    # A crux out of its dates is resolved by nothing.
    resolved = {label: set(study.scored(label).filter(resolved=1.0)["question"]) for label in LABELS}
    joined = {"alpha": resolved["alpha"] & set(pages), "beta": resolved["beta"] & set(other)}
    assert all(len(own) > 3 for own in joined.values()) and "q007" in joined["alpha"] & joined["beta"]
    table = rows_of(intervals(study))
    for label, own in joined.items():
        rows = study.scored(label)
        names = [cluster(question, own) for question in rows["question"]]
        assert table[label]["event"] == close(clustered_interval(rows["voi_kl"].to_list(), names))
        assert table[label]["events"] == len(set(names)) == 20 - 2 - (len(own) - 1)
    values = {label: dict(study.scored(label).select("question", "voi_kl").iter_rows()) for label in LABELS}
    differences = [values["alpha"][question] - values["beta"][question] for question in study.questions]
    names = [cluster(question, joined["alpha"] | joined["beta"]) for question in study.questions]
    assert difference(study, "alpha", "beta").interval == close(clustered_interval(differences, names))


def page(name: str) -> Told:
    return {"evidence_pages": name}


@pytest.mark.parametrize(
    "told",
    [
        {"q003 1": page("aa"), "q005 2": page("aa")},
        {"q003 3": page("aa"), "q005 1": page("aa")},
        {"q003 2": page("aa bb"), "q005 3": page("cc bb")},
        {"q003 3": {"event_group": "vote"}, "q005 2": {"event_group": "vote"}},
    ],
)
def test_an_event_of_any_epoch_joins_questions(repeated: Logs, told: dict[str, Told]) -> None:
    assert clusters(repeated.study({}, {}), "alpha") == MARKETS
    study = repeated.study(told, {})
    assert clusters(study, "alpha") == MARKETS | {frozenset({"q003", "q005"})}
    assert clusters(study, "beta") == MARKETS


def test_chains_go_through_epochs(repeated: Logs) -> None:
    told = {"q003 1": page("aa"), "q005 2": page("aa"), "q005 3": page("bb"), "q001 1": page("bb")}
    assert clusters(repeated.study(told, {}), "alpha") == {
        frozenset({"q000", "q001", "q003", "q005"}),
        frozenset({"q014", "q015"}),
    }


def test_an_epoch_without_a_score_joins_nothing(repeated: Logs) -> None:
    told = {"q003 1": page("aa"), "q005 2": page("aa")}
    assert clusters(repeated.study(told, {}, unscored=("q005 2",)), "alpha") == MARKETS
    assert clusters(repeated.study(told, {}, unscored=("q003 2", "q005 1")), "alpha") == MARKETS | {
        frozenset({"q003", "q005"})
    }


def test_intervals_of_epochs_are_clustered_by_events_of_all_of_them(repeated: Logs) -> None:
    joined = [f"q{number:03}" for number in range(2, 8)]
    told = {f"{question} {1 + place % 3}": page("aa") for place, question in enumerate(joined)}
    study = repeated.study(told, {})
    rows = study.scored("alpha")
    # A crux out of its dates is resolved by nothing.
    samples = {question: row.samples for question, row in logged(repeated.paths[0]).items()}
    of_event = {question for place, question in enumerate(joined) if samples[question][place % 3].values["resolved"]}
    assert len(of_event) > 3
    names = ["joined" if row["question"] in of_event else row["event"] for row in rows.iter_rows(named=True)]
    (cluster,) = clusters(study, "alpha") - MARKETS
    assert cluster == of_event
    expected = clustered_interval(rows["voi_kl"].to_list(), names)
    assert rows_of(intervals(study))["alpha"]["event"] == close(expected)


def test_what_tells_an_event() -> None:
    moment = parse_utc(f"{DAY}T23:59:00Z")
    assert resolving_events(moment, "yes_event", ["aa"], "vote") == [f"{DAY} page aa", f"{DAY} called vote"]
    assert resolving_events(None, "yes_event", ["aa"], "vote") == []
    assert resolving_events(moment, "no_deadline", ["aa"], "vote") == []
    assert resolving_events(moment, "no_irreversible", [], None) == []
