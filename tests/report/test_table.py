import csv
import io
import json
from typing import Any

import pytest

from cruxbench_inspect.report.page.table_files import table_csv, table_json, table_markdown
from cruxbench_inspect.report.table import NOTHING, Cell, Column, Table
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
