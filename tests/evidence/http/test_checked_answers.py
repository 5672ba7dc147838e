from collections.abc import Callable

import anyio
import pytest
from starlette.responses import Response

from cruxbench_inspect.evidence.http.client import Answer, AskAgain, Pace, ServiceClient
from cruxbench_inspect.evidence.source import SourceFailure
from tests.loopback.in_turn import InTurn, answer


class Service:
    """A service that gives its answers in turn.

    Attributes:
        answers: It.
        waits: Seconds that were waited.
    """

    def __init__(self, *answers: Response) -> None:
        self.answers = InTurn(*answers)
        self.waits: list[float] = []

    @property
    def asked(self) -> int:
        """How often it was asked."""
        return len(self.answers.requests)

    def get(self, check: Callable[[Answer], None] | None = None, accept: tuple[int, ...] = (200,)) -> Answer:
        """Ask it, three times at most."""

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        pace = Pace(attempts=3, wait=1, longest_wait=100)
        transport = self.answers.transport
        client = ServiceClient("service", "http://service", pace, transport=transport, sleep=sleep, clock=lambda: 0.0)
        return anyio.run(client.get, "/", None, accept, check)


def whole(given: Answer) -> None:
    if given.content != b"whole":
        raise AskAgain("bad_answer", f"it is {given.content.decode()!r}", wait=7)


def test_an_answer_that_the_check_refuses_is_asked_for_again_after_the_wait_it_names() -> None:
    service = Service(answer(200, content=b"half"), answer(200, content=b"whole"))
    assert service.get(whole).content == b"whole"
    assert service.asked == 2
    assert set(service.waits) == {7}


def test_it_fails_with_what_the_check_says_after_the_last_attempt() -> None:
    service = Service(answer(200, content=b"half"))
    with pytest.raises(SourceFailure, match="it is 'half'") as caught:
        service.get(whole)
    assert caught.value.kind == "bad_answer"
    assert service.asked == 3


def test_a_failure_of_the_check_is_final() -> None:
    def refuse(_: Answer) -> None:
        raise SourceFailure("service", "auth", "no")

    service = Service(answer(200))
    with pytest.raises(SourceFailure, match="auth: no"):
        service.get(refuse)
    assert service.asked == 1


def test_the_check_sees_every_status_that_is_accepted() -> None:
    seen = []
    service = Service(answer(403, content=b"page"))
    assert service.get(lambda given: seen.append(given.status), accept=(200, 403)).status == 403
    assert seen == [403]


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("body", "header", "wait"),
    [
        ({"error": "slow down", "retry_after_seconds": 30}, None, 30),
        ({"error": "slow down", "retry_after_seconds": "2.5"}, None, 2.5),
        ({"error": "slow down", "retry_after_seconds": 30}, "40", 40),
        ({"error": "slow down", "retry_after_seconds": 30}, "5", 30),
        ({"error": "slow down", "retry_after_seconds": 100_000}, None, 100),
    ],
)
def test_a_refusal_may_say_in_its_body_how_long_to_wait(
    status: int, body: dict[str, object], header: str | None, wait: float
) -> None:
    refusal = answer(status, json=body, headers={} if header is None else {"retry-after": header})
    service = Service(refusal, answer(200))
    service.get()
    assert max(service.waits) == wait


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"retry_after_seconds": -1}', b'{"retry_after_seconds": true}',
     b'{"retry_after_seconds": "soon"}', b'{"retry_after_seconds": NaN}', b"[" * 20_000, b"{" + b" " * 20_000 + b"}"],
)  # fmt: skip
def test_a_body_that_does_not_say_so_changes_nothing(body: bytes) -> None:
    refusal = answer(429, content=body, headers={"content-type": "application/json"})
    service = Service(refusal, answer(200))
    service.get()
    assert 1 <= max(service.waits) <= 1.25
