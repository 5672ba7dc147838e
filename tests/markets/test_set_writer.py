"""Writing a question set: equal bytes, all or nothing, and nothing of the user's is lost."""

import os
import shutil
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.markets import folder_swap
from cruxbench_inspect.markets.set_writer import PRICE_SCHEMA, write_set
from cruxbench_inspect.prices import PriceRules
from cruxbench_inspect.questions import Manifest, Outcome, Question, QuestionSet
from cruxbench_inspect.utc import HOUR
from tests.small_set import FIRST_PRICE, outcome, question, report

NAMES = ("harbour", "tunnel", "bridge")


def manifest(**changes: object) -> Manifest:
    return Manifest.model_validate(
        {
            "format": 1,
            "name": "crossings",
            "version": "1",
            "description": "Invented for a test.",
            "fictional": True,
            "prices": "raw",
            "evidence": "archive",
            "files": {},
            "volume_basis": "one_sided",
            "price_rules": {"volume_threshold_usdc": 500, "round_decimals": None},
            "counts": {"questions": 3, "left": None},
            **changes,
        }
    )


def questions() -> list[Question]:
    return [Question.model_validate(question(name)) for name in NAMES]


def outcomes() -> list[Outcome]:
    return [Outcome.model_validate(outcome(name)) for name in NAMES]


def prices(price: float = 0.25) -> pl.DataFrame:
    rows = [(name, FIRST_PRICE + n * HOUR, price, 12.5) for name in NAMES for n in range(400)]
    return pl.DataFrame(rows, schema=PRICE_SCHEMA, orient="row")


def write(folder: Path, *, price: float = 0.25, replace: bool = False) -> QuestionSet:
    return write_set(folder, manifest(), questions(), outcomes(), prices(price), [report()], replace=replace)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_written_set_says_what_it_was_given(tmp_path: Path) -> None:
    written = write(tmp_path / "deep" / "set")
    loaded = QuestionSet.load(tmp_path / "deep" / "set")
    assert written.digest == loaded.digest and written.folder == loaded.folder
    assert [q.id for q in loaded.questions] == sorted(NAMES)
    assert set(loaded.questions) == set(questions())
    assert loaded.outcomes == {o.question_id: o for o in outcomes()}
    assert loaded.prices.equals(prices().sort("question_id", "hour"))
    assert loaded.manifest.price_rules == PriceRules(volume_threshold_usdc=500, round_decimals=None)
    assert loaded.manifest.counts == {"questions": 3, "left": None}
    assert loaded.evidence_file is not None


def test_the_order_of_what_comes_in_changes_no_byte(tmp_path: Path) -> None:
    second = report(url="https://courier.example/second")
    write_set(tmp_path / "one", manifest(), questions(), outcomes(), prices(), [report(), second])
    shuffled = prices().sample(fraction=1.0, shuffle=True, seed=5)
    write_set(tmp_path / "two", manifest(), questions()[::-1], outcomes()[::-1], shuffled, [second, report()])
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_writing_the_same_again_touches_nothing(tmp_path: Path) -> None:
    write(tmp_path / "set")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "set").iterdir()}
    write(tmp_path / "set")
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "set").iterdir()}


def test_another_set_is_replaced_only_on_demand(tmp_path: Path) -> None:
    first = write(tmp_path / "set")
    with pytest.raises(InputError, match="holds another question set"):
        write(tmp_path / "set", price=0.75)
    assert QuestionSet.load(tmp_path / "set").digest == first.digest
    write(tmp_path / "set", price=0.75, replace=True)
    assert QuestionSet.load(tmp_path / "set").prices["price"].unique().to_list() == [0.75]
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_files_of_the_user_are_never_replaced(tmp_path: Path) -> None:
    write(tmp_path / "set")
    (tmp_path / "set" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"notes\.txt"):
        write(tmp_path / "set", price=0.75, replace=True)
    assert (tmp_path / "set" / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="is a file"):
        write(tmp_path / "set", replace=True)


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    assert write(tmp_path / "set").name == "crossings"


