"""Reading a page that somebody stored or sent."""

from datetime import datetime
from typing import Literal

from cruxbench_inspect.evidence.pages.page import Page, PageRefused
from cruxbench_inspect.evidence.pages.worker import SECONDS, WorkerFailed, in_worker

MAX_BYTES = 5_000_000

HTML_TYPES = ("text/html", "application/xhtml+xml")
PLAIN_TYPES = ("text/plain",)


async def read_page(body: bytes, url: str, content_type: str, captured: datetime, *, seconds: float = SECONDS) -> Page:
    """The text and the claimed dates of a page, read in a worker process.

    Args:
        body: Its bytes, unpacked.
        url: Its address.
        content_type: The header of that name; only markup and plain text are read. Its charset counts where the page
            does not show its own.
        captured: When the copy was made, an aware datetime.
        seconds: How long that may take, once a worker is free: waiting for one is not counted.

    Raises:
        PageRefused: If it is of another type, too large, without text, or more than a worker can take.
    """
    kind = _kind(content_type)
    if len(body) > MAX_BYTES:
        raise PageRefused("too_large", f"{len(body)} bytes, and {MAX_BYTES} is the most")
    # Imported on first use: the parsers are large, and most runs read no page.
    from cruxbench_inspect.evidence.pages.extraction import extract

    try:
        page = await in_worker(extract, body, url, kind, captured, content_type, seconds=seconds)
    except WorkerFailed as error:
        raise PageRefused(error.fault, str(error)) from error
    if page is None:
        raise PageRefused("no_text", "no text to speak of")
    return page


def _kind(content_type: str) -> Literal["html", "plain"]:
    kind = content_type.partition(";")[0].strip().lower()
    if kind in HTML_TYPES:
        return "html"
    if kind in PLAIN_TYPES:
        return "plain"
    raise PageRefused("wrong_type", f"content type {content_type[:80]!r}")
