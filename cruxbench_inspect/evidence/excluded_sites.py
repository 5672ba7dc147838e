"""Sites that are never evidence: where the markets are traded, and where this benchmark's data are kept."""

import re
import unicodedata
from urllib.parse import unquote, urlsplit

MARKETS = frozenset(
    "polymarket.com polymarket.us polymarketanalytics.com kalshi.com manifold.markets predictit.org metaculus.com"
    " polymarket.eth.limo smarkets.com betfair.com limitless.exchange insightprediction.com".split()
)
"""Hosts whose pages show prices or settlements of prediction markets, with all that lies below them."""


def is_excluded(url: str) -> bool:
    """Whether an address, or one that is contained in it, belongs to a site that is never evidence."""
    url = _DROPPED.sub("", url)
    if url.isascii() and not _COULD_BE.search(url):  # a quick look: every document of an archive is asked about
        return False
    text = unicodedata.normalize("NFKC", unquote(unquote(unquote(unquote(url))))).translate(_DOTS).casefold()
    contained = (f"//{address}" for address in _CONTAINED.findall(text))
    return any(_belongs(address) for address in (text, *contained))


# Whoever asks for an address leaves these out of it.
_DROPPED = re.compile(r"[\x00-\x20\x7f]")
# Signs that the rules of domain names read as a dot.
_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))
_COULD_BE = re.compile("|".join([*sorted({host.split(".")[0] for host in MARKETS}), "crux", "%"]), re.IGNORECASE)

# A copy elsewhere has the original's address in its own: archives, caches, translations.
# Looked for without consuming it: the copy of a copy has three.
_CONTAINED = re.compile(r"(?<=[/=?&:;,(|])(?=((?:[\w-]+\.)+[a-z]{2,}(?:[/?#:]\S*)?))")
_TRANSLATED = re.compile(r"^([\w-]+)\.translate\.goog$")

# Questions, prices and outcomes of this benchmark are published at such hosts, under its name.
_DATA_HOSTS = tuple(
    "github.com githubusercontent.com github.io huggingface.co hf.co kaggle.com zenodo.org bitbucket.org"
    " vercel.app".split()
)
_MIRRORS = ("jsdelivr.net", "githack.com", "statically.io", "gitcdn.link", "rawgit.com", "hf-mirror.com", "gitlab.com")
_NAMED_AFTER_IT = re.compile(r"crux[-_]?bench")


def _belongs(address: str) -> bool:
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return False
    translated = _TRANSLATED.match(host)
    if translated:
        host = translated[1].replace("--", "\0").replace("-", ".").replace("\0", "-")
    if _is_at(host, MARKETS):
        return True
    return _is_at(host, _DATA_HOSTS + _MIRRORS) and _NAMED_AFTER_IT.search(f"{host}{parts.path}") is not None


def _is_at(host: str, sites: frozenset[str] | tuple[str, ...]) -> bool:
    return any(host == site or host.endswith(f".{site}") for site in sites)
