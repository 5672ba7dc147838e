"""Asking a service for JSON, once: what was answered is kept, and what is no answer is asked for again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread

from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.http.client import Answer, AskAgain, ServiceClient
from cruxbench_inspect.evidence.http.retry_after import retry_after_in_body
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.markets.answers import AnswerStore, DamagedAnswer, KeptAnswer
from cruxbench_inspect.markets.tolerant_json import tolerant_json
from cruxbench_inspect.utc import format_utc

Params = Mapping[str, str | int | bool | Sequence[str]]
"""The fields of a request; several values make repeated fields."""

Check = Callable[[Any], None]
"""Raises ValueError, with what is wrong, about parsed JSON that is no answer to the request."""

NEVER = datetime.max.replace(tzinfo=UTC)
"""As ``since``: no kept answer counts, so that the service is asked."""

_SHOWN = 120


@dataclass(frozen=True, eq=False)
class AnswerOnRecord:
    """One of the answers to a request that were kept.

    Attributes:
        asked: When it was asked, in UTC.
        parsed: The answer as parsed JSON.
    """

    asked: datetime
    parsed: Any


@dataclass
class Asker:
    """Asks one service, unless the answer is kept.

    Attributes:
        client: The service.
        store: Where answers are kept.
        clock: The present, an aware datetime.
        since: Kept answers asked before this moment don't count; None takes any.
        offline: Whether only kept answers may be used; then the newest one counts, however old it is.
        asked: How many requests the service has answered.
        from_store: How many answers were kept already.
        damaged: What was found damaged in the store, and asked for again where it may be; one line each.
    """

    client: ServiceClient
    store: AnswerStore
    clock: Callable[[], datetime]
    since: datetime | None = None
    offline: bool = False
    asked: int = field(default=0, init=False)
    from_store: int = field(default=0, init=False)
    damaged: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Start without requests under way."""
        self._locks: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def get(self, path: str, params: Params, check: Check, since: datetime | None = None) -> Any:
        """The answer to a request as parsed JSON.

        Equal requests at the same time are asked once. A body that is no JSON, an error in JSON, or that the check
        refuses, is asked for again as often as the client's pace allows, and never kept.

        Args:
            path: The path, from a slash on.
            params: The fields; their order doesn't matter.
            check: Refuses what is no answer.
            since: As the attribute, for this request; the later of the two counts.

        Raises:
            SourceFailure: If the service does not answer; ``not_recorded`` if it may not be asked.
            InputError: If the store cannot be used.
        """
        address = _address(path, params)
        request = self.client.service + address
        lock = self._locks.setdefault(request, anyio.Lock())
        async with lock:
            kept = await self._kept(request, check, since)
            if kept is not None:
                self.from_store += 1
                return kept.parsed
            if self.offline:
                raise SourceFailure(self.client.service, "not_recorded", f"no answer is kept to {request[:300]}")
            asked = self.clock()
            reading = _Reading(self.client.service, check)
            # 403 with a page comes from the guard in front of a service, and passes.
            answer = await self.client.get(address, accept=(200, 403), check=reading.look)
            self.asked += 1
            await anyio.to_thread.run_sync(self.store.keep, request, asked, answer.content)
            return reading.parsed

    async def all_kept(
        self,
        path: str,
        params: Params,
        check: Check,
        until: datetime | None = None,
        since: datetime | None = None,
    ) -> list[AnswerOnRecord]:
        """All answers to a request that are kept and whole, the oldest first; nobody is asked.

        Args:
            path: The path, from a slash on.
            params: The fields; their order doesn't matter.
            check: Refuses what is no answer.
            until: Answers asked after this moment don't count.
            since: Answers asked before this moment don't count.

        Raises:
            InputError: If the store cannot be used.
        """
        request = self.client.service + _address(path, params)
        return await anyio.to_thread.run_sync(self._read_all, request, check, since, until)

    async def moments_kept(self, path: str, params: Params, until: datetime | None = None) -> list[datetime]:
        """When the kept answers to a request were asked, the earliest first; nobody is asked.

        Raises:
            InputError: If the store cannot be used.
        """
        request = self.client.service + _address(path, params)
        return await anyio.to_thread.run_sync(self.store.moments, request, until)

    def _read_all(
        self, request: str, check: Check, since: datetime | None, until: datetime | None
    ) -> list[AnswerOnRecord]:
        found = []
        for kept in self.store.all_kept(request, since, until):
            if isinstance(kept, DamagedAnswer):
                self._note_damage(str(kept))
                continue
            reading = _Reading(self.client.service, check)
            try:
                reading.read(kept.body)
            except ValueError as error:
                self._note_unreadable(kept, error)
                continue
            found.append(AnswerOnRecord(kept.asked, reading.parsed))
        return found

    async def holds(self, path: str, params: Params, since: datetime | None = None) -> bool:
        """Whether an answer to a request is kept, so that it would not be asked."""
        return await self._kept(self.client.service + _address(path, params), lambda _: None, since) is not None

    async def _kept(self, request: str, check: Check, since: datetime | None) -> "_Reading | None":
        # Who cannot ask takes the newest answer that there is.
        moments = [] if self.offline else [moment for moment in (self.since, since) if moment is not None]
        try:
            kept = await anyio.to_thread.run_sync(self.store.kept, request, max(moments, default=None))
        except DamagedAnswer as error:
            self._note_damage(str(error))
            return None
        if kept is None:
            return None
        reading = _Reading(self.client.service, check)
        try:
            reading.read(kept.body)
        except ValueError as error:
            self._note_unreadable(kept, error)
            return None
        return reading

    def _note_unreadable(self, kept: KeptAnswer, error: ValueError) -> None:
        self._note_damage(f"the answer of {format_utc(kept.asked)} to {kept.request[:200]}: {error}")

    def _note_damage(self, what: str) -> None:
        # Offline, a request may come upon the same answer again and again.
        if what not in self.damaged:
            self.damaged.append(what)


