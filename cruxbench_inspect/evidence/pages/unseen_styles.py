"""Which CSS declarations hide an element's text from a reader."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import tinycss2
from tinycss2.color4 import parse_color

Tokens = Sequence[Any]
"""Component values of a declaration, as tinycss2 has them, without white space."""

LONGEST_STYLE = 10_000
"""Characters of one style attribute; no honest one is nearly as long."""

_FAR: Final = {"px": 900.0, "pt": 700.0, "pc": 60.0, "cm": 24.0, "mm": 240.0, "in": 9.0, "%": 100.0}
_FAR_RELATIVE = 50.0  # em, rem, ch, vw and the like
_SMALL: Final = {"px": 2.0, "pt": 1.5, "%": 10.0, "": 0.0}
_SMALL_RELATIVE = 0.15
_FAINT = 0.05


def bare(tokens: Iterable[Any]) -> Tokens:
    """Component values without white space and comments."""
    return [token for token in tokens if token.type not in ("whitespace", "comment")]


def declared(style: str) -> dict[str, Tokens]:
    """The declarations of a style by their names, the later ones first in rank, with custom properties filled in."""
    values: dict[str, Tokens] = {}
    for item in tinycss2.parse_declaration_list(style, skip_comments=True, skip_whitespace=True):
        if item.type == "declaration":
            values[item.lower_name] = bare(item.value)
    return {name: _filled_in(tokens, values) for name, tokens in values.items()}


def unseen_by(name: str, tokens: Tokens) -> bool | None:
    """Whether a declaration hides text, None if the property never decides that."""
    rule = _RULES.get(name.removeprefix("-webkit-").removeprefix("-moz-").removeprefix("-ms-"))
    return None if rule is None else rule(tokens)


def is_unseen(declarations: Mapping[str, Tokens]) -> bool:
    """Whether one element's own declarations hide its text."""
    return any(unseen_by(name, tokens) for name, tokens in declarations.items()) or _like_its_ground(declarations)


def has_ground(declarations: Mapping[str, Tokens]) -> bool:
    """Whether the declarations give a background."""
    return any(name in declarations for name in ("background", "background-color", "background-image"))


def is_white(declarations: Mapping[str, Tokens]) -> bool:
    """Whether the text is as white as a page that says nothing else."""
    colour = _colour(declarations.get("color", ()))
    return colour is not None and min(colour) > 0.96


def _filled_in(tokens: Tokens, values: Mapping[str, Tokens]) -> Tokens:
    if len(tokens) == 1 and tokens[0].type == "function" and tokens[0].lower_name == "var":
        named = bare(tokens[0].arguments)
        return values.get(named[0].value.lower(), named[2:]) if named and named[0].type == "ident" else tokens
    return tokens


def _idents(*words: str) -> Callable[[Tokens], bool]:
    # A backslash hack such as "none\9" is the same word to those browsers that the hack is for.
    return lambda tokens: any(t.type == "ident" and t.lower_value.strip().rstrip("\t") in words for t in tokens)


def _numbers(tokens: Tokens) -> list[tuple[float, str]]:
    """All numbers with their units, those inside functions too; a sign that stands alone belongs to what follows."""
    found: list[tuple[float, str]] = []
    sign = 1.0
    for token in tokens:
        if token.type == "dimension":
            found.append((sign * token.value, token.lower_unit))
        elif token.type == "percentage":
            found.append((sign * token.value, "%"))
        elif token.type == "number":
            found.append((sign * token.value, ""))
        elif token.type == "function":
            found += [(sign * number, unit) for number, unit in _numbers(bare(token.arguments))]
        elif token.type == "() block":
            found += _numbers(bare(token.content))
        sign = -1.0 if token.type == "literal" and token.value == "-" else 1.0
    return found


def _is_far(number: float, unit: str) -> bool:
    return bool(unit) and abs(number) >= _FAR.get(unit, _FAR_RELATIVE)


def _is_small(number: float, unit: str) -> bool:
    return number <= _SMALL.get(unit, _SMALL_RELATIVE)


def _far(tokens: Tokens) -> bool:
    return any(_is_far(*number) for number in _numbers(tokens))


def _far_back(tokens: Tokens) -> bool:
    return any(number < 0 and _is_far(number, unit) for number, unit in _numbers(tokens))


def _faint(tokens: Tokens) -> bool:
    return any(number <= (100 * _FAINT if unit == "%" else _FAINT) for number, unit in _numbers(tokens)[:1])


def _no_size(tokens: Tokens) -> bool:
    numbers = _numbers(tokens)
    return bool(numbers) and all(number <= (1.0 if unit == "px" else 0.0) for number, unit in numbers)


