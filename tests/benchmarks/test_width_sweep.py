import numpy as np
import pytest

from benchmarks.width_sweep import TOLERANCE, largest_difference, main, sweep, synthetic_cases


def test_a_small_sweep_equals_its_direct_computation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--questions", "2", "--generators", "3", "--runs", "1", "--checked", "3"]) == 0
    assert "2 times 3 moments" in capsys.readouterr().out


def test_a_wrong_cell_is_found() -> None:
    cases = synthetic_cases(1, 1, np.random.default_rng(1))
    answers = sweep(cases)
    answers[0].oracle.kl[:] += 2 * TOLERANCE
    assert largest_difference(cases, answers, 1, np.random.default_rng(1)) > TOLERANCE


def test_a_missing_cell_is_found() -> None:
    cases = synthetic_cases(1, 1, np.random.default_rng(1))
    answers = sweep(cases)
    answers[0].random_timing.kl[:] = np.nan
    assert largest_difference(cases, answers, 1, np.random.default_rng(1)) == float("inf")
