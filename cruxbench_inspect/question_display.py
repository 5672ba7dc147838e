"""Question sets as text for a terminal, without anything from after the windows' starts."""

import textwrap

from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.utc import format_utc

_WIDTH = 100


def one_line(question_set: QuestionSet) -> str:
    """Name, version, size and kind of a set."""
    manifest = question_set.manifest
    kind = "fictional" if manifest.fictional else "real markets"
    return f"{manifest.name}  version {manifest.version}, {len(question_set.questions)} questions, {kind}"


def describe_set(question_set: QuestionSet) -> str:
    """A set and the list of its questions."""
    manifest = question_set.manifest
    judges = manifest.judges
    first = min(question.window.start for question in question_set.questions)
    last = max(question.window.end for question in question_set.questions)
    lines = [
        one_line(question_set),
        *textwrap.wrap(manifest.description, _WIDTH),
        "",
        f"digest     {question_set.digest}",
        f"folder     {question_set.folder}",
        f"windows    {first:%Y-%m-%d} to {last:%Y-%m-%d}",
        f"prices     {manifest.prices}",
        f"evidence   {manifest.evidence}{'' if question_set.evidence_file is None else ' (ships its own documents)'}",
        f"judges     {f'{judges.resolver}, {judges.verifier}' if judges else 'none named: use --model-role'}",
        *([f"flags      {', '.join(manifest.flags)}"] if manifest.flags else []),
        "",
    ]
    widest = max(len(question.id) for question in question_set.questions)
    for question in question_set.questions:
        lines.append(f"{question.id:<{widest}}  {question.window.start:%Y-%m-%d}  {question.question}")
    return "\n".join(lines)


def describe_question(question: Question) -> str:
    """A question with its dates and articles."""
    lines = [
        question.question,
        "",
        *textwrap.wrap(question.description, _WIDTH),
        "",
        f"id         {question.id}",
        f"market     {question.source} {question.market_id}, event {question.event_id or 'its own'}",
        f"opened     {format_utc(question.opened)}",
        f"closes     {format_utc(question.closes)} (scheduled)",
        f"window     {format_utc(question.window.start)} to {format_utc(question.window.end)}",
        f"tags       {', '.join(question.tags) or 'none'}",
        *([f"url        {question.url}"] if question.url else []),
    ]
    for article in question.articles:
        lines += ["", f"{format_utc(article.published)}  {article.source}: {article.title}"]
        lines += textwrap.wrap(article.summary, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)
