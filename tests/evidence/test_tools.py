import anyio
from inspect_ai.tool import ToolDef

from cruxbench_inspect.evidence.session import NO_ANSWER, EvidenceSession
from cruxbench_inspect.evidence.source import SourceFailure
from cruxbench_inspect.evidence.tools import fetch_tool, search_tool
from cruxbench_inspect.utc import parse_utc
from tests.evidence.fake_source import FakeSource, make_document

CUTOFF = parse_utc("2026-01-11T12:00:00Z")


def test_a_model_sees_two_names_with_one_string_each_and_no_cutoff() -> None:
    session = EvidenceSession(FakeSource(), CUTOFF)
    search, fetch = ToolDef(search_tool(session)), ToolDef(fetch_tool(session))
    assert (search.name, list(search.parameters.properties)) == ("search", ["query"])
    assert (fetch.name, list(fetch.parameters.properties)) == ("fetch", ["document_id"])
    for tool in (search, fetch):
        assert [parameter.type for parameter in tool.parameters.properties.values()] == ["string"]
        assert tool.parameters.required == list(tool.parameters.properties)
        assert tool.parameters.additionalProperties is False
        assert "2026" not in tool.description


def test_they_answer_from_the_session_the_same_each_time() -> None:
    document = make_document()

    async def use() -> tuple[str, str]:
        session = EvidenceSession(FakeSource([document], fetched=document), CUTOFF)
        found = await search_tool(session)(query="a text")
        read = await fetch_tool(session)(document_id=document.id)
        assert session.counts.fetches == 1
        return str(found), str(read)

    first = anyio.run(use)
    assert first[0].startswith("1 document found")
    assert first[1].startswith(f'<document id="{document.id}"')
    assert anyio.run(use) == first


def test_a_failing_source_does_not_raise() -> None:
    session = EvidenceSession(FakeSource(failure=SourceFailure("fake", "network", "refused")), CUTOFF)

    async def use() -> str:
        return str(await search_tool(session)(query="a text"))

    assert anyio.run(use) == NO_ANSWER
    assert [failure.kind for failure in session.failures] == ["network"]
