"""A bare Inspect task that repeats the model calls of a recorded run of ``tasks/cruxbench.py`` and does nothing else.

The messages, tools, tool results and outputs are the recorded ones, and so is which calls are cached; the score is a
constant with the same keys and metrics. ``benchmarks.sample_cost`` runs it as the yardstick of the cost per sample.
"""

from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.event import ModelEvent, ToolEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    execute_tools,
    get_model,
    modelapi,
)
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolChoice, ToolDef, ToolInfo
from pydantic import BaseModel, ConfigDict

from cruxbench_inspect.settlement import VALUES
from scorers.voi import metrics


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Conversation(_Frozen):
    """One model's calls in a sample.

    Attributes:
        judging: Whether a judge made them, whose calls are cached.
        messages: What the first call was asked.
        tools: What every call was offered.
        outputs: One per call.
        results: What the tools returned, in the order of their calls.
    """

    judging: bool
    messages: list[ChatMessage]
    tools: list[ToolInfo]
    outputs: list[ModelOutput]
    results: list[str]


class RecordedSample(_Frozen):
    """One sample: what it was, and its model calls."""

    id: str
    input: str
    metadata: dict[str, Any]
    conversations: list[Conversation]


class Recording(_Frozen):
    """All samples of a run."""

    samples: list[RecordedSample]

    @classmethod
    def of(cls, log: EvalLog) -> "Recording":
        """The recording of a finished run.

        Args:
            log: Its log, read with attachments resolved.
        """
        return cls(samples=[_recorded(sample) for sample in log.samples or ()])


@task
def bare(recording: str) -> Task:
    """The recorded model calls again, with a constant score.

    Args:
        recording: A file with a ``Recording`` as JSON.
    """
    recorded = Recording.model_validate_json(Path(recording).read_text(encoding="utf-8")).samples
    return Task(
        dataset=MemoryDataset(
            [Sample(id=sample.id, input=sample.input, metadata=sample.metadata) for sample in recorded]
        ),
        solver=repeat_calls({sample.id: sample.conversations for sample in recorded}),
        scorer=constant(),
        model=get_model("replay/recorded"),
    )


@solver
def repeat_calls(conversations: dict[str, list[Conversation]]) -> Solver:
    """Make the recorded calls of a sample, one after the other."""
    cached = CachePolicy(expiry=None, per_epoch=False)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        for conversation in conversations[str(state.sample_id)]:
            messages = await _repeat(model, conversation, cached if conversation.judging else False)
            if not conversation.judging:
                state.messages = messages
                state.output = conversation.outputs[-1]
        return state

    return solve


@scorer(metrics=metrics())
def constant() -> Scorer:
    """The same score for every sample."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=dict.fromkeys(VALUES, 1.0))

    return score


class Replay(ModelAPI):
    """A model without a thought: it answers with the recorded output that is next."""

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Answer with the next recorded output."""
        return _next_output.get()


@modelapi(name="replay")
def replay() -> type[ModelAPI]:
    """The provider of ``replay/recorded``."""
    return Replay


_next_output: ContextVar[ModelOutput] = ContextVar("next_output")


async def _repeat(model: Model, conversation: Conversation, cache: bool | CachePolicy) -> list[ChatMessage]:
    messages = list(conversation.messages)
    results = iter(conversation.results)
    tools = [_trivial(tool, results) for tool in conversation.tools]
    for recorded in conversation.outputs:
        _next_output.set(recorded)
        output = await model.generate(messages, tools, cache=cache)
        messages.append(output.message)
        if output.message.tool_calls:
            messages.extend((await execute_tools(messages, tools)).messages)
    return messages


def _trivial(tool: ToolInfo, results: Iterator[str]) -> Tool:
    async def execute(**arguments: Any) -> str:
        return next(results)

    return ToolDef(execute, tool.name, tool.description, tool.parameters, max_output=0).as_tool()


def _recorded(sample: EvalSample) -> RecordedSample:
    calls = [event for event in sample.events if isinstance(event, ModelEvent)]
    results = {event.id: str(event.result) for event in sample.events if isinstance(event, ToolEvent)}
    return RecordedSample(
        id=str(sample.id),
        input=str(sample.input),
        metadata=sample.metadata,
        conversations=[
            _conversation(role is not None, [call for call in calls if call.role == role], results)
            for role in dict.fromkeys(call.role for call in calls)
        ],
    )


def _conversation(judging: bool, calls: list[ModelEvent], results: dict[str, str]) -> Conversation:
    return Conversation(
        judging=judging,
        messages=calls[0].input,
        tools=calls[0].tools,
        outputs=[call.output for call in calls],
        results=[results[made.id] for call in calls for made in call.output.message.tool_calls or ()],
    )
