"""Sites that are never evidence: where the markets are traded, and where this benchmark's data are kept."""

import re
from urllib.parse import unquote, urlsplit

_MARKETS = frozenset(
    "polymarket.com polymarket.us polymarketanalytics.com kalshi.com manifold.markets predictit.org metaculus.com"
    " smarkets.com betfair.com limitless.exchange insightprediction.com".split()
)
"""Hosts whose pages show prices or settlements of prediction markets, with all that lies below them."""

_BENCHMARK_DATA = ("github.com/ameliadai/cruxbench", "raw.githubusercontent.com/ameliadai/cruxbench")
"""Beginnings of addresses, without scheme, where questions, prices and outcomes of this benchmark are published."""

_NAMED_AFTER_IT = re.compile(r"crux[-_]?bench", re.IGNORECASE)
_DATA_HOSTS = ("github.com", "githubusercontent.com", "github.io", "huggingface.co", "kaggle.com", "zenodo.org")

# A copy elsewhere has the original's address in its own: archives, caches, translations.
_INNER_ADDRESS = re.compile(r"(?:https?:/{1,2}|(?<=[/=?&]))((?:[\w-]+\.)+[a-z]{2,}(?:[/?#:]\S*)?)", re.IGNORECASE)
_TRANSLATED = re.compile(r"^([\w-]+)\.translate\.goog$")


def is_excluded(url: str) -> bool:
    """Whether an address, or one that is contained in it, belongs to a site that is never evidence."""
    if not _could_be(url):
        return False
    text = unquote(unquote(url))
    return any(_is_listed(address) for address in [text, *(f"//{inner}" for inner in _INNER_ADDRESS.findall(text))])


_NAMES = re.compile(
    "|".join([*(re.escape(host.split(".")[0]) for host in sorted(_MARKETS)), "crux", "%"]), re.IGNORECASE
)


def _could_be(url: str) -> bool:
    """A quick look, since every document of an archive is asked about."""
    return _NAMES.search(url) is not None


def _is_listed(address: str) -> bool:
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return False
    translated = _TRANSLATED.match(host)
    if translated:
        host = translated[1].replace("--", "\0").replace("-", ".").replace("\0", "-")
    if any(host == market or host.endswith(f".{market}") for market in _MARKETS):
        return True
    place = f"{host}{parts.path}"
    if any(place.casefold().startswith(beginning) for beginning in _BENCHMARK_DATA):
        return True
    kept = any(host == data or host.endswith(f".{data}") for data in _DATA_HOSTS)
    return kept and _NAMED_AFTER_IT.search(place) is not None
