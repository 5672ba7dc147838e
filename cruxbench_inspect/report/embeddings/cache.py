"""Embeddings that were paid for, kept in one file."""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.cache_folder import cache_folder
from cruxbench_inspect.report.embeddings.service import EmbeddingService

Floats = NDArray[np.float64]

_LOCK_TIMEOUT = 60.0  # seconds


class EmbeddingCache:
    """Embeddings by endpoint, model and SHA-256 of the text, in one SQLite file.

    Attributes:
        file: The file, by default in the cache folder; it is created where it does not exist.
    """

    def __init__(self, service: EmbeddingService, file: Path | None = None) -> None:
        self.file = file or cache_folder() / "embeddings.sqlite"
        self._of = (service.url, service.model)

    def get(self, texts: Iterable[str]) -> dict[str, Floats]:
        """Those that it has.

        Raises:
            InputError: If the file cannot be used.
        """
        one = "SELECT vector FROM embeddings WHERE endpoint = ? AND model = ? AND sha256 = ?"
        with self._opened() as connection:
            rows = ((text, connection.execute(one, (*self._of, _sha256(text))).fetchone()) for text in texts)
            return {text: np.frombuffer(row[0], "<f8").astype(np.float64) for text, row in rows if row}

    def put(self, vectors: Mapping[str, Floats]) -> None:
        """Keep some for good.

        Raises:
            InputError: If the file cannot be used.
        """
        rows = [(*self._of, _sha256(text), vector.astype("<f8").tobytes()) for text, vector in vectors.items()]
        with self._opened() as connection:
            connection.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?, ?)", rows)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.file, timeout=_LOCK_TIMEOUT)) as connection, connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS embeddings (endpoint TEXT NOT NULL, model TEXT NOT NULL, "
                    "sha256 TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (endpoint, model, sha256))"
                )
                yield connection
        except (OSError, sqlite3.Error, ValueError) as error:
            raise InputError(
                f"{self.file}: embeddings cannot be kept there: {error}. Delete the file if it is damaged, or set "
                "CRUXBENCH_CACHE_DIR to a folder that can be written and has room"
            ) from error


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
