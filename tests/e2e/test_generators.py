"""Any solver or agent can be the generator, whose answer is a JSON crux; and what counts as its answer."""

import json
import math
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.agent import react
from inspect_ai.event import InfoEvent
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from cruxbench_inspect.judge.judgement import Judgement
from cruxbench_inspect.judge.recall import SOURCE
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.tables.direction_and_timing import direction_and_timing
from cruxbench_inspect.utc import HOUR, parse_utc
from tests.evaluating import evaluate, samples_of, score_of, values_of
from tests.scripted_model import Answer, Call, Script, crux_json, generator, judge, scripted, tool_call
from tests.small_set import RULING, jump, question, write_set

CRUX = json.loads(crux_json().split("\n")[1])
JUMP = pytest.approx(0.4265638, abs=1e-6)


@pytest.fixture
def judges() -> Script:
    return scripted(judge())


@pytest.fixture
def questions(tmp_path: Path, judges: Script) -> Path:
    return write_set(tmp_path / "small", [question()], judge=judges.name)


@solver
def mine() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages.append(ChatMessageAssistant(content=crux_json()))
        return state

    return solve


def test_a_solver_that_writes_a_message_itself(questions: Path, tmp_path: Path) -> None:
    log = evaluate(questions, scripted(generator("Not asked.")).name, tmp_path / "logs", solver=mine())
    assert values_of(samples_of(log)[0])["voi_kl"] == JUMP


def test_an_agent_that_submits_through_a_tool(questions: Path, tmp_path: Path) -> None:
    def play(call: Call) -> Answer:
        assert [tool.name for tool in call.tools] == ["submit"]
        return "I shall think first." if call.turn == 0 else tool_call("submit", answer=crux_json())

    log = evaluate(questions, scripted(play).name, tmp_path / "logs", solver=react())
    (sample,) = samples_of(log)
    assert values_of(sample)["voi_kl"] == JUMP
    assert score_of(sample).answer == CRUX["question"]


def test_a_generator_that_judges_itself_is_told_of(tmp_path: Path) -> None:
    both = scripted(lambda call: crux_json() if call.role == "generator" else judge()(call))
    log = evaluate(write_set(tmp_path / "small", judge=both.name), both.name, tmp_path / "logs")
    metadata = score_of(samples_of(log)[0]).metadata
    assert metadata is not None
    assert metadata["resolver_is_subject"] and metadata["verifier_is_subject"]


def stopped(reason: Any, text: str = "") -> ModelOutput:
    output = ModelOutput.from_content("scripted", text)
    output.choices[0].stop_reason = reason
    return output


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "no_response"),
        ("I would rather not.", "no_crux"),
        (stopped("content_filter"), "refusal"),
        (stopped("max_tokens", "Let me think about"), "truncated"),
        (crux_json()[:-30], "truncated"),
        (json.dumps({name: CRUX[name] for name in ("question", "start_date", "end_date")}), "invalid_crux"),
        (crux_json(end_date="tomorrow"), "invalid_crux"),
        (crux_json(start_date="2025-02-28"), "out_of_dates"),
        (crux_json(end_date="2025-03-09"), "out_of_dates"),
    ],
)
def test_what_is_no_crux_scores_zero_and_is_not_judged(
    answer: Any, reason: str, questions: Path, judges: Script, tmp_path: Path
) -> None:
    log = evaluate(questions, scripted(lambda call: answer).name, tmp_path / "logs")
    (sample,) = samples_of(log)
    assert score_of(sample).reason == reason
    values = values_of(sample)
    assert [values[key] for key in ("voi_kl", "resolved", "coverage")] == [0.0, 0.0, 1.0]
    assert values["excess_kl"] == -values["random_kl"] < 0
    assert judges.calls == []


def two(first: dict[str, Any], second: dict[str, Any] | None) -> str:
    return json.dumps({"cruxes": [{**CRUX, **first}, *([] if second is None else [{**CRUX, **second}])]})


OTHER = {"question": "Will the Alvara harbour judge resign by 6 March 2025?", "end_date": "2025-03-06"}


def play_two(call: Call) -> Answer:
    if "resign" not in call.crux["question"]:
        return judge()(call)
    return judge({"resolvable": False, "failure_mode": "observability", "answer": None})(call)


