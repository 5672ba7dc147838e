"""Elements that a page's own style sheets hide."""

from collections.abc import Iterator
from dataclasses import dataclass

import cssselect
import tinycss2
from cssselect.parser import Selector
from lxml.etree import XPathError
from lxml.html import HtmlElement

from cruxbench_inspect.evidence.pages.unseen_styles import Tokens, bare, unseen_by

LONGEST_SHEETS = 500_000
"""Characters of all sheets of a page together that are read."""

MOST_RULES = 2_000
"""Selectors that are looked for; what hides comes before what shows."""

_ALWAYS_ON = frozenset(("", "all", "screen"))
_NESTING = 8  # at-rules inside at-rules


def hidden_by_sheets(tree: HtmlElement) -> set[HtmlElement]:
    """The elements that the ``<style>`` elements of a page hide, by the cascade of each property that can hide.

    Rules for other media, and those for a state (``:hover``) or a part (``::before``) of an element, are left aside.
    """
    sheets = (sheet for sheet in tree.iter("style") if sheet.get("media", "").strip().lower() in _ALWAYS_ON)
    rules = list(_rules("".join(sheet.text or "" for sheet in sheets)[:LONGEST_SHEETS]))
    hiding = {rule.name for rule in rules if rule.hides}
    decisive = [rule for rule in rules if rule.name in hiding]
    decisive.sort(key=lambda rule: (not rule.hides, rule.order))
    winners: dict[tuple[HtmlElement, str], _Rule] = {}
    for rule in decisive[:MOST_RULES]:
        for element in _matches(tree, rule.selector):
            earlier = winners.get((element, rule.name))
            if earlier is None or earlier.rank <= rule.rank:
                winners[element, rule.name] = rule
    return {element for (element, _), rule in winners.items() if rule.hides}


@dataclass(frozen=True)
class _Rule:
    """What a rule says of one property, for one selector."""

    selector: Selector
    name: str
    hides: bool
    important: bool
    order: int

    @property
    def rank(self) -> tuple[bool, tuple[int, int, int], int]:
        return self.important, self.selector.specificity(), self.order


def _rules(text: str) -> Iterator[_Rule]:
    order = 0
    for selectors, name, tokens, important in _declarations(text):
        hides = unseen_by(name, tokens)
        if hides is None:
            continue
        for selector in selectors:
            order += 1
            yield _Rule(selector, name, hides, important, order)


def _declarations(text: str) -> Iterator[tuple[list[Selector], str, Tokens, bool]]:
    waiting = [(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), 0)]
    while waiting:
        rules, depth = waiting.pop(0)
        for rule in rules:
            if rule.type == "at-rule" and rule.content is not None and depth < _NESTING and _is_on(rule):
                inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                waiting.append((inner, depth + 1))
            elif rule.type == "qualified-rule" and (selectors := _selectors(tinycss2.serialize(rule.prelude))):
                for item in tinycss2.parse_declaration_list(rule.content, skip_comments=True, skip_whitespace=True):
                    if item.type == "declaration":
                        yield selectors, item.lower_name, bare(item.value), item.important


def _is_on(rule: tinycss2.ast.AtRule) -> bool:
    if rule.lower_at_keyword == "media":
        return tinycss2.serialize(rule.prelude).strip().lower() in _ALWAYS_ON
    return rule.lower_at_keyword in ("layer", "supports")


def _selectors(text: str) -> list[Selector]:
    """The selectors of a rule that say something about elements as they stand in the page."""
    found = []
    for part in text.split(","):
        try:
            parsed = cssselect.parse(part)
        except (cssselect.SelectorError, RecursionError):
            continue
        found += [selector for selector in parsed if selector.pseudo_element is None]
    return found


def _matches(tree: HtmlElement, selector: Selector) -> list[HtmlElement]:
    try:
        path = cssselect.HTMLTranslator().selector_to_xpath(selector)
        found = tree.xpath(path)
    except (cssselect.SelectorError, XPathError, RecursionError):
        return []  # a state such as :hover has no translation
    return [element for element in found if isinstance(element, HtmlElement)] if isinstance(found, list) else []
