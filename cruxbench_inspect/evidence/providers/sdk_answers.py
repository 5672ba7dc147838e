"""Answers that a provider's SDK, or this package after it, cannot make sense of."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from cruxbench_inspect.evidence.source import SourceFailure


@contextmanager
def answer_is_read(service: str) -> Iterator[None]:
    """Ask through an SDK, and read what it gives, in this block.

    Failures of the request are typed already where they happen. What SDKs raise beyond that is whatever their code
    stumbles over in an answer of the wrong form. The answer itself is not told: it may repeat the key.

    Raises:
        SourceFailure: ``bad_answer``, with the field where it is known.
    """
    try:
        yield
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in fault["loc"])[:120] or "answer"
        raise SourceFailure(
            service, "bad_answer", f"in its answer, {field} has a wrong form: {fault['type']}"
        ) from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise SourceFailure(service, "bad_answer", f"its SDK cannot read the answer ({type(error).__name__})") from None
