"""Wikitext as a tree of templates, links and tables, in time that grows with its length and not faster.

Anyone may write a page, so a parser that goes back when a bracket is never closed would be a way to stop the reader.
Here every character is looked at once, brackets that do not match become text, and the tree is never deeper than
``MAX_DEPTH``.
"""

import re
from dataclasses import dataclass
from typing import Literal

from cruxbench_inspect.evidence.services.wikitext_attributes import hide

MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Template:
    """``{{name|parts}}``; the first part is the name."""

    parts: "list[list[Node]]"


@dataclass(frozen=True, slots=True)
class Link:
    """``[[target|parts]]``; the first part is the target, the last one is what is shown."""

    parts: "list[list[Node]]"


@dataclass(frozen=True, slots=True)
class External:
    """``[url label]``."""

    url: str
    label: "list[Node]"


@dataclass(frozen=True, slots=True)
class Table:
    """``{| ... |}``, its rows and cells still as text."""

    content: "list[Node]"


Node = str | Template | Link | External | Table


def parse(wikitext: str) -> list[Node]:
    """The tree of a wikitext; what a reader of the page does not see is left out.

    Comments, references, galleries, formulas and elements whose attributes hide them are dropped; other tags are taken
    off. Never raises.
    """
    return _Parser(without_comments(wikitext)).parse()


def without_comments(wikitext: str) -> str:
    """The text without its HTML comments; one that is never closed reaches to the end."""
    pieces, position = [], 0
    while (start := wikitext.find("<!--", position)) >= 0:
        pieces.append(wikitext[position:start])
        end = wikitext.find("-->", start + 4)
        if end < 0:
            return "".join(pieces)
        position = end + 3
    return "".join([*pieces, wikitext[position:]])


_TOKEN = re.compile(
    r"""(?P<template>\{\{)|(?P<end_template>\}\})
    |(?P<table>^[ \t:]*\{\|)|(?P<end_table>^[ \t]*\|\}(?!\}))
    |(?P<link>\[\[)|(?P<end_link>\]\])
    |(?P<external>\[(?=(?:https?:)?//)(?P<url>[^\s\[\]<>"]+))|(?P<end_external>\])
    |<(?P<closing>/?)(?P<tag>[a-z][a-z0-9]*)(?P<attributes>(?:[\s/][^<>]*)?)>
    |(?P<pipe>\|)|(?P<newline>\n)""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_DROPPED = frozenset(
    "ref references gallery math chem ce score timeline graph imagemap mapframe maplink templatedata templatestyles"
    " style script includeonly section".split()
)
_LITERAL = frozenset("nowiki pre syntaxhighlight source code".split())
_BREAKS = frozenset("br hr p div li tr blockquote center table".split())
_VOID = frozenset("br hr wbr img".split())

_Kind = Literal["text", "template", "table", "link", "external", "hidden"]


class _Frame:
    """A bracket that is open."""

    def __init__(self, kind: _Kind, name: str = "") -> None:
        self.kind: _Kind = kind
        self.name = name  # of a hidden tag; the address of an external link
        self.nested = 1  # open tags of that name
        self.parts: list[list[Node]] = [[]]

    def as_text(self) -> list[Node]:
        """What it holds, its bracket taken off since nothing closes it."""
        if self.kind == "table":  # the end of the page closes it
            return [Table(self.parts[0])]
        nodes: list[Node] = [self.name] if self.kind == "external" else []
        for index, part in enumerate(self.parts):
            nodes += ["|", *part] if index else part
        return nodes

    def closed(self) -> Node:
        match self.kind:
            case "template":
                return Template(self.parts)
            case "link":
                return Link(self.parts)
            case "external":
                return External(self.name, self.parts[0])
            case _:
                return Table(self.parts[0])


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._stack = [_Frame("text")]
        self._never_closed: set[str] = set()

    def parse(self) -> list[Node]:
        position = 0
        while (token := _TOKEN.search(self._text, position)) is not None:
            self._add(self._text[position : token.start()])
            position = self._take(token)
        self._add(self._text[position:])
        self._cut(1)
        return self._stack[0].parts[0]

    def _take(self, token: re.Match[str]) -> int:
        """Act on a token; the position after what is used up."""
        match token.lastgroup:
            case "template" | "table" | "link" as kind:
                self._open(_Frame(kind), token[0])
            case "external":
                self._open(_Frame("external", token["url"]), token[0])
            case "end_template":
                self._close("template", (), token[0])
            case "end_table":
                self._close("table", ("template",), token[0])
            case "end_link":
                if self._stack[-1].kind == "external":
                    self._close("external", (), "]")
                    return token.start() + 1
                self._close("link", ("template", "table"), token[0])
            case "end_external":
                self._close("external", ("template", "table", "link"), token[0])
            case "pipe":
                if self._stack[-1].kind in {"template", "link"}:
                    self._stack[-1].parts.append([])
                else:
                    self._add("|")
            case "newline":
                if self._stack[-1].kind == "external":
                    self._cut(len(self._stack) - 1)
                self._add("\n")
            case _:
                return self._tag(token)
        return token.end()

    def _tag(self, token: re.Match[str]) -> int:
        name, closing, attributes = token["tag"].lower(), bool(token["closing"]), token["attributes"]
        empty = attributes.endswith("/") or name in _VOID
        if name in _DROPPED | _LITERAL and not closing and not empty:
            return self._skip(name, token.end())
        if name in _BREAKS:
            self._add("\n")
        if empty:
            return token.end()
        hidden = next((frame for frame in reversed(self._stack) if frame.kind == "hidden" and frame.name == name), None)
        if hidden is not None:
            hidden.nested += -1 if closing else 1
            if hidden.nested == 0:
                del self._stack[self._stack.index(hidden) :]
        elif not closing and hide(attributes):
            self._open(_Frame("hidden", name), "")
        return token.end()

    def _skip(self, name: str, start: int) -> int:
        """Pass over an element whose content is no wikitext; a tag that nothing closes is only taken off."""
        if name in self._never_closed:
            return start
        end = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self._text, start)
        if end is None:
            self._never_closed.add(name)
            return start
        if name in _LITERAL:
            self._add(self._text[start : end.start()])
        return end.end()

    def _add(self, text: str) -> None:
        if text:
            self._stack[-1].parts[-1].append(text)

    def _open(self, frame: _Frame, text: str) -> None:
        if len(self._stack) <= MAX_DEPTH:
            self._stack.append(frame)
        else:
            self._add(text)

    def _close(self, kind: _Kind, barriers: tuple[_Kind, ...], text: str) -> None:
        """Close the innermost bracket of a kind, unless it is outside of one that it must be inside of."""
        for depth in range(len(self._stack) - 1, 0, -1):
            if self._stack[depth].kind == kind:
                self._cut(depth + 1)
                closed = self._stack.pop().closed()
                self._stack[-1].parts[-1].append(closed)
                return
            if self._stack[depth].kind in barriers:
                break
        self._add(text)

    def _cut(self, depth: int) -> None:
        """Turn all brackets from a depth on into text of the one below: nothing closes them."""
        nodes: list[Node] = []
        for frame in self._stack[depth:]:
            if frame.kind == "hidden":
                break
            nodes += frame.as_text()
        del self._stack[depth:]
        self._stack[-1].parts[-1] += nodes
