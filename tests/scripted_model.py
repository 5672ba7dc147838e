"""An Inspect model that plays a script: generator, resolver or verifier, by the tools that it is offered.

It is a provider of its own and not ``mockllm``, so that a question set and a log can name it, a log can be rescored
with it, and it counts what it is asked. Every output has a usage, without which Inspect would fetch a tokenizer.
"""

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio.lowlevel
from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from tests.small_set import QUOTE

TOKENS = 100
"""Tokens of every call."""


@dataclass(frozen=True)
class Call:
    """What a model was asked.

    Attributes:
        role: ``generator``, ``resolver`` or ``verifier``.
        turn: How many answers the conversation holds already.
    """

    messages: Sequence[ChatMessage]
    tools: Sequence[ToolInfo]
    tool_choice: ToolChoice
    config: GenerateConfig
    role: str
    turn: int

    @property
    def text(self) -> str:
        """All that it could read: messages, tool calls in them, and the schemas of the tools."""
        messages = [message.model_dump_json(exclude={"id"}) for message in self.messages]
        return "\n".join(messages + [tool.model_dump_json() for tool in self.tools])

    @property
    def crux(self) -> dict[str, Any]:
        """The crux that a judge is shown."""
        found = re.search(r"<crux>\n(.*?)\n</crux>", self.messages[1].text, re.DOTALL)
        assert found is not None
        crux: dict[str, Any] = json.loads(found[1])
        return crux

    @property
    def found(self) -> list[str]:
        """Ids of the documents that the tools returned so far."""
        results = [message.text for message in self.messages if isinstance(message, ChatMessageTool)]
        return list(dict.fromkeys(re.findall(r'<(?:result|document) id="(doc-[0-9a-f]+)"', "\n".join(results))))


Answer = str | ModelOutput | Exception
Play = Callable[[Call], Answer]


@dataclass
class Script:
    """A scripted model.

    Attributes:
        name: What to call it in Inspect, such as ``scripted/model-1``.
        play: Answers a call: a text, an output, or an exception that the provider is to raise.
        calls: What it was asked, in order; answers from Inspect's cache are not among it.
        has_key: Whether its provider can be made, which real ones refuse without their key.
    """

    name: str
    play: Play
    calls: list[Call] = field(default_factory=list)
    has_key: bool = True

    def count(self, *roles: str) -> int:
        """How often it was asked in one of the roles."""
        return sum(call.role in roles for call in self.calls)


_scripts: dict[str, Script] = {}
_numbers = itertools.count(1)


def scripted(play: Play) -> Script:
    """A new model that plays a script."""
    name = f"model-{next(_numbers)}"
    _scripts[name] = Script(f"scripted/{name}", play)
    return _scripts[name]


def tool_call(name: str, **arguments: Any) -> ModelOutput:
    """An output that calls one tool."""
    return ModelOutput.for_tool_call("scripted", name, arguments)


def judge(
    resolution: Mapping[str, Any] | Callable[[Call], Mapping[str, Any]] | None = None,
    verification: Mapping[str, Any] | None = None,
) -> Play:
    """A judge that searches once, submits a resolution, and as a verifier confirms it.

    Args:
        resolution: Changes to the submission ``ruled``, fixed or by what it was asked.
        verification: Changes to what the verifier submits.
    """

    def play(call: Call) -> Answer:
        if call.role == "verifier":
            return tool_call("submit_verification", **confirmed(call, **(verification or {})))
        if call.turn == 0:
            return tool_call("search", query="Alvara harbour court licence ruling")
        changes = resolution(call) if callable(resolution) else resolution or {}
        return tool_call("submit_resolution", **{**ruled(call), **changes})

    return play


def ruled(call: Call) -> dict[str, Any]:
    """A submission that the court ruled at half past twelve."""
    return {
        "resolvable": True,
        "reasoning": "The report says so.",
        "answer": "Yes",
        "rule": "yes_event",
        "local_time": "2025-03-04T12:30:00",
        "zone": "UTC",
        "precision": "stated",
        "evidence": [{"document_id": name, "quote": QUOTE} for name in call.found[:1]],
    }


def confirmed(call: Call, **changes: Any) -> dict[str, Any]:
    """A verification of the resolution that a verifier is shown."""
    found = re.search(r"<resolution>\n(.*?)\n</resolution>", call.messages[1].text, re.DOTALL)
    assert found is not None
    shown = json.loads(found[1])
    kept = {name: shown[name] for name in ("local_time", "zone", "precision", "rule") if shown[name] is not None}
    return {"changed": False, "reason": "It stands in the report.", **kept, **changes}


def crux_json(**changes: Any) -> str:
    """A generator's answer: prose and a good crux on the small set."""
    crux = {
        "question": "Will the Alvara harbour court uphold the licence by 7 March 2025?",
        "background": "The court hears the case of the crossing.",
        "resolution_criteria": "Yes if the court upholds the licence, as reported by the courier.",
        "start_date": "2025-03-01",
        "end_date": "2025-03-07",
        "rationale": "Without a licence there is no crossing.",
        "yes_makes_u": "more likely",
    }
    return "A ruling is due.\n" + json.dumps({**crux, **changes})


def generator(*answers: str) -> Play:
    """A generator that gives these answers in turn, over all of its calls; the last one from then on."""
    remaining = list(answers or [crux_json()])

    def play(call: Call) -> Answer:
        return remaining.pop(0) if len(remaining) > 1 else remaining[0]

    return play


def silent(call: Call) -> Answer:
    """A model that must not be asked."""
    return AssertionError(f"the {call.role} was asked")


class _ScriptedAPI(ModelAPI):
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  # the signature of Inspect's providers
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if not _scripts[model_name].has_key:
            raise PermissionError(f"scripted/{model_name} has no key")

    def should_retry(self, ex: Exception) -> bool:
        return getattr(ex, "status_code", None) == 429

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        offered = {tool.name for tool in tools}
        role = (
            "verifier"
            if "submit_verification" in offered
            else "resolver"
            if "submit_resolution" in offered
            else "generator"
        )
        turn = sum(message.role == "assistant" for message in input)
        call = Call(list(input), list(tools), tool_choice, config, role, turn)
        script = _scripts[self.model_name]
        script.calls.append(call)
        await anyio.lowlevel.checkpoint()  # as with a real provider, other samples go on before there is an answer
        answer = script.play(call)
        if isinstance(answer, Exception):
            raise answer
        output = ModelOutput.from_content("scripted", answer) if isinstance(answer, str) else answer
        output.usage = ModelUsage(input_tokens=TOKENS - 10, output_tokens=10, total_tokens=TOKENS)
        return output


@modelapi(name="scripted")
def _provider() -> type[ModelAPI]:
    return _ScriptedAPI
