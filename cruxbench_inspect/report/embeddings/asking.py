"""Asking an endpoint for the embeddings of texts that are not kept yet."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx
import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.http.client import Pace
from cruxbench_inspect.evidence.http.user_agent import user_agent
from cruxbench_inspect.evidence.providers.provider_transport import ProviderTransport
from cruxbench_inspect.evidence.source import FailureKind, SourceFailure
from cruxbench_inspect.report.embeddings.cache import EmbeddingCache, Floats
from cruxbench_inspect.report.embeddings.service import KEY, EmbeddingService

BATCH = 256
"""Texts of one request at most."""

CONNECTIONS = 4
"""Requests at the same time."""

_TIMEOUT = 180.0  # seconds: a local model on a slow machine takes its time for a batch
_MAX_BYTES = 64_000_000  # 256 embeddings of 4,096 numbers are about 25 MB


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Embeddings of texts.

    Attributes:
        model: The model that made them.
        vectors: By text; all have the same length, and none is zero.
    """

    model: str
    vectors: Mapping[str, Floats]


async def embed(
    texts: Iterable[str],
    service: EmbeddingService,
    progress: Callable[[int, int], None] = lambda done, of: None,
    transport: httpx.AsyncBaseTransport | None = None,
    file: Path | None = None,
) -> Embeddings:
    """Embeddings of texts; the service is asked for those that the cache does not have.

    Each answer is kept before the next request is made, so that a run that is ended half-way loses nothing.

    Args:
        texts: The texts; equal ones are sent once.
        service: Who is asked.
        progress: Is told how many of the different texts have an embedding.
        transport: What carries the requests, ``embedding_transport`` by default.
        file: The cache's file, None for the usual one.

    Raises:
        InputError: If the service fails, an answer is not as it should be, or the cache cannot be used. No message
            shows a key.
    """
    cache = EmbeddingCache(service, file)
    wanted = sorted(set(texts))
    kept = cache.get(wanted)
    missing = [text for text in wanted if text not in kept]
    done = len(kept)
    progress(done, len(wanted))
    batches = iter([missing[start : start + BATCH] for start in range(0, len(missing), BATCH)])
    failures: list[SourceFailure | InputError] = []

    async def work() -> None:
        nonlocal done
        for batch in batches:
            try:
                cache.put(dict(zip(batch, await _ask(client, service, batch), strict=True)))
                done += len(batch)
                progress(done, len(wanted))
            except (SourceFailure, InputError) as failure:
                failures.append(failure)
            # Others end what they have begun: it is paid for.
            if failures:
                return

    carrier = transport or embedding_transport(service)
    async with httpx.AsyncClient(transport=carrier, timeout=None) as client, anyio.create_task_group() as group:  # noqa: S113
        for _ in range(CONNECTIONS):
            group.start_soon(work)
    if failures:
        raise _input_error(failures[0], service, done, len(wanted))
    found = cache.get(wanted)
    lengths = sorted({len(vector) for vector in found.values()})
    if len(lengths) > 1:
        raise InputError(
            f"embeddings of {service.model} have {lengths[0]:,} numbers and {lengths[-1]:,}: the model at "
            f"{service.url} is not the one that it was. Delete {cache.file} to ask for all of them again"
        )
    return Embeddings(service.model, found)


def embedding_transport(service: EmbeddingService, **settings: Any) -> ProviderTransport:
    """What carries the requests: paced, tried again where that may help, bounded, and silent about the key.

    Args:
        service: Who is asked.
        **settings: Other settings of ``ProviderTransport``.
    """
    usual = {"pace": Pace(connections=CONNECTIONS), "timeout": _TIMEOUT, "max_bytes": _MAX_BYTES, "kind_of": _kind_of}
    secrets = (service.key,) if service.key else ()
    return ProviderTransport("embeddings", secrets=secrets, **{**usual, **settings})


class _Embedding(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int
    embedding: list[FiniteFloat] = Field(min_length=1)


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True)

    data: list[_Embedding]


async def _ask(client: httpx.AsyncClient, service: EmbeddingService, texts: list[str]) -> list[Floats]:
    headers = {"user-agent": user_agent()} | ({"authorization": f"Bearer {service.key}"} if service.key else {})
    asked = {"model": service.model, "input": texts, "encoding_format": "float"}
    response = await client.post(f"{service.url}/embeddings", json=asked, headers=headers)
    return _checked(response.content, len(texts))


def _checked(content: bytes, count: int) -> list[Floats]:
    """The embeddings of an answer, in the order of the texts."""
    try:
        data = _Answer.model_validate_json(content).data
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _bad_answer(f"{where}: {first['msg']}" if where else first["msg"]) from None
    if len(data) != count:
        raise _bad_answer(f"{len(data)} embeddings of {count} texts")
    if {one.index for one in data} != set(range(count)):
        raise _bad_answer(f"the indices of its embeddings are not 0 to {count - 1}, each once")
    lengths = sorted({len(one.embedding) for one in data})
    if len(lengths) > 1:
        raise _bad_answer(f"its embeddings have {lengths[0]} numbers and {lengths[-1]}")
    vectors = [np.array(one.embedding, np.float64) for one in sorted(data, key=lambda one: one.index)]
    zero = next((index for index, vector in enumerate(vectors) if not vector.any()), None)
    if zero is not None:
        raise _bad_answer(f"the embedding with index {zero} is zero, which is like nothing")
    return vectors


def _bad_answer(what: str) -> SourceFailure:
    return SourceFailure("embeddings", "bad_answer", f"its answer cannot be used: {what}")


def _kind_of(status: int, body: Any) -> FailureKind | None:
    error = body.get("error") if isinstance(body, dict) else None
    used_up = isinstance(error, dict) and error.get("code") == "insufficient_quota"
    return "quota" if status == 429 and used_up else None


def _input_error(failure: SourceFailure | InputError, service: EmbeddingService, done: int, of: int) -> InputError:
    if isinstance(failure, InputError):
        return failure
    advice = f" Set {KEY} to its key." if failure.kind == "auth" and not service.key else ""
    return InputError(
        f"no embeddings of {service.model} from {service.url}: {failure.detail}.{advice} {done:,} of {of:,} texts have "
        "theirs, which are kept: the same command asks for the others"
    )
