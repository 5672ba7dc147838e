"""How cruxes of different models for one question differ, by how similar their texts are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import altair as alt

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures import vega_lite
from cruxbench_inspect.report.figures.missing_values import complete
from cruxbench_inspect.report.figures.wording import counted, listed, sentences
from cruxbench_inspect.report.table import NOTHING, Column


@dataclass(frozen=True)
class SimilarityGroup:
    """Pairs of cruxes of similar likeness.

    Attributes:
        label: What the group is called on the axis, such as "0.6 to 0.7".
        low: The lowest similarity.
        high: The highest similarity.
        count: How many pairs it has.
        value: The share of them, or their median in the panel's unit.
        interval: The 95% interval of the value, NaN where there is none.
    """

    label: str
    low: float
    high: float
    count: int
    value: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class SimilarityPanel:
    """One quantity by similarity.

    Attributes:
        title: What it is, with its unit if it is no share.
        groups: Its groups, in any order.
        share: Whether values are shares from 0 to 1.
    """

    title: str
    groups: Sequence[SimilarityGroup]
    share: bool = True


def similarity_disagreement(
    panels: Sequence[SimilarityPanel],
    *,
    similarity: str = "Cosine similarity",
    name: str = "similarity_disagreement",
    title: str = "Where similar cruxes still differ",
    paper: str | None = "Figure 4",
) -> Figure:
    """One panel per quantity: points with intervals by group, with the number of pairs under each.

    Args:
        panels: What to show; panels without any value are named in the caption.
        similarity: The title of the horizontal axes.
        name: The figure's name.
        title: The figure's title.
        paper: What it is called in the paper.

    Raises:
        ValueError: If no panel has a value.
    """
    complete([group for panel in panels for group in panel.groups], ["value"], "groups of crux pairs")
    charts, datasets, told, left_out = [], {}, [], []
    shown: list[SimilarityPanel] = []
    for index, panel in enumerate(panels):
        try:
            kept, dropped = complete(panel.groups, ["value"], "groups")
        except ValueError:
            left_out.append(f"{panel.title} has no values.")
            continue
        kept = sorted(kept, key=lambda group: group.low)
        left_out.append(f"{panel.title}: {dropped}" if dropped else "")
        shown.append(replace(panel, groups=kept))
        dataset = f"panel_{index + 1}"
        charts.append(_panel(dataset, panel, kept, similarity))
        datasets[dataset] = [_row(group, panel.share) for group in kept]
        ends = kept if len(kept) == 1 else [kept[0], kept[-1]]
        told.append(
            f"{panel.title}: "
            + ", ".join(
                f"{_with_interval(group, panel.share, 0 if panel.share else 2)} at {group.label}" for group in ends
            )
        )
    description = (
        f"{counted(len(charts), 'panel')} by {similarity[0].lower() + similarity[1:]} of two cruxes. {'; '.join(told)}."
    )
    chart = alt.concat(*charts, columns=2, spacing=30)
    return Figure(
        name=name,
        title=title,
        spec=vega_lite.spec(chart, description, **datasets),
        description=description,
        caption=sentences(
            "Pairs of cruxes of different models for one question, grouped by similarity; n is the number of pairs.",
            _of_bars(shown),
            *left_out,
        ),
        paper=paper,
    )


def _panel(
    dataset: str, panel: SimilarityPanel, groups: Sequence[SimilarityGroup], similarity: str
) -> alt.LayerChart | alt.FacetChart:
    data = alt.NamedData(dataset)
    highest = max(bound for group in groups for bound in (group.value, *group.interval) if bound == bound)
    scale = alt.Scale(domain=[0, min(1.0, highest * 1.1) if panel.share and highest > 0 else highest * 1.1 or 1.0])
    x = alt.X(
        "group:N",
        sort=[f"{group.label}" for group in groups],
        title=similarity,
        axis=alt.Axis(labelAngle=0 if len(groups) <= 5 else -40, labelLimit=110),
    )
    y = alt.Y("value:Q", scale=scale, title=None, axis=alt.Axis(format=".0%" if panel.share else "~g"))
    tooltip = [
        alt.Tooltip("group:N", title=similarity),
        alt.Tooltip("interval:N", title=panel.title),
        alt.Tooltip("count:Q", title="Pairs"),
    ]
    base = alt.Chart(data).encode(x=x, tooltip=tooltip)
    return alt.layer(
        base.mark_line(strokeDash=[2, 2], opacity=0.6).encode(y=y),
        base.transform_filter(vega_lite.WITH_INTERVAL)
        .mark_rule(strokeWidth=2)
        .encode(y=alt.Y("low:Q", scale=scale), y2="high:Q"),
        base.mark_point(filled=True, size=70, opacity=1).encode(y=y),
        alt.Chart(data)
        .mark_text(baseline="bottom", dy=-3, style=vega_lite.ANNOTATION)
        .encode(x=x, y=alt.value("height"), text="pairs:N"),
    ).properties(
        width=300,
        height=190,
        title=alt.TitleParams(panel.title, anchor="start", frame="group", limit=310, fontWeight="normal"),
    )


def _of_bars(panels: Sequence[SimilarityPanel]) -> str:
    """What the bars are, and which panels have none; empty where none has."""
    bare = [panel for panel in panels if all(math.isnan(group.interval[0]) for group in panel.groups)]
    if len(bare) == len(panels):
        return ""
    without = listed(f"“{panel.title}”" for panel in bare) if bare else ""
    wilson = " (Wilson's)" if all(panel.share for panel in panels if panel not in bare) else " (Wilson's for shares)"
    return f"Bars are 95% intervals{wilson}" + (f"; there are none for {without}." if without else ".")


def _with_interval(group: SimilarityGroup, share: bool, digits: int) -> str:
    """A value with its interval as a table has them."""
    shown = Column("value", "", "share" if share else "number", digits).shown(group.value)
    bounds = Column("interval", "", "share_interval" if share else "interval", digits).shown(group.interval)
    return shown if bounds == NOTHING else f"{shown} {bounds}"


def _row(group: SimilarityGroup, share: bool) -> vega_lite.Row:
    return {
        "group": group.label,
        "value": group.value,
        "low": group.interval[0],
        "high": group.interval[1],
        "count": group.count,
        "pairs": f"n = {group.count:,}",
        "interval": _with_interval(group, share, 1 if share else 3),
    }
