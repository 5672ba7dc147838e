"""The ``cruxbench`` command. It imports what a subcommand needs when it runs, so that ``--help`` is quick."""

import click

from cruxbench_inspect import BENCHMARK_VERSION, __version__
from cruxbench_inspect.archive_commands import archive
from cruxbench_inspect.import_commands import COMMANDS as IMPORTS
from cruxbench_inspect.market_commands import COMMANDS as MARKETS
from cruxbench_inspect.report_commands import report


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message=f"cruxbench_inspect %(version)s, benchmark {BENCHMARK_VERSION}")
def main() -> None:
    """CruxBench, the benchmark of information discovery.

    Evaluations are run with Inspect, from a checkout:

        inspect eval tasks/cruxbench.py --model PROVIDER/MODEL
    """


main.add_command(archive)
main.add_command(report)


@main.group()
def questions() -> None:
    """Question sets: what models are asked, and what they are scored by.

    \b
    Example:
      cruxbench questions show demo
    """


@questions.command("list")
def list_sets() -> None:
    """List the built-in question sets.

    \b
    Example:
      cruxbench questions list
    """
    from cruxbench_inspect.question_display import one_line
    from cruxbench_inspect.questions import BUILT_IN, QuestionSet

    for name in BUILT_IN:
        click.echo(one_line(QuestionSet.load(name)))


@questions.command()
@click.argument("question_set", metavar="SET")
@click.argument("question_id", metavar="[QUESTION]", required=False)
def show(question_set: str, question_id: str | None) -> None:
    """Show a question set, or one of its questions as it was known at the window's start.

    SET is a built-in name or a folder, QUESTION an id or the beginning of one. Outcomes and prices are not shown.

    \b
    Examples:
      cruxbench questions show demo
      cruxbench questions show my/folder polymarket-640486
    """
    from cruxbench_inspect.question_display import describe_question, describe_set
    from cruxbench_inspect.questions import QuestionSet

    loaded = QuestionSet.load(question_set)
    if question_id is None:
        click.echo(describe_set(loaded))
        return
    found = [question for question in loaded.questions if question.id.startswith(question_id)]
    exact = [question for question in found if question.id == question_id]
    if len(exact or found) != 1:
        listed = ", ".join(question.id for question in found[:5]) or "none"
        raise click.BadParameter(f"{len(found)} questions begin with {question_id!r}: {listed}", param_hint="QUESTION")
    click.echo(describe_question((exact or found)[0]))


@questions.command()
@click.argument("question_set", metavar="SET")
def validate(question_set: str) -> None:
    """Check every file of a question set, and report all problems at once.

    Exit code 0 if there is none, 1 if there are some.

    \b
    Example:
      cruxbench questions validate my/folder
    """
    from cruxbench_inspect.errors import InputError, InputProblems
    from cruxbench_inspect.evidence.evidence_file import read_documents
    from cruxbench_inspect.evidence.sources import check_name
    from cruxbench_inspect.question_display import one_line
    from cruxbench_inspect.questions import QuestionSet, locate

    folder, _ = locate(question_set)
    problems: list[str] = []
    loaded, documents = None, 0
    try:
        loaded = QuestionSet.load(question_set)
    except InputProblems as error:
        problems += error.problems
    evidence = folder / "evidence.jsonl"
    if evidence.is_file():
        try:
            with evidence.open("rb") as lines:
                documents = sum(1 for _ in read_documents(lines, evidence))
        except InputProblems as error:
            problems += [f"{evidence.name} {problem}" for problem in error.problems]
    if loaded is not None:
        try:
            check_name(loaded.manifest.evidence)
        except InputError as error:
            problems.append(f"manifest.json, evidence: {error.message}")
    if problems or loaded is None:
        raise InputProblems(f"question set {folder}", problems)
    click.echo(f"{one_line(loaded)}\nNo problem found: {len(loaded.questions)} questions, {documents} documents.")


for command in (*MARKETS, *IMPORTS):
    questions.add_command(command)
