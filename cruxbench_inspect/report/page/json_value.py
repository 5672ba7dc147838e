"""Values as JSON can hold them."""

import math
from collections.abc import Mapping
from typing import Any

from cruxbench_inspect.report.page.printable import printable


def json_value(value: Any) -> Any:
    """A value for JSON: null for numbers that are not finite, lists for tuples, texts that are ``printable``."""
    match value:
        case Mapping():
            return {printable(str(key)): json_value(each) for key, each in value.items()}
        case list() | tuple():
            return [json_value(each) for each in value]
        case str():
            return printable(value)
        case float():
            return float(value) if math.isfinite(value) else None
        case _:
            return value
