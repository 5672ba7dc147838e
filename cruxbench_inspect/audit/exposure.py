"""Everything that the models of one sample were shown, out of its log."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from inspect_ai.event import Event, InfoEvent, ModelEvent, SpanBeginEvent, ToolEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentText,
    ContentToolUse,
)
from pydantic import BaseModel, ValidationError

from cruxbench_inspect.audit.blocks import Block, evidence_blocks, prompt_blocks
from cruxbench_inspect.audit.items import Item, ItemKind, Role, without_repeats
from cruxbench_inspect.evidence.document import ProofClass
from cruxbench_inspect.judge.judgement import Judgement
from cruxbench_inspect.judge.recall import SOURCE
from cruxbench_inspect.utc import parse_utc


@dataclass
class Exposure:
    """What one sample's models were shown.

    Attributes:
        items: Each distinct item once.
        unplaced: Outputs of judges' tools without a judgement, whose cutoff is not known.
    """

    items: list[Item] = field(default_factory=list)
    unplaced: int = 0


def exposure_of(sample: EvalSample, log: str) -> Exposure:
    """Collect what a sample of the benchmark's task shows.

    The generator saw the prompt, every other message that a solver put in, and what tools returned, those of its
    provider included: before the window's start. The judges saw what search and fetch returned, and the documents in
    their prompts: before the cutoff of their judgement. What a model wrote itself is no item.

    Args:
        sample: A sample with its events, attachments resolved.
        log: The log's address.
    """
    reader = _Reader(sample, log)
    items = without_repeats(reader.items())
    return Exposure(items, reader.unplaced)


class _Reader:
    def __init__(self, sample: EvalSample, log: str) -> None:
        self.sample = sample
        self.log = log
        self.start = parse_utc(sample.metadata["window_start"])
        self.unplaced = 0
        self._spans = {event.id: event for event in sample.events if isinstance(event, SpanBeginEvent)}
        self._recorded = set(_recorded(sample.events))
        self._judgements: dict[str, list[Judgement]] = {}
        for event in sample.events:
            judgement = _judgement(event)
            if judgement is not None and event.span_id is not None and "scorers" in self._around(event):
                self._judgements.setdefault(event.span_id, []).append(judgement)

    def items(self) -> Iterator[Item]:
        prompt = _prompt_texts(self.sample.input)
        for text in prompt:
            yield from self._of_prompt(text)
        for event in self.sample.events:
            if not isinstance(event, ToolEvent | ModelEvent):
                continue
            if "scorers" in self._around(event):
                yield from self._of_judges(event)
            else:
                yield from self._of_generator(event, prompt)

    def _of_prompt(self, text: str) -> Iterator[Item]:
        blocks = prompt_blocks(text)
        question = [block.text for block in blocks if block.kind != "article"]
        yield self._item("generator", "question", self.start, "\n".join(question) if question else text)
        for block in blocks:
            if block.kind == "article":
                yield self._of_block("generator", "article", self.start, block, None, {})

    def _of_generator(self, event: ToolEvent | ModelEvent, prompt: list[str]) -> Iterator[Item]:
        if isinstance(event, ToolEvent):
            if not _is_submission(event):
                blocks, rest = evidence_blocks(_shown(event))
                yield from self._of_output("generator", self.start, blocks, rest, event.function, {})
            return
        for text in _messages(event.input):
            if text not in prompt:
                yield self._item("generator", "message", self.start, text)
        for message in event.input:
            yield from self._of_unrecorded(message)
        for used in _provider_tools(event):
            yield self._item("generator", "tool output", self.start, used.result, tool=used.name)

    def _of_unrecorded(self, message: ChatMessage) -> Iterator[Item]:
        """A tool's answer, or an answer put into a model's mouth, of which the log has no event of its own."""
        if not isinstance(message, ChatMessageTool | ChatMessageAssistant) or not message.text:
            return
        if message.text.strip() in self._recorded or message.id in self._recorded:
            return
        if isinstance(message, ChatMessageAssistant):
            yield self._item("generator", "message", self.start, message.text)
            return
        blocks, rest = evidence_blocks(message.text)
        yield from self._of_output("generator", self.start, blocks, rest, message.function or "tool", {})

    def _of_judges(self, event: ToolEvent | ModelEvent) -> Iterator[Item]:
        judgement = self._judgement_around(event)
        if isinstance(event, ToolEvent):
            if _is_submission(event):
                return
            texts, tool = [_shown(event)], event.function
        else:
            texts, tool = list(_messages(event.input)), None
        for text in texts:
            blocks, rest = evidence_blocks(text)
            rest = rest if tool is not None else ""  # around documents, judges' prompts are the benchmark's own words
            if judgement is None:
                self.unplaced += bool(blocks or rest)
                continue
            cutoff, classes = judgement.terms.cutoff, _classes(judgement)
            yield from self._of_output("judge", cutoff, blocks, rest, tool, classes)

    def _of_output(
        self,
        role: Role,
        cutoff: datetime,
        blocks: list[Block],
        rest: str,
        tool: str | None,
        classes: dict[str, ProofClass],
    ) -> Iterator[Item]:
        for block in blocks:
            yield self._of_block(role, _kind(block), cutoff, block, tool, classes)
        if rest:
            yield self._item(role, "tool output", cutoff, rest, tool=tool)

    def _of_block(
        self,
        role: Role,
        kind: ItemKind,
        cutoff: datetime,
        block: Block,
        tool: str | None,
        classes: dict[str, ProofClass],
    ) -> Item:
        told = block.attributes
        return Item(
            log=self.log,
            sample=str(self.sample.id),
            role=role,
            kind=kind,
            cutoff=cutoff,
            text=block.text,
            title=told.get("title", ""),
            url=told.get("url", ""),
            document_id=told.get("id", ""),
            stated=tuple((name, told[name]) for name in ("published", "modified", "captured") if name in told),
            proof=classes.get(told.get("id", "")),
            tool=tool,
        )

    def _item(self, role: Role, kind: ItemKind, cutoff: datetime, text: str, tool: str | None = None) -> Item:
        return Item(self.log, str(self.sample.id), role, kind, cutoff, text, tool=tool)

    def _judgement_around(self, event: Event) -> Judgement | None:
        """The judgement in the span around an event, or in one further out."""
        span = event.span_id
        while span is not None:
            if span in self._judgements:
                return self._judgements[span][-1]
            span = self._spans[span].parent_id if span in self._spans else None
        return None

    def _around(self, event: Event) -> list[str]:
        names, span = [], event.span_id
        while span is not None and span in self._spans:
            names.append(self._spans[span].name)
            span = self._spans[span].parent_id
        return names


def _judgement(event: Event) -> Judgement | None:
    if not isinstance(event, InfoEvent) or event.source != SOURCE or not isinstance(event.data, dict):
        return None
    try:
        return Judgement.model_validate(event.data.get("judgement"))
    except ValidationError:  # another version's form
        return None


def _classes(judgement: Judgement) -> dict[str, ProofClass]:
    """Proof classes of the documents that a judgement cites; the log does not tell those of others."""
    cited = judgement.resolution.evidence if judgement.resolution is not None else ()
    known: dict[str, ProofClass] = {"A": "A", "B": "B", "C": "C"}
    return {item.document_id: known[item.proof] for item in cited if item.proof in known}


def _kind(block: Block) -> ItemKind:
    return "document" if block.kind == "document" else "result"


def _is_submission(event: ToolEvent) -> bool:
    """Whether a tool only takes a model's answer, and returns nothing from outside."""
    return event.function == "submit" or event.function.startswith("submit_")


