"""A small world in which a harbour's licence is upheld: its news, its encyclopaedia, and its archive of the web."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from tests.loopback.gdelt import GdeltServer, SeenArticle
from tests.loopback.mediawiki import MediaWikiServer, WikiPage, WikiRevision
from tests.loopback.server import serve
from tests.loopback.wayback import StoredCapture, WaybackServer

RULING_PAGE = "https://courier.news/ruling"
RULING_TITLE = "Harbour licence upheld"
QUOTE = "the Alvara harbour court upheld the licence"
DAY = "Portal:Current events/2025 March 4"

_STORY = (
    f"At half past twelve on Tuesday {QUOTE} of the crossing, in a ruling that cannot be appealed, said the clerk. "
    "The operator of the crossing welcomed the decision, which ends a dispute of two years about the pier."
)


def page(text: str = _STORY, published: str | None = "2025-03-04T12:30:00Z", modified: str | None = None) -> bytes:
    """A news page with the dates that it claims."""
    dates = {"article:published_time": published, "article:modified_time": modified}
    metas = "".join(f'<meta property="{name}" content="{date}">' for name, date in dates.items() if date)
    head = f"<head><title>{RULING_TITLE}</title>{metas}</head>"
    return f"<html>{head}<body><article><h1>{RULING_TITLE}</h1><p>{text}</p></article></body></html>".encode()


@dataclass
class World:
    """The services, to be changed by a test before and while they are asked."""

    gdelt: GdeltServer = field(default_factory=GdeltServer)
    wiki: MediaWikiServer = field(default_factory=MediaWikiServer)
    wayback: WaybackServer = field(default_factory=WaybackServer)

    @contextmanager
    def served(self) -> Iterator[Mapping[str, str]]:
        """Serve it.

        Yields:
            The settings by which the sources find it, as variables of the environment.
        """
        with ExitStack() as stack:
            gdelt, wiki, wayback = (
                stack.enter_context(serve(server.app)) for server in (self.gdelt, self.wiki, self.wayback)
            )
            yield {
                "CRUXBENCH_GDELT_URL": gdelt,
                "CRUXBENCH_ARTICLE_LISTS_URL": gdelt,
                "CRUXBENCH_WIKIPEDIA_URL": wiki,
                "CRUXBENCH_WAYBACK_URL": wayback,
            }


def harbour_world() -> World:
    """The world after the ruling, with later versions of everything."""
    item = (
        "'''Law and crime'''\n"
        "*[[Alvara crossing]]\n"
        f"**The harbour court upholds the licence of the Alvara crossing. [{RULING_PAGE} (Courier)]\n"
    )
    later = item + "*The crossing opens to traffic, months after the ruling. [https://courier.news/opened (Courier)]\n"
    wiki = MediaWikiServer(
        [
            WikiPage(DAY, [WikiRevision("2025-03-04T18:00:00Z", item), WikiRevision("2025-07-02T00:00:00Z", later)]),
            WikiPage(
                "Alvara crossing",
                [
                    WikiRevision("2025-03-05T00:00:00Z", f"The '''crossing''' waits. On 4 March 2025 {QUOTE}."),
                    WikiRevision("2025-07-02T00:00:00Z", "The crossing opened on 30 June 2025."),
                ],
            ),
        ]
    )
    wayback = WaybackServer(
        captures=[
            StoredCapture(RULING_PAGE, "20250304130000", page()),
            StoredCapture(RULING_PAGE, "20250702000000", page("The crossing opened on 30 June 2025. " * 8)),
        ]
    )
    gdelt = GdeltServer(
        [
            SeenArticle(RULING_PAGE, RULING_TITLE, "20250304T124500Z", "alvara harbour court licence crossing"),
            SeenArticle("https://courier.news/opened", "The crossing opens", "20250630T120000Z", "alvara crossing"),
        ]
    )
    return World(gdelt, wiki, wayback)
