"""What is left of a provider's results under the date rules."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from cruxbench_inspect.evidence.cutoff import RejectionReason, rejection
from cruxbench_inspect.evidence.source import Hit, SearchOutcome


def admitted_hits(hits: Iterable[Hit], before: datetime, limit: int) -> SearchOutcome:
    """The first hits that may be shown at a cutoff, and by reason how many of all may not.

    Results that may not be shown do not take the place of others that may.
    """
    rejected: Counter[RejectionReason] = Counter()
    admitted: list[Hit] = []
    for hit in hits:
        reason = rejection(hit.document, before)
        if reason is None:
            admitted.append(hit)
        else:
            rejected[reason] += 1
    return SearchOutcome(hits=tuple(admitted[:limit]), rejected=rejected)
