import base64
import hashlib
import json
import re
from importlib.resources import files
from typing import Any

import pytest
import vl_convert
from lxml import html

from cruxbench_inspect.report.page.address import safe_address
from cruxbench_inspect.report.page.page import render_page
from cruxbench_inspect.report.table import NOTHING, Cell, Column
from tests.report.sample_report import NAN, figure, report, table

NASTY = (
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    '" onmouseover="alert(1)',
    "' onload='alert(1)",
    "<img src=https://example.com/x onerror=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "\u2028\u2029\u202e",
    "&lt;b&gt; &amp;",
    "\x00\x1b\ud800",
    "**bold** `code` ]]>",
)


def parsed(page: str) -> html.HtmlElement:
    return html.document_fromstring(page.encode())


def data_of(document: html.HtmlElement) -> dict[str, Any]:
    (script,) = document.xpath('//script[@id="page-figures"]')
    content: dict[str, Any] = json.loads(script.text)
    return content


def test_structure() -> None:
    document = parsed(render_page(report(table(), figure(), viewer="logs/index.html")))
    assert [each.text for each in document.xpath("//h1")] == ["A report"]
    assert document.xpath("//title/text()") == ["A report"]
    assert document.get("lang") == "en"
    for landmark in ("header", "nav", "main"):
        assert len(document.xpath(f"//body/{landmark}")) == 1
    anchors = [each.get("href") for each in document.xpath("//a[starts-with(@href, '#')]")]
    identifiers = document.xpath("//@id")
    assert {"#section-results", "#table-voi", "#figure-voi", "#page-main"} <= set(anchors)
    assert {anchor[1:] for anchor in anchors} <= set(identifiers)
    assert len(identifiers) == len(set(identifiers))
    assert set(document.xpath("//@aria-labelledby")) | set(document.xpath("//@data-title")) <= set(identifiers)
    assert document.xpath("string(//nav//li/a)") == "Results"
    assert document.xpath('//a[@href="logs/index.html"]/text()') == ["Open the logs"]
    text = document.text_content()
    for said in (
        "a is better than b.",
        "Judges differ.",
        "Table 1 of the paper",
        "Figure 2 of the paper",
        "Figure 3 is left out: no forecasts.",
        "1 December 2026, 12:00 UTC",
    ):
        assert said in text


def test_a_table_can_be_sorted_by_raw_values() -> None:
    document = parsed(render_page(report(table())))
    (shown,) = document.xpath("//table")
    heads = shown.xpath("./thead/tr/th")
    assert [head.get("data-key") for head in heads] == ["rank", "model", "voi", "interval", "share", "p", "hit"]
    assert all(head.get("aria-sort") == "none" and head.get("scope") == "col" for head in heads)
    assert [head.xpath("string(button[@type='button'])") for head in heads][:3] == ["Rank", "Model", "VOI (bits)"]
    rows = [row.xpath("./*") for row in shown.xpath("./tbody/tr")]
    assert [cell.text_content() for cell in rows[0]] == [
        "1",
        "a|b, *c*",
        "0.0158",
        "[0.009, 0.022]",
        "95.2%",
        "1.6e-07",
        "yes",
    ]
    assert [cell.get("data-value") for cell in rows[0]] == [
        None,
        None,
        "0.01579",
        "0.0091 0.0225",
        "0.952",
        None,
        "true",
    ]
    assert [cell.get("data-missing") is not None for cell in rows[1]] == [False, False, True, True, True, True, False]
    assert rows[1][2].text == NOTHING
    assert [cell.tag for cell in rows[0]] == ["td", "th", "td", "td", "td", "td", "td"]
    assert rows[0][1].get("scope") == "row"
    assert [row.getparent().get("class") for (row, *_) in rows] == [None, None, "apart"]
    assert shown.xpath("string(caption)") == "Value of information"


def test_what_is_in_doubt_has_a_dagger_before_its_name_and_sorts_without() -> None:
    rows: tuple[dict[str, Cell], ...] = ({"model": "a", "_doubt": "x", "_link": "logs/a"}, {"model": "b"})
    document = parsed(render_page(report(table(rows=rows, emphasised=frozenset()))))
    doubted, sure = document.xpath("//tbody//th")
    assert doubted.text_content() == "† a" and doubted.xpath("string(a)") == "a"
    assert doubted.get("data-value") == "a"
    assert sure.text_content() == "b" and sure.get("data-value") is None
    assert document.xpath("string(//div[@class='note'])").strip().startswith("† ")


