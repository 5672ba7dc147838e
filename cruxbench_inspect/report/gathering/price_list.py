"""What models and searches cost, by a file of the user's: provider prices change, so none are built in."""

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.report.gathering.model_names import by_model, names_of_none
from cruxbench_inspect.report.gathering.run import Usage

SEARCH = "search"
"""The name under which the price of one search is given, as ``input``."""

_PER = 1_000_000
_COLUMNS = ("model", "input", "cached_input", "output")


@dataclass(frozen=True)
class ModelPrice:
    """USD for a million tokens.

    Attributes:
        read: Tokens that are read.
        cached: Those of them that come from a provider's cache.
        written: Tokens that are written.
    """

    read: float
    cached: float
    written: float


@dataclass(frozen=True)
class PriceList:
    """Prices.

    Attributes:
        models: By model in small letters.
        search: USD for one search, None where it is not given.
    """

    models: Mapping[str, ModelPrice]
    search: float | None = None

    def names_without(self, models: Iterable[str]) -> list[str]:
        """The models of the list that none of some models is, such as misspelt ones."""
        return names_of_none(self.models, models)

    def usd(self, used: Usage) -> float | None:
        """What a use cost: by this list, else as the log has it; None where neither knows."""
        price = by_model(self.models, used.model)
        if price is None:
            return used.cost
        fresh = used.tokens_in - used.tokens_cached
        return (fresh * price.read + used.tokens_cached * price.cached + used.tokens_out * price.written) / _PER


def read_prices(path: Path | None) -> PriceList:
    """Read a price list.

    Args:
        path: A CSV file with the columns model, input, output and perhaps cached_input, in USD for a million tokens;
            the row of the model ``search`` has the price of one search as its input. None for no prices.

    Raises:
        InputProblems: If a line is wrong; every problem at once.
        InputError: If the file cannot be read.
    """
    if path is None:
        return PriceList({})
    try:
        return _parsed(path.read_text(encoding="utf-8-sig"), str(path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def _parsed(text: str, name: str) -> PriceList:
    reader = csv.DictReader(StringIO(text))
    names = set(reader.fieldnames or ())
    if not {"model", "input", "output"} <= names or names - set(_COLUMNS):
        raise InputError(f"{name}: the columns must be model, input, output and perhaps cached_input")
    models: dict[str, ModelPrice] = {}
    search = None
    problems = []
    for row in reader:
        wrong: list[str] = []
        model = (row["model"] or "").strip().lower()
        if not model:
            wrong.append("model is empty")
        elif model in models or (model == SEARCH and search is not None):
            wrong.append(f"model {model!r} stands in an earlier line, too")
        if None in row:
            wrong.append("there are more cells than columns")
        read = _amount(row, "input", wrong)
        if model == SEARCH:
            search = read
        else:
            cached = _amount(row, "cached_input", wrong) if (row.get("cached_input") or "").strip() else read
            models.setdefault(model, ModelPrice(read, cached, _amount(row, "output", wrong)))
        problems += [f"line {reader.line_num}: {problem}" for problem in wrong]
    if problems:
        raise InputProblems(name, problems)
    return PriceList(models, search)


def _amount(row: Mapping[str, str | None], name: str, wrong: list[str]) -> float:
    text = (row.get(name) or "").strip()
    try:
        amount = float(text)
    except ValueError:
        amount = math.nan
    if not 0 <= amount < math.inf:
        wrong.append(f"{name} {text!r} is no amount of USD")
    return amount
