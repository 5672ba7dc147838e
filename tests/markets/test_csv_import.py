"""Question sets from tables."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.markets.csv_import import TableImport, import_table
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.settlement import trouble_with_prices
from cruxbench_inspect.utc import HOUR, format_utc, parse_utc

DOCUMENTATION = Path(__file__).resolve().parents[2] / "docs" / "csv-import.md"
FIRST = parse_utc("2026-01-28T00:00:00Z")

Cells = Mapping[str, Any]


def question(id_: str = "bridge", **changes: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "question": f"Will the Alvara {id_} open by June 30?",
        "description": "Resolves Yes if it carries paying traffic.",
        "opened": "2026-01-05T00:00:00Z",
        "closes": "2026-07-01T03:59:00Z",
        "window_start": "2026-02-01T00:00:00Z",
        "window_end": "2026-02-08T00:00:00Z",
        "outcome": "No",
        "resolved_at": "2026-07-02T09:12:00Z",
        **changes,
    }


def prices(id_: str = "bridge", hours: int = 20 * 24) -> list[dict[str, Any]]:
    return [
        {
            "question_id": id_,
            "moment": format_utc(FIRST + n * HOUR + timedelta(seconds=9)),
            "yes_price": 0.25 if n < 200 else 0.5,
            "volume_usdc": 100.0,
        }
        for n in range(hours)
    ]


def article(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "bridge",
        "title": "Bridge tested",
        "url": "https://courier.example/bridge",
        "published": "2026-01-31T23:59:59Z",
        "summary": "A load test was passed.",
        **changes,
    }


def run(folder: Path, tables: Mapping[str, Sequence[Cells]], kind: str = "csv", **options: Any) -> TableImport:
    """Import tables; ``questions`` and ``prices`` are there unless given."""
    rows: dict[str, Sequence[Cells]] = {"questions": [question()], "prices": prices(), **tables}
    for name, cells in rows.items():
        table = pl.DataFrame(cells, infer_schema_length=None)
        path = folder / f"{name}.{kind}"
        table.write_csv(path) if kind == "csv" else table.write_parquet(path)
    articles = folder / f"articles.{kind}" if "articles" in rows else None
    return import_table(
        folder / f"questions.{kind}",
        folder / f"prices.{kind}",
        folder / "set",
        **{"volume_basis": "one_sided", "articles": articles, **options},
    )


def problems(folder: Path, tables: Mapping[str, Sequence[Cells]], **options: Any) -> list[str]:
    with pytest.raises(InputProblems) as caught:
        run(folder, tables, **options)
    assert not (folder / "set").exists()
    return caught.value.problems


def test_the_result_is_a_valid_set(tmp_path: Path) -> None:
    tables = {
        "questions": [question(tags="transport; courts", event_id="alvara"), question("tunnel", outcome="yes")],
        "prices": [*prices(), *prices("tunnel")],
        "articles": [article(), article(title="Earlier", published="2026-01-30T08:00:00+01:00", source="courier")],
    }
    imported = run(tmp_path, tables, name="crossings", description="Alvara's crossings.")
    loaded = QuestionSet.load(tmp_path / "set")
    assert loaded.digest == imported.questions.digest
    assert (loaded.manifest.name, loaded.manifest.prices, loaded.manifest.volume_basis) == (
        "crossings",
        "raw",
        "one_sided",
    )
    assert loaded.manifest.price_rules.volume_threshold_usdc == 500
    bridge = loaded.question("bridge")
    assert bridge.tags == ("transport", "courts") and bridge.event == "alvara" and bridge.source == "crossings"
    assert [one.title for one in bridge.articles] == ["Earlier", "Bridge tested"]
    assert loaded.outcome("tunnel").outcome == "Yes"
    series = loaded.trusted("bridge")
    assert series is not None and series.start == FIRST
    assert set(series.values[:200]) == {0.25} and set(series.values[200:]) == {0.5}


def test_csv_and_parquet_give_the_same_bytes(tmp_path: Path) -> None:
    for kind in ("csv", "parquet"):
        (tmp_path / kind).mkdir()
        tables = {"questions": [question(), question("tunnel")], "prices": [*prices("tunnel"), *prices()]}
        run(tmp_path / kind, tables, kind)
    files = [
        {path.name: path.read_bytes() for path in (tmp_path / kind / "set").iterdir()} for kind in ("csv", "parquet")
    ]
    assert files[0] == files[1]


def test_parquet_may_hold_datetimes_lists_and_numbers(tmp_path: Path) -> None:
    lines = [{**cells, "question_id": 7, "moment": parse_utc(cells["moment"])} for cells in prices()]
    tables = {"questions": [question(id=7, tags=["a", "b"], opened=parse_utc("2026-01-05T00:00:00Z"))], "prices": lines}
    found = run(tmp_path, tables, "parquet").questions.question("7")
    assert found.tags == ("a", "b") and found.opened == parse_utc("2026-01-05T00:00:00Z")


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one = run(tmp_path / "one", {"articles": [article(), article(title="B", url="https://b.example")]})
    two = run(
        tmp_path / "two",
        {"prices": prices()[::-1], "articles": [article(title="B", url="https://b.example"), article()]},
    )
    assert one.questions.digest == two.questions.digest


def test_daily_prices_are_carried_forward_and_never_back(tmp_path: Path) -> None:
    daily = [{**cells, "volume_usdc": None} for cells in prices()[12::24]]
    imported = run(tmp_path, {"prices": [*daily, {**daily[0], "yes_price": None, "volume_usdc": 3}]})
    quality = imported.prices["bridge"]
    assert quality is not None and quality.series.start == FIRST + 12 * HOUR
    assert (quality.longest_gap_hours, quality.granularity_seconds) == (23, 0)
    assert quality.sources == {"file": len(quality.series.values) - quality.filled_hours}


def test_prices_are_not_made_up_after_the_last_one(tmp_path: Path) -> None:
    imported = run(tmp_path, {"questions": [question(resolved_at="")], "prices": prices(hours=150)})
    assert imported.questions.prices["hour"].max() == FIRST + 149 * HOUR


def at(hours: float, price: float = 0.3) -> dict[str, Any]:
    """A price so many hours after the first hour that scores need."""
    moment = format_utc(FIRST + hours * HOUR)
    return {"question_id": "bridge", "moment": moment, "yes_price": price, "volume_usdc": 100.0}


START, END = 4 * 24, 11 * 24
"""The window's start and end on that scale."""


