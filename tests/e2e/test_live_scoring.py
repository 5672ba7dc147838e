"""A live round: cruxes that are made in time, and scores that become final while prices come in."""

import json
import math
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai.agent import react
from inspect_ai.event import Event, InfoEvent, ModelEvent, SpanBeginEvent, ToolEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, write_eval_log
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import span

from cruxbench_inspect import clock
from cruxbench_inspect.crux import Crux, read_crux
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.judge import recall
from cruxbench_inspect.proposals import SOURCE
from cruxbench_inspect.questions import EarlierVersion, QuestionSet
from cruxbench_inspect.utc import HOUR, format_utc, parse_utc
from tests.evaluating import aggregate, evaluate, rescore, samples_of, score_of, values_of
from tests.scripted_model import Answer, Call, Script, crux_json, generator, judge, scripted, silent, tool_call
from tests.small_set import QUOTE, WINDOW_END, WINDOW_START, jump, outcome, question, report, write_set

IN_TIME = WINDOW_START + 13 * HOUR
OVER = WINDOW_END + 48 * HOUR
"""Later than the window and the 36 hours of evidence after it."""

OPEN = [outcome(outcome=None, resolved_at=None)]
NO_AT_THE_DEADLINE = {
    "answer": "No",
    "rule": "no_deadline",
    "precision": "deadline",
    "local_time": None,
    "zone": None,
}


def hash_of(answer: str) -> str:
    crux = read_crux(answer)
    assert isinstance(crux, Crux)
    return crux.sha256


def generated(sample: EvalSample) -> list[Event]:
    """The events of the generator."""
    names = [(event.name, event.parent_id) if isinstance(event, SpanBeginEvent) else None for event in sample.events]
    return list(sample.events[: names.index(("scorers", None))])


def as_made_at(log: EvalLog, moment: datetime) -> EvalLog:
    """A copy of a log that was made some time else, so that its generators were done at a moment."""
    log = deepcopy(log)
    for sample in samples_of(log):
        events = generated(sample)
        by = moment - max(getattr(event, "completed", None) or event.timestamp for event in events)
        for event in sample.events:
            event.timestamp += by
            if isinstance(event, ModelEvent | ToolEvent) and event.completed is not None:
                event.completed += by
    return log


def records(sample: EvalSample, source: str) -> list[Any]:
    return [event.data for event in sample.events if isinstance(event, InfoEvent) and event.source == source]


def scored(log: EvalLog, now: datetime = OVER, **parameters: Any) -> EvalLog:
    with clock.at(now):
        return rescore(log, **parameters)


def reason(log: EvalLog) -> str | None:
    (sample,) = samples_of(log)
    return score_of(sample).reason


def metadata(log: EvalLog) -> dict[str, Any]:
    (sample,) = samples_of(log)
    told = score_of(sample).metadata
    assert told is not None
    return told


class Round(NamedTuple):
    folder: Path
    judge: Script
    log: EvalLog

    def write(self, **changes: Any) -> QuestionSet:
        """Write the set anew, as its next version."""
        return QuestionSet.load(write_set(self.folder, judge=self.judge.name, **{"flags": ["live"], **changes}))

    def update(self, digest: str | None = None, **changes: Any) -> QuestionSet:
        """Write a new version that names the ones before, the last one by a digest that may be wrong."""
        before = QuestionSet.load(self.folder).manifest
        last = EarlierVersion(
            version=before.version, digest=digest or before.digest, questions=before.files["questions.jsonl"]
        )
        earlier = [version.model_dump() for version in (*before.earlier, last)]
        return self.write(version=str(int(before.version) + 1), earlier=earlier, **changes)


@pytest.fixture
def a_round(tmp_path: Path) -> Round:
    """A live round at its start: no price of its window yet, and a log without scores."""
    judges = scripted(judge())
    folder = write_set(
        tmp_path / "small", judge=judges.name, outcomes=OPEN, last_price=WINDOW_START, flags=["live"], evidence=[]
    )
    log = evaluate(folder, scripted(generator()).name, tmp_path / "logs", score=False)
    return Round(folder, judges, as_made_at(log, IN_TIME))


