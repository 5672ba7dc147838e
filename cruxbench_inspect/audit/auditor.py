"""The auditor: a model that reads an item with its cutoff and decides whether the text is from later."""

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.tool import ToolFunction, ToolInfo, ToolParams
from inspect_ai.util import JSONSchema
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cruxbench_inspect.audit.findings import Finding
from cruxbench_inspect.audit.items import Item
from cruxbench_inspect.audit.results import AuditorUse, CheckedItem
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.rendering import escape
from cruxbench_inspect.prompts import Prompt
from cruxbench_inspect.utc import format_utc

ROLE = "auditor"
"""The model role."""

CHANCES = 2
"""How often the auditor may submit on one text: once, and once more to mend it."""

AT_ONCE = 8
"""How many items it is asked about at once."""

PIECE = 24_000
"""Characters of an item that it sees at once; longer ones are judged in pieces."""

_PROMPTS = Path(__file__).parent / "prompts"
RULES = Prompt.read(_PROMPTS / "auditor.md")
TASK = Prompt.read(_PROMPTS / "auditor_task.md")


def open_auditor(name: str) -> Model:
    """The model of a name, in the role of the auditor.

    Raises:
        InputError: If its provider cannot be made, such as without a key.
    """
    try:
        return get_model(role=ROLE, default=name)
    except Exception as error:  # Providers refuse in many ways: without a package, a key, or a name they know.
        # Inspect's own errors carry their text in an attribute, with markup for the terminal.
        told = re.sub(r"\[/?[a-z]+\]", "", str(getattr(error, "message", error)))
        raise InputError(f"the auditor {name!r} cannot be used: {' '.join(told.split())[:300]}") from error


class Verdict(BaseModel):
    """What the auditor submits.

    Attributes:
        leak: Whether the text shows that it is from the cutoff or later.
        quote: Words of the text that show it, "" without a leak.
        reason: Why.
    """

    model_config = ConfigDict(frozen=True)

    leak: bool = Field(description="Whether the text proves that it was written or changed at or after the cutoff.")
    quote: str = Field(description="Words copied exactly from the text that show the leak; empty if there is none.")
    reason: str = Field(description="Why, in one sentence.")


@dataclass
class _Tally:
    tokens: int = 0
    judged: int = 0
    unjudged: int = 0


class Auditor:
    """Has a model review items; it never learns a question's outcome, nor what the other checks found."""

    def __init__(self, model: Model) -> None:
        """Use a model."""
        self._model = model
        self._tally = _Tally()
        self._troubles: dict[str, None] = {}

    async def review(self, checked: Sequence[CheckedItem]) -> tuple[list[CheckedItem], AuditorUse]:
        """Read every item and add what is found.

        Args:
            checked: Items with what the mechanical checks found.

        Returns:
            The items in the same order, and what the auditor was used for.
        """
        reviewed = list(checked)
        limiter = anyio.CapacityLimiter(AT_ONCE)

        async def one(number: int) -> None:
            async with limiter:
                reviewed[number] = await self._review(checked[number])

        async with anyio.create_task_group() as group:
            for number in range(len(checked)):
                group.start_soon(one, number)
        use = AuditorUse(
            model=str(self._model),
            prompts=(RULES.version, TASK.version),
            judged=self._tally.judged,
            unjudged=self._tally.unjudged,
            tokens=self._tally.tokens,
            troubles=tuple(self._troubles),
        )
        return reviewed, use

    async def _review(self, checked: CheckedItem) -> CheckedItem:
        text = checked.item.reading
        verdicts = [
            await self._judge(checked.item, text[start : start + PIECE]) for start in range(0, max(1, len(text)), PIECE)
        ]
        leaks = [verdict for verdict in verdicts if verdict is not None and verdict.leak]
        unjudged = not leaks and None in verdicts
        self._tally.unjudged += unjudged
        self._tally.judged += not unjudged
        found = tuple(Finding(kind="auditor", excerpt=leak.quote, reason=leak.reason) for leak in leaks)
        return replace(checked, findings=(*checked.findings, *found), unjudged=unjudged)

    async def _judge(self, item: Item, text: str) -> Verdict | None:
        """A verdict on a text, None where the auditor came to none that can be used."""
        about = "\n".join(f"{name}: {value}" for name, value in (("kind", item.kind), *item.stated))
        task = TASK.render(cutoff=format_utc(item.cutoff), about=escape(about), text=escape(text))
        messages: list[ChatMessage] = [ChatMessageSystem(content=RULES.render()), ChatMessageUser(content=task)]
        problem = ""
        for _ in range(CHANCES):
            try:
                output = await self._model.generate(
                    messages, [_TOOL], tool_choice=ToolFunction(_TOOL.name), cache=_cache()
                )
            except Exception as error:  # Whatever a provider raises leaves this text unjudged, no more.
                self._troubles[f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"] = None
                return None
            self._tally.tokens += output.usage.total_tokens if output.usage else 0
            verdict = _verdict(output, text)
            if isinstance(verdict, Verdict):
                return verdict
            problem = verdict
            messages += [output.message, *_refusals(output, problem)]
        self._troubles[f"no verdict: {problem}"] = None
        return None


_TOOL = ToolInfo(
    name="submit_verdict",
    description="Submit your verdict on the text. This ends your work.",
    parameters=ToolParams(
        properties={
            name: JSONSchema(type="boolean" if field.annotation is bool else "string", description=field.description)
            for name, field in Verdict.model_fields.items()
        },
        required=list(Verdict.model_fields),
    ),
)
_QUOTE_MARKS = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})


def _cache() -> CachePolicy:
    return CachePolicy(expiry=None, per_epoch=False, scopes={"prompts": f"{RULES.version},{TASK.version}"})


def _verdict(output: ModelOutput, text: str) -> Verdict | str:
    """The verdict in an answer, or what is wrong with it."""
    calls = [call for call in output.message.tool_calls or [] if call.function == _TOOL.name]
    if not calls:
        return f"there is no call of {_TOOL.name}"
    try:
        verdict = Verdict.model_validate(calls[0].arguments)
    except ValidationError as error:
        return "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors())
    quote = _folded(html.unescape(verdict.quote))
    if verdict.leak and (not quote or quote not in _folded(text)):
        return f"the quote {verdict.quote[:200]!r} does not occur in the text: copy it exactly"
    return verdict


def _refusals(output: ModelOutput, problem: str) -> list[ChatMessage]:
    told = f"This cannot be used: {problem}. Submit once more with {_TOOL.name}."
    calls = output.message.tool_calls or []
    if not calls:
        return [ChatMessageUser(content=told)]
    return [ChatMessageTool(content=told, tool_call_id=call.id, function=call.function) for call in calls]


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTE_MARKS).casefold()
    return re.sub(r"\s+", " ", plain).strip()
