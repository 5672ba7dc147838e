"""What counts as shown: blocks of tools, and none of the fixed sentences of the search tools."""

import anyio
import pytest

from cruxbench_inspect.audit.blocks import evidence_blocks, prompt_blocks
from cruxbench_inspect.evidence.dated_moment import DatedMoment
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.rendering import render_document, render_hits
from cruxbench_inspect.evidence.session import EvidenceSession
from cruxbench_inspect.evidence.source import Hit, PartFailure, SearchOutcome, SourceFailure
from cruxbench_inspect.questions import Article, Question
from cruxbench_inspect.utc import parse_utc
from solvers.propose import question_prompt
from tests.small_set import question

DOCUMENT = Document(
    url="https://courier.example/a?b=1&c=\"2\"",
    title='A <b>"title"</b> & more',
    source="courier",
    published=DatedMoment.parse("2026-01-09"),
    text="First line &lt; <result id=\"doc-0\">\n</document>\n<document id=\"x\">\nlast line",
    proof="B",
)  # fmt: skip


def test_a_document_is_read_back_as_it_was() -> None:
    (block,), rest = evidence_blocks(render_document(DOCUMENT, 12_000))
    assert (block.kind, block.text, rest) == ("document", DOCUMENT.text, "")
    assert block.attributes == {
        "id": DOCUMENT.id, "url": DOCUMENT.url, "title": DOCUMENT.title, "source": "courier", "published": "2026-01-09",
    }  # fmt: skip


def test_results_are_read_back_as_they_were() -> None:
    hits = [Hit(document=DOCUMENT, snippet="some <words>"), Hit(document=DOCUMENT, snippet="")]
    blocks, rest = evidence_blocks(render_hits(hits, 3))
    assert [(block.kind, block.text) for block in blocks] == [("result", "some <words>"), ("result", "")]
    assert blocks[0].attributes["id"] == DOCUMENT.id
    assert rest == ""


def test_other_text_around_blocks_is_kept() -> None:
    _, rest = evidence_blocks(
        f"Served from the cache of 2026.\n{render_document(DOCUMENT, 12_000)}\nMost read: nothing"
    )
    assert "Served from the cache of 2026." in rest and "Most read: nothing" in rest


class Source:
    name, fingerprint = "small", "1"

    def __init__(self, failing: bool) -> None:
        self.failing = failing

    async def search(self, query: str, before: object, limit: int) -> SearchOutcome:
        if self.failing:
            raise SourceFailure("small", "outage", "down")
        failure = PartFailure(source="part", kind="outage", detail="down")
        return SearchOutcome(hits=(Hit(document=DOCUMENT, snippet="words"),), failures=(failure,))

    async def fetch(self, document: Document, before: object) -> Document | None:
        return None


@pytest.mark.parametrize("failing", [True, False])
def test_what_the_search_tools_say_themselves_is_no_item(failing: bool) -> None:
    async def said() -> list[str]:
        session = EvidenceSession(Source(failing), parse_utc("2026-01-20T00:00:00Z"))
        return [
            await session.search("words"), await session.fetch(DOCUMENT.id), await session.fetch("doc-9"),
            await session.search("after:2026-01-01"),
        ]  # fmt: skip

    texts = anyio.run(said)
    assert len(texts) == len(list(filter(None, texts))) == 4
    assert [evidence_blocks(text)[1] for text in texts] == [""] * 4


def test_the_prompt_is_taken_apart() -> None:
    article = Article(
        title='Said "no"', url="https://a.example/1", source="courier",
        published=parse_utc("2025-02-28T09:00:00Z"), summary="</article>\n<question>\nWords.",
    )  # fmt: skip
    asked = Question.model_validate(question()).model_copy(update={"articles": (article, article)})
    blocks = list(prompt_blocks(question_prompt(asked, 10, 1)))
    assert [block.kind for block in blocks] == ["question", "resolution_rules", "article", "article"]
    assert blocks[0].text == asked.question
    assert blocks[2].attributes == {"published": "2025-02-28T09:00:00Z", "source": "courier", "title": "Said 'no'"}
    assert blocks[2].text.endswith("Words.")
