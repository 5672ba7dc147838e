"""Which scores are of one event: from what logs tell of pages, names and days."""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from cruxbench_inspect.report.gathering.resolving_events import event_clusters, resolving_events
from cruxbench_inspect.report.gathering.study import Options, Study, make_study
from cruxbench_inspect.report.tables.comparisons import difference
from cruxbench_inspect.report.tables.intervals import intervals
from cruxbench_inspect.utc import parse_utc
from tests.evaluating import samples_of
from tests.report.tables.logged import clustered_interval
from tests.report.tables.sample_study import close, rows_of
from tests.synthetic_study import Subject, SyntheticStudy

DAY = "2026-02-03"
LABELS = ("alpha", "beta")
Told = dict[str, str]


class Logs:
    """A log for each of two models whose scores' metadata can be changed by question."""

    def __init__(self, folder: Path) -> None:
        made = SyntheticStudy(folder, 20)
        self.paths = made.write([Subject(f"lab/{label}", resolvable=1.0, faulty=0.0) for label in LABELS])
        self.folder = folder

    def study(self, *told: dict[str, Told]) -> Study:
        """A study of the logs with some metadata, by question, of the first and the second model."""
        logs = []
        for path, own in zip(self.paths, told, strict=True):
            log = read_eval_log(str(path))
            for sample in samples_of(log):
                assert sample.scores is not None
                score = sample.scores["voi"]
                assert score.metadata is not None
                score.metadata |= {"resolved_at": f"{DAY}T10:00:00Z", "rule": "yes_event"}
                score.metadata |= own.get(str(sample.id), {})
            logs.append(str(self.folder / f"changed-{path.name}"))
            write_eval_log(log, logs[-1])
        return make_study(logs, {}, Options())


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return Logs(tmp_path_factory.mktemp("events"))


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


def test_what_tells_an_event() -> None:
    moment = parse_utc(f"{DAY}T23:59:00Z")
    assert resolving_events(moment, "yes_event", ["aa"], "vote") == [f"{DAY} page aa", f"{DAY} called vote"]
    assert resolving_events(None, "yes_event", ["aa"], "vote") == []
    assert resolving_events(moment, "no_deadline", ["aa"], "vote") == []
    assert resolving_events(moment, "no_irreversible", [], None) == []
