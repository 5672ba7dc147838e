"""VOI over random timing by groups of resolutions or questions."""

from cruxbench_inspect.report.drawings.entries import doubts_of
from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.figures.breakdown import GroupGain, breakdown
from cruxbench_inspect.report.material import Material


def gains(material: Material) -> list[Figure]:
    """VOI over random timing by rule, precision, lead time and tag."""
    made = []
    models, doubts = material.shown, doubts_of(material.study)
    for by in dict.fromkeys(group.by for group in material.groups):
        rows = [
            GroupGain(group.group, group.entry, group.above, *group.interval, group.count)
            for group in material.groups
            if group.by == by and group.entry in models
        ]
        if rows:
            name = f"gain_by_{by.replace(' ', '_')}"
            made.append(breakdown(rows, by=by.capitalize(), name=name, models=models, doubts=doubts))
    return made
