"""AskNews, the news search that the benchmark's authors used, through its SDK."""

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from cruxbench_inspect import clock
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.admitted_hits import admitted_hits
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.http.client import Pace
from cruxbench_inspect.evidence.providers.best_passage import best_passage
from cruxbench_inspect.evidence.providers.credentials import optional_key
from cruxbench_inspect.evidence.providers.optional_package import optional_package, release_line
from cruxbench_inspect.evidence.providers.provider_transport import ProviderTransport
from cruxbench_inspect.evidence.providers.sdk_answers import answer_is_read
from cruxbench_inspect.evidence.providers.stated_date import stated_date
from cruxbench_inspect.evidence.source import FailureKind, Hit, SearchOutcome, SourceFailure

if TYPE_CHECKING:
    from asknews_sdk.dto.news import SearchResponseDictItem

ASKNEWS = "https://api.asknews.app"
"""Where AskNews is."""

LOOKBACK = timedelta(days=45)
"""How far before the cutoff is searched: an evaluation window of 30 days, and some days before it."""

LONGEST_LOOKBACK = timedelta(days=150)
"""AskNews refuses ranges of more than about 160 days."""

INTERVAL_VARIABLE = "CRUXBENCH_ASKNEWS_INTERVAL"
"""Sets the seconds between two calls; a paid plan needs no 12."""

_FREE_PLAN_INTERVAL = 12.0
_TOKEN_PATH = "/oauth2/token"  # noqa: S105
_USED_UP = {"403014", "403015"}