def test_pending_becomes_provisional_becomes_final(a_round: Round) -> None:
    log, judges = a_round.log, a_round.judge
    log = scored(log, IN_TIME)
    assert reason(log) == "window_open" and "scored_with" not in metadata(log)
    log = scored(log, WINDOW_END + 36 * HOUR - timedelta(seconds=1))
    assert reason(log) == "window_open"
    log = scored(log, WINDOW_END + 36 * HOUR)
    assert reason(log) == "prices_pending"
    assert aggregate(log, "coverage") == 0.0
    assert judges.calls == []

    second = a_round.update(outcomes=OPEN, last_price=WINDOW_END + 36 * HOUR)
    log = scored(log, WINDOW_END + 36 * HOUR)
    provisional = values_of(samples_of(log)[0])
    assert reason(log) is None and provisional["coverage"] == 1.0
    assert metadata(log)["provisional"] is True
    assert metadata(log)["scored_with"] == f"2 {second.digest[:12]}"
    assert judges.count("resolver", "verifier") == 3

    judges.play = silent
    third = a_round.update(prices=jump(0.25, 0.75))
    assert [earlier.version for earlier in third.manifest.earlier] == ["1", "2"]
    log = scored(log, WINDOW_END + 120 * HOUR)
    assert reason(log) is None and "provisional" not in metadata(log)
    assert metadata(log)["scored_with"] == f"3 {third.digest[:12]}"
    assert values_of(samples_of(log)[0])["voi_kl"] > provisional["voi_kl"]
    assert judges.count("resolver", "verifier") == 3
    assert samples_of(log)[0].metadata["set_version"] == "1"


def test_a_market_that_closes_makes_prices_final(a_round: Round) -> None:
    closed = [outcome(resolved_at="2025-03-06T10:00:00Z")]
    a_round.update(outcomes=OPEN, last_price=parse_utc("2025-03-06T09:00:00Z"))
    assert reason(scored(a_round.log)) == "prices_pending"
    a_round.update(outcomes=closed, last_price=parse_utc("2025-03-06T09:00:00Z"))
    log = scored(a_round.log)
    assert reason(log) is None and "provisional" not in metadata(log)


def test_one_scorer_sees_one_version_and_the_next_one_an_update_in_place(
    a_round: Round, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("harbour", "pier")
    lines = [question(name) for name in names]
    a_round.write(questions=lines, outcomes=[])
    log = evaluate(a_round.folder, scripted(generator()).name, tmp_path / "both", score=False)
    log = as_made_at(log, IN_TIME)
    load = QuestionSet.load

    def updated_meanwhile(source: str | Path) -> QuestionSet:
        found = load(source)
        monkeypatch.undo()
        a_round.update(questions=lines)
        return found

    monkeypatch.setattr(QuestionSet, "load", updated_meanwhile)
    told = [[score_of(sample).metadata or {} for sample in samples_of(scored(log))] for _ in range(2)]
    assert ["scored_with" in metadata for metadata in told[0]] == [False, False]
    assert [metadata["scored_with"].split()[0] for metadata in told[1]] == ["2", "2"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda it: it.write(version="2"),
        lambda it: it.update(questions=[question(description="Resolves otherwise.")]),
        lambda it: it.update(digest="0" * 64),
    ],
    ids=["names no earlier version", "asks something else", "names another one"],
)
def test_a_set_that_does_not_stand_for_the_log_s_is_refused(a_round: Round, spoil: Callable[[Round], object]) -> None:
    spoil(a_round)
    with pytest.raises(InputError, match="nor a later version of it with the same questions"):
        scored(a_round.log)


def test_an_earlier_version_does_not_stand_for_a_later_one(a_round: Round, tmp_path: Path) -> None:
    a_round.update()
    log = evaluate(a_round.folder, scripted(generator()).name, tmp_path / "second", score=False)
    a_round.write(version="1", outcomes=OPEN, last_price=WINDOW_START, evidence=[])
    with pytest.raises(InputError, match="is not the one that this log was made with"):
        scored(log)


@pytest.mark.parametrize("answer", [crux_json(), "I would rather not."])
def test_a_crux_that_is_made_a_day_after_the_start_is_unscored(a_round: Round, answer: str, tmp_path: Path) -> None:
    a_round.write()
    log = evaluate(a_round.folder, scripted(generator(answer)).name, tmp_path / "late", score=False)
    late = as_made_at(log, WINDOW_START + timedelta(hours=24, seconds=1))
    for now in (WINDOW_START + 25 * HOUR, OVER, OVER + 1000 * HOUR):
        late = scored(late, now)
        assert reason(late) == "late_crux"
        (sample,) = samples_of(late)
        values = values_of(sample)
        assert values.pop("coverage") == 0.0 and all(math.isnan(value) for value in values.values())
        assert "made too late for a live round (at 2025-03-02T00:00:01Z)" in (score_of(sample).explanation or "")
    assert a_round.judge.calls == []
    just = scored(as_made_at(log, WINDOW_START + timedelta(hours=24)))
    assert reason(just) == (None if "{" in answer else "no_crux")