def test_an_invalid_set_is_not_written_and_all_problems_are_named(tmp_path: Path) -> None:
    write(tmp_path / "set")
    wrong = prices().with_columns(price=pl.lit(1.5))
    foreign = [*outcomes(), Outcome(question_id="ferry", outcome=None)]
    with pytest.raises(InputProblems) as caught:
        write_set(tmp_path / "set", manifest(), questions(), foreign, wrong, replace=True)
    assert str(tmp_path / "set") in caught.value.message and ".writing" not in caught.value.message
    assert any("'ferry'" in problem for problem in caught.value.problems)
    assert any("1.5 is not between 0 and 1" in problem for problem in caught.value.problems)
    assert QuestionSet.load(tmp_path / "set").prices["price"].unique().to_list() == [0.25]
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_wrong_evidence_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(
        InputProblems, match=r"set \(not written\), evidence\.jsonl: 1 problem\n  - line 1, field published"
    ):
        write_set(tmp_path / "set", manifest(), questions(), outcomes(), prices(), [report(published="soon")])
    assert not (tmp_path / "set").exists()


def test_a_full_disk_leaves_the_old_set(tmp_path: Path) -> None:
    write(tmp_path / "set")
    code = (
        "import resource, signal, sys; from pathlib import Path; from tests.markets.test_set_writer import write\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "try: write(Path(sys.argv[1]), price=0.75, replace=True)\n"
        "except Exception as error: print(type(error).__name__, error); sys.exit(7)\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(tmp_path / "set")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 7, done.stderr
    assert done.stdout.startswith("InputError the question set cannot be written") and "Make room" in done.stdout
    assert QuestionSet.load(tmp_path / "set").prices["price"].unique().to_list() == [0.25]
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def kill_at_every_step(folder: Path, old: Path) -> None:
    """Replace copies of a set, each time in a process that is killed one step later, until one gets through.

    A step is what Python tells an audit hook about: an open file, a folder made, moved or removed.
    """
    for step in range(1, 1000):
        shutil.copytree(old, folder / str(step) / "set")
        pid = os.fork()
        if pid == 0:
            left = step

            def count_down(event: str, given: tuple[object, ...]) -> None:
                nonlocal left
                if given and isinstance(given[0], str | Path) and str(given[0]).startswith(str(folder)):
                    left -= 1
                    if not left:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(count_down)
            write(folder / str(step) / "set", price=0.75, replace=True)
            os._exit(0)
        if os.waitpid(pid, 0)[1] == 0:
            return


def test_a_killed_writer_leaves_a_whole_set_and_the_next_one_tidies_up(tmp_path: Path) -> None:
    write(tmp_path / "old")
    code = (
        "import sys; from pathlib import Path; from tests.markets.test_set_writer import kill_at_every_step\n"
        "kill_at_every_step(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    arguments = [sys.executable, "-B", "-W", "ignore", "-c", code, str(tmp_path / "killed"), str(tmp_path / "old")]
    subprocess.run(arguments, check=True)
    found = []
    steps = sorted((tmp_path / "killed").iterdir(), key=lambda path: int(path.name))
    for step in steps:
        found += QuestionSet.load(step / "set").prices["price"].unique().to_list()
    assert found == sorted(found) and set(found) == {0.25, 0.75}
    for step in (step for step in steps if len(list(step.iterdir())) > 1):
        write(step / "set", price=0.5, replace=True)
        assert QuestionSet.load(step / "set").prices["price"].unique().to_list() == [0.5]
        assert [path.name for path in step.iterdir()] == ["set"]


def test_without_an_exchange_in_one_step_folders_still_change_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_swap, "_exchange", lambda one, other: False)
    write(tmp_path / "set")
    write(tmp_path / "set", price=0.75, replace=True)
    assert QuestionSet.load(tmp_path / "set").prices["price"].unique().to_list() == [0.75]
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_a_writer_whose_work_was_removed_by_another_one_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cruxbench_inspect.markets import set_writer

    check = set_writer._check

    def with_a_second_writer(unfinished: Path, folder: Path) -> None:
        monkeypatch.setattr(set_writer, "_check", check)
        write(tmp_path / "set", price=0.75)
        check(unfinished, folder)

    monkeypatch.setattr(set_writer, "_check", with_a_second_writer)
    with pytest.raises(InputError):
        write(tmp_path / "set")
    assert QuestionSet.load(tmp_path / "set").prices["price"].unique().to_list() == [0.75]


def test_hours_of_a_set_may_come_from_elsewhere_than_the_window(tmp_path: Path) -> None:
    late = prices().with_columns(pl.col("hour") + timedelta(days=400))
    assert write_set(tmp_path / "set", manifest(), questions(), outcomes(), late).trusted("harbour") is None
