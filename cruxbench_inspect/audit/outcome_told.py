"""The check of a text for the end of the market's question: that it was settled, or what it asks for has happened."""

from collections.abc import Iterator

from cruxbench_inspect.audit.event_told import tells_event
from cruxbench_inspect.audit.findings import Finding, excerpt
from cruxbench_inspect.audit.items import Item, Ultimate
from cruxbench_inspect.audit.question_event import event_of
from cruxbench_inspect.audit.sentences import sentences
from cruxbench_inspect.audit.settlement_told import tells_settlement
from cruxbench_inspect.audit.text_dates import written

LONGEST = 600
"""Characters of a sentence that are looked at."""


def outcome_findings(item: Item, ultimate: Ultimate) -> Iterator[Finding]:
    """Sentences of an item that tell the end of a question that was certainly open at the item's cutoff.

    Rules ("resolves to Yes if"), questions, plans, denials, other events and earlier ones do not tell it.
    """
    if not ultimate.open_at(item.cutoff):
        return
    event, previous, since = event_of(ultimate.question), "", written(item)
    for whole in sentences(item.reading):
        sentence = whole[:LONGEST]
        if tells_settlement(sentence, item.cutoff, since):
            yield Finding(kind="resolution_told", excerpt=excerpt(sentence, 0, len(sentence)))
        elif ultimate.outcome and tells_event(sentence, previous, event, ultimate.outcome, item.cutoff, since):
            yield Finding(kind="outcome_told", excerpt=excerpt(sentence, 0, len(sentence)))
        previous = sentence
