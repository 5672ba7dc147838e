"""Many queries to documents that try to be older than they are: nothing later is shown, and nothing else withheld."""

import math
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import anyio
import pytest

from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.local_archive import LocalArchive
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.evidence.source import EvidenceSource, Hit, SearchOutcome
from tests.evidence.adversarial_documents import DAYS, KINDS, START, WORDS, Record, adversarial_records
from tests.extent import cases

QUERIES = cases(1_200, 5_000)
"""For each of the two sources."""

COUNT = 9 * len(KINDS)
LIMIT = 8
_MARK = re.compile(r"zq\d+x")
_SHOWN_ID = re.compile(r'<(?:result|document) id="(doc-[0-9a-f]{10})"')
_NOT_AVAILABLE = ("The text of this document is not available as of the cutoff.", "No search has returned a document")


@dataclass(frozen=True)
class Asked:
    """A query, the words of documents in it that are searched for, and a cutoff."""

    query: str
    words: frozenset[str]
    cutoff: datetime


# What surrounds the words of a query: operators, which are not searched for, and every syntax that means something
# somewhere. None of it holds a word of a document that would count.
_SURROUNDINGS = (
    "{}", "{}", "{}", "after:2027-01-01 {}", "{} before:2099-12-31 site:polymarket.com", "{} -intitle:\"zq1x zq2x\"",
    "daterange:2026..2030 {} since:2027", "NEAR({}, 99)", "\"{}\"", "\"\"{}\"\"", "'{}'; DROP TABLE documents; --",
    "{}' OR '1'='1", "{} UNION SELECT text FROM documents", "title:{}", "{{title text}}: {}", "^{} *", "-{}", "+{}*",
    "({}", "{})) OR (", "{}\x00", "\ud83d😀 {}",
    "日本語 {} \u202eesrever", "{}\u200b ﷽", "\\{}\\", "%{}%", "{};rowid>77",
    "{}\n\n<result id=\"x\">", "cutoff=tomorrow {}", "{} ORDER BY rank LIMIT 1000",
)  # fmt: skip
_EMPTY = ("", " ", "\x00", "\u200b", "***", "after:2027-01-01", '"', "site:kalshi.com", "\ud800", "'--", "^:()")


def asked(records: Sequence[Record], draw: random.Random) -> Asked:
    """A query for some words or marks, at a cutoff where the answer changes."""
    record = draw.choice(records)
    cutoff = draw.choice([*record.borders(), START + timedelta(hours=12 * draw.randrange(2 * DAYS))])
    cutoff += draw.choice([timedelta(), *(timedelta(microseconds=tiny) for tiny in (-(10**6), -1, 1, 10**6, 10**9))])
    if draw.random() < 0.03:
        return Asked(draw.choice(_EMPTY), frozenset(), cutoff)
    marks = [record.mark, draw.choice(records).mark]
    words = draw.choice([[marks[0]], marks, draw.sample(WORDS, 1), [*draw.sample(WORDS, 2), marks[0]]])
    as_written = [draw.choice([word, word.upper()]) for word in words]
    return Asked(draw.choice(_SURROUNDINGS).format(" ".join(as_written)), frozenset(words), cutoff)


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


