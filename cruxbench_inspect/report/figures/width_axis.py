"""The horizontal axis of figures by averaging width."""

import altair as alt


def width_axis() -> alt.X:
    """Averaging widths in hours, from the field ``width``."""
    return alt.X(
        "width:Q",
        title="Averaging width (hours)",
        axis=alt.Axis(values=[1, 12, 24, 36, 48]),
        scale=alt.Scale(nice=False, padding=6),
    )
