"""The keys of paid services, from the environment."""

from collections.abc import Mapping

from cruxbench_inspect.errors import InputError


def optional_key(source: str, variable: str, environment: Mapping[str, str]) -> str | None:
    """The key in a variable of the environment, None when it is not set or empty.

    Raises:
        InputError: If it cannot be sent: a key is printable ASCII without spaces. The message does not show it.
    """
    key = environment.get(variable, "").strip()
    if not (key.isascii() and key.replace(" ", "\n").isprintable()):
        raise InputError(f"evidence source {source!r}: {variable} holds characters that no key has. Copy the key again")
    return key or None


def required_key(source: str, variable: str, environment: Mapping[str, str]) -> str:
    """The key in a variable of the environment.

    Raises:
        InputError: If it is not set, or cannot be sent.
    """
    key = optional_key(source, variable, environment)
    if key is None:
        raise InputError(f"evidence source {source!r} needs a key: set {variable} in the environment")
    return key
