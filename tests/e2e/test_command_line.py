"""What only the ``inspect`` command itself can show: files named on it, exit codes and messages."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from inspect_ai.log import EvalLog, read_eval_log

from tests.evaluating import ROOT, all_values, evaluate, own_caches, samples_of, score_of, values_of
from tests.scripted_model import crux_json, generator, scripted
from tests.small_set import question, report, write_set

INSPECT = Path(sys.executable).with_name("inspect")

SOLVER = f"""
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.solver import Solver, solver

CRUX = {crux_json()!r}


@solver
def mine() -> Solver:
    async def solve(state, generate):
        state.messages.append(ChatMessageAssistant(content=CRUX))
        return state

    return solve
"""


class Run(NamedTuple):
    folder: Path
    unscored: EvalLog
    scored: EvalLog


def inspect(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command with nothing to type into it."""
    return subprocess.run(
        [INSPECT, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


def score(log: EvalLog, output: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return inspect(
        *("score", log.location, "--scorer", f"{ROOT / 'scorers' / 'voi.py'}@voi", *arguments),
        *("--action", "overwrite", "--output-file", output, "--model", "none", "--display", "log"),
        cwd=cwd,
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A solver of a user's own file, run without scoring; then scored at another width, elsewhere, from a moved set."""
    folder = tmp_path_factory.mktemp("command")
    questions = write_set(folder / "small", [question("harbour"), question("pier")], judge="cruxbench/keyword")
    (folder / "solver.py").write_text(SOLVER, encoding="utf-8")
    with own_caches(folder / "caches"):
        done = inspect(
            *("eval", "tasks/cruxbench.py", "--model", "cruxbench/keyword", "--display", "log", "--no-score"),
            *("-T", f"questions={questions}", "--solver", f"{folder / 'solver.py'}@mine", "--log-dir", folder / "logs"),
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (file,) = (folder / "logs").glob("*.eval")
        unscored = read_eval_log(str(file))
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        shutil.move(questions, elsewhere / "set")
        output = elsewhere / "wide.eval"
        done = score(unscored, output, "-S", "width=48", "-S", "questions=set", cwd=elsewhere)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Run(folder, unscored, read_eval_log(str(output)))


def test_a_solver_from_a_file_is_scored(run: Run) -> None:
    assert run.unscored.eval.solver is not None and run.unscored.eval.solver.endswith("solver.py@mine")
    assert all(not sample.scores for sample in samples_of(run.unscored))
    assert run.scored.eval.model == "cruxbench/keyword"
    for sample in samples_of(run.scored):
        values = values_of(sample)
        assert (values["resolved"], values["coverage"]) == (1.0, 1.0)
        assert values["voi_kl"] > values["random_kl"]
        assert score_of(sample).answer == "Will the Alvara harbour court uphold the licence by 7 March 2025?"


def test_it_is_scored_as_if_at_once(run: Run, tmp_path: Path) -> None:
    model = scripted(generator(crux_json()))
    direct = evaluate(run.folder / "elsewhere" / "set", model.name, tmp_path, task_args={"width": 48})
    assert all_values(run.scored) == all_values(direct)


def test_another_set_is_refused_with_a_message_and_an_exit_code(run: Run, tmp_path: Path) -> None:
    other = write_set(tmp_path / "small", judge="cruxbench/keyword", evidence=[report(title="Changed")])
    done = score(run.scored, tmp_path / "no.eval", "-S", f"questions={other}", cwd=tmp_path)
    assert done.returncode == 1
    told = " ".join((done.stdout + done.stderr).split())
    assert "is not the one that this log was made with" in told
    assert "Traceback" not in told
    assert not (tmp_path / "no.eval").exists()
