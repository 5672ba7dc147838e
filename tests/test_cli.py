"""The ``cruxbench`` command: its output, its exit codes, and a help text with an example for each part."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from cruxbench_inspect.cli import main
from cruxbench_inspect.questions import QuestionSet
from tests.small_set import report, write_set


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def commands(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(command, click.Group):
        return [path]
    return [path, *(found for name, part in command.commands.items() for found in commands(part, (*path, name)))]


@pytest.mark.parametrize("path", commands(main), ids=" ".join)
def test_every_help_text_shows_an_example(path: tuple[str, ...]) -> None:
    result = run(*path, "--help")
    assert result.exit_code == 0
    assert "inspect eval" in result.output or "Example" in result.output


def test_the_built_in_sets_are_listed() -> None:
    result = run("questions", "list")
    assert result.exit_code == 0
    assert result.output.startswith("demo  version 2, 40 questions, fictional")


def test_a_set_is_shown_with_its_digest_and_questions() -> None:
    demo = QuestionSet.load("demo")
    result = run("questions", "show", "demo")
    assert result.exit_code == 0
    assert demo.digest in result.output
    assert all(question.id in result.output for question in demo.questions)


def test_a_question_is_shown_as_it_was_known_then() -> None:
    demo = QuestionSet.load("demo")
    question = demo.questions[0]
    result = run("questions", "show", "demo", question.id)
    assert result.exit_code == 0
    assert question.question in result.output
    assert all(article.title in result.output for article in question.articles)
    resolved = demo.outcome(question.id).resolved_at
    assert resolved is None or resolved.isoformat()[:10] not in result.output


@pytest.mark.parametrize("beginning", ["demo-", "nothing"])
def test_an_ambiguous_or_unknown_question_is_bad_usage(beginning: str) -> None:
    result = run("questions", "show", "demo", beginning)
    assert result.exit_code == 2
    assert "questions begin with" in result.output


def test_a_valid_set_has_no_problem(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "small", judge=None)
    result = run("questions", "validate", str(folder))
    assert result.exit_code == 0
    assert "No problem found: 1 questions, 1 documents." in result.output


def test_problems_of_all_files_are_listed_together_with_exit_code_1(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "small", judge=None, evidence=[report(published="soon")], prices=lambda _: 1.5)
    result = run("questions", "validate", str(folder))
    assert result.exit_code == 1
    assert "2 problems" in result.output
    assert "price: 1.5 is not between 0 and 1" in result.output
    assert 'evidence.jsonl line 1, field published, value "soon"' in result.output


def test_an_unknown_evidence_source_is_a_problem(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "small", judge=None)
    manifest = (folder / "manifest.json").read_text(encoding="utf-8")
    (folder / "manifest.json").write_text(manifest.replace('"archive"', '"oracle"'), encoding="utf-8")
    result = run("questions", "validate", str(folder))
    assert result.exit_code == 1
    assert "evidence: unknown evidence source 'oracle'. Known: archive, web" in result.output


@pytest.mark.parametrize("arguments", [("questions", "validate", "nope"), ("questions", "show", "nope")])
def test_an_unknown_set_is_one_message_without_a_traceback(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert result.output.startswith("Error: there is no question set 'nope'")


@pytest.mark.parametrize("arguments", [("questions", "validate"), ("questions", "frobnicate"), ("--frobnicate",)])
def test_bad_usage_has_exit_code_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2
