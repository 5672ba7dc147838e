"""Numbers and names in the texts of figures."""

import math
from collections.abc import Iterable


def with_interval(value: float, low: float, high: float, digits: int = 3) -> str:
    """A value with its interval, such as "0.016 [0.009, 0.023]"; without it where a bound is missing."""
    if math.isnan(low) or math.isnan(high):
        return number(value, digits)
    return f"{number(value, digits)} [{number(low, digits)}, {number(high, digits)}]"


def number(value: float, digits: int = 3) -> str:
    """A number with fixed decimals, without a minus sign before zero."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, such as "+0.003"; zero has none."""
    text = number(value, digits)
    return text if text.startswith("-") or float(text) == 0 else f"+{text}"


def listed(parts: Iterable[str]) -> str:
    """Parts as running text: "a, b and c"."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def counted(count: int, singular: str, plural: str | None = None) -> str:
    """A count with its noun, such as "1 model" and "2,088 cruxes"."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def literal(name: str) -> str:
    """A name inside markdown, where it must not become markup."""
    return "`" + " ".join(name.replace("`", "'").split()) + "`"


def sentences(*parts: str) -> str:
    """Sentences as one text; empty ones are skipped."""
    return " ".join(part for part in parts if part)
