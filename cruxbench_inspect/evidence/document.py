"""A piece of evidence with its dates and with what proves them."""

import hashlib
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from cruxbench_inspect.evidence.clean_text import CleanLine, CleanText
from cruxbench_inspect.evidence.dated_moment import Moment

ProofClass = Literal["A", "B", "C"]
"""What proves that a text is as old as it claims.

A: a copy that an archive stored at ``captured``. B: someone who saw or wrote it by then vouches for the date.
C: the page itself claims a date, and the text may be of today.
"""


class Document(BaseModel):
    """A document as a source returned it, its text already cleaned of what a reader cannot see.

    Attributes:
        url: Where it was published.
        title: Its title, on one line; may be empty.
        source: Who published it, on one line.
        published: When it was first published, None when unknown.
        modified: When it was last changed, None when nothing is known of a change.
        captured: When the copy was stored whose text this is, None when it is no stored copy.
        text: The whole text, or "" when a search knows of the document but has not fetched it.
        proof: The proof class of its dates.
        version: The address of exactly the version that is shown, such as a capture or a revision; None when there
            is no such address.
        excerpt: Whether the text is only a summary or a part of what was published, so that a source that can get the
            whole is worth asking.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: Annotated[CleanLine, Field(min_length=1)]
    title: CleanLine
    source: CleanLine
    published: Moment | None
    modified: Moment | None = None
    captured: Moment | None = None
    text: CleanText
    proof: ProofClass
    version: CleanLine | None = None
    excerpt: bool = False

    @cached_property
    def id(self) -> str:
        """``doc-`` and 10 hexadecimal digits that follow from url, title, text and date of publication."""
        # No part can hold the separator, which is a control character.
        content = (self.url, self.title, self.text, self.published.text if self.published else "")
        return "doc-" + hashlib.sha256("\x1f".join(content).encode()).hexdigest()[:10]
