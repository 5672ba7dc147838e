"""Which page a citation is of: addresses that differ only in how they are written are one page."""

import hashlib
import re
from collections.abc import Iterable

from courlan import clean_url

MOST_PAGES = 3
"""How many cited pages a score names: its metadata have to stay small."""

_STORED = re.compile(r"^https?://web\.archive\.org/web/\d+(?:[a-z]{2}_)?/(?=https?:)", re.IGNORECASE)
_SCHEME = re.compile(r"^https?://(?:www\.)?(?=[^/?#])", re.IGNORECASE)
_LENGTH = 12


def page_ids(addresses: Iterable[str]) -> list[str]:
    """The first ``MOST_PAGES`` different pages of some addresses, each as the beginning (hex) of an SHA-256.

    Scheme, ``www.``, fragments, tracking parameters and a closing slash do not matter, nor does an archive's copy.
    Addresses that are not of the web give no page.
    """
    pages = [page for address in addresses if (page := _page(address)) is not None]
    return [hashlib.sha256(page.encode()).hexdigest()[:_LENGTH] for page in list(dict.fromkeys(pages))[:MOST_PAGES]]


def _page(address: str) -> str | None:
    original = _STORED.sub("", address.strip())
    if not _SCHEME.match(original):
        return None
    cleaned = clean_url(original)
    if not cleaned:
        return None
    return _SCHEME.sub("", cleaned).partition("#")[0].rstrip("/?").replace("/?", "?") or None