def _shown(event: ToolEvent) -> str:
    """What a tool returned as text; images and other media are none."""
    parts = event.result if isinstance(event.result, list) else [event.result]
    texts = [part.text if isinstance(part, ContentText) else str(part) for part in parts if not _is_medium(part)]
    return "\n".join([*texts, event.error.message if event.error else ""]).strip()


def _is_medium(part: object) -> bool:
    return isinstance(part, BaseModel) and not isinstance(part, ContentText)


def _prompt_texts(prompt: str | list[ChatMessage]) -> list[str]:
    return [prompt] if isinstance(prompt, str) else [message.text for message in prompt if message.text]


def _messages(messages: Iterable[ChatMessage]) -> Iterator[str]:
    """Texts of the messages that neither a model nor a tool wrote."""
    return (
        message.text
        for message in messages
        if isinstance(message, ChatMessageSystem | ChatMessageUser) and message.text
    )


def _recorded(events: Iterable[Event]) -> Iterator[str]:
    """Texts and ids of what models and tools gave by the log's events."""
    for event in events:
        if isinstance(event, ToolEvent):
            yield _shown(event)
            yield from (event.message_id,) if event.message_id else ()
        elif isinstance(event, ModelEvent):
            for choice in event.output.choices:
                yield choice.message.text.strip()
                yield from (choice.message.id,) if choice.message.id else ()


def _provider_tools(event: ModelEvent) -> list[ContentToolUse]:
    """Tools that the model's provider ran, such as its own search."""
    content = event.output.message.content if event.output.choices else ""
    return (
        [part for part in content if isinstance(part, ContentToolUse) and part.result]
        if isinstance(content, list)
        else []
    )
