"""Replaying a recording: the answers of an earlier run, and no network."""

import sqlite3
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import anyio.to_thread
from pydantic import TypeAdapter, ValidationError

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.results import DamagedAnswer, Recording, Request
from cruxbench_inspect.evidence.source import SearchOutcome, SourceFailure
from cruxbench_inspect.evidence.stored_source import FETCHED, fetch_request, search_request

Given = TypeVar("Given")


class ReplaySource:
    """The source of a recording. It answers what was recorded; anything else is a failure that names the request.

    Attributes:
        name: The name of the recorded source.
        fingerprint: That it replays, and what.
    """

    def __init__(self, recording: Recording, name: str) -> None:
        """Replay one source of a recording."""
        self._recording = recording
        self.name = name
        self.fingerprint = f"replay:{name}"

    @classmethod
    def open(cls, file: Path, name: str | None) -> "ReplaySource":
        """The source of a file.

        Args:
            file: What a run with ``record`` has written.
            name: Which source, where the file holds answers of several.

        Raises:
            InputError: If the file is no recording, or does not hold just one source or the one that is named.
        """
        recording = Recording(file)
        if name is None and len(recording.sources) == 1:
            return cls(recording, recording.sources[0])
        if not recording.sources:
            raise InputError(f"{file}: the recording holds no answer of any source: nothing was answered in its run")
        if name not in recording.sources or name is None:
            held = ", ".join(recording.sources)
            wanted = f"not of {name}" if name else f"say which: evidence=replay:{file}#NAME"
            raise InputError(f"{file}: the recording holds answers of {held}; {wanted}")
        return cls(recording, name)

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """The recorded outcome.

        Raises:
            SourceFailure: ``not_recorded`` if the search is not in the recording.
        """
        return await self._replay(search_request(self.name, "", query, before, limit), TypeAdapter(SearchOutcome))

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The recorded text.

        Raises:
            SourceFailure: ``not_recorded`` if the fetch is not in the recording.
        """
        return await self._replay(fetch_request(self.name, "", document, before), FETCHED)

    async def _replay(self, request: Request, form: TypeAdapter[Given]) -> Given:
        file = self._recording.file
        try:
            stored = await anyio.to_thread.run_sync(self._recording.get, request)
            if stored is None:
                told = f"{file} has no answer to {request.call[:300]} before {request.cutoff}"
                raise SourceFailure(self.name, "not_recorded", told)
            return form.validate_json(stored.answer)
        except (sqlite3.Error, DamagedAnswer) as error:
            raise SourceFailure(self.name, "outage", f"{file}: {error}") from error
        except ValidationError as error:
            told = f"{file}: the answer to {request.call[:200]} is in a form that this version does not know"
            raise SourceFailure(self.name, "bad_answer", told) from error
