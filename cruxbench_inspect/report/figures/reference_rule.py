"""A line at a fixed value in every panel of a figure."""

import altair as alt

from cruxbench_inspect.report.figures.vega_lite import REFERENCE


def vertical(value: float) -> alt.Chart:
    """A vertical line across the panel."""
    return _rule().encode(x=alt.datum(value))


def horizontal(value: float) -> alt.Chart:
    """A horizontal line across the panel."""
    return _rule().encode(y=alt.datum(value))


def _rule() -> alt.Chart:
    # Without the aggregate there would be one line per row of the panel, on top of each other.
    rule: alt.Chart = alt.Chart().transform_aggregate(rows="count()").mark_rule(strokeDash=[4, 3], style=REFERENCE)
    return rule
