"""The resolver's next tool call: search, fetch, submit, mend, from what was asked and answered so far."""

from collections.abc import Sequence
from typing import NamedTuple

from cruxbench_inspect.keyword.asked import read_asked
from cruxbench_inspect.keyword.deciding import decide, published
from cruxbench_inspect.keyword.event_words import BY_NAME
from cruxbench_inspect.keyword.findings import RELEVANT, finding, in_window, relevance
from cruxbench_inspect.keyword.prompts import ShownCrux, ShownDocument, read_documents
from cruxbench_inspect.keyword.submission import Submission
from cruxbench_inspect.keyword.words import content_words, names

SEARCHES = 3
FETCHES = 3
_QUERY_WORDS = 10


class Step(NamedTuple):
    """A tool call, made or to be made, and the text that answered it."""

    tool: str
    arguments: dict[str, object]
    result: str = ""


def next_step(crux: ShownCrux, done: Sequence[Step], hurry: bool = False) -> Step:
    """The next tool call of the resolver.

    At most 3 searches (the third only if the first two found nothing of the window), 3 fetches, one submission, and
    one mended submission for each that was refused: first without its clock time, then as unresolvable.

    Args:
        crux: What is asked.
        done: The calls so far, each with its result.
        hurry: Whether to submit at once.
    """
    refused = [step for step in done if step.tool == "submit_resolution"]
    if refused:
        return _submit(_mended(Submission.model_validate(refused[-1].arguments)))
    searches = [step for step in done if step.tool == "search"]
    fetches = [step for step in done if step.tool == "fetch"]
    results = {document.id: document for step in searches for document in read_documents(step.result)}
    usable = [document for document in results.values() if in_window(crux, document)]
    if not hurry and not fetches and len(searches) < (SEARCHES if not usable else SEARCHES - 1):
        return Step("search", {"query": queries(crux)[len(searches)]})
    read = [document for step in fetches for document in read_documents(step.result)]
    asked_for = {str(step.arguments.get("document_id")) for step in fetches}
    waiting = [document for document in _ranked(crux, usable) if document.id not in asked_for]
    if not hurry and waiting and len(fetches) < FETCHES and not _settled(crux, read, waiting[0]):
        return Step("fetch", {"document_id": waiting[0].id})
    return _submit(decide(crux, read))


def queries(crux: ShownCrux) -> tuple[str, ...]:
    """Three search queries: the question's words, its event and names, the words of its background."""
    asked = read_asked(crux)
    words = list(dict.fromkeys(token.text for token in content_words(crux.question)))
    named = list(dict.fromkeys(names(crux.question)))
    spoken = [verb.split("/")[-1] for kind in asked.kinds[:1] for verb in BY_NAME[kind].verbs if " " not in verb][:4]
    behind = list(dict.fromkeys(token.text for token in content_words(f"{crux.background} {crux.resolution_criteria}")))
    choices = (words, [*spoken, *(named or words)], [*named, *behind])
    return tuple(" ".join(choice[:_QUERY_WORDS]) or crux.question[:200] for choice in choices)


def _ranked(crux: ShownCrux, results: Sequence[ShownDocument]) -> list[ShownDocument]:
    """The documents to fetch: those whose snippet settles the crux, earliest first, then the latest that concern it."""
    asked = read_asked(crux)
    settling = [document for document in results if finding(crux, asked, document) is not None]
    related = [document for document in results if document not in settling and relevance(asked, document) >= RELEVANT]
    rest = [document for document in results if document not in settling and document not in related]
    settling.sort(key=lambda document: (published(document), document.id))
    related.sort(key=lambda document: (published(document), document.id), reverse=True)
    rest.sort(key=lambda document: (-relevance(asked, document), document.id))
    return settling + related + rest


def _settled(crux: ShownCrux, read: Sequence[ShownDocument], following: ShownDocument) -> bool:
    """Whether the documents read settle the crux and the next one to read cannot be earlier."""
    asked = read_asked(crux)
    settling = [document for document in read if finding(crux, asked, document) is not None]
    return bool(settling) and published(following) >= min(published(document) for document in settling)


def _mended(refused: Submission) -> Submission:
    if refused.resolvable and refused.precision in {"stated", "convention"} and refused.local_time:
        day = refused.local_time[:10]
        return refused.model_copy(update={"local_time": day, "zone": "UTC", "precision": "date_only"})
    if not refused.resolvable:
        return refused
    return Submission.unresolvable("data_availability", "The resolution was refused and no better one was found.")


def _submit(submission: Submission) -> Step:
    return Step("submit_resolution", submission.model_dump(mode="json"))