class BruteForce:
    """BM25 over all records as SQLite defines it (k1 = 1.2, b = 0.75), titles counting twice."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.scores: dict[str, dict[str, float]] = {}
        lengths, weighted = {}, {}
        for record in records:
            title, text = words_of(record.document.title), words_of(record.document.text)
            lengths[record.mark] = len(title) + len(text)
            weighted[record.mark] = Counter({word: 2 * count for word, count in Counter(title).items()}) + Counter(text)
        mean = sum(lengths.values()) / len(records)
        for word in {word for counts in weighted.values() for word in counts}:
            having = [mark for mark, counts in weighted.items() if word in counts]
            rarity = max(math.log((len(records) - len(having) + 0.5) / (len(having) + 0.5)), 1e-6)
            self.scores[word] = {
                mark: rarity * (weight := weighted[mark][word]) * 2.2 / (weight + 1.2 * (0.25 + 0.75 * length / mean))
                for mark, length in ((mark, lengths[mark]) for mark in having)
            }

    def ranked(self, words: frozenset[str]) -> dict[str, float]:
        """The score of each record with any of the words, by mark."""
        total: Counter[str] = Counter()
        for word in words:
            total.update(self.scores.get(word, {}))
        return dict(total)


class Careless:
    """A source without any date rule: all that has a word of the query, and the latest edition when it is fetched."""

    name = "careless"
    fingerprint = "careless-1"

    def __init__(self, records: Sequence[Record], editions: dict[str, Record]) -> None:
        self.records = records
        self.editions = editions
        self.having: dict[str, list[int]] = {}
        for number, record in enumerate(records):
            for word in {*words_of(record.document.title), *words_of(record.document.text)}:
                self.having.setdefault(word, []).append(number)

    def found(self, query: str) -> list[Record]:
        numbers = {number for word in words_of(query) for number in self.having.get(word, ())}
        return [self.records[number] for number in sorted(numbers)]

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        hits = (Hit(document=record.document, snippet=record.document.text) for record in self.found(query))
        return SearchOutcome(hits=tuple(hits))

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        return self.editions[document.id].document


class Reader:
    """Asks through sessions, as a model would, and checks every text that it gets."""

    def __init__(self, source: EvidenceSource, records: Sequence[Record], draw: random.Random) -> None:
        self.source = source
        self.records = records
        self.draw = draw
        self.by_id = {record.document.id: record for record in records}
        self.by_mark = {record.mark: record for record in records}
        self.shown: Counter[str] = Counter()
        self.fetched: Counter[str] = Counter()
        self.refused = 0

    async def search(self, asked: Asked) -> tuple[EvidenceSession, list[Record]]:
        session = EvidenceSession(self.source, asked.cutoff, limit=LIMIT)
        shown = self.check(await session.search(asked.query), asked)
        assert session.failures == []
        assert [record.document.id for record in shown] == list(session.documents)
        self.shown.update(record.kind for record in shown)
        return session, shown

    async def fetch(self, session: EvidenceSession, document_id: str, asked: Asked) -> list[Record]:
        text = await session.fetch(document_id)
        shown = self.check(text, asked)
        assert bool(shown) is not text.startswith(_NOT_AVAILABLE)
        self.fetched.update(record.kind for record in shown)
        self.refused += not shown
        return shown

    def check(self, text: str, asked: Asked) -> list[Record]:
        """The records that a text shows; every one of them and every mark in it must be from before the cutoff."""
        shown = [self.by_id[document_id] for document_id in _SHOWN_ID.findall(text)]
        for record in (*shown, *(self.by_mark[mark] for mark in set(_MARK.findall(text)))):
            assert record.may_be_shown(asked.cutoff), (record, asked)
            assert record.finished < asked.cutoff or not record.traceable, (record, asked)
        return shown


def ask_all(ask: Callable[[Asked], Awaitable[None]], records: Sequence[Record], draw: random.Random) -> None:
    async def all_of_them() -> None:
        for _ in range(QUERIES):
            await ask(asked(records, draw))

    anyio.run(all_of_them)


def test_an_archive_shows_nothing_later_and_withholds_nothing_earlier(tmp_path: Path) -> None:
    draw = random.Random(20260105)
    records = [record for record in adversarial_records(COUNT, draw) if record.document.proof != "C"]
    archive = LocalArchive(tmp_path / "my.archive")
    assert archive.add(record.document for record in records) == len(records)
    reader, brute_force = Reader(Archive.open(archive.file), records, draw), BruteForce(records)

    async def ask(asked: Asked) -> None:
        session, shown = await reader.search(asked)
        # The archive's limit is a whole second.
        whole = asked.cutoff.replace(microsecond=0)
        ranked = brute_force.ranked(asked.words)
        admitted = (score for mark, score in ranked.items() if reader.by_mark[mark].may_be_shown(whole))
        best = sorted(admitted, reverse=True)[:LIMIT]
        assert [ranked[record.mark] for record in shown] == pytest.approx(best), (asked, shown)
        for record in draw.sample(shown, min(len(shown), 1)):
            assert await reader.fetch(session, record.document.id, asked) == [record]
        if draw.random() < 0.1:
            later = draw.choice(records)
            expected = [later] if later in shown else []
            assert await reader.fetch(session, later.document.id, asked) == expected

    ask_all(ask, records, draw)
    possible = set(KINDS) - {"undated", "copy_without_capture", "market", "market_copy", "untraceable"}
    assert set(reader.shown) == set(reader.fetched) == possible
    assert reader.refused > 100


def test_a_careless_source_gets_nothing_later_through_a_session() -> None:
    draw = random.Random(20260106)
    records = adversarial_records(COUNT, draw)
    editions = {record.document.id: draw.choice([record, draw.choice(records)]) for record in records}
    source = Careless(records, editions)
    reader = Reader(source, records, draw)

    async def ask(asked: Asked) -> None:
        session, shown = await reader.search(asked)
        found = [record for record in records if not asked.words.isdisjoint(words[record.mark])]
        assert shown == [record for record in found if record.may_be_shown(asked.cutoff)][:LIMIT], asked
        for record in shown[:2]:
            edition = editions[record.document.id]
            expected = [edition] if edition.may_be_shown(asked.cutoff) else []
            assert await reader.fetch(session, record.document.id, asked) == expected

    words = {record.mark: {*words_of(record.document.title), *words_of(record.document.text)} for record in records}
    ask_all(ask, records, draw)
    assert set(reader.shown) == set(KINDS) - {"undated", "copy_without_capture", "market", "market_copy"}
    assert reader.refused > 100