def test_a_crux_that_is_made_after_its_own_end_is_unscored(a_round: Round, tmp_path: Path) -> None:
    a_round.write()
    short = scripted(generator(crux_json(end_date="2025-03-01")))
    log = evaluate(a_round.folder, short.name, tmp_path / "short", score=False)
    assert reason(scored(as_made_at(log, WINDOW_START + timedelta(hours=24)))) == "late_crux"
    assert reason(scored(as_made_at(log, WINDOW_START + 23 * HOUR))) != "late_crux"


def test_what_does_not_tell_when_it_was_made_is_unscored(a_round: Round) -> None:
    a_round.update()
    log = deepcopy(a_round.log)
    for sample in samples_of(log):
        sample.events = []
    log = scored(log)
    assert reason(log) == "late_crux"
    assert "the log does not tell when it was made" in (score_of(samples_of(log)[0]).explanation or "")


def test_any_other_set_takes_cruxes_of_any_time(a_round: Round) -> None:
    a_round.write(flags=[])
    late = as_made_at(evaluate_again(a_round), WINDOW_START + 1000 * HOUR)
    assert reason(scored(late)) is None
    (record,) = records(samples_of(scored(late))[0], recall.SOURCE)
    assert record["judgement"]["terms"]["opens"] is None
    assert all("The crux was made" not in call.messages[1].text for call in a_round.judge.calls)


def evaluate_again(it: Round) -> EvalLog:
    return evaluate(it.folder, scripted(generator()).name, it.folder.parent / "again", score=False)


def test_an_event_before_the_crux_was_made_does_not_count(a_round: Round) -> None:
    early = report(published="2025-03-01T12:30:00Z", text=f"On Saturday {QUOTE}.")

    def play(call: Call) -> Answer:
        refused = call.role == "resolver" and "it cannot count" in call.messages[-1].text
        return judge(NO_AT_THE_DEADLINE if refused else {"local_time": "2025-03-01T12:30:00"})(call)

    a_round.judge.play = play
    a_round.write(evidence=[early])
    log = scored(as_made_at(evaluate_again(a_round), IN_TIME))
    told = metadata(log)
    assert (told["outcome"], told["resolved_at"], told["rule"]) == ("No", "2025-03-07T23:59:59Z", "no_deadline")
    assert "later_start-" in told["judge_prompts"]
    for call in a_round.judge.calls:
        assert "window of the crux: 2025-03-01T13:00:00Z to 2025-03-07T23:59:59Z" in call.messages[1].text
    (record,) = records(samples_of(log)[0], recall.SOURCE)
    assert record["judgement"]["terms"]["opens"] == "2025-03-01T13:00:00Z"

    # Scored again, it is not judged again; made at another moment, it is.
    calls = len(a_round.judge.calls)
    assert metadata(scored(log, width=12))["rule"] == "no_deadline"
    assert len(a_round.judge.calls) == calls
    earlier = scored(as_made_at(log, WINDOW_START + 12 * HOUR))
    assert metadata(earlier)["resolved_at"] == "2025-03-01T12:30:00Z"


def test_a_judge_that_insists_on_an_earlier_event_leaves_the_crux_unresolvable(a_round: Round) -> None:
    a_round.judge.play = judge({"local_time": "2025-03-01T12:30:00"})
    a_round.write()
    log = scored(as_made_at(evaluate_again(a_round), IN_TIME))
    assert reason(log) == "unresolvable" and metadata(log)["failure_mode"] == "temporal"


def test_a_crux_that_starts_later_is_judged_as_in_any_other_set(a_round: Round) -> None:
    a_round.write()
    later = scripted(generator(crux_json(start_date="2025-03-03")))
    log = evaluate(a_round.folder, later.name, a_round.folder.parent / "later", score=False)
    assert reason(scored(as_made_at(log, IN_TIME))) is None
    assert "window of the crux: 2025-03-03T00:00:00Z to" in a_round.judge.calls[0].messages[1].text
    assert "The crux was made" not in a_round.judge.calls[0].messages[1].text


