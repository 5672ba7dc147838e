import csv
import json
import os
import resource
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import vl_convert

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.report.page.files import FORMATS, check_place, write_files
from cruxbench_inspect.report.page.page import render_page
from cruxbench_inspect.report.page.table_files import table_csv, table_json, table_markdown
from cruxbench_inspect.report.page.theme import LIGHT
from tests.report.sample_report import figure, report, table


def test_all_files_are_written(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    shown = report(table("one"), table("two"), figure("three"))
    written = write_files(shown, tmp_path / "new" / "folder", progress=lambda done, of: steps.append((done, of)))
    names = [str(path.relative_to(tmp_path / "new" / "folder")) for path in written]
    assert names == [
        "index.html",
        *(f"tables/{name}.{ending}" for ending in ("csv", "json", "md") for name in ("one", "two")),
        *(f"figures/three.{ending}" for ending in ("json", "svg", "png", "pdf")),
    ]
    assert steps == [(count, 11) for count in range(1, 12)]
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(written)
    content = dict(zip(names, written, strict=True))
    assert content["index.html"].read_text(encoding="utf-8") == render_page(shown)
    assert content["tables/one.csv"].read_text(encoding="utf-8") == table_csv(table("one"))
    assert content["tables/one.json"].read_text(encoding="utf-8") == table_json(table("one"))
    assert content["tables/two.md"].read_text(encoding="utf-8") == table_markdown(table("two"))
    assert content["figures/three.svg"].read_text(encoding="utf-8").startswith("<svg")
    assert content["figures/three.png"].read_bytes().startswith(b"\x89PNG\r\n")
    assert content["figures/three.pdf"].read_bytes().startswith(b"%PDF-")
    assert content["index.html"].stat().st_mode & 0o777 == 0o644


def test_json_of_a_figure_is_the_spec_that_is_drawn(tmp_path: Path) -> None:
    write_files(report(figure()), tmp_path, formats=["json", "svg"])
    spec = json.loads((tmp_path / "figures/voi.json").read_text(encoding="utf-8"))
    assert spec["data"]["values"][1]["voi"] is None
    assert spec["config"]["background"] == LIGHT.paper
    drawing = (tmp_path / "figures/voi.svg").read_text(encoding="utf-8")
    assert vl_convert.vegalite_to_svg(spec) == drawing
    assert "Liberation Sans" in drawing and LIGHT.categories[0] in drawing


def test_a_width_that_fits_the_page_is_a_number_in_files(tmp_path: Path) -> None:
    shown = figure()
    wide = type(shown)("voi", "T", {**shown.spec, "width": "container"}, "D")
    write_files(report(wide), tmp_path, formats=["json"])
    assert json.loads((tmp_path / "figures/voi.json").read_text(encoding="utf-8"))["width"] == 680


def test_only_the_wanted_formats_are_written(tmp_path: Path) -> None:
    written = write_files(report(table(), figure()), tmp_path, formats={"csv", "pdf"})
    assert {path.name for path in written} == {"voi.csv", "voi.pdf"}
    wrong: Any = ["csv", "docx"]
    with pytest.raises(ValueError, match="docx: no format of a report; there are html, csv"):
        write_files(report(), tmp_path, formats=wrong)


def test_no_figure_fetches_its_data(tmp_path: Path) -> None:
    shown = figure()
    fetching = type(shown)("voi", "T", {**shown.spec, "data": {"url": "https://example.com/data.json"}}, "D")
    with pytest.raises(ValueError, match="not allowed"):
        write_files(report(fetching), tmp_path, formats=["svg"])


def test_nasty_texts_can_be_written(tmp_path: Path) -> None:
    nasty = "<b>&\x00\x1b\ud800\u2028 \"'"
    written = write_files(report(table(rows=({"model": nasty},), emphasised=frozenset()), figure(text=nasty)), tmp_path)
    assert len(written) == 1 + 3 + 4
    assert "&lt;b&gt;&amp;\ufffd\ufffd\ufffd" in (tmp_path / "figures/voi.svg").read_text(encoding="utf-8")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    write_files(report(table()), tmp_path, formats=["csv"])
    before = (tmp_path / "tables/voi.csv").read_text(encoding="utf-8")

    # A limit on the size of files stands in for a full disk: the write fails half-way, as it does there.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(InputError) as caught:
            write_files(report(table(rows=({"model": "new" * 100},))), tmp_path, formats=["csv"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    message = str(caught.value)
    assert f"{tmp_path / 'tables/voi.csv'}: the report cannot be written: File too large." in message
    assert "Name a folder that you may write to, on a disk with free space." in message
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["voi.csv"]
    assert (tmp_path / "tables/voi.csv").read_text(encoding="utf-8") == before


def test_what_an_earlier_report_had_and_this_one_has_not_is_removed(tmp_path: Path) -> None:
    write_files(report(table("one"), table("two"), figure("three"), figure("four")), tmp_path)
    mine = [
        tmp_path / name for name in ("mine.txt", "two.csv", "tables/mine.txt", "figures/sub/four.svg", "tables/two")
    ]
    for path in mine:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    written = write_files(report(table("one"), figure("four")), tmp_path)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted([*written, *mine])
    assert all(path.read_text(encoding="utf-8") == "mine" for path in mine)
    # Formats that are not asked for again go, too.
    again = write_files(report(table("one"), figure("four")), tmp_path, formats=["html", "csv"])
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted([*again, *mine])


def test_nothing_is_removed_from_a_folder_that_had_no_report(tmp_path: Path) -> None:
    mine = [tmp_path / name for name in ("tables/two.csv", "figures/four.svg", "figures/four.png")]
    for path in mine:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    written = write_files(report(table("one"), figure("three")), tmp_path)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted([*written, *mine])
    assert all(path.read_text(encoding="utf-8") == "mine" for path in mine)


def test_another_page_is_not_replaced(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<!doctype html><title>A log viewer</title>", encoding="utf-8")
    told = f"^{page} is not the page of a report, and would be replaced: name another folder"
    for write in (check_place, partial(write_files, report(table("one")))):
        with pytest.raises(InputError, match=told):
            write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
    assert page.read_text(encoding="utf-8").endswith("A log viewer</title>")
    write_files(report(table("one")), tmp_path / "own")
    check_place(tmp_path / "own")


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t"])
def test_no_text_of_a_csv_is_a_formula(tmp_path: Path, sign: str) -> None:
    text = f"{sign}1+2"
    shown = table(rows=({"model": text, "voi": -0.25}, {"model": f"a{text}", "voi": 0.5}), emphasised=frozenset())
    write_files(report(shown), tmp_path, formats=["csv", "json"])
    with (tmp_path / "tables/voi.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["model"] for row in rows] == [f"'{text}", f"a{text}"]
    # Numbers are numbers, and JSON has the text as it is.
    assert [float(row["voi"]) for row in rows] == [-0.25, 0.5]
    assert json.loads((tmp_path / "tables/voi.json").read_text(encoding="utf-8"))["rows"][0]["model"] == text


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"taken is a file: name a folder with -o$"):
        write_files(report(table()), tmp_path / "taken", formats=["csv"])


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        write_files(report(table()), tmp_path, formats=["csv"])
    tmp_path.chmod(0o700)


def test_formats_are_all_there() -> None:
    assert FORMATS == ("html", "csv", "json", "md", "svg", "png", "pdf")
