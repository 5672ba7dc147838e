"""Wikipedia's pages as they were at a moment, through the revisions that MediaWiki keeps."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

import httpx

from cruxbench_inspect.evidence.clean_text import clean_line
from cruxbench_inspect.evidence.http.client import Answer, Pace, ServiceClient, whole_json
from cruxbench_inspect.evidence.http.retry_after import retry_after
from cruxbench_inspect.evidence.services.wiki_titles import canonical_title, is_article
from cruxbench_inspect.evidence.services.wikitext_tree import without_comments
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.utc import format_utc, parse_utc

ENGLISH_WIKIPEDIA = "https://en.wikipedia.org"

PACE = Pace(connections=3, interval=0.1, limited_wait=5)

MAX_REDIRECTS = 2
"""How many redirects, as they stood before the cutoff, are followed."""

_MAX_LAG = 5  # seconds, as the API's etiquette asks for
_MAX_BYTES = 8_000_000  # a page has at most 2 MiB; as JSON, with each character escaped, it takes three times that


def wikipedia(base_url: str = ENGLISH_WIKIPEDIA, transport: httpx.AsyncBaseTransport | None = None) -> "Wikipedia":
    """A client of a Wikipedia.

    Args:
        base_url: The wiki's address. At any other than the English one, requests are made without pauses.
        transport: What carries the requests; by default real connections.
    """
    client = ServiceClient(
        "wikipedia", base_url, pace=PACE.at(base_url, ENGLISH_WIKIPEDIA), max_bytes=_MAX_BYTES, transport=transport
    )
    return Wikipedia(client, base_url)


@dataclass(frozen=True)
class Revision:
    """A page's source text as it was at a moment.

    Attributes:
        title: The name by which it was asked for, or which a redirect from before the cutoff gave it. What the page is
            called today may tell what happened since, and is not shown.
        page_id: The page's number.
        revision_id: The revision's number.
        timestamp: When it was saved, in UTC.
        wikitext: Its source text: a page rendered today would show today's templates.
        url: The address of this revision.
    """

    title: str
    page_id: int
    revision_id: int
    timestamp: datetime
    wikitext: str
    url: str


class Wikipedia:
    """Asks one wiki for revisions.

    Attributes:
        site: The wiki's address, without a slash at its end.
    """

    def __init__(self, client: ServiceClient, site: str) -> None:
        self._client = client
        self.site = site.rstrip("/")

    def article_title(self, url: str) -> str | None:
        """The title of the article of this wiki that an address belongs to.

        Returns:
            None for other sites, other languages, and pages that are no articles.
        """
        try:
            parts, own = urlsplit(url.strip()), urlsplit(self.site)
            if parts.scheme.lower() not in {"http", "https"} or _host(parts.netloc) != _host(own.netloc):
                return None
        except ValueError:
            return None
        if parts.path.startswith("/wiki/"):
            title = unquote(parts.path.removeprefix("/wiki/"))
        elif parts.path in {"/w/index.php", "/index.php"}:
            title = parse_qs(parts.query).get("title", [""])[0]
        else:
            return None
        title = title.replace("_", " ").strip()
        return canonical_title(title) if is_article(title.lstrip(": ")) else None

    async def revision(self, title: str, before: datetime) -> Revision | None:
        """The last revision of a page from strictly before a moment.

        Redirects and moves since then are followed to the page that has the history. Where that page has none from
        before the moment (what stood here became another page's redirect later), the title's own history counts.

        Args:
            title: The page's title; any spelling that the wiki understands.
            before: An aware datetime.

        Returns:
            None when there is no page of that title, it did not exist yet, or its text is withheld.

        Raises:
            SourceFailure: If the wiki could not answer.
        """
        name = canonical_title(title)
        seen: set[str] = set()
        while name is not None and name not in seen and len(seen) <= MAX_REDIRECTS:
            seen.add(name)
            revision = await self._latest(name, before)
            if revision is None:
                return None
            target = _redirect_target(revision.wikitext)
            if target is None:
                return revision
            name = canonical_title(target)
        return None

    async def _latest(self, title: str, before: datetime) -> Revision | None:
        answer = await self._ask(title, before, redirects=True)
        revision = self._read(answer, title, before)
        if revision is None and answer.get("redirects"):
            revision = self._read(await self._ask(title, before, redirects=False), title, before)
        return revision

    async def _ask(self, title: str, before: datetime, *, redirects: bool) -> Mapping[str, Any]:
        """The ``query`` of an answer."""
        params: dict[str, str | int] = {
            "action": "query",
            "prop": "revisions",
            "titles": title,
            "rvlimit": 1,
            "rvdir": "older",
            # The parameter is inclusive, and knows whole seconds only.
            "rvstart": format_utc((before - timedelta(seconds=1)).replace(microsecond=0)),
            "rvprop": "ids|timestamp|content",
            "rvslots": "main",
            "format": "json",
            "formatversion": 2,
            "maxlag": _MAX_LAG,
        }
        if redirects:
            params["redirects"] = 1
        for attempt in range(1, self._client.pace.attempts + 1):
            answer = await self._client.get("/w/api.php", params, check=whole_json)
            content = answer.json(self._client.service)
            if not isinstance(content, dict):
                raise self._bad("no JSON object")
            failure = self._failure(content.get("error"))
            if failure is None:
                query = content.get("query")
                if not isinstance(query, dict):
                    raise self._bad("an answer without the query's result")
                return query
            if failure.kind != "rate_limit" or attempt == self._client.pace.attempts:
                raise failure
            await self._client.sleep(self._wait(answer, attempt))
        raise AssertionError("a pace has at least one attempt")

    def _failure(self, error: object) -> SourceFailure | None:
        """Errors come with status 200."""
        if error is None:
            return None
        code = str(error.get("code", "")) if isinstance(error, dict) else ""
        detail = clean_line(f"{code}: {error.get('info', '')}" if isinstance(error, dict) else f"error {error!r}")[:200]
        if code == "blocked":
            return SourceFailure(self._client.service, "auth", detail)
        if code in {"maxlag", "ratelimited"}:
            return SourceFailure(self._client.service, "rate_limit", detail)
        if code == "readonly" or code.startswith("internal_api_error"):
            return SourceFailure(self._client.service, "outage", detail)
        return self._bad(detail)

    def _wait(self, answer: Answer, attempt: int) -> float:
        pace = self._client.pace
        asked = retry_after(answer.headers.get("retry-after"), datetime.now(UTC)) or 0.0
        return min(max(asked, pace.limited_wait, pace.wait * 2.0 ** (attempt - 1)), pace.longest_wait)

    def _read(self, query: Mapping[str, Any], title: str, before: datetime) -> Revision | None:
        pages = query.get("pages", [])
        if not isinstance(pages, list):
            raise self._bad("pages is no list")
        if not pages and not query.get("interwiki"):
            raise self._bad("an answer without the page, not even as a missing one")
        page = pages[0] if pages else {}
        if not isinstance(page, dict) or "revisions" not in page:
            return None  # missing, invalid, of another wiki, or created later
        try:
            if not page["revisions"]:  # deleted since
                return None
            page_id, revision = int(page["pageid"]), page["revisions"][0]
            revision_id, timestamp = int(revision["revid"]), parse_utc(revision["timestamp"])
            if revision.get("slotsmissing"):
                return None
            slot = revision["slots"]["main"]
            wikitext = None if slot.get("texthidden") or slot.get("textmissing") else slot["content"]
            model = slot.get("contentmodel", "wikitext")
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise self._bad(f"a revision without what was asked for ({error!r})") from None
        if wikitext is None or model != "wikitext" or timestamp >= before:
            return None
        if not isinstance(wikitext, str):
            raise self._bad("a revision whose content is no text")
        url = f"{self.site}/w/index.php?title={quote(title.replace(' ', '_'), safe='')}&oldid={revision_id}"
        return Revision(title, page_id, revision_id, timestamp, wikitext, url)

    def _bad(self, detail: str) -> SourceFailure:
        return SourceFailure(self._client.service, "bad_answer", detail)


_REDIRECT = re.compile(r"\s*#REDIRECT\s{0,9}:?\s{0,9}\[\[([^\]|#]{1,300})", re.IGNORECASE)


def _redirect_target(wikitext: str) -> str | None:
    match = _REDIRECT.match(without_comments(wikitext[:2000]))
    return match[1] if match else None


def _host(netloc: str) -> str:
    """The host, with a port that is not the usual one; that of the desktop site for the mobile one."""
    host, _, port = netloc.rpartition("@")[2].lower().partition(":")
    host = ".".join(label for index, label in enumerate(host.rstrip(".").split(".")) if (index, label) != (1, "m"))
    return host if port in {"", "80", "443"} else f"{host}:{port}"
