"""The two tools of a judge. Their cutoff is bound when they are made and is no argument of theirs."""

from inspect_ai.tool import Tool, tool

from cruxbench_inspect.evidence.session import EvidenceSession

# The session caps its texts itself: Inspect would cut a longer one in the middle of a tag.
_UNCUT = 0


@tool(name="search", max_output=_UNCUT)
def search_tool(session: EvidenceSession) -> Tool:
    """The tool ``search`` over a session."""

    async def execute(query: str) -> str:
        """Search dated documents. Results have an id, a date of publication, a source, a title and a snippet.

        Args:
            query: A few plain words. Search operators are ignored.
        """
        return await session.search(query)

    return execute


@tool(name="fetch", max_output=_UNCUT)
def fetch_tool(session: EvidenceSession) -> Tool:
    """The tool ``fetch`` over a session."""

    async def execute(document_id: str) -> str:
        """Read a document in full.

        Args:
            document_id: The id of a document from the results of a search, such as doc-1a2b3c4d5e.
        """
        return await session.fetch(document_id)

    return execute