def test_the_score_of_two_cruxes_is_their_mean(tmp_path: Path) -> None:
    judges = scripted(play_two)
    questions = write_set(tmp_path / "small", judge=judges.name)
    log = evaluate(questions, scripted(generator(two({}, OTHER))).name, tmp_path / "logs", task_args={"k": 2})
    (sample,) = samples_of(log)
    values, score = values_of(sample), score_of(sample)
    assert values["voi_kl"] == pytest.approx(0.4265638 / 2, abs=1e-6)
    assert (values["resolved"], values["coverage"], score.reason) == (0.5, 1.0, None)
    assert values["excess_kl"] == pytest.approx(values["voi_kl"] - values["random_kl"])
    assert values["signed_move"] == 0.375  # of the one that has a move
    assert score.answer == f"{CRUX['question']}\n{OTHER['question']}"
    assert (score.explanation or "").count("| Market |") == 2
    # Words are those of the first crux, but what judges used is told of both.
    judged = [
        Judgement.model_validate(event.data["judgement"])
        for event in sample.events
        if isinstance(event, InfoEvent) and event.source == SOURCE and isinstance(event.data, dict)
    ]
    told = score.metadata or {}
    assert len(judged) == 2 and told["outcome"] == "Yes" and "judge_seconds" not in told
    for key, own in (("judge_tokens", "tokens"), ("searches", "searches"), ("documents", "documents")):
        used = [int(getattr(one, own)) for one in judged]
        assert min(used) > 0 and told[key] == sum(used)


MORNING = parse_utc("2025-03-04T05:30:00Z")
RESIGNATION = {"precision": "date_only", "local_time": "2025-03-04", "zone": None}


def kl_at(moment: datetime) -> float:
    """The score of an event, over 24 hours on each side, where the market jumps from 0.25 to 0.75 in the morning."""
    pivot = (moment - timedelta(microseconds=1)).replace(minute=0, second=0, microsecond=0)
    before, after = (
        sum(0.75 if pivot + number * HOUR > MORNING else 0.25 for number in range(first, first + 24)) / 24
        for first in (-23, 1)
    )
    return after * math.log2(after / before) + (1 - after) * math.log2((1 - after) / (1 - before))


@pytest.mark.parametrize("stated", [0, 1, 2], ids=["two days", "the second stated", "the first stated"])
def test_days_of_two_cruxes_are_placed_within_them_and_averaged(tmp_path: Path, stated: int) -> None:
    day = parse_utc("2025-03-04T00:00:00Z")
    hours = [kl_at(day + number * HOUR + HOUR / 2) for number in range(24)]
    placed = {"lowest": min(hours), "mean": sum(hours) / 24, "highest": max(hours)}
    other = kl_at(RULING)
    assert min(hours) < kl_at(day) < max(hours) and other not in placed.values()
    judges = scripted(judge(lambda call: RESIGNATION if not stated or "resign" in call.crux["question"] else {}))
    questions = write_set(tmp_path / "small", judge=judges.name, prices=jump(0.25, 0.75, at=MORNING))
    cruxes = two(OTHER, {}) if stated == 1 else two({}, OTHER)
    log = evaluate(questions, scripted(generator(cruxes)).name, tmp_path / "logs", task_args={"k": 2})
    (sample,) = samples_of(log)
    told, voi = score_of(sample).metadata or {}, values_of(sample)["voi_kl"]

    assert voi == pytest.approx((kl_at(day) + (other if stated else kl_at(day))) / 2, abs=1e-6)
    for name, value in placed.items():
        expected = (value + (other if stated else value)) / 2
        assert told[f"date_only_kl_{name}"] == pytest.approx(expected, abs=1e-6)
    (row,) = direction_and_timing(make_study([log.location], {}, Options())).rows
    shown = [float(str(row[name])) for name in ("lowest", "voi", "highest")]
    assert shown == sorted(shown)
    assert shown == pytest.approx([told["date_only_kl_lowest"], voi, told["date_only_kl_highest"]])


def test_two_cruxes_with_an_hour_have_no_days(tmp_path: Path) -> None:
    questions = write_set(tmp_path / "small", judge=scripted(judge()).name)
    log = evaluate(questions, scripted(generator(two({}, OTHER))).name, tmp_path / "logs", task_args={"k": 2})
    assert not [key for key in score_of(samples_of(log)[0]).metadata or {} if key.startswith("date_only")]
    (row,) = direction_and_timing(make_study([log.location], {}, Options())).rows
    assert row["lowest"] == row["middle"] == row["voi"] == row["highest"]


def test_a_crux_that_is_missing_counts_as_zero(tmp_path: Path) -> None:
    questions = write_set(tmp_path / "small", judge=scripted(judge()).name)
    log = evaluate(questions, scripted(generator(two({}, None))).name, tmp_path / "logs", task_args={"k": 2})
    values = values_of(samples_of(log)[0])
    assert values["voi_kl"] == pytest.approx(0.4265638 / 2, abs=1e-6)
    assert values["resolved"] == 0.5


def test_two_cruxes_are_unscored_where_one_of_them_is(tmp_path: Path) -> None:
    judges = scripted(lambda call: RuntimeError("broken") if "resign" in call.crux["question"] else judge()(call))
    questions = write_set(tmp_path / "small", judge=judges.name)
    log = evaluate(questions, scripted(generator(two({}, OTHER))).name, tmp_path / "logs", task_args={"k": 2})
    (sample,) = samples_of(log)
    values = values_of(sample)
    assert values.pop("coverage") == 0.0
    assert all(value != value for value in values.values())
    assert score_of(sample).reason == "judge_failed"
