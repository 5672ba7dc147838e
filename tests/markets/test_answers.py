import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.answers import AnswerStore, DamagedAnswer, KeptAnswer

T0 = datetime(2026, 3, 25, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def store(tmp_path: Path) -> AnswerStore:
    return AnswerStore(tmp_path / "deep" / "answers.sqlite")


def body_of(answer: KeptAnswer | None) -> bytes | None:
    return None if answer is None else answer.body


def test_the_newest_answer_counts_and_earlier_ones_stay(store: AnswerStore) -> None:
    for hours, body in ((0, b"first"), (2, b"third"), (1, b"second")):
        store.keep("service/path?a=1", T0 + hours * HOUR, body)
    newest = store.kept("service/path?a=1")
    assert newest is not None
    assert (newest.body, newest.asked, newest.request) == (b"third", T0 + 2 * HOUR, "service/path?a=1")
    assert [body_of(answer) for answer in store.answers() if isinstance(answer, KeptAnswer)] == [
        b"first",
        b"third",
        b"second",
    ]


def test_an_answer_from_before_a_moment_does_not_count(store: AnswerStore) -> None:
    store.keep("r", T0, b"x")
    assert body_of(store.kept("r", T0)) == b"x"
    assert store.kept("r", T0 + timedelta(microseconds=1)) is None
    assert store.kept("other") is None


def test_equal_bodies_take_space_once(store: AnswerStore) -> None:
    body = os.urandom(100_000)
    for hour in range(20):
        store.keep("r", T0 + hour * HOUR, body)
    store.close()
    assert store.file.stat().st_size < 300_000


@settings(max_examples=50)
@given(body=st.binary(max_size=3_000))
def test_bodies_come_back_byte_for_byte(body: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    store = AnswerStore(tmp_path_factory.getbasetemp() / "bodies.sqlite")
    store.keep("r", T0, body)
    assert body_of(store.kept("r")) == body
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE bodies SET packed = zeroblob(length(packed)) WHERE sha256 = (SELECT sha256 FROM answers LIMIT 1)",
        "DELETE FROM bodies WHERE sha256 = (SELECT sha256 FROM answers LIMIT 1)",
        "UPDATE answers SET sha256 = 'x' WHERE serial = 1",
    ],
)
def test_a_damaged_answer_is_told_and_can_be_replaced(store: AnswerStore, damage: str) -> None:
    store.keep("r", T0, b"x" * 100)
    store.keep("s", T0, b"y" * 100)
    with sqlite3.connect(store.file) as connection:
        connection.execute(damage)
    with pytest.raises(DamagedAnswer, match=r"2026-03-25T00:00:00Z to r was changed"):
        store.kept("r")
    found = list(store.answers())
    assert isinstance(found[0], DamagedAnswer)
    assert isinstance(found[1], KeptAnswer)
    store.keep("r", T0 + HOUR, b"x" * 100)
    assert body_of(store.kept("r")) == b"x" * 100


def test_answers_of_one_service_can_be_gone_through(store: AnswerStore) -> None:
    for request in ("a/1", "b/1", "a%/2", "a/2"):
        store.keep(request, T0, request.encode())
    assert [body_of(each) for each in store.answers("a/") if isinstance(each, KeptAnswer)] == [b"a/1", b"a/2"]


def test_several_stores_and_threads_use_one_file(store: AnswerStore) -> None:
    other = AnswerStore(store.file)

    def keep(used: AnswerStore, name: str) -> None:
        for number in range(40):
            used.keep(f"{name}{number}", T0, b"body of " + name.encode())

    threads = [
        threading.Thread(target=keep, args=(used, name)) for used, name in ((store, "a"), (other, "b"), (store, "c"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(store.answers())) == 120
    assert body_of(store.kept("b39")) == b"body of b"


_WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from cruxbench_inspect.markets.answers import AnswerStore
store = AnswerStore(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    store.keep(f"r{number}", datetime(2026, 3, 25, tzinfo=UTC), str(number).encode() * 20_000)
    print(number, flush=True)
"""


def test_what_was_kept_before_a_kill_is_there(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(file), "1000000"], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    last = -1
    for line in writer.stdout:
        last = int(line)
        if last == 60:
            writer.send_signal(signal.SIGKILL)
            break
    writer.stdout.close()
    writer.wait()
    store = AnswerStore(file)
    found = list(store.answers())
    assert not [answer for answer in found if isinstance(answer, DamagedAnswer)]
    assert len(found) >= last + 1
    store.keep("after", T0, b"goes on")
    assert body_of(store.kept("r60")) == b"60" * 20_000


def test_a_full_disk_is_told_and_what_was_kept_stays_usable(tmp_path: Path) -> None:
    """A bound on the size of files stands for the disk's end."""
    file = tmp_path / "answers.sqlite"

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    command = [
        sys.executable,
        "-c",
        _WRITER.replace(" * 20_000", " + __import__('os').urandom(20_000)"),
        str(file),
        "50",
    ]
    done = subprocess.run(command, preexec_fn=bound, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "cannot take another answer" in done.stderr
    assert "make room and start the same command again" in done.stderr
    kept = len(done.stdout.split())
    store = AnswerStore(file)
    found = list(store.answers())
    assert 0 < kept <= len(found) < 50
    assert not [answer for answer in found if isinstance(answer, DamagedAnswer)]
    store.keep("after", T0, b"goes on")


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_text("no database at all " * 100, encoding="utf-8")
    with pytest.raises(InputError, match="move it away"):
        AnswerStore(tmp_path / "answers.sqlite")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="Name a folder that can be written"):
        AnswerStore(tmp_path / "file" / "answers.sqlite")
