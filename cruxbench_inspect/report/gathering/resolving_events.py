"""Which scores are not independent: those of one market event, and those of cruxes that one event resolved."""

from collections.abc import Iterable
from datetime import datetime

import polars as pl

from cruxbench_inspect.inference.linked_clusters import linked_clusters

_DEADLINE = "no_deadline"


def resolving_events(
    moment: datetime | None, rule: str | None, pages: Iterable[str], event_group: str | None
) -> list[str]:
    """What tells the event that resolved a crux: the day, with a page that its judge cited or a verifier's name of it.

    Args:
        moment: When the crux was resolved, UTC; None if it was not.
        rule: By which rule. Deadlines pass on one day for many cruxes that have nothing in common, and are no event.
        pages: The cited pages.
        event_group: What a release's verifier calls the event.

    Returns:
        A text for each page and name.
    """
    if moment is None or rule == _DEADLINE:
        return []
    names = [f"page {page}" for page in pages] + ([f"called {event_group}"] if event_group else [])
    return [f"{moment:%Y-%m-%d} {name}" for name in names]


def event_clusters(rows: pl.DataFrame) -> list[int]:
    """The cluster of each row: equal for rows of one question, of one market event, or resolved by one event.

    Rows that share any of these are joined, and so are those that both share one with a third row. Only the given rows
    count: the clusters of one model's scores come from its own cruxes.

    Args:
        rows: Of a study's scores.
    """
    columns = rows.select("question", "event", "resolved_by").iter_rows()
    return linked_clusters([(("question", question), ("market", event), *by) for question, event, by in columns])
