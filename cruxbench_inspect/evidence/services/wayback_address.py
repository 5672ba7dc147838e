"""Addresses and times as the Wayback Machine writes them."""

import re
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

import httpx

_UNRESERVED = "%!$&'()*+,;=:@/~-._"
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PORTS = {"http": 80, "https": 443}
_MAX_LENGTH = 2048


def archivable(url: str) -> str | None:
    """An address of the web as a browser would ask for it: host in ASCII, the rest percent-encoded, no fragment.

    Returns:
        None for what no archive can have stored: other schemes, no host, credentials, a port that is no number.
    """
    try:
        parts = urlsplit(re.sub(r"^(https?):/+", r"\1://", url.strip(), flags=re.IGNORECASE))
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
    except ValueError:
        return None
    if scheme not in _PORTS or not host or "@" in parts.netloc or len(url) > _MAX_LENGTH:
        return None
    if not host.isascii():
        try:
            host = httpx.URL(scheme=scheme, host=host).raw_host.decode("ascii")
        except (httpx.InvalidURL, UnicodeError):
            return None
    if not re.fullmatch(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?", host):
        return None
    netloc = host.rstrip(".") if port in {None, _PORTS[scheme]} else f"{host.rstrip('.')}:{port}"
    query = f"?{_encoded(parts.query)}" if parts.query else ""
    return f"{scheme}://{netloc}{_without_dots(_encoded(parts.path) or '/')}{query}"


def same_host(one: str, other: str) -> bool:
    """Whether two addresses that ``archivable`` returned are of one host, ``www.`` aside."""
    return _host(one) == _host(other)


def digits_of(moment: datetime) -> str:
    """A moment as 14 digits in UTC, fractions of a second cut off."""
    return moment.astimezone(UTC).strftime("%Y%m%d%H%M%S").zfill(14)


def moment_of(digits: object) -> datetime | None:
    """The moment of 14 digits, None when they are none."""
    if not (isinstance(digits, str) and re.fullmatch("[0-9]{14}", digits)):
        return None
    try:
        return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _encoded(text: str) -> str:
    return quote(_BAD_PERCENT.sub("%25", text), safe=f"{_UNRESERVED}?", errors="replace")


def _without_dots(path: str) -> str:
    """The path with ``.`` and ``..`` resolved, so that it cannot leave the address that it is appended to."""
    kept: list[str] = []
    segments = path.split("/")
    for index, segment in enumerate(segments):
        plain = segment.replace("%2e", ".").replace("%2E", ".")
        if plain not in {".", ".."}:
            kept.append(segment)
            continue
        if plain == ".." and len(kept) > 1:
            kept.pop()
        if index == len(segments) - 1:
            kept.append("")
    return "/".join(kept)


def _host(url: str) -> str:
    return re.sub(r"^www\d?\.", "", urlsplit(url).netloc)
