"""Epochs in which scored, zero and unscored samples of one question mix."""

import math
import re
from collections.abc import Iterator

import pytest
from inspect_ai.log import EvalLog
from scipy.stats import ttest_1samp

from solvers.propose import propose
from tests.evaluating import aggregate, evaluate, own_caches, rescore, samples_of, score_of, values_of
from tests.scripted_model import Answer, Call, Script, crux_json, judge, scripted
from tests.small_set import jump, question, write_set

GOOD = crux_json()
BROKEN = crux_json(question="Will the judge break down by 7 March 2025?")
NONE = "I would rather not."

EPOCHS = {
    "harbour": [GOOD, NONE, BROKEN],  # 2 of 3 are scored, one of them 0
    "pier": [BROKEN, GOOD, BROKEN],  # 1 of 3
    "quay": [BROKEN, BROKEN, BROKEN],
    "dock": [NONE, NONE, NONE],
}
JUMPS = {"harbour": (0.25, 0.75), "pier": (0.5, 0.75), "quay": (0.5, 0.6), "dock": (0.5, 0.6)}


def kl(after: float, before: float) -> float:
    return after * math.log2(after / before) + (1 - after) * math.log2((1 - after) / (1 - before))


def propose_in_turn(call: Call) -> Answer:
    """The epoch's answer: epochs of a question are run in order, one sample at a time."""
    name = re.search(r"Alvara (\w+) crossing", call.messages[0].text)
    assert name is not None
    return _left[name[1]].pop(0)


_left: dict[str, list[str]] = {}


def breaks_down(call: Call) -> Answer:
    return RuntimeError("broken") if "break down" in call.crux["question"] else judge()(call)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Script, EvalLog]]:
    folder = tmp_path_factory.mktemp("epochs")
    judges, generator = scripted(breaks_down), scripted(propose_in_turn)
    _left.update({name: list(answers) for name, answers in EPOCHS.items()})
    questions = write_set(
        folder / "small",
        [question(name) for name in EPOCHS],
        judge=judges.name,
        prices={name: jump(*prices) for name, prices in JUMPS.items()},
    )
    with own_caches(folder / "caches"):
        log = evaluate(questions, generator.name, folder / "logs", solver=propose(repairs=0), epochs=3, max_samples=1)
        yield judges, log


def reduced(log: EvalLog) -> dict[str, dict[str, float]]:
    assert log.reductions is not None
    (reduction,) = log.reductions
    found = {}
    for score in reduction.samples:
        assert isinstance(score.value, dict)
        found[str(score.sample_id)] = {key: float(value) for key, value in score.value.items() if value is not None}
    return found


def test_each_epoch_has_its_own_score(run: tuple[Script, EvalLog]) -> None:
    found: dict[str, list[str | None]] = {name: [] for name in EPOCHS}
    for sample in samples_of(run[1]):
        found[str(sample.id)].append(score_of(sample).reason)
    assert found == {
        "harbour": [None, "no_crux", "judge_failed"],
        "pier": ["judge_failed", None, "judge_failed"],
        "quay": ["judge_failed"] * 3,
        "dock": ["no_crux"] * 3,
    }


def test_unscored_epochs_do_not_count_in_a_question_s_values_but_in_its_coverage(run: tuple[Script, EvalLog]) -> None:
    values = reduced(run[1])
    assert [values[name]["coverage"] for name in EPOCHS] == pytest.approx([2 / 3, 1 / 3, 0, 1])
    assert values["harbour"]["voi_kl"] == pytest.approx(kl(0.75, 0.25) / 2)
    assert values["pier"]["voi_kl"] == pytest.approx(kl(0.75, 0.5))
    assert values["dock"]["voi_kl"] == 0
    assert math.isnan(values["quay"].get("voi_kl", math.nan))
    assert [values[name]["resolved"] for name in ("harbour", "pier", "dock")] == [0.5, 1.0, 0.0]
    # What is undefined for a zero is the mean of the epochs where it is defined.
    assert values["harbour"]["signed_move"] == 0.5
    assert values["harbour"]["timing_percentile"] == (8 * 24 - 0.5) / (8 * 24)


def test_aggregates_are_means_over_questions(run: tuple[Script, EvalLog]) -> None:
    log = run[1]
    voi = [kl(0.75, 0.25) / 2, kl(0.75, 0.5), 0.0]
    assert aggregate(log, "voi_kl") == pytest.approx(sum(voi) / 3)
    deviation = math.sqrt(sum((value - sum(voi) / 3) ** 2 for value in voi) / 2)
    assert aggregate(log, "voi_kl", "stderr") == pytest.approx(deviation / math.sqrt(3))
    assert aggregate(log, "coverage") == pytest.approx((2 / 3 + 1 / 3 + 0 + 1) / 4)
    assert aggregate(log, "resolved") == pytest.approx((0.5 + 1 + 0) / 3)
    excess = [reduced(log)[name]["excess_kl"] for name in ("harbour", "pier", "dock")]
    assert aggregate(log, "excess_kl") == pytest.approx(sum(excess) / 3)
    expected = ttest_1samp(excess, 0, alternative="greater").pvalue
    assert aggregate(log, "excess_kl", "cruxbench_inspect/p_above_random") == pytest.approx(expected)
    assert log.results is not None
    names = {score.name: sorted(score.metrics) for score in log.results.scores}
    assert names.pop("excess_kl") == ["ci_lower", "ci_upper", "cruxbench_inspect/p_above_random", "mean", "stderr"]
    assert set(map(tuple, names.values())) == {("ci_lower", "ci_upper", "mean", "stderr")}


def test_the_baselines_are_the_question_s_in_every_epoch(run: tuple[Script, EvalLog]) -> None:
    for name in ("harbour", "dock"):
        scored = [values_of(sample) for sample in samples_of(run[1]) if sample.id == name]
        known = {values["random_kl"] for values in scored if values["coverage"]}
        assert len(known) == 1 and reduced(run[1])[name]["random_kl"] == pytest.approx(known.pop())


def test_scoring_again_settles_the_unscored_epochs_alone(run: tuple[Script, EvalLog]) -> None:
    judges, log = run
    assert judges.count("verifier") == 1  # for two equal cruxes
    before = len(judges.calls)
    judges.play = judge()
    try:
        settled = rescore(log)
    finally:
        judges.play = breaks_down
    assert aggregate(settled, "coverage") == 1.0
    asked = judges.calls[before:]
    assert {call.crux["question"] for call in asked} == {"Will the judge break down by 7 March 2025?"}
    # One resolver and one verifier for six equal cruxes.
    assert [call.role for call in asked] == ["resolver", "resolver", "verifier"]
