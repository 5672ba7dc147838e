import csv
import io
import json
from typing import Any

import pytest

from cruxbench_inspect.report.page.table_files import table_csv, table_json, table_markdown
from cruxbench_inspect.report.table import DAGGER, NOTHING, Cell, Column, Table
from tests.report.sample_report import NAN, table


@pytest.mark.parametrize(
    ("kind", "cell", "shown"),
    [
        ("number", 0.01579, "0.016"),
        ("number", -0.0001, "0.000"),
        ("number", None, NOTHING),
        ("number", NAN, NOTHING),
        ("integer", 12345, "12,345"),
        ("share", 0.9522, "95.220%"),
        ("interval", (-0.0091, 0.0225), "[-0.009, 0.022]"),
        ("interval", (NAN, 0.1), NOTHING),
        ("share_interval", (0.4812, 0.6), "[48.120%, 60.000%]"),
        ("share_interval", (-0.00000001, 1.0), "[0.000%, 100.000%]"),
        ("share_interval", (0.4, NAN), NOTHING),
        ("p_value", 0.0314, "0.031"),
        ("p_value", 0.00012, "1.2e-04"),
        ("truth", False, "no"),
        ("text", "as it is", "as it is"),
    ],
)
def test_cells_are_shown_by_the_kind_of_their_column(kind: Any, cell: Cell, shown: str) -> None:
    assert Column("key", "Title", kind).shown(cell) == shown


def test_csv_has_raw_values_and_two_columns_per_interval() -> None:
    rows = list(csv.DictReader(io.StringIO(table_csv(table()))))
    assert list(rows[0]) == ["rank", "model", "voi", "interval_low", "interval_high", "share", "p", "hit", "beyond"]
    assert rows[0] == {
        "rank": "1",
        "model": "a|b, *c*",
        "voi": "0.01579",
        "interval_low": "0.0091",
        "interval_high": "0.0225",
        "share": "0.952",
        "p": "1.6e-07",
        "hit": "true",
        "beyond": "7",
    }
    assert rows[1]["model"] == 'say "hi"'
    assert [rows[1][key] for key in ("voi", "interval_low", "interval_high", "share", "p", "hit")] == [""] * 5 + [
        "false"
    ]
    assert rows[2]["interval_low"] == "-0.5"


def test_csv_of_an_interval_without_a_column() -> None:
    beyond = Table("t", "T", (Column("a", "A"),), ({"a": "x", "span": (0.1, 0.2)}, {"a": "y"}))
    assert table_csv(beyond) == "a,span_low,span_high\nx,0.1,0.2\ny,,\n"


def test_json_has_raw_values_titles_and_notes() -> None:
    content = json.loads(table_json(table()))
    assert (content["name"], content["title"], content["paper"]) == ("voi", "Value of information", "Table 1")
    assert content["notes"] == ["A **bold** note."]
    assert content["emphasised"] == [2]
    assert content["columns"][2] == {"key": "voi", "title": "VOI (bits)", "kind": "number", "digits": 4, "help": ""}
    assert content["rows"][0]["interval"] == [0.0091, 0.0225]
    assert content["rows"][0]["beyond"] == 7
    assert content["rows"][1]["voi"] is None
    assert content["rows"][1]["interval"] == [None, None]
    assert content["rows"][1]["hit"] is False
    assert "_link" not in content["rows"][1]


def test_intervals_of_shares_are_raw_in_data_files_and_in_per_cent_beside_shares() -> None:
    columns = (Column("hits", "Hits", "share", 0), Column("interval", "95% CI", "share_interval", 0))
    shares = Table("t", "T", columns, ({"hits": 0.54, "interval": (0.48, 0.6)}, {"hits": NAN}))
    assert shares.shown() == [["54%", "[48%, 60%]"], [NOTHING, NOTHING]]
    assert table_csv(shares) == "hits,interval_low,interval_high\n0.54,0.48,0.6\n,,\n"
    assert json.loads(table_json(shares))["rows"][0] == {"hits": 0.54, "interval": [0.48, 0.6]}
    assert "| 54% | [48%, 60%] |" in table_markdown(shares)


def test_what_is_in_doubt_has_a_dagger_with_a_note_where_it_is_read_and_none_in_data() -> None:
    columns = (Column("rank", "Rank", "integer"), Column("model", "Model"))
    rows: tuple[dict[str, Cell], ...] = (
        {"rank": None, "model": "a", "_doubt": "may have known"},
        {"rank": 1, "model": "b", "_doubt": None},
    )
    doubted = Table("t", "T", columns, rows, ("**a** may have known.",))
    assert doubted.shown() == [[NOTHING, f"{DAGGER} a"], ["1", "b"]]
    told, *others = doubted.shown_notes
    assert told.startswith(DAGGER) and others == ["**a** may have known."]
    assert told in table_markdown(doubted) and f"{DAGGER} a |" in table_markdown(doubted)
    for data in (table_csv(doubted), table_json(doubted)):
        assert DAGGER not in data and "doubt" not in data
    sure = Table("t", "T", columns, rows[1:], ("A note.",))
    assert sure.shown_notes == ("A note.",) and DAGGER not in table_markdown(sure)


def test_markdown_is_as_shown() -> None:
    lines = table_markdown(table()).splitlines()
    assert lines[0] == "## Value of information"
    assert "Table 1 of the paper" in lines
    assert r"| 1 | a\|b, \*c\* | 0.0158 | [0.009, 0.022] | 95.2% | 1.6e-07 | yes |" in lines
    assert f'| 2 | say "hi" | {NOTHING} | {NOTHING} | {NOTHING} | {NOTHING} | no |' in lines
    assert "| ---: | --- | ---: | ---: | ---: | ---: | --- |" in lines
    assert lines[-1] == "A **bold** note."


def test_markdown_of_nasty_texts_stays_on_its_line() -> None:
    nasty = Table("t", "T", (Column("a", "A"),), ({"a": "one\ntwo <b>&amp; [x](y) `z`\x00\ud800"},))
    assert table_markdown(nasty).splitlines()[-1] == r"| one two &lt;b>&amp;amp; \[x](y) \`z\`" + "\ufffd\ufffd |"


def test_all_texts_have_utf_8() -> None:
    nasty = Table("t", "T\ud800", (Column("a", "A"),), ({"a": "\udfff \x1b"},), ("\ud800",))
    for text in (table_csv(nasty), table_markdown(nasty), table_json(nasty)):
        assert text.encode()
