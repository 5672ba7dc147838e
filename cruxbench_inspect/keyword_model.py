"""``cruxbench/keyword``, an Inspect model provider without a language model.

It is the offline baseline of the benchmark: the rules of ``cruxbench_inspect.keyword`` behind the interface of a model.
As a generator it turns the most telling announced event of the articles into a crux; as a resolver and as a verifier it
goes through the same tools and loop as a language model. It understands nothing: it matches words, and its scores and
judgments say what matching words is worth. It is deterministic, needs no network and keeps nothing between calls.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolFunction, ToolInfo

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.keyword.prompts import ShownCrux, read_crux, read_generator_prompt
from cruxbench_inspect.keyword.proposing import answer, propose
from cruxbench_inspect.keyword.resolving import Step, next_step
from cruxbench_inspect.keyword.submission import Submission
from cruxbench_inspect.keyword.verifying import verify

NAME = "cruxbench/keyword"
_CHARACTERS_PER_TOKEN = 4
_MOST_CRUXES = 3


class KeywordModel(ModelAPI):
    """The keyword baseline as a model: resolver, verifier or generator, by the tools that it is offered.

    Raises:
        InputError: If the name after ``cruxbench/`` is not ``keyword``.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  # the signature of Inspect's providers
        **model_args: Any,
    ) -> None:
        if model_name != "keyword":
            raise InputError(f"There is no model cruxbench/{model_name}: the one model of this provider is {NAME}.")
        if model_args:
            raise InputError(f"{NAME} takes no model arguments, but got: {', '.join(sorted(model_args))}.")
        super().__init__(model_name, base_url, api_key, [], config)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer a conversation; the usage counts four characters as a token."""
        offered = {tool.name for tool in tools}
        if "submit_verification" in offered:
            output = _verifier(input)
        elif "submit_resolution" in offered:
            output = _resolver(input, offered, tool_choice)
        else:
            output = _generator(input, tools)
        output.usage = _usage(input, output)
        return output


def _generator(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]) -> ModelOutput:
    asked = [message.text for message in messages if isinstance(message, ChatMessageUser)]
    prompt = next((found for text in asked if (found := read_generator_prompt(text))), None)
    if prompt is None:
        return ModelOutput.from_content(
            NAME, "There is no question with dates in this prompt, so that no crux can be proposed."
        )
    several = re.search(r"\b(\d+) (?:\w+ )?cruxes", "\n".join(asked)) if prompt.several else None
    count = int(several[1]) if several else _MOST_CRUXES if prompt.several else 1
    text = answer(propose(prompt, count), prompt.several, bare=len(asked) > 1, from_articles=bool(prompt.articles))
    # Agents such as react() end with a call of their submit tool.
    submit = next((tool for tool in tools if tool.name == "submit"), None)
    if submit is None or len(submit.parameters.properties) != 1:
        return ModelOutput.from_content(NAME, text)
    return _call(messages, Step("submit", {next(iter(submit.parameters.properties)): text}))


def _resolver(messages: Sequence[ChatMessage], offered: set[str], tool_choice: ToolChoice) -> ModelOutput:
    crux = _crux(messages)
    if crux is None:
        missing = Submission.unresolvable("observability", "The prompt shows no crux with dates.")
        return _call(messages, Step("submit_resolution", missing.model_dump(mode="json")))
    told_again = len([message for message in messages if isinstance(message, ChatMessageUser)]) > 1
    forced = isinstance(tool_choice, ToolFunction) and tool_choice.name == "submit_resolution"
    hurry = told_again or forced or not {"search", "fetch"} <= offered
    return _call(messages, next_step(crux, _steps(messages), hurry))


def _verifier(messages: Sequence[ChatMessage]) -> ModelOutput:
    crux = _crux(messages)
    prompt = "\n".join(message.text for message in messages if isinstance(message, ChatMessageUser))
    if crux is None:
        return _call(
            messages, Step("submit_verification", {"changed": False, "reason": "The prompt shows no crux with dates."})
        )
    refused = any(isinstance(message, ChatMessageAssistant) for message in messages)
    return _call(messages, Step("submit_verification", verify(crux, prompt, refused).model_dump(mode="json")))


def _crux(messages: Sequence[ChatMessage]) -> ShownCrux | None:
    shown = (read_crux(message.text) for message in messages if isinstance(message, ChatMessageUser))
    return next((crux for crux in shown if crux is not None), None)


def _steps(messages: Sequence[ChatMessage]) -> list[Step]:
    results = {
        message.tool_call_id: message.error.message if message.error else message.text
        for message in messages
        if isinstance(message, ChatMessageTool)
    }
    calls = [
        call for message in messages if isinstance(message, ChatMessageAssistant) for call in message.tool_calls or []
    ]
    return [Step(call.function, call.arguments, results.get(call.id, "")) for call in calls]


def _call(messages: Sequence[ChatMessage], step: Step) -> ModelOutput:
    turn = 1 + sum(isinstance(message, ChatMessageAssistant) for message in messages)
    # The identity follows from turn and content, so that a rerun asks the same and finds the stored answers.
    digest = hashlib.sha256(json.dumps([step.tool, step.arguments], sort_keys=True).encode("utf-8")).hexdigest()[:10]
    return ModelOutput.for_tool_call(
        NAME, step.tool, step.arguments, tool_call_id=f"keyword-{turn}-{digest}", content=f"Turn {turn}: {step.tool}."
    )


def _usage(messages: Sequence[ChatMessage], output: ModelOutput) -> ModelUsage:
    calls = output.message.tool_calls or []
    written = len(output.completion) + sum(len(json.dumps(call.arguments)) for call in calls)
    read = sum(len(message.text) for message in messages)
    inputs, outputs = read // _CHARACTERS_PER_TOKEN, written // _CHARACTERS_PER_TOKEN
    return ModelUsage(input_tokens=inputs, output_tokens=outputs, total_tokens=inputs + outputs)
