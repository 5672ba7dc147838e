"""Errors that are messages for people."""

import click


class InputError(click.ClickException):
    """Something that the user gave is wrong: what, where, and what to do about it.

    It is a ``click.ClickException``, so that both the ``cruxbench`` and the ``inspect`` command print its message
    alone and end with exit code 1; from Python it is an ordinary exception with the same message.
    """

    def __str__(self) -> str:
        return self.message


class InputProblems(InputError):
    """Several problems of one input, reported at once.

    Attributes:
        problems: One line each, without a trailing full stop.
    """

    def __init__(self, subject: str, problems: list[str]) -> None:
        self.problems = problems
        noun = "problem" if len(problems) == 1 else "problems"
        super().__init__("\n".join([f"{subject}: {len(problems)} {noun}", *(f"  - {line}" for line in problems)]))