@pytest.mark.parametrize(
    ("observed", "hours"),
    [
        # One price of a year before; prices up to the middle of the window; a single one inside it.
        ([-365 * 24], None),
        (range(150), (0, 149 + 24)),
        ([150], (150, 150 + 24)),
        # Old prices do not reach into the window, nor does the series reach over a hole in it.
        ([-365 * 24, *range(START, 400)], (START, 400)),
        ([*range(START + 25), *range(START + 25 + 8 * 24, 480)], (0, START + 24 + 24)),
        # Weekly ones will do as long as they go on.
        (range(-100, 480, 7 * 24), (0, END + 23 + 96)),
    ],
)
def test_prices_do_not_last_over_what_nobody_observed(
    tmp_path: Path, observed: Sequence[int], hours: tuple[int, int] | None
) -> None:
    imported = run(tmp_path, {"prices": [at(hour) for hour in observed]})
    found, quality = imported.questions.trusted("bridge"), imported.prices["bridge"]
    if hours is None:
        assert found is None and quality is None
    else:
        first, last = FIRST + hours[0] * HOUR, min(FIRST + hours[1] * HOUR, FIRST + (END + 23 + 96) * HOUR)
        assert found is not None and (found.start, found.last_hour) == (first, last)


def test_a_series_that_ends_inside_its_window_is_unscored(tmp_path: Path) -> None:
    found = run(tmp_path, {"prices": [at(hour) for hour in range(150)]}).questions
    question, outcome = found.question("bridge"), found.outcome("bridge")
    now = parse_utc("2026-11-30T00:00:00Z")
    assert trouble_with_prices(question, found.trusted("bridge"), outcome, now) == "prices_pending"


