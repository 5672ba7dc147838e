"""Names of models in a user's files: whole ones as in logs, or their last parts, in any case."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

Value = TypeVar("Value")


def by_model(named: Mapping[str, Value], model: str) -> Value | None:
    """What is named for a model: under its whole name, else under the last part of it.

    Args:
        named: By names in small letters.
        model: The model's name in logs.
    """
    return next((named[name] for name in _names(model) if name in named), None)


def names_of_none(named: Iterable[str], models: Iterable[str]) -> list[str]:
    """Names that no model has, such as misspelt ones.

    Args:
        named: Names in small letters.
        models: The models' names in logs.
    """
    return sorted(set(named) - {name for model in models for name in _names(model)})


def _names(model: str) -> tuple[str, str]:
    whole = model.lower()
    return whole, whole.rsplit("/", 1)[-1]
