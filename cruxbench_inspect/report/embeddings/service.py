"""Which model is asked for embeddings, and where."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import HttpUrl, TypeAdapter, ValidationError

from cruxbench_inspect.errors import InputError

OPENAI = "https://api.openai.com/v1"
"""The endpoint that is asked where the environment names none."""

KEY = "CRUXBENCH_EMBEDDINGS_KEY"
"""The variable of the environment that holds an endpoint's key."""

_URL = "CRUXBENCH_EMBEDDINGS_URL"
_OPENAI_KEY = "OPENAI_API_KEY"


@dataclass(frozen=True)
class EmbeddingService:
    """A model at an endpoint.

    Attributes:
        model: The model, as the endpoint calls it.
        url: The endpoint's base address, without a slash at its end.
        key: Its key, None where it wants none.
    """

    model: str
    url: str = OPENAI
    key: str | None = field(default=None, repr=False)

    @classmethod
    def of_environment(cls, model: str, environment: Mapping[str, str] = os.environ) -> "EmbeddingService":
        """The endpoint in ``CRUXBENCH_EMBEDDINGS_URL``, else OpenAI's, with the key in ``CRUXBENCH_EMBEDDINGS_KEY``.

        For OpenAI's own endpoint ``OPENAI_API_KEY`` will do, too; no other endpoint is sent that key.

        Raises:
            InputError: If the address is none, OpenAI's endpoint has no key, or a key cannot be sent. No message shows
                a key or an address.
        """
        url = _address(environment.get(_URL, "").strip() or OPENAI)
        names = (KEY, _OPENAI_KEY) if url == OPENAI else (KEY,)
        name = next((name for name in names if environment.get(name, "").strip()), None)
        if name is None and url == OPENAI:
            raise InputError(
                f"embeddings from {OPENAI} need a key: set {KEY} or {_OPENAI_KEY}, "
                f"or name another endpoint in {_URL}; a local one needs none"
            )
        key = environment[name].strip() if name else None
        if key and not (key.isascii() and key.replace(" ", "\n").isprintable()):
            raise InputError(f"{name} holds characters that no key has. Copy the key again")
        return cls(model, url, key)


def _address(text: str) -> str:
    try:
        url = TypeAdapter(HttpUrl).validate_python(text)
    except ValidationError as error:
        raise InputError(f"{_URL}: {error.errors(include_input=False)[0]['msg']}") from None
    if url.username or url.password or url.query or url.fragment:
        raise InputError(f"{_URL}: an address without user name, password, query and fragment is wanted")
    return str(url).rstrip("/")