def test_resolved_yes_months_before_the_scheduled_close_prices_end_there(tmp_path: Path) -> None:
    early = question(outcome="Yes", resolved_at="2026-02-05T10:30:00Z")
    imported = run(tmp_path, {"questions": [early]})
    series = imported.questions.trusted("bridge")
    assert series is not None and series.last_hour == parse_utc("2026-02-05T10:00:00Z")
    assert imported.questions.question("bridge").closes == parse_utc("2026-07-01T03:59:00Z")


def test_without_volumes_prices_are_taken_as_they_are(tmp_path: Path) -> None:
    lines = [{name: cell for name, cell in cells.items() if name != "volume_usdc"} for cells in prices()]
    found = run(tmp_path, {"prices": lines}, volume_basis="none").questions
    assert found.manifest.prices == "trusted" and found.manifest.volume_basis is None
    series = found.trusted("bridge")
    assert series is not None and set(series.values) == {0.25, 0.5}


def test_a_wrong_volume_basis_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one_sided, two_sided, or none"):
        run(tmp_path, {}, volume_basis="both")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"closes": "2500-12-31T00:00:00Z"},
            "questions.csv, column closes, row 2: '2500-12-31T00:00:00Z' is a year that",
        ),
        ({"opened": "2026-01-05T00:00:00"}, "column opened, row 2: '2026-01-05T00:00:00' names no time zone"),
        ({"opened": "2026-01-05"}, "column opened, row 2: '2026-01-05' names no time zone"),
        ({"opened": "soon"}, "column opened, row 2: 'soon' is no ISO 8601"),
        ({"opened": ""}, "column opened, row 2 is empty"),
        ({"question": " "}, "column question, row 2 is empty"),
        ({"outcome": "maybe"}, "column outcome, row 2: 'maybe' is neither Yes nor No"),
        ({"window_end": "2026-04-01T00:00:00Z"}, "is not within 30 days after its start"),
        ({"opened": "2026-08-01T00:00:00Z"}, "questions.csv, row 2: opened 2026-08-01T00:00:00Z is not before closes"),
        ({"id": "tunnel"}, "column question_id, row 2: 'bridge' is the id of no question"),
        ({"resolved_at": "x"}, "column resolved_at, row 2: 'x' is no ISO 8601"),
        ({"resolved_at": "2500-12-31T00:00:00Z"}, "column resolved_at, row 2: '2500-12-31T00:00:00Z' is a year that"),
        ({"resolved_at": "9999-12-31T23:59:59Z"}, "column resolved_at, row 2: '9999-12-31T23:59:59Z' is a year that"),
        ({"window_start": "0001-01-02T00:00:00Z"}, "column window_start, row 2: '0001-01-02T00:00:00Z' is a year that"),
        ({"closes": "2026-01-15T00:00:00Z"}, "column closes, row 2: '2026-01-15T00:00:00Z' is before the window's end"),
        ({"closes": "2026-02-07T23:59:59Z"}, "column closes, row 2: '2026-02-07T23:59:59Z' is before the window's end"),
        (
            {"opened": "2026-02-01T00:00:01Z"},
            "column opened, row 2: '2026-02-01T00:00:01Z' is after the window's start",
        ),
        ({"url": "javascript:alert(1)"}, "column url, row 2: 'javascript:alert(1)' is no address of a page"),
        ({"url": "https://[x"}, "column url, row 2: 'https://[x' is no address of a page"),
    ],
)
def test_wrong_questions(tmp_path: Path, changes: Cells, expected: str) -> None:
    assert any(expected in line for line in problems(tmp_path, {"questions": [question(**changes)]}))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"yes_price": 41}, "prices.csv, column yes_price, row 2: '41.0' is not between 0 and 1 (is it in percent?"),
        ({"yes_price": -0.1}, "column yes_price, row 2: '-0.1' is not between 0 and 1"),
        ({"yes_price": float("nan")}, "column yes_price, row 2: 'NaN' is no number"),
        ({"moment": "2026-01-28T00:00:00"}, "column moment, row 2: '2026-01-28T00:00:00' names no time zone"),
        ({"moment": "2500-01-28T00:00:00Z"}, "column moment, row 2"),
        ({"volume_usdc": -1.0}, "column volume_usdc, row 2: '-1.0' is no amount of USDC"),
        ({"question_id": "ferry"}, "column question_id, row 2: 'ferry' is the id of no question"),
        ({"question_id": ""}, "column question_id, row 2 is empty"),
    ],
)
def test_wrong_prices(tmp_path: Path, changes: Cells, expected: str) -> None:
    lines = prices()
    lines[0] = {**lines[0], **changes}
    assert any(expected in line for line in problems(tmp_path, {"prices": lines}))