def test_names_have_room_and_wide_tables_lie_on_their_side() -> None:
    names = ("m" * 20, "some-model-name-28-instruct-2507-thinking", "Will it happen, and will it be told of? " * 2)
    for name, look in zip(names, ("short", "text", "long"), strict=True):
        document = parsed(render_page(report(table(rows=({"model": name},), emphasised=frozenset()))))
        assert document.xpath("//thead//th/@class")[1] == f"{look} head"
        assert not document.xpath("//div[@class='part wide']")
    many = tuple(Column(f"i{number}", "95% CI", "interval", 4) for number in range(7))
    row: dict[str, Cell] = {"model": "a", **{column.key: (-0.12345, 0.12345) for column in many}}
    for count, wide in ((2, False), (7, True)):
        shown = table(rows=(row,), columns=(Column("model", "Model"), *many[:count]), emphasised=frozenset())
        assert bool(parsed(render_page(report(shown))).xpath("//div[@class='part wide']")) == wide


def test_intervals_of_shares_are_told_apart_by_the_page() -> None:
    columns = (Column("model", "Model"), Column("interval", "95% CI", "share_interval", 0))
    rows: tuple[dict[str, Cell], ...] = ({"model": "a", "interval": (0.48, 0.6)},)
    page = render_page(report(table(rows=rows, columns=columns, emphasised=frozenset())))
    (cell,) = parsed(page).xpath("//tbody//td")
    assert (cell.text, cell.get("data-value"), cell.get("class")) == ("[48%, 60%]", "0.48 0.6", "number range")
    # What the page saves as CSV has two columns for each of these kinds.
    assert '["interval", "share_interval"].includes(kind)' in page


@pytest.mark.parametrize(
    ("viewer", "folder"),
    [("viewer/index.html", "in the report's folder"), ("../viewer/index.html", "in the folder around the report's")],
)
def test_links_to_a_viewer_say_that_it_needs_a_server(viewer: str, folder: str) -> None:
    document = parsed(render_page(report(table(), viewer=viewer)))
    told, under = document.xpath("//p[contains(concat(' ', @class, ' '), ' disk ')]")
    assert f"python -m http.server {folder}" in " ".join(told.text_content().split())
    assert under.xpath("a/@href") == [f"#{told.get('id')}"]
    # Only a page from disk shows it.
    styles = document.xpath("string(//style)")
    assert ".disk { display: none; }" in styles and ".from-disk .disk { display: block; }" in styles
    assert not parsed(render_page(report(table()))).xpath("//p[contains(@class, 'disk')]")


def test_a_row_links_from_its_head() -> None:
    document = parsed(render_page(report(table())))
    assert [(link.get("href"), link.text) for link in document.xpath("//tbody//a")] == [
        ("logs/index.html#/b", 'say "hi"')
    ]
    assert len(document.xpath("//tbody//th/a")) == 1


@pytest.mark.parametrize("address", ["logs/index.html#/a:b", "#here", "a/b?c=d", "../x.html", "https://example.com/a"])
def test_relative_and_https_addresses_are_links(address: str) -> None:
    assert safe_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\nscript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "http://example.com",
        "//example.com",
        "/\\example.com",
        "\\\\example.com",
        "/etc/passwd",
        "https:",
        "https:///x",
        "file:///x",
        "",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(ValueError, match="no address for a link"):
        safe_address(address)
    with pytest.raises(ValueError, match="no address for a link"):
        render_page(report(table(rows=({"model": "a", "_link": address},))))
    with pytest.raises(ValueError, match="no address for a link"):
        render_page(report(viewer=address))


@pytest.mark.parametrize("nasty", NASTY)
def test_texts_from_outside_are_texts(nasty: str) -> None:
    plain = parsed(render_page(report(table(rows=({"model": "plain"},)), figure(text="plain"))))
    hostile = table(
        title=nasty, rows=({"model": nasty},), columns=(Column("model", nasty, help=nasty),), notes=(nasty,)
    )
    page = render_page(report(hostile, figure(text=nasty), title=nasty, lead=nasty, warnings=(nasty,), made_at=nasty))
    document = parsed(page)
    assert len(document.xpath("//script")) == len(plain.xpath("//script"))
    assert not document.xpath("//b | //img | //comment()")
    assert not document.xpath("//@onmouseover | //@onload | //@onerror")
    expected = re.sub("[\x00-\x1f\ud800]", "\ufffd", nasty)
    assert document.xpath("string(//h1)") == expected
    assert document.xpath("string(//tbody/tr/th)") == expected
    assert document.xpath("string(//*[@data-figure]/@aria-label)") == f"It shows {expected}."
    (dataset,) = data_of(document)["datasets"].values()
    assert dataset["rows"][0][0] == expected
    for script in document.xpath("//script[@type]"):
        assert not re.search("[<>&\u2028\u2029]", script.text)


