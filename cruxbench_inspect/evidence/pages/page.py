"""What is read from a page, and why a page is not read."""

from dataclasses import dataclass
from typing import Literal

PageFault = Literal["wrong_type", "too_large", "no_text", "too_slow", "too_much_memory", "crashed"]
"""Why a page is refused. "no_text" includes soft 404s, consent walls and markup that cannot be parsed."""


@dataclass(frozen=True)
class Page:
    """A page's text and what it claims of itself.

    Attributes:
        title: Its title.
        site: The name of its site, "" when it gives none.
        text: Its main text, without menus, related stories, comments, and what a reader cannot see.
        published: When it claims to have been published: an ISO 8601 date or time, with a zone where it states one.
        modified: The latest change that it claims, in the same form.
    """

    title: str
    site: str
    text: str
    published: str | None
    modified: str | None


class PageRefused(Exception):
    """A page that cannot be read.

    Attributes:
        fault: Why.
    """

    def __init__(self, fault: PageFault, detail: str = "") -> None:
        self.fault: PageFault = fault
        super().__init__(detail or fault)
