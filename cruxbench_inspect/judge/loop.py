"""The tool loop of a judge: generate, run the tools, until a submission is closed or the budget is used up.

It is a plain loop, since it has to run inside a scorer during an eval and in ``inspect score`` alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import CachePolicy, ChatMessage, ChatMessageUser, Model, execute_tools
from inspect_ai.tool import Tool, ToolFunction
from inspect_ai.util import apply_limits, time_limit, token_limit

from cruxbench_inspect.judge.submission import Checked, SubmissionBox


@dataclass(frozen=True)
class Budget:
    """Limits of one judge on one crux. They are its own: Inspect's sample limits do not reach a scorer.

    Attributes:
        turns: Model calls.
        tokens: Tokens of all calls together.
        seconds: Wall-clock time. It is only a guard against a provider that hangs: scoring starts all samples at once,
            and most of them wait for a connection most of the time.
    """

    turns: int = 24
    tokens: int = 500_000
    seconds: float = 6 * 3600


@dataclass(frozen=True)
class LoopOutcome:
    """What a loop took.

    Attributes:
        tokens: Tokens of its calls, cached ones included.
        shortfall: The limit at which it ended without a closed submission; None if it has one.
    """

    tokens: int
    shortfall: Literal["turn", "token", "time"] | None


async def run_loop(
    model: Model,
    messages: list[ChatMessage],
    tools: Sequence[Tool],
    submission_tool: str,
    box: SubmissionBox[Checked],
    budget: Budget,
    cache: CachePolicy,
) -> LoopOutcome:
    """Let a judge work until its submission is closed.

    Args:
        model: The judge.
        messages: The conversation so far; it is extended.
        tools: All tools, the one to submit with included.
        submission_tool: Its name; the last turn has to use it.
        box: Where it submits to.
        budget: The limits.
        cache: Where answered calls are looked up first.
    """
    tokens = 0
    with apply_limits([token_limit(budget.tokens), time_limit(budget.seconds)], catch_errors=True) as scope:
        for turn in range(budget.turns):
            last = turn == budget.turns - 1
            output = await model.generate(
                messages, tools, tool_choice=ToolFunction(submission_tool) if last else "auto", cache=cache
            )
            tokens += output.usage.total_tokens if output.usage else 0
            messages.append(output.message)
            if output.message.tool_calls:
                messages.extend((await execute_tools(messages, tools)).messages)
            if box.closed:
                return LoopOutcome(tokens, None)
            if not output.message.tool_calls:
                messages.append(ChatMessageUser(content=f"Go on with a tool call. {submission_tool} ends your work."))
    if scope.limit_error is None:
        return LoopOutcome(tokens, "turn")
    return LoopOutcome(tokens, "time" if scope.limit_error.type == "time" else "token")