@pytest.mark.parametrize(("hours", "expected"), [(1, None), (25, "late_crux")])
def test_a_run_that_is_scored_at_once(tmp_path: Path, hours: int, expected: str | None) -> None:
    begun = datetime.now(UTC)
    start = begun - hours * HOUR
    window = {"start": format_utc(start), "end": format_utc(start + 7 * 24 * HOUR)}
    line = question(window=window, closes=format_utc(start + 100 * 24 * HOUR))
    crux = crux_json(start_date=str(start.date()), end_date=str((start + 6 * 24 * HOUR).date()))
    nothing = {"resolvable": False, "failure_mode": "temporal", "evidence": [], "answer": None}
    folder = write_set(tmp_path / "small", [line], judge=scripted(judge(nothing)).name, flags=["live"])
    log = evaluate(folder, scripted(generator(crux)).name, tmp_path / "logs")
    assert reason(log) == (expected or "window_open")
    made = parse_utc(metadata(log)["made_at"])
    assert begun <= made <= datetime.now(UTC) + timedelta(seconds=1)


@solver
def without_a_model() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages.append(ChatMessageAssistant(content=crux_json()))
        return state

    return solve


@solver
def backdated() -> Solver:
    """A generator that opens a span with the name of the scorers' before it does anything."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with span("scorers"):
            return await generate(state)

    return solve


def submits(call: Call) -> Answer:
    return tool_call("submit", answer=crux_json())


@pytest.mark.parametrize(
    ("play", "solves"),
    [(generator(), None), (silent, without_a_model), (submits, react), (generator(), backdated)],
    ids=["the paper's", "no model", "an agent", "backdated"],
)
def test_cruxes_have_a_hash_and_a_time_in_a_log_without_scores(
    a_round: Round, tmp_path: Path, play: Callable[[Call], Answer], solves: Callable[[], Any] | None
) -> None:
    options = {} if solves is None else {"solver": solves()}
    log = evaluate(a_round.folder, scripted(play).name, tmp_path / "logs", score=False, **options)
    log = read_eval_log(log.location)
    (sample,) = samples_of(log)
    assert not sample.scores
    (record,) = records(sample, SOURCE)
    sha256 = hash_of(crux_json())
    assert record["cruxes"] == [{"question": json.loads(crux_json().split("\n")[1])["question"], "sha256": sha256}]
    events = generated(sample)
    ends = max(getattr(event, "completed", None) or event.timestamp for event in events)
    assert timedelta(0) <= parse_utc(record["made_at"]) - ends < timedelta(seconds=1)

    # It is the same in the score, and in those of copies.
    again = scored(log)
    write_eval_log(again, str(tmp_path / "copy.eval"))
    for one in (again, scored(read_eval_log(str(tmp_path / "copy.eval")), width=12), scored(again, action="append")):
        assert (metadata(one)["crux_sha256"], metadata(one)["made_at"]) == (sha256, record["made_at"])
        assert records(samples_of(one)[0], SOURCE) == [record]


def test_several_cruxes_and_faults_are_recorded_each(a_round: Round, tmp_path: Path) -> None:
    crux = json.loads(crux_json().split("\n")[1])
    both = scripted(generator(json.dumps({"cruxes": [crux, {**crux, "end_date": "soon"}]})))
    log = evaluate(a_round.folder, both.name, tmp_path / "logs", score=False, task_args={"k": 3})
    ((record,),) = [records(sample, SOURCE) for sample in samples_of(log)]
    assert [list(one) for one in record["cruxes"]] == [["question", "sha256"], ["fault"], ["fault"]]
    assert [one.get("fault") for one in record["cruxes"]] == [None, "invalid_crux", "no_crux"]


def test_a_run_that_ended_in_an_error_has_made_no_crux(a_round: Round, tmp_path: Path) -> None:
    broken = scripted(lambda call: ConnectionError("the provider is down"))
    log = evaluate(a_round.folder, broken.name, tmp_path / "logs", score=False, fail_on_error=False)
    (sample,) = samples_of(log)
    assert sample.error is not None and records(sample, SOURCE) == []
    for now in (IN_TIME, OVER):
        (sample,) = samples_of(scored(log, now))
        assert sample.scores is not None and sample.scores["voi"].reason == "generation_failed"