class _Reading:
    """Parses and checks the body of an answer.

    Attributes:
        parsed: What is in it, once it has been read.
    """

    def __init__(self, service: str, check: Check) -> None:
        self.parsed: Any = None
        self._service = service
        self._check = check

    def look(self, answer: Answer) -> None:
        """Read an answer that has just come.

        Raises:
            AskAgain: If it is none.
            SourceFailure: If it is none, and asking again would be no better.
        """
        if answer.status == 403:
            if answer.content.lstrip()[:1] == b"<":
                raise AskAgain("outage", "HTTP 403 with a web page: the guard in front of the service refuses")
            raise SourceFailure(self._service, "auth", f"HTTP 403: {_beginning(answer.content)}")
        try:
            self.read(answer.content)
        except ValueError as error:
            raise AskAgain("bad_answer", str(error), retry_after_in_body(answer.content) or 0.0) from None

    def read(self, body: bytes) -> None:
        """Read a body.

        Raises:
            ValueError: If it is no answer.
        """
        try:
            parsed = tolerant_json(body)
        except ValueError:
            raise ValueError(f"no whole JSON but {_beginning(body)}") from None
        if isinstance(parsed, dict) and parsed.get("error"):
            raise ValueError(f"an error instead of an answer: {_beginning(body)}")
        self._check(parsed)
        self.parsed = parsed


def _address(path: str, params: Params) -> str:
    pairs = []
    for name, value in params.items():
        values = [value] if isinstance(value, str | int) else value
        pairs += [(name, str(each).lower() if isinstance(each, bool) else str(each)) for each in values]
    return f"{path}?{urlencode(sorted(pairs))}" if pairs else path


def _beginning(body: bytes) -> str:
    return repr(clean_line(body[: 4 * _SHOWN].decode("utf-8", "replace"))[:_SHOWN])
