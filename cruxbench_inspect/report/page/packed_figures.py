"""Figures' specs for the page: small, and each set of data once."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.page.json_value import json_value
from cruxbench_inspect.report.page.printable import printable
from cruxbench_inspect.report.page.theme import own_config

_DIGITS = 7
"""Significant digits of numbers on the page: more than any screen shows."""


def packed_figures(figures: Iterable[Figure]) -> dict[str, Any]:
    """Specs and their data.

    Returns:
        ``specs`` by the figures' names, whose data are names; and ``datasets`` by those names: ``keys`` and ``rows`` of
        values in that order where all rows have the same keys, else ``values``, a list as it was. Data that several
        figures share stand there once. Numbers have seven significant digits, integers all of theirs.
    """
    datasets: dict[str, Any] = {}
    specs = {figure.name: _spec(figure.spec, datasets) for figure in figures}
    return {"specs": specs, "datasets": datasets}


def _spec(spec: Mapping[str, Any], datasets: dict[str, Any]) -> dict[str, Any]:
    names = {name: _stored(rows, datasets) for name, rows in spec.get("datasets", {}).items()}
    result = {
        key: _with_names(value, names, datasets)
        for key, value in spec.items()
        if key not in {"$schema", "config", "datasets"}
    }
    return {**result, "config": json_value(own_config(spec))}


def _with_names(value: Any, names: Mapping[str, str], datasets: dict[str, Any], key: str = "data") -> Any:
    match value:
        case Mapping() if key == "data" and isinstance(value.get("values"), list):
            rest = {each: json_value(under) for each, under in value.items() if each != "values"}
            return {**rest, "name": _stored(value["values"], datasets)}
        case Mapping() if key == "data" and value.get("name") in names:
            return {**json_value(value), "name": names[value["name"]]}
        case Mapping():
            return {printable(str(each)): _with_names(under, names, datasets, each) for each, under in value.items()}
        case list() | tuple():
            return [_with_names(each, names, datasets, "") for each in value]
        case _:
            return json_value(value)


def _stored(rows: Any, datasets: dict[str, Any]) -> str:
    packed = _packed(_rounded(json_value(rows)))
    name = "data_" + hashlib.sha256(json.dumps(packed, sort_keys=True).encode()).hexdigest()[:12]
    datasets[name] = packed
    return name


def _packed(rows: Any) -> dict[str, Any]:
    if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
        keys = list(rows[0])
        if all(row.keys() == rows[0].keys() for row in rows):
            return {"keys": keys, "rows": [[row[key] for key in keys] for row in rows]}
    return {"values": rows}


def _rounded(value: Any) -> Any:
    match value:
        case dict():
            return {key: _rounded(each) for key, each in value.items()}
        case list():
            return [_rounded(each) for each in value]
        case float():
            return int(value) if value.is_integer() else float(f"{value:.{_DIGITS}g}")
        case _:
            return value
