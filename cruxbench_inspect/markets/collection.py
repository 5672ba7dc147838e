"""The folder beside a question set that holds all that was collected for it, as it came."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.answers import AnswerStore
from cruxbench_inspect.utc import format_utc, parse_utc

_ABOUT = "collection.json"
_FORMAT = 1


@dataclass(frozen=True)
class Collection:
    """A folder of raw answers.

    Everything that a build depends on besides its options is in there, the moment of its beginning included: the same
    command over the same collection gives the same set, also after it was stopped, and also without a network.

    Attributes:
        folder: The folder.
        started: When it was begun, in UTC: the present, as far as the question set is concerned.
    """

    folder: Path
    started: datetime

    @classmethod
    def open(cls, folder: Path, clock: Callable[[], datetime]) -> "Collection":
        """The collection in a folder, which is begun where there is none.

        Raises:
            InputError: If the folder is of something else, or cannot be written.
        """
        about = folder / _ABOUT
        try:
            if not about.exists():
                if folder.exists() and any(folder.iterdir()):
                    raise InputError(f"{folder}: no collection of answers, but a folder of something else")
                folder.mkdir(parents=True, exist_ok=True)
                begun = {"format": _FORMAT, "started": format_utc(clock().replace(microsecond=0))}
                unfinished = about.with_suffix(".writing")
                unfinished.write_text(json.dumps(begun) + "\n", encoding="utf-8")
                unfinished.replace(about)
            told = json.loads(about.read_text(encoding="utf-8"))
            if told["format"] != _FORMAT:
                raise InputError(f"{about}: format {told['format']}, and this version knows format {_FORMAT}")
            return cls(folder, parse_utc(told["started"]))
        except OSError as error:
            raise InputError(
                f"{folder}: answers cannot be kept there: {error.strerror}. Name another folder"
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{about}: damaged ({error}). Name a new folder") from error

    @property
    def answers(self) -> AnswerStore:
        """The raw answers of the exchange.

        Raises:
            InputError: If they cannot be read.
        """
        return AnswerStore(self.folder / "answers.sqlite")

    @property
    def evidence_record(self) -> Path:
        """The file of what evidence sources answered while articles were looked for."""
        return self.folder / "evidence.sqlite"

    @property
    def evidence_archive(self) -> Path:
        """The local archive of what was found in the course of a live round."""
        return self.folder / "evidence.archive"
