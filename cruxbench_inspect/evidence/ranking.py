"""Which of a few hundred short texts match a query best."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from cruxbench_inspect.evidence.query import match_expression


def best_matches(query: str, texts: Sequence[str]) -> list[int]:
    """The indices of the texts that share a word with the query, best first, by BM25; equal ones in their order."""
    expression = match_expression(query)
    if expression is None:
        return []
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61 remove_diacritics 2')"
        )
        connection.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts))
        rows = connection.execute("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank, rowid", [expression])
        return [int(index) for (index,) in rows]
