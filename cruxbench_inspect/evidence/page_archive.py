"""The protocol of an archive of web pages."""

from datetime import datetime
from typing import Protocol

from cruxbench_inspect.evidence.document import Document


class PageArchive(Protocol):
    """Gets a page as it was before a moment."""

    async def page(self, url: str, before: datetime) -> Document | None:
        """A document of class A; None when no copy from before the cutoff can be read.

        Raises:
            SourceFailure: If the archive could not answer.
        """
