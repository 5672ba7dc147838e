"""How fast the embedded archive is built and searched.

Run it with ``python -m benchmarks.archive --documents 100000``. The documents are random words by Zipf's law, one in
four dated only by day. Queries are three to eight words by the same law without the 100 most frequent, which stand
for the words that the archive leaves out of an English query; their cutoffs lie anywhere in the year.
"""

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles

from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.utc import format_utc

YEAR_START = datetime(2025, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
VOCABULARY = 50_000
TOO_FREQUENT = 100


def main() -> None:
    """Print the rate of building in documents a second and the latency of a date-limited search in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000, help="documents in the archive (default %(default)s)")
    parser.add_argument("--words", type=int, default=200, help="words of a document (default %(default)s)")
    parser.add_argument("--searches", type=int, default=500, help="searches to measure (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CRUXBENCH_CACHE_DIR"] = folder
        evidence_file = Path(folder) / "evidence.jsonl"
        words = _Words(draw)
        with evidence_file.open("w", encoding="utf-8") as file:
            for number in range(arguments.documents):
                file.write(json.dumps(_document(number, words.text(arguments.words), draw)) + "\n")
        start = time.perf_counter()
        archive = Archive.open(evidence_file)
        built = time.perf_counter() - start
        start = time.perf_counter()
        Archive.open(evidence_file)
        opened = time.perf_counter() - start
        size = sum(file.stat().st_size for file in Path(folder).rglob("*.sqlite")) / 1e6
        latencies = asyncio.run(_search(archive, words, arguments.searches, draw))
    cuts = quantiles(latencies, n=100)
    print(f"build:  {arguments.documents / built:,.0f} documents a second ({built:.1f} s, {size:.0f} MB)")
    print(f"open:   {opened * 1e3:.0f} ms once it is built")
    print(f"search: p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms over {len(latencies)} date-limited searches")


async def _search(archive: Archive, words: "_Words", searches: int, draw: random.Random) -> list[float]:
    latencies = []
    for _ in range(searches):
        query, cutoff = words.query(draw.randint(3, 8)), YEAR_START + draw.random() * YEAR
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
