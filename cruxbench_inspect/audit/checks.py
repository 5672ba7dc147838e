"""All mechanical checks of one item."""

from cruxbench_inspect.audit.findings import Finding
from cruxbench_inspect.audit.items import Item, Ultimate
from cruxbench_inspect.audit.outcome_told import outcome_findings
from cruxbench_inspect.audit.stated_dates import address_findings, stated_date_findings
from cruxbench_inspect.audit.text_dates import text_date_findings


def findings_of(item: Item, ultimate: Ultimate) -> tuple[Finding, ...]:
    """Every leak that can be found in an item without a model, each once."""
    found = [
        *stated_date_findings(item),
        *address_findings(item),
        *text_date_findings(item),
        *outcome_findings(item, ultimate),
    ]
    return tuple(dict.fromkeys(found))