def test_a_row_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    run(tmp_path, {})
    path = tmp_path / "prices.csv"
    text = path.read_text(encoding="utf-8").rstrip()
    path.write_text(text[: text.rindex(",") - 1] + "\n\n", encoding="utf-8")
    with pytest.raises(InputProblems, match="row 481 has too few cells"):
        run_again(tmp_path)


def test_parquet_may_hold_decimals(tmp_path: Path) -> None:
    lines = [{**cells, "yes_price": Decimal(str(cells["yes_price"]))} for cells in prices()]
    found = run(tmp_path, {"prices": lines}, "parquet").questions.trusted("bridge")
    assert found is not None and set(found.values[:200]) == {0.25}


def test_duplicate_ids_are_named_with_both_rows(tmp_path: Path) -> None:
    found = problems(
        tmp_path, {"questions": [question(), question("tunnel"), question()], "prices": [*prices(), *prices("tunnel")]}
    )
    assert found == ["questions.csv, column id, row 4: 'bridge' stands in row 2 already"]


def test_a_table_without_a_yes_price_is_refused_in_one_line(tmp_path: Path) -> None:
    lines = [{"no_price" if name == "yes_price" else name: cell for name, cell in cells.items()} for cells in prices()]
    found = problems(tmp_path, {"prices": lines})
    assert [line.split(";")[0] for line in found] == [
        "prices.csv, column yes_price: is missing",
        "prices.csv, column no_price: is not known",
    ]


def test_a_misspelt_optional_column_is_refused(tmp_path: Path) -> None:
    renamed = {"outcom" if name == "outcome" else name: cell for name, cell in question().items()}
    assert problems(tmp_path, {"questions": [renamed]})[0].startswith("questions.csv, column outcom: is not known")


def test_a_table_separated_by_semicolons_says_so(tmp_path: Path) -> None:
    run(tmp_path, {})
    text = (tmp_path / "prices.csv").read_text(encoding="utf-8")
    (tmp_path / "prices.csv").write_text(text.replace(",", ";"), encoding="utf-8")
    with pytest.raises(InputProblems, match="separate the columns by commas"):
        import_table(tmp_path / "questions.csv", tmp_path / "prices.csv", tmp_path / "other", volume_basis="one_sided")


def test_questions_without_any_price_or_volume_are_named(tmp_path: Path) -> None:
    unpriced = [{**cells, "volume_usdc": None} for cells in prices("tunnel")]
    found = problems(
        tmp_path, {"questions": [question(), question("tunnel"), question("ferry")], "prices": [*prices(), *unpriced]}
    )
    assert found == [
        "questions.csv, column id, row 3: 'tunnel' has no volume in prices.csv (if none has, the volume basis is none)",
        "questions.csv, column id, row 4: 'ferry' has no price in prices.csv",
    ]


def test_articles_need_an_address(tmp_path: Path) -> None:
    found = problems(tmp_path, {"articles": [article(url="not a url"), article(url="")]})
    assert found == [
        "articles.csv, column url, row 2: 'not a url' is no address of a page (https://...)",
        "articles.csv, column url, row 3 is empty",
    ]


