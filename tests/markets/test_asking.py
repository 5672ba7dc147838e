import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.responses import Response

from cruxbench_inspect.evidence.http.client import Pace, ServiceClient
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.answers import AnswerStore, KeptAnswer
from cruxbench_inspect.markets.asking import Asker
from tests.loopback.in_turn import InTurn, answer

T0 = datetime(2026, 3, 25, tzinfo=UTC)
DAY = timedelta(days=1)
GOOD = {"data": [1, 2.5, "x"]}


def wants_data(given: Any) -> None:
    if "data" not in given:
        raise ValueError("no data in it")


class Service:
    """A service, and what asks it.

    Attributes:
        now: The present.
        answers: What is answered.
        waits: Seconds that were waited.
    """

    def __init__(self, folder: Path, *answers: Response) -> None:
        self.now = T0
        self.answers = InTurn(*answers or (answer(200, json=GOOD),))
        self.waits: list[float] = []
        self._folder = folder

    def asker(self, **more: Any) -> Asker:
        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        client = ServiceClient(
            "service",
            "http://service",
            Pace(attempts=4, wait=1),
            transport=self.answers.transport,
            sleep=sleep,
            clock=lambda: 0.0,
        )
        return Asker(client, AnswerStore(self._folder / "answers.sqlite"), lambda: self.now, **more)

    @property
    def requests(self) -> list[str]:
        """The addresses that were asked for."""
        return self.answers.requests


def get(
    asker: Asker, params: Any = None, since: datetime | None = None, check: Callable[[Any], None] = wants_data
) -> Any:
    return anyio.run(asker.get, "/path", params or {}, check, since)


def test_an_answer_is_asked_once_whatever_the_order_of_its_fields(tmp_path: Path) -> None:
    service = Service(tmp_path)
    asker = service.asker()
    assert get(asker, {"b": 2, "a": ["y", "x"], "closed": True}) == GOOD
    assert get(asker, {"closed": "true", "a": ["x", "y"], "b": "2"}) == GOOD
    assert service.requests == ["http://service/path?a=x&a=y&b=2&closed=true"]
    assert (asker.asked, asker.from_store) == (1, 1)
    assert get(service.asker(offline=True), {"a": ["x", "y"], "b": 2, "closed": True}) == GOOD


def test_what_is_asked_for_twice_at_once_is_asked_once(tmp_path: Path) -> None:
    service = Service(tmp_path)
    asker = service.asker()

    async def twice() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(asker.get, "/path", {}, wants_data)

    anyio.run(twice)
    assert len(service.requests) == 1
    assert (asker.asked, asker.from_store) == (1, 4)


def test_kept_answers_from_before_a_moment_are_asked_again_and_both_stay(tmp_path: Path) -> None:
    service = Service(tmp_path)
    get(service.asker())
    service.now = T0 + DAY
    get(service.asker(since=T0))
    assert len(service.requests) == 1
    get(service.asker(since=T0 + DAY))
    get(service.asker(), since=T0 + DAY)
    assert len(service.requests) == 2
    assert len(list(service.asker().store.answers())) == 2


@pytest.mark.parametrize(
    "bad",
    [
        answer(200, content=json.dumps(GOOD).encode()[:-4]),
        answer(200, content=b"<html>Just a moment...</html>"),
        answer(200, content=b""),
        answer(200, json={"error": "upstream request timeout"}),
        answer(200, json={"data": [], "error": {"code": 1}}),
        answer(200, json={"other": 1}),
        answer(403, content=b"<!DOCTYPE html><title>Just a moment...</title>"),
        answer(429),
        answer(503, json={"code": "dependency_unavailable", "retryable": True}),
    ],
    ids=["half", "html", "empty", "error", "error_beside_data", "no_data", "403", "429", "503"],
)
def test_case_16_what_is_no_answer_is_asked_for_again_and_never_kept(tmp_path: Path, bad: Response) -> None:
    service = Service(tmp_path, bad, bad, answer(200, json=GOOD))
    asker = service.asker()
    assert get(asker) == GOOD
    assert len(service.requests) == 3
    assert [json.loads(kept.body) for kept in asker.store.answers() if isinstance(kept, KeptAnswer)] == [GOOD]


def test_an_answer_with_a_sign_that_json_forbids_is_an_answer(tmp_path: Path) -> None:
    service = Service(tmp_path, answer(200, content=b'{"data": ["a\xff", "b\x0b", "\\ud83d"]}'))
    for asker in (service.asker(), service.asker(offline=True)):
        assert get(asker) == {"data": ["a\ufffd", "b\x0b", "\ufffd"]}
        assert not asker.damaged
    assert len(service.requests) == 1


def test_case_16_after_some_attempts_it_fails_with_the_cause(tmp_path: Path) -> None:
    service = Service(tmp_path, answer(200, content=b"<html>Sorry</html>"))
    with pytest.raises(SourceFailure, match="no whole JSON but '<html>Sorry</html>'") as caught:
        get(service.asker())
    assert caught.value.kind == "bad_answer"
    assert len(service.requests) == 4
    assert not list(service.asker().store.answers())


def test_an_error_may_say_how_long_to_wait(tmp_path: Path) -> None:
    service = Service(tmp_path, answer(200, json={"error": "busy", "retry_after_seconds": 9}), answer(200, json=GOOD))
    get(service.asker())
    assert max(service.waits) == 9


def test_a_refusal_in_json_is_final(tmp_path: Path) -> None:
    service = Service(tmp_path, answer(403, json={"error": "region"}))
    with pytest.raises(SourceFailure, match=r"auth: HTTP 403: '.\"error\"") as caught:
        get(service.asker())
    assert caught.value.kind == "auth"
    assert len(service.requests) == 1


def test_offline_nothing_is_asked(tmp_path: Path) -> None:
    service = Service(tmp_path)
    with pytest.raises(SourceFailure) as caught:
        get(service.asker(offline=True), {"a": 1})
    assert caught.value.kind == "not_recorded"
    assert "service/path?a=1" in caught.value.detail
    assert not service.requests


def test_it_can_be_asked_whether_an_answer_is_kept(tmp_path: Path) -> None:
    asker = Service(tmp_path).asker()
    assert not anyio.run(asker.holds, "/path", {"a": 1})
    get(asker, {"a": 1})
    assert anyio.run(asker.holds, "/path", {"a": 1})
    assert not anyio.run(asker.holds, "/path", {"a": 1}, T0 + DAY)
    assert asker.from_store == 0


def test_a_damaged_answer_is_noted_and_asked_again(tmp_path: Path) -> None:
    service = Service(tmp_path)
    asker = service.asker()
    asker.store.keep("service/path", T0, b'{"data"')
    assert get(asker) == GOOD
    assert len(asker.damaged) == 1
    assert "no whole JSON" in asker.damaged[0]


def test_a_damaged_answer_is_noted_once_however_often_it_is_come_upon(tmp_path: Path) -> None:
    asker = Service(tmp_path).asker(offline=True)
    asker.store.keep("service/path", T0, b'{"data"')
    for _ in range(3):
        assert not anyio.run(asker.holds, "/path", {})
        with pytest.raises(SourceFailure):
            get(asker)
    assert len(asker.damaged) == 1
