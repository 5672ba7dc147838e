"""Price lists, and what a use costs by them."""

from pathlib import Path

import pytest

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.report.gathering.price_list import ModelPrice, PriceList, read_prices
from cruxbench_inspect.report.gathering.run import Usage


def write(folder: Path, *lines: str) -> Path:
    path = folder / "prices.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def usage(model: str, tokens_in: int = 0, cached: int = 0, out: int = 0, cost: float | None = None) -> Usage:
    return Usage(model, "generator", tokens_in, cached, out, cost)


def test_without_a_file_there_are_no_prices_but_those_of_logs() -> None:
    prices = read_prices(None)
    assert prices == PriceList({}, None)
    assert prices.usd(usage("lab/new", 1000, cost=0.25)) == 0.25
    assert prices.usd(usage("lab/new", 1000)) is None


def test_all_columns_in_any_order(tmp_path: Path) -> None:
    prices = read_prices(
        write(tmp_path, "output,model,input,cached_input", "15,lab/New,3,0.3", "8,other, 2 ,", ",search,0.005,")
    )
    assert prices.models == {"lab/new": ModelPrice(3, 0.3, 15), "other": ModelPrice(2, 2, 8)}
    assert prices.search == 0.005


def test_no_cached_input_at_all(tmp_path: Path) -> None:
    prices = read_prices(write(tmp_path, "model,input,output", "new,2,8"))
    assert prices == PriceList({"new": ModelPrice(2, 2, 8)}, None)


def test_a_search_that_is_free_is_not_one_without_a_price(tmp_path: Path) -> None:
    assert read_prices(write(tmp_path, "model,input,output", "Search,0,")).search == 0.0


def test_what_a_use_costs(tmp_path: Path) -> None:
    prices = read_prices(write(tmp_path, "model,input,cached_input,output", "lab/new,3,0.3,15", "new,1,,1"))
    used = usage("Lab/New", tokens_in=1_000_000, cached=400_000, out=200_000, cost=99.0)
    # 0.6 million at 3, 0.4 at 0.3, and 0.2 at 15.
    assert prices.usd(used) == pytest.approx(1.8 + 0.12 + 3.0, abs=1e-12)
    assert prices.usd(usage("elsewhere/new", 2_000_000, 2_000_000, 1_000_000)) == pytest.approx(3.0, abs=1e-12)
    assert prices.usd(usage("unknown", 5, cost=0.5)) == 0.5


def test_every_problem_at_once_with_its_line(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "model,input,output,cached_input",
        "good,1,2,",
        ",1,2,",
        "",
        "bad,-1,two,nan",
        "comma,0,5,2,1",
        "short,1",
        "GOOD,1,2,",
        "search,,,",
        "new,1,2,",
        "search,0.1,,",
    )
    with pytest.raises(InputProblems) as error:
        read_prices(path)
    assert error.value.message.startswith(f"{path}: 9 problems\n")
    assert error.value.problems == [
        "line 3: model is empty",
        "line 5: input '-1' is no amount of USD",
        "line 5: cached_input 'nan' is no amount of USD",
        "line 5: output 'two' is no amount of USD",
        "line 6: there are more cells than columns",
        "line 7: output '' is no amount of USD",
        "line 8: model 'good' stands in an earlier line, too",
        "line 9: input '' is no amount of USD",
        "line 11: model 'search' stands in an earlier line, too",
    ]


def test_a_row_without_a_model_at_its_end(tmp_path: Path) -> None:
    with pytest.raises(InputProblems) as error:
        read_prices(write(tmp_path, "input,output,model", "1,2"))
    assert error.value.problems == ["line 2: model is empty"]


@pytest.mark.parametrize("head", ["model,input", "model,input,output,cache", "model;input;output", "name,input,output"])
def test_other_columns(tmp_path: Path, head: str) -> None:
    path = write(tmp_path, head, "x,1,2")
    with pytest.raises(InputError) as error:
        read_prices(path)
    assert error.value.message == f"{path}: the columns must be model, input, output and perhaps cached_input"


@pytest.mark.parametrize("content", [b"", b"model,input,output\nx,\xff,1\n", b"model," + b"l" * 200_000])
def test_a_file_that_is_no_table(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match="prices.csv: "):
        read_prices(path)


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.csv"):
        with pytest.raises(InputError) as error:
            read_prices(path)
        assert error.value.message.startswith(f"{path}: cannot be read: ")
