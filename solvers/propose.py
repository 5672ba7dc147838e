"""The paper's generator: one prompt, one answer, one chance to mend it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from inspect_ai.model import ChatMessageUser, ResponseSchema
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import json_schema
from pydantic import BaseModel, ConfigDict, Field

from cruxbench_inspect.crux import Crux, CruxFault, check_dates, read_cruxes, restates
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.prompts import Prompt
from cruxbench_inspect.questions import Question
from cruxbench_inspect.utc import format_utc, parse_utc

_PROMPTS = Path(__file__).parent / "prompts"
PROPOSE = Prompt.read(_PROMPTS / "propose.md")
REPAIR = Prompt.read(_PROMPTS / "repair.md")


@solver
def propose(repairs: int = 1, structured: bool = False) -> Solver:
    """Ask for a crux, and ask again when the answer cannot be used.

    Args:
        repairs: How often to ask again: for a malformed answer, dates outside of the allowed stretch, or the market's
            own question.
        structured: Use the provider's native structured output where it has one. Models may answer worse under it.

    Raises:
        InputError: If a parameter has no such value.
    """
    if type(repairs) is not int or repairs < 0 or type(structured) is not bool:
        raise InputError(f"repairs is {repairs!r} and must be 0 or more; structured is {structured!r}, true or false")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        k = int(state.metadata["k"])
        schema = _response_schema(k) if structured else None
        state = await generate(state, response_schema=schema)
        for _ in range(repairs):
            problem = problem_with(state.output.completion, state.metadata)
            if problem is None:
                break
            state.messages.append(ChatMessageUser(content=REPAIR.render(problem=problem, container=_container(k))))
            state = await generate(state, response_schema=schema)
        return state

    return solve


def question_prompt(question: Question, articles: int, k: int) -> str:
    """The whole prompt for a question: what a good crux is, the question, its dates, the news, the answer's format.

    It is made from what was known at the window's start alone.

    Args:
        question: The ultimate question.
        articles: How many of its articles are shown at most, in the set's order.
        k: How many cruxes are asked for.
    """
    shown = "\n".join(
        f'<article published="{format_utc(article.published)}" source="{_attribute(article.source)}" '
        f'title="{_attribute(article.title)}">\n{_inert(article.summary)}\n</article>'
        for article in question.articles[:articles]
    )
    return PROPOSE.render(
        count="one crux" if k == 1 else f"{k} different cruxes",
        question=_inert(question.question),
        description=_inert(question.description),
        today=question.window.start.date().isoformat(),
        opened=question.opened.date().isoformat(),
        closes=question.closes.date().isoformat(),
        latest_end=question.window.end.date().isoformat(),
        articles=shown or "(no articles were found)",
        container=_container(k),
    )


def problem_with(answer: str, metadata: Mapping[str, Any]) -> str | None:
    """What is wrong with an answer, in words for the generator; None if nothing is.

    Args:
        answer: What it wrote.
        metadata: The sample's: k, question, window_start and window_end.
    """
    k = int(metadata["k"])
    cruxes = read_cruxes(answer, k)
    if isinstance(cruxes, CruxFault):
        return cruxes.detail
    window = parse_utc(metadata["window_start"]), parse_utc(metadata["window_end"])
    for crux in cruxes:
        fault = crux if isinstance(crux, CruxFault) else check_dates(crux, *window)
        if fault is not None:
            return fault.detail
        restated = restates(crux, metadata["question"]) if isinstance(crux, Crux) else None
        if restated is not None:
            return f"it is the market's question again: {restated}"
    if len(cruxes) < k:
        return f"{k} cruxes are asked for, there are {len(cruxes)}"
    return None


def _container(k: int) -> str:
    if k == 1:
        return "one JSON object"
    return f'one JSON object {{"cruxes": [...]}} that holds {k} objects of this form'


_TAG = re.compile(r"<(?=/?(?:task|question|resolution_rules|dates|articles?|answer_format)\b)", re.IGNORECASE)


def _inert(text: str) -> str:
    """Text as it is, but for what could be taken for a tag of the prompt."""
    return _TAG.sub("‹", text)


def _attribute(text: str) -> str:
    return " ".join(_inert(text).replace('"', "'").split())


class _CruxForm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(description="A yes/no question that names its end date.")
    background: str = Field(description="What a reader must know to understand it.")
    resolution_criteria: str = Field(description="Exactly what counts as Yes, and which sources decide.")
    start_date: str = Field(description="YYYY-MM-DD")
    end_date: str = Field(description="YYYY-MM-DD")
    rationale: str = Field(description="Why the answer should move beliefs about the market's question.")
    yes_makes_u: Literal["more likely", "less likely"] = Field(
        description="What a Yes would make of a Yes to the market's question."
    )


class _CruxesForm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cruxes: list[_CruxForm]


def _response_schema(k: int) -> ResponseSchema:
    form = _CruxForm if k == 1 else _CruxesForm
    return ResponseSchema(name="crux" if k == 1 else "cruxes", json_schema=json_schema(form), strict=True)