@dataclass(frozen=True)
class AskNewsAccount:
    """What AskNews knows its customers by: an API key, or a client's id and secret.

    Attributes:
        api_key: The API key, None for an id and a secret.
        client_id: The id.
        client_secret: The secret.
    """

    api_key: str | None = field(default=None, repr=False)
    client_id: str | None = field(default=None, repr=False)
    client_secret: str | None = field(default=None, repr=False)

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> "AskNewsAccount":
        """The account that the environment names.

        Raises:
            InputError: If it names none.
        """
        names = ("ASKNEWS_API_KEY", "ASKNEWS_CLIENT_ID", "ASKNEWS_SECRET")
        api_key, client_id, secret = (optional_key("asknews", name, environment) for name in names)
        if api_key is not None:
            return cls(api_key=api_key)
        if client_id is None or secret is None:
            raise InputError(
                "evidence source 'asknews' needs a key: set ASKNEWS_API_KEY, or ASKNEWS_CLIENT_ID and ASKNEWS_SECRET, "
                "in the environment"
            )
        return cls(client_id=client_id, client_secret=secret)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be told."""
        return tuple(value for value in (self.api_key, self.client_id, self.client_secret) if value)


def asknews(base_url: str | None = None, environment: Mapping[str, str] = os.environ) -> "AskNewsSource":
    """The source, with the account that the environment names.

    Args:
        base_url: Its address, None for its own. At any other, calls are made without pauses.
        environment: Has ``ASKNEWS_API_KEY``, or ``ASKNEWS_CLIENT_ID`` and ``ASKNEWS_SECRET``. The free plan allows
            about one call in 10 s, so that calls keep 12 s apart; ``CRUXBENCH_ASKNEWS_INTERVAL`` sets other seconds.

    Raises:
        InputError: If the key or the SDK is missing.
    """
    account = AskNewsAccount.of_environment(environment)
    interval = _interval(environment) if base_url is None else 0.0
    return AskNewsSource(account, asknews_transport(account, interval), base_url)


def asknews_transport(account: AskNewsAccount, interval: float, **settings: Any) -> ProviderTransport:
    """What carries the requests to AskNews.

    Args:
        account: Its keys are kept out of failures.
        interval: Seconds between two calls.
        **settings: Other settings of ``ProviderTransport``.
    """
    return ProviderTransport(
        "asknews",
        pace=Pace(connections=1 if interval else 4, interval=interval, wait=max(1.0, interval), limited_wait=interval),
        secrets=account.secrets,
        kind_of=_kind_of,
        unpaced_paths={_TOKEN_PATH},
        **settings,
    )


class AskNewsSource:
    """Searches news by when AskNews crawled them, which is what makes it class B.

    What is shown are summaries that a language model of AskNews wrote from the article when it was crawled. An answer
    that tells when that was has it in ``captured``.
    """

    name = "asknews"

    def __init__(
        self,
        account: AskNewsAccount,
        transport: ProviderTransport,
        base_url: str | None = None,
        *,
        lookback: timedelta = LOOKBACK,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        """Put the source together.

        Args:
            account: Who asks.
            transport: What carries the requests.
            base_url: Its address, None for its own. Another one gives the access tokens as well.
            lookback: How far before the cutoff is searched, at most ``LONGEST_LOOKBACK``.
            now: The time.

        Raises:
            InputError: If the SDK is missing.
            ValueError: If the lookback is too long.
        """
        if not timedelta() < lookback <= LONGEST_LOOKBACK:
            raise ValueError(f"a lookback of {lookback} is not within 0 and {LONGEST_LOOKBACK.days} days")
        with optional_package(self.name):
            from asknews_sdk import AsyncAskNewsSDK
        self._sdk = AsyncAskNewsSDK
        self._transport = transport
        self._lookback = lookback
        self._now = now
        self._settings: dict[str, Any] = {
            "api_key": account.api_key,
            "client_id": account.client_id,
            "client_secret": account.client_secret,
        }
        if base_url is not None:
            address = base_url.rstrip("/")
            self._settings |= {"base_url": address, "token_url": address + _TOKEN_PATH}
        where = "" if base_url is None else f"@{base_url}"
        self.fingerprint = f"asknews-1{where}:sdk {release_line('asknews')}:kw:crawl_date:{lookback.days}d"

    async def search(self, query: str, before: datetime, limit: int) -> SearchOutcome:
        """Search what was crawled in the days before a moment.

        Raises:
            SourceFailure: If AskNews could not answer.
        """
        end = min(before, self._now())
        with answer_is_read(self.name):
            # A client of its own for each call: it holds locks that belong to one event loop.
            async with self._sdk(
                **self._settings, transport=self._transport, timeout=self._transport.timeout, follow_redirects=False
            ) as client:
                response = await client.news.search_news(
                    query,
                    n_articles=limit,
                    start_timestamp=math.floor((end - self._lookback).timestamp()),
                    end_timestamp=math.ceil(end.timestamp()) - 1,
                    time_filter="crawl_date",
                    return_type="dicts",
                    historical=True,  # without it, only the last 48 hours are searched
                    method="kw",
                    strategy="default",  # the other strategies set a time range of their own
                    podcasts="none",
                )
            if response.as_dicts is None:
                raise SourceFailure(self.name, "bad_answer", "its answer has no list of articles")
            hits = [_hit(query, article) for article in response.as_dicts]
        return admitted_hits(hits, before, limit)

    async def fetch(self, document: Document, before: datetime) -> Document | None:
        """The document as it is: a summary is all there is. None for one without any text."""
        return document if document.text else None


def _hit(query: str, article: "SearchResponseDictItem") -> Hit:
    points = [f"- {point}" for point in article.key_points or ()]
    text = "\n".join([article.summary, *points]).strip()
    document = Document.model_validate(
        {
            "url": str(article.article_url),
            "title": article.eng_title or article.title,
            "source": article.source_id or article.domain_url,
            "published": stated_date(article.pub_date.isoformat()),
            "captured": article.crawl_date.isoformat() if article.crawl_date else None,
            "text": text,
            "proof": "B",
            "excerpt": True,
        }
    )
    return Hit(document=document, snippet=best_passage(query, text))


def _kind_of(status: int, body: Any) -> FailureKind | None:
    return "quota" if isinstance(body, dict) and str(body.get("code")) in _USED_UP else None


def _interval(environment: Mapping[str, str]) -> float:
    text = environment.get(INTERVAL_VARIABLE, "").strip()
    if not text:
        return _FREE_PLAN_INTERVAL
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        raise InputError(f"{INTERVAL_VARIABLE}={text}: write the seconds between two calls, such as 12 or 0.5")
    return seconds
