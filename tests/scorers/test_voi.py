import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, ProvenanceData, read_eval_log, write_eval_log
from inspect_ai.log import edit_score as edit
from inspect_ai.scorer import Score, ScoreEdit

from cruxbench_inspect.cited_pages import page_ids
from cruxbench_inspect.crux import Crux, read_crux
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.judge.judgement import prompt_versions
from cruxbench_inspect.settlement import VALUES
from cruxbench_inspect.source_kinds import KINDS
from tests.evaluating import aggregate, evaluate, own_caches, rescore, samples_of, score_of, values_of
from tests.scripted_model import Script, crux_json, generator, judge, scripted
from tests.small_set import jump, question, report, write_set

P_ABOVE_RANDOM = "cruxbench_inspect/p_above_random"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EvalLog]:
    """Three questions whose markets jump by different amounts at the ruling."""
    folder = tmp_path_factory.mktemp("voi")
    names = {"harbour": jump(0.25, 0.75), "pier": jump(0.5, 0.75), "quay": jump(0.5, 0.5625)}
    model = scripted(generator(crux_json()))
    questions = write_set(
        folder / "small", [question(name) for name in names], judge=scripted(judge()).name, prices=names
    )
    with own_caches(folder / "caches"):
        yield evaluate(questions, model.name, folder / "logs")


def scored(folder: Path, judges: Script, **changes: Any) -> Score:
    """The score of one question with this judge."""
    questions = write_set(folder / "small", judge=judges.name, **changes)
    log = evaluate(questions, scripted(generator(crux_json())).name, folder / "logs")
    return score_of(samples_of(log)[0])


def test_values_are_floats_under_their_names(log: EvalLog) -> None:
    for sample in samples_of(log):
        value = score_of(sample).value
        assert isinstance(value, dict) and tuple(value) == VALUES
        assert all(isinstance(number, float) for number in value.values())


def test_what_the_metadata_tell(log: EvalLog) -> None:
    crux = read_crux(crux_json())
    assert isinstance(crux, Crux)
    metadata = score_of(samples_of(log)[0]).metadata
    assert metadata is not None
    assert {
        key: value for key, value in metadata.items() if not key.startswith(("resolver", "verifier", "judge_", "made_"))
    } == {
        "width": 24,
        "cruxes": 1,
        "crux_sha256": crux.sha256,
        "searches": 1,
        "yes_makes_u": "more",
        "documents": 1,
        "rejected": 0,
        "outcome": "Yes",
        "resolved_at": "2025-03-04T12:30:00Z",
        "rule": "yes_event",
        "precision": "stated",
        "p_before": 0.25,
        "p_after": 0.75,
        "source_kinds": "courts",
        "evidence_pages": " ".join(page_ids(["https://courier.example/ruling"])),
    }
    assert not metadata["resolver_is_subject"] and not metadata["verifier_is_subject"]
    assert metadata["judge_tokens"] == 300 and metadata["judge_seconds"] >= 0
    prompts = [version.rsplit("-", 1)[0] for version in metadata["judge_prompts"].split(" ")]
    assert prompts == ["resolver", "resolver_task", "verifier", "verifier_task"]


def test_metadata_are_flat_and_small_at_their_largest(tmp_path: Path) -> None:
    day = {"precision": "date_only", "local_time": "2025-03-04", "zone": None}
    restated = scripted(generator(crux_json(question="Will the Alvara harbour crossing open by 7 March 2025?")))
    questions = write_set(tmp_path / "small", judge=scripted(judge(day)).name)
    log = evaluate(questions, restated.name, tmp_path / "logs")
    metadata = score_of(samples_of(log)[0]).metadata
    assert metadata is not None
    # Judges cite more, and criteria name more sources.
    metadata |= {
        "evidence_pages": " ".join(page_ids(f"https://a.example/{n}" for n in range(9))),
        "source_kinds": ", ".join(KINDS),
    }
    # Names of real judges are longer than those of scripted ones.
    metadata |= dict.fromkeys(("resolver", "verifier"), "openrouter/anthropic/claude-sonnet-4-6-20260217")
    assert all(isinstance(value, str | int | float) for value in metadata.values())
    assert {"restates_question", "date_only_kl_lowest", "date_only_kl_mean", "date_only_kl_highest"} <= set(metadata)
    # In a live round there may be more to tell.
    metadata["judge_prompts"] = " ".join(prompt_versions(True, later_start=True))
    metadata |= {"provisional": True, "scored_with": "2026.12.1 0123456789ab"}
    assert len(json.dumps(metadata)) < 1200