def test_articles_from_the_future_are_refused(tmp_path: Path) -> None:
    found = problems(tmp_path, {"articles": [article(published="2026-02-01T00:00:00Z"), article(title="")]})
    assert found == [
        "articles.csv, column published, row 2: '2026-02-01T00:00:00Z' is not before the window of question 'bridge'",
        "articles.csv, column title, row 3 is empty",
    ]


def test_all_tables_are_looked_at_and_equal_problems_are_counted(tmp_path: Path) -> None:
    percent = [{**cells, "yes_price": 41} for cells in prices(hours=100)]
    found = problems(tmp_path, {"questions": [question(closes="x")], "prices": percent, "articles": [article(url="")]})
    assert sum("column yes_price, row" in line for line in found) == 3
    assert any("column yes_price: 97 more rows with this problem" in line for line in found)
    assert any("column closes" in line for line in found) and any("column url" in line for line in found)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty"),
        (b"question_id,moment,yes_price,volume_usdc\n", "holds no rows"),
        (b"question_id,moment,yes_price,volume_usdc\nbridge,2026-01-28T00:00:00Z,0.4,1,2,3\n", "cannot be read as csv"),
        (b"question_id,moment,yes_price,volume_usdc\n\xff\xfe,x,0.4,1\n", "cannot be read as csv"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, expected: str) -> None:
    run(tmp_path, {})
    (tmp_path / "broken.csv").write_bytes(content)
    with pytest.raises(InputError, match=expected):
        import_table(tmp_path / "questions.csv", tmp_path / "broken.csv", tmp_path / "other", volume_basis="one_sided")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
@pytest.mark.parametrize("table", ["questions", "prices", "articles"])
def test_a_table_in_another_encoding_is_refused_in_one_line(tmp_path: Path, table: str, encoding: str) -> None:
    tables = {"questions": [question(question="Wird die Brücke gebaut?")], "prices": prices(), "articles": [article()]}
    run(tmp_path, tables)
    path = tmp_path / f"{table}.csv"
    text = path.read_text(encoding="utf-8").rstrip("\n")
    path.write_text(f"{text}\n{text.splitlines()[-1]}é\n", encoding=encoding)
    with pytest.raises(InputError, match=f"{table}.csv cannot be read as csv") as raised:
        import_table(
            tmp_path / "questions.csv",
            tmp_path / "prices.csv",
            tmp_path / "other",
            articles=tmp_path / "articles.csv",
            volume_basis="one_sided",
        )
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "expected"), [("none.csv", "cannot be read"), ("prices.xlsx", "ends in .csv or .parquet")]
)
def test_files_that_are_not_there_or_of_another_kind(tmp_path: Path, name: str, expected: str) -> None:
    run(tmp_path, {})
    with pytest.raises(InputError, match=re.escape(expected)):
        import_table(tmp_path / "questions.csv", tmp_path / name, tmp_path / "other", volume_basis="one_sided")


def test_a_damaged_parquet_file_is_named(tmp_path: Path) -> None:
    run(tmp_path, {})
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 half")
    with pytest.raises(InputError, match="broken.parquet cannot be read as parquet"):
        import_table(tmp_path / "questions.csv", tmp_path / "broken.parquet", tmp_path / "o", volume_basis="one_sided")


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    run(tmp_path, {})
    path = tmp_path / "questions.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert run_again(tmp_path).questions.question("bridge").id == "bridge"


def run_again(folder: Path) -> TableImport:
    return import_table(folder / "questions.csv", folder / "prices.csv", folder / "set", volume_basis="one_sided")


def test_the_documented_example_imports(tmp_path: Path) -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    for name, content in re.findall(r"`(\w+\.csv)`\n```csv\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert run_again(tmp_path).questions.question("bridge").closes == parse_utc("2026-07-01T03:59:00Z")


def test_all_columns_are_documented() -> None:
    from cruxbench_inspect.markets import csv_import

    text = DOCUMENTATION.read_text(encoding="utf-8")
    columns = [name for key, names in vars(csv_import).items() if key.endswith("_COLUMNS") for name in names]
    assert len(columns) == 23 and all(f"`{name}`" in text for name in [*columns, "volume_usdc"])
