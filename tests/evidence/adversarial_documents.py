"""Documents that try to be older than they are, and a second opinion, from the raw strings, on which may be shown.

Every document carries a mark of its own in its text or its title, which stands for the outcome that it gives away.
"""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from cruxbench_inspect.evidence.document import Document, ProofClass
from tests.evidence.fake_source import make_document

START = datetime(2026, 1, 5, tzinfo=UTC)
DAYS = 10
# Words that no stemmer shortens to another one of them.
WORDS = "tabnor velkim surato pinodu garuk molteb fazzin okruda wexip jandor hulmak bretog cifnal dusop erplum".split()


@dataclass(frozen=True)
class Record:
    """A document and the truth about it.

    Attributes:
        document: As a source returns it.
        mark: A word that no other document has.
        kind: What is wrong with it.
        finished: When its text really came to be what it is.
        traceable: Whether its dates betray that it is not older.
        excluded: Whether it is of a site that is never evidence.
    """

    document: Document
    mark: str
    kind: str
    finished: datetime
    traceable: bool = True
    excluded: bool = False

    def may_be_shown(self, cutoff: datetime) -> bool:
        """The rule of admission, strictly before the cutoff.

        A stored copy has to be from before, and must not claim dates that certainly are not. Any other text needs a
        date of publication, and all its dates have to be from before wherever on Earth they were written down.
        """
        row = self.document.model_dump(mode="json")
        dates = [row[name] for name in ("published", "modified", "captured")]
        if self.excluded:
            return False
        if row["proof"] == "A":
            claims = [date for date in dates[:2] if date is not None]
            return (
                dates[2] is not None
                and _is_before(dates[2], cutoff)
                and not any(_is_after(date, cutoff) for date in claims)
            )
        return dates[0] is not None and all(_is_before(date, cutoff) for date in dates if date is not None)

    def borders(self) -> list[datetime]:
        """Cutoffs about which something changes for the document, and the moment of the truth."""
        row = self.document.model_dump(mode="json")
        dates = [row[name] for name in ("published", "modified", "captured") if row[name] is not None]
        return [self.finished, *(border for date in dates for border in (_first(date), _last(date)))]


def _is_before(date: str, cutoff: datetime) -> bool:
    return _last(date) <= cutoff if len(date) == 10 else _last(date) < cutoff


def _is_after(date: str, cutoff: datetime) -> bool:
    return _first(date) >= cutoff


def _last(date: str) -> datetime:
    """A date ends at noon of the next day, in UTC-12; a time without a zone is told there last."""
    if len(date) == 10:
        return datetime.combine(datetime.strptime(date, "%Y-%m-%d"), time(), UTC) + timedelta(days=1, hours=12)  # noqa: DTZ007
    moment = datetime.fromisoformat(date)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC) + timedelta(hours=12)


def _first(date: str) -> datetime:
    """A date begins at midnight UTC; a time without a zone is told in UTC+14 first."""
    moment = datetime.fromisoformat(date)
    if moment.tzinfo:
        return moment
    return moment.replace(tzinfo=UTC) - (timedelta() if len(date) == 10 else timedelta(hours=14))


def adversarial_records(count: int, draw: random.Random) -> list[Record]:
    """Records of all kinds in turn; only the last kind is of class C."""
    return [_Drawing(number, draw).record(KINDS[number % len(KINDS)]) for number in range(count)]


KINDS = (
    "honest", "date_only", "no_zone", "far_zone", "edited", "live_blog", "retitled", "late_copy", "copy_without_date",
    "related_box", "redirected", "wrong_mapping", "lying_claim", "undated", "copy_without_capture", "market",
    "market_copy", "untraceable",
)  # fmt: skip