def test_the_explanation_is_a_table_and_a_sparkline(log: EvalLog) -> None:
    explanation = score_of(samples_of(log)[0]).explanation
    assert explanation is not None
    table, line = explanation.rsplit("\n\n", 1)
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]
    assert [row[0] for row in rows] == [
        "Market",
        "Crux",
        "Its dates",
        "Outcome",
        "Resolved at",
        "Precision, rule",
        "Belief",
        "KL",
        "Evidence",
    ]
    assert rows[4][1] == "2025-03-04 12:30 UTC (stated: 2025-03-04T12:30:00 UTC)"
    assert rows[-1][1] == "[Harbour licence upheld](https://courier.example/ruling)"
    # The jump from 0.25 to 0.75 in the fourth of eight days, and a stroke where the crux became known.
    bars = line.strip("`")
    assert len(bars) == 61 and bars[0] == "▃" and bars[-1] == "▇"
    assert len(bars.rstrip("▇")) == pytest.approx(60 * 3.5 / 8, abs=3)
    assert len([bar for bar in bars if bar not in "▁▂▃▄▅▆▇█"]) == 1


def test_a_deadline_and_a_moved_time_are_explained(tmp_path: Path) -> None:
    deadline = {"answer": "No", "rule": "no_deadline", "precision": "deadline", "local_time": None, "zone": None}
    explanation = scored(tmp_path / "deadline", scripted(judge(deadline))).explanation or ""
    assert "| Outcome | No |" in explanation and "| Resolved at | 2025-03-07 23:59 UTC |" in explanation
    moved = scripted(judge(verification={"zone": "Europe/Paris"}))
    explanation = scored(tmp_path / "moved", moved).explanation or ""
    assert "| Moved from | 2025-03-04 12:30 UTC: It stands in the report. |" in explanation


def test_text_from_outside_does_not_break_the_table(tmp_path: Path) -> None:
    hostile = report(title="a | b](javascript:x) <script>", url="javascript:alert(1)")
    explanation = scored(tmp_path, scripted(judge()), evidence=[hostile]).explanation or ""
    assert "<script" not in explanation and "](javascript:" not in explanation.replace("b](javascript:x)", "")
    assert r"a \| b](javascript:x) &lt;script>" in explanation


@pytest.mark.parametrize(
    ("rule", "answer", "precision"), [("no_irreversible", "No", "stated"), ("yes_event", "Yes", "convention")]
)
def test_rules_and_precisions_are_told(tmp_path: Path, rule: str, answer: str, precision: str) -> None:
    score = scored(tmp_path, scripted(judge({"rule": rule, "answer": answer, "precision": precision})))
    assert score.metadata is not None
    assert (score.metadata["rule"], score.metadata["outcome"], score.metadata["precision"]) == (rule, answer, precision)
    assert isinstance(score.value, dict)
    assert score.value["signed_move"] == (0.375 if answer == "Yes" else -0.375)


def test_an_edited_score_is_counted_after_reading_the_log_again(log: EvalLog, tmp_path: Path) -> None:
    edited = read_eval_log(log.location)
    before = [values_of(sample) for sample in samples_of(edited)]
    values = {**before[0], "voi_kl": 0.0, "excess_kl": -before[0]["random_kl"]}
    change = ScoreEdit(value=values, provenance=ProvenanceData(author="a reader", reason="the report is wrong"))
    edit(edited, samples_of(edited)[0].id, "voi", change)
    assert aggregate(edited, "voi_kl") == pytest.approx((before[1]["voi_kl"] + before[2]["voi_kl"]) / 3)
    excess = [values["excess_kl"], before[1]["excess_kl"], before[2]["excess_kl"]]
    assert aggregate(edited, "excess_kl") == pytest.approx(sum(excess) / 3)
    assert 0 < aggregate(edited, "excess_kl", P_ABOVE_RANDOM) < 1
    assert aggregate(edited, "excess_kl", P_ABOVE_RANDOM) > aggregate(log, "excess_kl", P_ABOVE_RANDOM)
    file = tmp_path / "edited.eval"
    write_eval_log(edited, str(file))
    assert aggregate(read_eval_log(str(file)), "voi_kl") == aggregate(edited, "voi_kl")


def test_an_edit_to_no_score_leaves_the_means(log: EvalLog) -> None:
    edited = read_eval_log(log.location)
    nothing: dict[str, Any] = {**dict.fromkeys(VALUES, math.nan), "coverage": 0.0}
    change = ScoreEdit(value=nothing, reason="search_outage", provenance=ProvenanceData(author="a reader"))
    edit(edited, samples_of(edited)[0].id, "voi", change)
    rest = [values_of(sample) for sample in samples_of(log)[1:]]
    assert aggregate(edited, "voi_kl") == pytest.approx((rest[0]["voi_kl"] + rest[1]["voi_kl"]) / 2)
    assert aggregate(edited, "coverage") == pytest.approx(2 / 3)


def test_a_log_of_another_task_is_told_of(tmp_path: Path) -> None:
    task = Task(dataset=[Sample(id="one", input="Say something.")], scorer=None)
    log = evaluate("none", scripted(generator("Something.")).name, tmp_path / "logs", task=task)
    with pytest.raises(InputError, match=r"scores samples of tasks/cruxbench\.py"):
        rescore(log)