def _small_type(tokens: Tokens) -> bool:
    return any(_is_small(*number) for number in _numbers(tokens)[:1])


def _small_font(tokens: Tokens) -> bool:
    # The first length of the shorthand is the size; a bare number before it is the weight.
    sizes = [(number, unit) for number, unit in _numbers(tokens) if unit or number == 0]
    return any(_is_small(*size) for size in sizes[:1])


def _functions(tokens: Tokens) -> list[tuple[str, list[tuple[float, str]]]]:
    return [(token.lower_name, _numbers(bare(token.arguments))) for token in tokens if token.type == "function"]


def _transformed(tokens: Tokens) -> bool:
    for name, numbers in _functions(tokens):
        if name.startswith("translate") and any(_is_far(*number) for number in numbers):
            return True
        if name.startswith("scale") and any(abs(number) <= _FAINT for number, _ in numbers):
            return True
        if name.startswith("matrix") and numbers and abs(numbers[0][0]) <= _FAINT:
            return True
        if name in ("rotatex", "rotatey") and any(abs(number) % 180 == 90 for number, unit in numbers if unit == "deg"):
            return True
    return False


def _scaled(tokens: Tokens) -> bool:
    return any(abs(number) <= (100 * _FAINT if unit == "%" else _FAINT) for number, unit in _numbers(tokens))


def _clipped(tokens: Tokens) -> bool:
    for name, numbers in _functions(tokens):
        if name == "rect" and len(numbers) == 4:
            top, right, bottom, left = (number for number, _ in numbers)
            if right - left <= 1 or bottom - top <= 1:
                return True
    return False


def _clipped_path(tokens: Tokens) -> bool:
    for name, numbers in _functions(tokens):
        if name == "inset" and numbers:
            sides = [number for number, unit in numbers if unit == "%" or number == 0][:4]
            if len(sides) == len(numbers[:4]) and _covered(sides):
                return True
        if name in ("circle", "ellipse") and numbers and numbers[0][0] <= 0:
            return True
        if name == "polygon" and not any(number for number, _ in numbers):
            return True
    return False


def _covered(sides: list[float]) -> bool:
    """Whether what is cut off from opposite sides leaves nothing; one to four sides are given, as in CSS."""
    top = sides[0]
    right = sides[1] if len(sides) > 1 else top
    bottom = sides[2] if len(sides) > 2 else top
    left = sides[3] if len(sides) > 3 else right
    return top + bottom >= 100 or left + right >= 100


def _filtered(tokens: Tokens) -> bool:
    return any(
        name == "opacity" and any(number <= _FAINT for number, _ in numbers) for name, numbers in _functions(tokens)
    )


def _colour(tokens: Tokens) -> tuple[float, float, float] | None:
    """Red, green and blue from 0 to 1, None where the tokens are no plain colour."""
    if len(tokens) != 1:
        return None
    colour = parse_color(tokens[0])
    if colour is None or isinstance(colour, str) or colour.space not in ("srgb", "hsl", "hwb"):
        return None
    red, green, blue = colour.to("srgb").coordinates
    return float(red or 0), float(green or 0), float(blue or 0)


def _transparent(tokens: Tokens) -> bool:
    if len(tokens) != 1:
        return False
    colour = parse_color(tokens[0])
    return colour is not None and not isinstance(colour, str) and (colour.alpha or 0) <= _FAINT


def _like_its_ground(declarations: Mapping[str, Tokens]) -> bool:
    ground = _colour(declarations.get("background-color", ())) or _colour(declarations.get("background", ()))
    text = _colour(declarations.get("color", ()))
    return ground is not None and text is not None and max(abs(a - b) for a, b in zip(ground, text, strict=True)) < 0.02


_RULES: Final[Mapping[str, Callable[[Tokens], bool]]] = {
    "display": _idents("none"),
    "visibility": _idents("hidden", "collapse"),
    "content-visibility": _idents("hidden"),
    "opacity": _faint,
    "zoom": _faint,
    "font-size": _small_type,
    "font": _small_font,
    **dict.fromkeys(
        ("width", "height", "max-width", "max-height", "block-size", "inline-size", "max-block-size"),
        _no_size,
    ),
    **dict.fromkeys(
        (
            *("left", "top", "right", "bottom", "text-indent", "translate"),
            *("inset", "inset-inline", "inset-block", "inset-inline-start", "inset-inline-end", "inset-block-start"),
        ),
        _far,
    ),
    **dict.fromkeys(("margin", "margin-left", "margin-top", "margin-right", "margin-inline-start"), _far_back),
    "transform": _transformed,
    "scale": _scaled,
    "clip": _clipped,
    "clip-path": _clipped_path,
    "filter": _filtered,
    "color": _transparent,
    "text-fill-color": _transparent,
}
