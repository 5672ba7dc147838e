"""Items about questions on many topics, with a text that leaks or one that does not, in each place for a text.

A file of ``topics/`` holds questions with their cutoff, outcome and a clean report (the carrier), and three lists of
texts: ``dates`` and ``outcomes`` leak, ``clean`` do not, though most are about the very question. One that starts with
``L:`` is a line of its own. The first to the fifth list were written before the rules that they test, one after the
other, and the rules mended after each; docs/evidence.md has the rates that each list gave when it was new.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cruxbench_inspect.audit.items import Item, Ultimate
from cruxbench_inspect.utc import UtcDatetime

Kind = Literal["dates", "outcomes", "clean"]
PLACES = ("title", "head", "middle", "page", "prompt")
LISTS = ("first", "second", "third", "fourth", "fifth", "tuned", "velmar")

_FOLDER = Path(__file__).parent / "topics"


class Topic(BaseModel):
    """A question with texts about it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    question: str
    cutoff: UtcDatetime
    settled: UtcDatetime
    outcome: Literal["Yes", "No"]
    carrier: str
    dates: tuple[str, ...]
    outcomes: tuple[str, ...]
    clean: tuple[str, ...]


@dataclass(frozen=True)
class Planted:
    """An item that a text was put into."""

    text: str
    place: str
    item: Item
    ultimate: Ultimate


def topics(name: str) -> tuple[Topic, ...]:
    """The topics of one list."""
    return TypeAdapter(tuple[Topic, ...]).validate_json((_FOLDER / f"{name}.json").read_bytes())


def planted(name: str, kind: Kind) -> Iterator[Planted]:
    """Each text of a list, in every place."""
    for topic in topics(name):
        ultimate = Ultimate(topic.question, topic.cutoff, topic.outcome, topic.settled)
        texts: tuple[str, ...] = getattr(topic, kind)
        for text in texts:
            for place in PLACES:
                yield Planted(text, place, _item(topic, text, place), ultimate)


def texts_of(kind: Kind) -> list[str]:
    """All texts of a kind, of all lists."""
    return [
        text for name in LISTS for topic in json.loads((_FOLDER / f"{name}.json").read_bytes()) for text in topic[kind]
    ]


def _item(topic: Topic, told: str, place: str) -> Item:
    text, own_line = told.removeprefix("L:"), told.startswith("L:")
    first, _, rest = topic.carrier.partition(". ")
    title, body = {
        "title": (text, topic.carrier),
        "head": ("Report", f"{text}\n{topic.carrier}"),
        "middle": ("Report", f"{first}.\n{text}\n{rest}" if own_line else f"{first}. {text} {rest}"),
        "page": ("", f"# Report\n\n{topic.carrier}\n\n{text}\n\nNothing else was known."),
        "prompt": ("Report", f"{topic.carrier}\n{text}" if own_line else f"{topic.carrier} {text}"),
    }[place]
    prompt = place == "prompt"
    published = (topic.cutoff - timedelta(days=3)).isoformat()
    return Item(
        "log", "sample", "generator" if prompt else "judge", "article" if prompt else "document", topic.cutoff, body,
        title=title, document_id="doc-1", stated=(("published", published),),
    )  # fmt: skip
