"""Prompts and tool texts in the forms that the benchmark shows to models, and a loop that answers the calls."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.tool import ToolInfo

from cruxbench_inspect.keyword.words import stems
from cruxbench_inspect.keyword_model import KeywordModel

RESOLVER_TOOLS = [ToolInfo(name=name, description=name) for name in ("search", "fetch", "submit_resolution")]
VERIFIER_TOOLS = [ToolInfo(name="submit_verification", description="submit")]


def generator_prompt(
    question: str, articles: Sequence[dict[str, str]], earliest: str, latest: str, container: str = "one JSON object"
) -> str:
    """The generator's prompt; an article has title, source, published and summary."""
    shown = "\n".join(
        f'<article published="{article["published"]}" source="{escape(article["source"])}" '
        f'title="{escape(article["title"])}">\n{escape(article["summary"])}\n</article>'
        for article in articles
    )
    return (
        f"<task>\nPropose a crux.\n</task>\n<question>\n{escape(question)}\n</question>\n"
        f"<resolution_rules>\nAs reported.\n</resolution_rules>\n"
        f"<dates>\ntoday: {earliest}\nmarket opened: {earliest}\nmarket closes: {latest}\n"
        f"earliest start date: {earliest}\nlatest end date: {latest}\n</dates>\n"
        f"<articles>\n{shown}\n</articles>\n<answer_format>\nEnd with {container}.\n</answer_format>"
    )


def crux_prompt(crux: dict[str, Any], available: str) -> str:
    """The judge's prompt for a crux."""
    fields = ("question", "background", "resolution_criteria", "start_date", "end_date")
    return (
        f"<crux>\n{json.dumps({field: crux.get(field, '') for field in fields}, indent=1)}\n</crux>\n"
        f"<dates>\nwindow of the crux: {crux['start_date']}T00:00:00Z to {crux['end_date']}T23:59:59Z\n"
        f"evidence is available up to: {available}\n</dates>"
    )


def verifier_prompt(crux: dict[str, Any], resolution: dict[str, Any], documents: Sequence[dict[str, str]]) -> str:
    """The verifier's prompt for a resolution and the documents that it cites."""
    shown = "\n".join(_fetched(document) for document in documents)
    return (
        f"{crux_prompt(crux, '2025-12-31T00:00:00Z')}\n<resolution>\n{json.dumps(resolution)}\n</resolution>\n"
        f"<documents>\n{shown}\n</documents>"
    )


def document(name: str, published: str, title: str, text: str) -> dict[str, str]:
    """A document of the evidence."""
    return {"id": f"doc-{name}", "published": published, "title": title, "text": text, "source": "notes"}


class Judge:
    """The loop of a judge over documents in memory.

    Attributes:
        messages: The conversation.
        calls: Names of the tools that were called, in order.
    """

    def __init__(self, prompt: str, documents: Sequence[dict[str, str]], refusals: int = 0) -> None:
        self.documents = documents
        self.refusals = refusals
        self.messages: list[ChatMessage] = [ChatMessageSystem(content="Rules."), ChatMessageUser(content=prompt)]
        self.calls: list[str] = []

    async def submission(self) -> dict[str, Any]:
        """Run until a submission is accepted; the first `refusals` ones are refused.

        Raises:
            AssertionError: If that takes more than 10 turns or one turn makes several calls.
        """
        model = KeywordModel("keyword")
        for _ in range(10):
            output = await model.generate(self.messages, RESOLVER_TOOLS, "auto", GenerateConfig())
            self.messages.append(output.message)
            assert output.message.tool_calls is not None
            (call,) = output.message.tool_calls
            self.calls.append(call.function)
            if call.function == "submit_resolution" and self.calls.count(call.function) > self.refusals:
                return dict(call.arguments)
            self.messages.append(
                ChatMessageTool(content=self._answer(call.function, call.arguments), tool_call_id=call.id)
            )
        raise AssertionError(f"no end in sight: {self.calls}")

    def _answer(self, tool: str, arguments: dict[str, Any]) -> str:
        if tool == "submit_resolution":
            return "The submission was refused: mend it."
        if tool == "fetch":
            return _fetched(next(found for found in self.documents if found["id"] == arguments["document_id"]))
        wanted = stems(arguments["query"])
        found = [each for each in self.documents if wanted & stems(f"{each['title']} {each['text']}")][:8]
        if not found:
            return "No documents found, 0 rejected by the date rules"
        results = "\n".join(
            f'<result id="{each["id"]}" published="{each["published"]}" source="notes" '
            f'title="{escape(each["title"])}">\n{escape(each["text"])[:400]}\n</result>'
            for each in found
        )
        return f"{len(found)} documents found, 0 rejected by the date rules\n{results}"


def _fetched(found: dict[str, str]) -> str:
    return (
        f'<document id="{found["id"]}" url="https://example.org/" title="{escape(found["title"])}" source="notes" '
        f'published="{found["published"]}" modified="">\n{escape(found["text"])}\n</document>'
    )
