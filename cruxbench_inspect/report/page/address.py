"""Addresses that a page may link to."""

import re
from urllib.parse import urlsplit

_REFUSED = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")


def safe_address(address: str) -> str:
    """An address if it is relative to the page or of an https site.

    Raises:
        ValueError: If it is neither: another scheme, another host without a scheme, an absolute path, or an address
            with white space, control characters or backslashes, which browsers read in ways of their own.
    """
    if address and not _REFUSED.search(address):
        parts = urlsplit(address)
        if parts.scheme == "https" and parts.hostname:
            return address
        if not parts.scheme and not parts.netloc and not address.startswith("/"):
            return address
    raise ValueError(f"{address!r} is no address for a link: it must be relative to the page, or start with https://")
