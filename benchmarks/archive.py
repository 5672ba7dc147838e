"""How fast documents get into the embedded archive, both ways, and how fast it is searched.

Run it with ``python -m benchmarks.archive --documents 100000 --runs 3``. The documents are random words by Zipf's law,
one in four dated only by day. Queries are three to eight words by the same law without the 100 most frequent, which
stand for the words that the archive leaves out of an English query; their cutoffs lie anywhere in the year.
"""

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles

from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.evidence_file import read_documents
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.utc import format_utc

YEAR_START = datetime(2025, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
VOCABULARY = 50_000
TOO_FREQUENT = 100

Search = tuple[str, datetime]
"""A query and its cutoff."""


def main() -> None:
    """Print the rates of both ways in, in documents a second, and the latency of date-limited searches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000, help="documents in the archive (default %(default)s)")
    parser.add_argument("--words", type=int, default=200, help="words of a document (default %(default)s)")
    parser.add_argument("--searches", type=int, default=500, help="searches to measure (default %(default)s)")
    parser.add_argument("--runs", type=int, default=1, help="how often all is measured (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    words = _Words(draw)
    with tempfile.TemporaryDirectory() as folder:
        evidence_file = Path(folder) / "evidence.jsonl"
        with evidence_file.open("w", encoding="utf-8") as file:
            for number in range(arguments.documents):
                file.write(json.dumps(_document(number, words.text(arguments.words), draw)) + "\n")
        searches = [
            (words.query(draw.randint(3, 8)), YEAR_START + draw.random() * YEAR) for _ in range(arguments.searches)
        ]
        for _ in range(arguments.runs):
            with tempfile.TemporaryDirectory(dir=folder) as run:
                _measure(evidence_file, arguments.documents, searches, Path(run))


def _measure(evidence_file: Path, documents: int, searches: list[Search], folder: Path) -> None:
    os.environ["CRUXBENCH_CACHE_DIR"] = str(folder / "cache")
    with _rate("first use of an evidence.jsonl", documents, folder / "cache"):
        built = Archive.open(evidence_file)
    with _rate("added to a local archive", documents, folder / "local"):
        local = LocalArchive(folder / "local" / "my.archive")
        with evidence_file.open("rb") as lines:
            local.add(read_documents(lines, evidence_file))

    start = time.perf_counter()
    Archive.open(evidence_file)
    print(f"opened again: {(time.perf_counter() - start) * 1e3:.0f} ms")
    _tell_latencies("evidence.jsonl", asyncio.run(_search(built, searches)))
    _tell_latencies("local archive", asyncio.run(_search(Archive.open(local.file), searches)))


@contextmanager
def _rate(how: str, documents: int, folder: Path) -> Iterator[None]:
    start, start_of_work = time.perf_counter(), time.process_time()
    yield
    seconds, work = time.perf_counter() - start, time.process_time() - start_of_work
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    spent = f"{seconds:.1f} s, CPU {work:.1f} s, {size:.0f} MB"
    print(f"{how}: {documents / seconds:,.0f} documents a second ({spent})", flush=True)


def _tell_latencies(where: str, latencies: list[float]) -> None:
    cuts = quantiles(latencies, n=100)
    print(f"search in {where}: p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms over {len(latencies)} searches", flush=True)


async def _search(archive: Archive, searches: list[Search]) -> list[float]:
    latencies = []
    for query, cutoff in searches:
        start = time.perf_counter()
        await EvidenceSession(archive, cutoff).search(query)
        latencies.append((time.perf_counter() - start) * 1e3)
    return latencies


def _document(number: int, text: str, draw: random.Random) -> dict[str, str]:
    published = format_utc((YEAR_START + draw.random() * YEAR).replace(microsecond=0))
    return {
        "url": f"https://news.example/{number}",
        "title": text[:60],
        "source": "benchmark",
        "published": published[:10] if draw.random() < 0.25 else published,
        "text": text,
    }


class _Words:
    """Invented words, the n-th as frequent as 1/n."""

    def __init__(self, draw: random.Random) -> None:
        syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
        names: set[str] = set()
        while len(names) < VOCABULARY:
            names.add("".join(draw.choices(syllables, k=draw.randint(2, 4))))
        self._names = sorted(names)
        draw.shuffle(self._names)
        self._draw = draw
        total = 0.0
        self._cumulative = [total := total + 1 / rank for rank in range(1, VOCABULARY + 1)]

    def text(self, count: int) -> str:
        return " ".join(self._draw.choices(self._names, cum_weights=self._cumulative, k=count))

    def query(self, count: int) -> str:
        ranks = range(TOO_FREQUENT, VOCABULARY)
        chosen = self._draw.choices(ranks, weights=[1 / (rank + 1) for rank in ranks], k=count)
        return " ".join(self._names[rank] for rank in chosen)


if __name__ == "__main__":
    main()