class _Drawing:
    """Draws one record; ``early`` is what it likes to be from, ``late`` when it was finished."""

    def __init__(self, number: int, draw: random.Random) -> None:
        self.draw = draw
        self.mark = f"zq{number}x"
        self.early = START + timedelta(milliseconds=draw.randrange(DAYS * 86_400_000))
        self.late = self.early + timedelta(milliseconds=draw.randrange(1, 4 * 86_400_000))
        self.url = f"https://news{number % 7}.example/{number}"
        self.words = " ".join(draw.choices(WORDS, k=draw.randint(4, 12)))

    def record(self, kind: str) -> Record:
        build = getattr(self, f"_{kind}")
        record: Record = build()
        return record

    def _make(
        self,
        finished: datetime,
        published: str | None,
        *,
        modified: str | None = None,
        captured: str | None = None,
        proof: ProofClass = "B",
        url: str = "",
        title: str = "",
        more: str = "",
        traceable: bool = True,
        excluded: bool = False,
        kind: str,
    ) -> Record:
        document = make_document(
            published,
            modified=modified,
            captured=captured,
            proof=proof,
            url=url or self.url,
            title=title or self.words.split()[0],
            text=f"{self.words}. {more or self.mark}",
        )
        return Record(document, self.mark, kind, finished, traceable, excluded)

    def _told(self, moment: datetime, form: str) -> str:
        """A moment as someone in some zone on Earth states it."""
        local = (moment + timedelta(minutes=15 * self.draw.randint(-48, 56))).replace(tzinfo=None)
        return local.date().isoformat() if form == "date" else local.isoformat()

    def _honest(self) -> Record:
        return self._make(self.early, self.early.isoformat(), kind="honest")

    def _date_only(self) -> Record:
        return self._make(self.early, self._told(self.early, "date"), kind="date_only")

    def _no_zone(self) -> Record:
        return self._make(self.early, self._told(self.early, "no zone"), kind="no_zone")

    def _far_zone(self) -> Record:
        offset, zone = self.draw.choice([(-12, "-12:00"), (14, "+14:00"), (5.75, "+05:45")])
        local = (self.early + timedelta(hours=offset)).replace(tzinfo=None)
        return self._make(self.early, f"{local.isoformat()}{zone}", kind="far_zone")

    def _edited(self) -> Record:
        changed = self.late.isoformat() if self.draw.random() < 0.5 else self._told(self.late, "date")
        return self._make(self.late, self.early.isoformat(), modified=changed, kind="edited")

    def _live_blog(self) -> Record:
        entries = f"The day as it happens. {self.early:%H:%M} {self.words}. {self.late:%H:%M} {self.mark}."
        changed = self._told(self.late, "no zone")
        return self._make(self.late, self._told(self.early, "date"), modified=changed, more=entries, kind="live_blog")

    def _retitled(self) -> Record:
        title = f"Update: {self.mark}"
        changed = self.late.isoformat()
        return self._make(self.late, self.early.isoformat(), modified=changed, title=title, more=".", kind="retitled")

    def _late_copy(self) -> Record:
        claim = self.early.isoformat()
        return self._make(self.late, claim, captured=self.late.isoformat(), proof="A", kind="late_copy")

    def _copy_without_date(self) -> Record:
        return self._make(self.late, None, captured=self.late.isoformat(), proof="A", kind="copy_without_date")

    def _related_box(self) -> Record:
        box = f"Related: {self.mark} — most read: {self.mark}"
        claim, captured = self._told(self.early, "date"), self.late.isoformat()
        return self._make(self.late, claim, captured=captured, proof="A", more=box, kind="related_box")

    def _redirected(self) -> Record:
        url = f"{self.url}?to=https://other.example/{self.late:%Y/%m/%d}/{self.mark}"
        captured = self.late.isoformat()
        return self._make(self.late, None, captured=captured, proof="A", url=url, kind="redirected")

    def _wrong_mapping(self) -> Record:
        captured = self.early.isoformat()
        return self._make(self.late, self.late.isoformat(), captured=captured, proof="A", kind="wrong_mapping")

    def _lying_claim(self) -> Record:
        return self._make(self.late, self.early.isoformat(), captured=self.late.isoformat(), kind="lying_claim")

    def _undated(self) -> Record:
        return self._make(self.late, None, modified=self.early.isoformat(), kind="undated")

    def _copy_without_capture(self) -> Record:
        return self._make(self.late, self.early.isoformat(), proof="A", kind="copy_without_capture")

    def _market(self) -> Record:
        host = self.draw.choice(["polymarket.com", "www.kalshi.com", "Manifold.Markets", "polymarket.com.:443"])
        return self._make(self.early, self.early.isoformat(), url=f"https://{host}/a", excluded=True, kind="market")

    def _market_copy(self) -> Record:
        url = self.draw.choice(
            [
                "https://web.archive.org/web/20260101000000id_/https://polymarket.com/event/a",
                "https://cache.example/?u=https%3A%2F%2Fkalshi.com%2Fmarkets%2Fa",
                "https://polymarket-com.translate.goog/event/a",
                "https://raw.githubusercontent.com/someone/CruxBench/main/questions.jsonl",
            ]
        )
        captured = self.early.isoformat()
        return self._make(self.early, None, captured=captured, proof="A", url=url, excluded=True, kind="market_copy")

    def _untraceable(self) -> Record:
        claim = self.early.isoformat()
        return self._make(self.late, claim, proof="C", traceable=False, kind="untraceable")