def test_a_note_of_several_paragraphs_is_opened_by_its_first() -> None:
    notes = ("Plain.", "**First** one\n\n- second\n- [third](<https://a.example/x>)")
    document = parsed(render_page(report(table(notes=notes))))
    (folded,) = document.xpath("//details[@class='folded']")
    assert folded.xpath("string(summary)") == "First one" and not folded.xpath("@open")
    assert folded.xpath("div//li/text() | div//li/a/text()") == ["second", "third"]
    assert folded.xpath("div//a/@href") == ["https://a.example/x"]
    assert document.xpath("//div[@class='note']/p/text()") == ["Plain."]


def test_nothing_is_fetched_and_only_its_own_scripts_run() -> None:
    page = render_page(report(table(), figure()))
    document = parsed(page)
    addresses = document.xpath("//@src | //@href | //@srcset | //@action | //@data | //@poster | //@style")
    assert all(re.match(r"#|logs/|data:,$", address) for address in addresses)
    (policy,) = document.xpath('//meta[@http-equiv="Content-Security-Policy"]/@content')
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives.keys() == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert directives["img-src"] == "data: blob:"
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts}
    assert len(scripts) == 3
    assert set(directives["script-src"].split()) == hashes
    styles = "".join(document.xpath("//style/text()"))
    assert "url(" not in styles and "@import" not in styles


def test_figures_have_their_description_and_a_sentence_without_scripts() -> None:
    document = parsed(render_page(report(figure())))
    (shown,) = document.xpath("//figure")
    assert shown.xpath("string(.//*[@role='img']/@aria-label)") == "It shows a model."
    assert shown.xpath("string(.//*[@role='img']/p)") == "It shows a model."
    assert "JavaScript" in shown.xpath("string(noscript)")
    assert shown.xpath("string(figcaption)") == "Made with care."
    assert shown.xpath("figcaption/p/em/text()") == ["care"]


def test_without_figures_the_page_has_no_vega() -> None:
    assert len(render_page(report(table()))) < 60_000


def test_data_of_several_figures_are_there_once() -> None:
    values: list[dict[str, object]] = [{"model": "a", "voi": 1 / 3}, {"model": "b", "voi": NAN}]
    content = data_of(parsed(render_page(report(figure("one", values=values), figure("two", values=values)))))
    ((name, dataset),) = content["datasets"].items()
    assert dataset == {"keys": ["model", "voi"], "rows": [["a", 0.3333333], ["b", None]]}
    assert [spec["data"] for spec in content["specs"].values()] == [{"name": name}, {"name": name}]


def test_specs_of_the_page_are_drawn_in_both_themes() -> None:
    document = parsed(render_page(report(figure(text="</script>"))))
    content = data_of(document)
    (script,) = document.xpath('//script[@id="page-themes"]')
    themes = json.loads(script.text)
    assert themes.keys() == {"light", "dark"}
    datasets = {
        name: [dict(zip(packed["keys"], row, strict=True)) for row in packed["rows"]]
        for name, packed in content["datasets"].items()
    }
    for config in themes.values():
        spec = {**content["specs"]["voi"], "datasets": datasets}
        drawing = vl_convert.vegalite_to_svg(spec, config=config, allowed_base_urls=[])
        assert config["range"]["category"][0] in drawing
        assert "&lt;/script&gt;" in drawing


def test_full_size_is_under_5_megabytes() -> None:
    rows: tuple[dict[str, Cell], ...] = tuple(
        {
            "rank": number,
            "model": f"Will the committee report the nomination favourably to the full Senate by day {number}?",
            "voi": 1 / (3 + number),
            "interval": (-1 / (7 + number), 1 / (9 + number)),
            "share": 1 / (1 + number),
            "p": 1 / (2 + number),
            "hit": True,
        }
        for number in range(8 * 293)
    )
    values: list[dict[str, object]] = [dict(row) for row in rows]
    figures = [figure(f"f{count}", values=[*values[count:], *values[:count]]) for count in range(5)]
    size = len(render_page(report(table(rows=rows), *figures)).encode())
    assert 1_000_000 < size < 5_000_000


def test_names_are_checked() -> None:
    with pytest.raises(ValueError, match="no name of a table"):
        render_page(report(table("../voi")))
    with pytest.raises(ValueError, match="2 parts are called figure 'voi'"):
        render_page(report(figure(), figure()))
    assert render_page(report(table("same"), figure("same")))


def test_an_empty_table_says_so() -> None:
    assert "No rows." in parsed(render_page(report(table(rows=(), emphasised=frozenset())))).text_content()


def test_parts_of_the_page_are_in_the_package() -> None:
    parts = {part.name for part in (files("cruxbench_inspect.report.page") / "parts").iterdir()}
    assert {"page.html.jinja", "style.css", "page.js", "head.js"} <= parts
