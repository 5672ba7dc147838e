"""A question set from tables: any market can be brought in. The columns are described in docs/csv-import.md."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import polars as pl
from pydantic import ValidationError

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.markets.deadlines import LAST_YEAR
from cruxbench_inspect.markets.hourly import (
    HourlyPrices,
    VolumeBasis,
    hourly_from_points,
    price_rows,
    volume_threshold_usdc,
)
from cruxbench_inspect.markets.market import PricePoint
from cruxbench_inspect.markets.set_writer import write_set
from cruxbench_inspect.markets.tables import Row, TableProblems, read_table
from cruxbench_inspect.prices import PriceRules
from cruxbench_inspect.question_prices import MARGIN
from cruxbench_inspect.questions import Judges, Manifest, Outcome, Question, QuestionSet
from cruxbench_inspect.settlement import EDGE
from cruxbench_inspect.utc import floor_hour, format_utc
from cruxbench_inspect.working_directory import user_path

LONGEST_GAP = timedelta(days=7)
"""How long a price is carried forward to the next one; after a longer gap the series counts as ended."""

_FIRST_YEAR = 1900

TableVolumeBasis = Literal[VolumeBasis, "none"]
"""How the volumes of a table count trades; ``none``: it has no volumes, and its prices are taken as they are."""

QUESTION_COLUMNS = ("id", "question", "description", "opened", "closes", "window_start", "window_end")
OPTIONAL_QUESTION_COLUMNS = ("source", "market_id", "event_id", "tags", "url", "outcome", "resolved_at")
PRICE_COLUMNS = ("question_id", "moment", "yes_price")
ARTICLE_COLUMNS = ("question_id", "title", "url", "published", "summary")
OPTIONAL_ARTICLE_COLUMNS = ("source",)


@dataclass(frozen=True)
class TableImport:
    """An imported set.

    Attributes:
        questions: The set.
        prices: How good the hourly prices of each question are, by its id; None where none lies near its window.
    """

    questions: QuestionSet
    prices: Mapping[str, HourlyPrices | None]


def import_table(
    questions: Path,
    prices: Path,
    target: Path,
    *,
    volume_basis: TableVolumeBasis,
    articles: Path | None = None,
    name: str | None = None,
    version: str = "1",
    description: str = "",
    evidence: str = "web",
    judges: Judges | None = None,
    fictional: bool = False,
    replace: bool = False,
) -> TableImport:
    """Make a question set of a table of questions, one of prices and, if there is one, one of articles.

    Args:
        questions: CSV or Parquet file with one row for each question, its outcome included.
        prices: CSV or Parquet file with prices of any granularity.
        target: The folder to write.
        volume_basis: What the volumes count. There is no default, since thresholds differ by a factor of two.
        articles: CSV or Parquet file with articles from before the windows.
        name: The set's name, by default the target's.
        version: The set's version.
        description: What the set is.
        evidence: The source that the judge uses unless a run names another one.
        judges: Models that judge unless a run names others.
        fictional: Whether the set is invented.
        replace: Whether another set at the target may be replaced.

    Returns:
        The set, and how good its prices are.

    Raises:
        InputProblems: With everything that is wrong in the tables: file, column, row and value.
        InputError: If a file cannot be read, or the set cannot be written.
    """
    if volume_basis not in (*get_args(VolumeBasis), "none"):
        raise InputError(
            f"volume basis {volume_basis!r}: say one_sided, two_sided, or none if the table has no volumes"
        )
    target = user_path(str(target))
    problems = TableProblems()
    rows = _questions(user_path(str(questions)), problems)
    _add_prices(user_path(str(prices)), rows, volume_basis, problems)
    if articles is not None:
        _add_articles(user_path(str(articles)), rows, problems)
    made = {id_: question for id_, row in rows.items() if (question := _question(row, name or target.name)) is not None}
    if problems:
        raise InputProblems("the tables cannot be imported", problems.lines())
    hourly = {id_: _hourly(question, rows[id_]) for id_, question in made.items()}
    manifest = Manifest(
        format=1,
        name=name or target.name,
        version=version,
        description=description,
        fictional=fictional,
        prices="trusted" if volume_basis == "none" else "raw",
        evidence=evidence,
        judges=judges,
        files={},
        price_rules=PriceRules() if volume_basis == "none" else PriceRules(volume_threshold_usdc(volume_basis)),
        volume_basis=None if volume_basis == "none" else volume_basis,
        counts={"questions": len(made), "articles": sum(len(question.articles) for question in made.values())},
    )
    outcomes = [Outcome(question_id=id_, outcome=row.outcome, resolved_at=row.resolved_at) for id_, row in rows.items()]
    table = pl.concat(_price_table(question, rows[id_], hourly[id_]) for id_, question in made.items())
    if volume_basis == "none":
        table = table.filter(pl.col("price").is_not_null()).with_columns(volume_usdc=pl.lit(None, pl.Float64))
    return TableImport(write_set(target, manifest, made.values(), outcomes, table, replace=replace), hourly)


@dataclass
class _QuestionRow:
    """A row of the questions, and what the other tables say of it."""

    row: Row
    id: str
    window_start: datetime | None
    outcome: Literal["Yes", "No"] | None
    resolved_at: datetime | None
    points: list[PricePoint] = field(default_factory=list)
    volumes: defaultdict[datetime, float] = field(default_factory=lambda: defaultdict(float))
    articles: list[dict[str, Any]] = field(default_factory=list)
    last_moment: datetime | None = None


def _questions(path: Path, problems: TableProblems) -> dict[str, _QuestionRow]:
    rows: dict[str, _QuestionRow] = {}
    for row in read_table(path, QUESTION_COLUMNS, OPTIONAL_QUESTION_COLUMNS, problems):
        id_ = row.text("id")
        if id_ is None:
            continue
        if id_ in rows:
            row.refuse("id", f"stands in row {rows[id_].row.number} already")
            continue
        rows[id_] = _QuestionRow(
            row, id_, _moment(row, "window_start"), _outcome(row), _moment(row, "resolved_at", required=False)
        )
    return rows


def _question(read: _QuestionRow, source: str) -> Question | None:
    """The question of a row; None where its problems were noted."""
    row = read.row
    opened, closes, end = (_moment(row, column) for column in ("opened", "closes", "window_end"))
    text = row.text("question")
    url = _url(row, required=False)
    if opened is None or closes is None or end is None or text is None or read.window_start is None:
        return None
    if opened > read.window_start:
        row.refuse("opened", f"is after the window's start, {format_utc(read.window_start)}")
    if closes < end:
        row.refuse("closes", f"is before the window's end, {format_utc(end)}")
    try:
        return Question.model_validate(
            {
                "id": read.id,
                "source": row.text("source", required=False) or source,
                "market_id": row.text("market_id", required=False) or read.id,
                "event_id": row.text("event_id", required=False),
                "question": text,
                "description": row.text("description", required=False) or "",
                "opened": opened,
                "closes": closes,
                "window": {"start": read.window_start, "end": end},
                "tags": row.texts("tags"),
                "url": url,
                "articles": sorted(read.articles, key=lambda article: (article["published"], article["url"])),
            }
        )
    except ValidationError as error:
        for detail in error.errors():
            column = {"window": "window_end"}.get(str(next(iter(detail["loc"]), "")), "")
            row.refuse(column, detail["msg"].removeprefix("Value error, "))
        return None


def _moment(row: Row, column: str, required: bool = True) -> datetime | None:
    moment = row.moment(column, required)
    if moment is not None and not _FIRST_YEAR <= moment.year <= LAST_YEAR:
        row.refuse(column, 'is a year that stands for "no date"; give the real one')
        return None
    return moment


def _url(row: Row, required: bool = True) -> str | None:
    url = row.text("url", required)
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        row.refuse("url", "is no address of a page (https://...)")
        return None
    return url


def _outcome(row: Row) -> Literal["Yes", "No"] | None:
    text = row.text("outcome", required=False)
    if text is None:
        return None
    if text.casefold() == "yes":
        return "Yes"
    if text.casefold() == "no":
        return "No"
    row.refuse("outcome", "is neither Yes nor No (leave it empty while the question is open)")
    return None


def _add_prices(
    path: Path, rows: Mapping[str, _QuestionRow], volume_basis: TableVolumeBasis, problems: TableProblems
) -> None:
    volumes = ("volume_usdc",)
    required, optional = (PRICE_COLUMNS, volumes) if volume_basis == "none" else ((*PRICE_COLUMNS, *volumes), ())
    read_any = False
    for row in read_table(path, required, optional, problems):
        read_any = True
        found, moment = _owner(row, rows), _moment(row, "moment")
        price, volume = _price(row), row.amount("volume_usdc")
        if volume is not None and volume < 0:
            row.refuse("volume_usdc", "is no amount of USDC")
        if found is None or moment is None:
            continue
        found.last_moment = max(moment, found.last_moment or moment)
        if price is not None:
            found.points.append(PricePoint(moment=moment, price=price))
        if volume is not None:
            found.volumes[floor_hour(moment)] += volume
    for found in rows.values() if read_any else ():
        if not found.points:
            found.row.refuse("id", f"has no price in {path.name}")
        elif volume_basis != "none" and not found.volumes:
            found.row.refuse("id", f"has no volume in {path.name} (if none has, the volume basis is none)")


def _price(row: Row) -> float | None:
    price = row.amount("yes_price")
    if price is None or 0 <= price <= 1:
        return price
    percent = " (is it in percent? divide it by 100)" if 1 < price <= 100 else ""
    row.refuse("yes_price", f"is not between 0 and 1{percent}")
    return None


def _add_articles(path: Path, rows: Mapping[str, _QuestionRow], problems: TableProblems) -> None:
    for row in read_table(path, ARTICLE_COLUMNS, OPTIONAL_ARTICLE_COLUMNS, problems):
        found, published = _owner(row, rows), _moment(row, "published")
        title, url, summary = row.text("title"), _url(row), row.text("summary")
        if found is None or published is None or title is None or url is None or summary is None:
            continue
        if found.window_start is not None and published >= found.window_start:
            row.refuse("published", f"is not before the window of question {found.id!r}")
            continue
        source = row.text("source", required=False) or ""
        found.articles.append(
            {"title": title, "url": url, "source": source, "published": published, "summary": summary}
        )


def _owner(row: Row, rows: Mapping[str, _QuestionRow]) -> _QuestionRow | None:
    id_ = row.text("question_id")
    # Without any question it is the other table that is wrong.
    if rows and id_ is not None and id_ not in rows:
        row.refuse("question_id", "is the id of no question")
    return rows.get(id_) if id_ is not None else None


def _edges(question: Question, read: _QuestionRow) -> tuple[datetime, datetime]:
    """The hours that scores need, up to the last one that something is known of."""
    first, last = question.window.hours
    known = [moment for moment in (read.last_moment, read.resolved_at) if moment is not None]
    return first - MARGIN, min(last + MARGIN, floor_hour(max(known)))


def _hourly(question: Question, read: _QuestionRow) -> HourlyPrices | None:
    """Prices of the hours that are known, which are fewer than are needed where observations are missing.

    A price lasts until the next one, if that comes soon, and a day after the last one: a series that was carried
    forward over what nobody observed would be scored as if the market had not moved.
    """
    first, last = _edges(question, read)
    known = sorted(
        (point for point in read.points if read.resolved_at is None or point.moment < read.resolved_at),
        key=lambda point: point.moment,
    )
    late_start = question.window.start + EDGE
    while gap := next((n for n, (one, other) in enumerate(pairwise(known), 1) if _are_far(one, other)), None):
        known = known[gap:] if known[gap].moment <= late_start else known[:gap]
    if not known:
        return None
    return hourly_from_points(known, first, min(last, floor_hour(known[-1].moment + EDGE)), closed_at=read.resolved_at)


def _are_far(one: PricePoint, other: PricePoint) -> bool:
    return other.moment - one.moment > LONGEST_GAP


def _price_table(question: Question, read: _QuestionRow, prices: HourlyPrices | None) -> pl.DataFrame:
    return price_rows(question.id, prices, read.volumes, *_edges(question, read))
