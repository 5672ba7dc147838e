"""The paper's table 8: whether the answers of cruxes go with the outcomes of their questions."""

import math

import polars as pl

from cruxbench_inspect.inference.informativeness import clustered_j_interval, informativeness, oriented
from cruxbench_inspect.report.gathering.resolving_events import event_clusters
from cruxbench_inspect.report.gathering.score_rows import question_key
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.widths import of_single_cruxes


def informativeness_of_cruxes(study: Study) -> Table:
    """The table of a study.

    Raises:
        ValueError: If no outcome of a question is known.
    """
    outcomes = {
        question_key(loaded.digest, outcome.question_id, len(study.sets)): outcome.outcome == "Yes"
        for loaded in study.sets.values()
        for outcome in loaded.outcomes.values()
        if outcome.outcome is not None
    }
    if not outcomes:
        raise ValueError("Table 8, the informativeness of cruxes: no outcome of the questions is known.")
    rows: list[dict[str, Cell]] = []
    single = of_single_cruxes(study)
    for label in study.labels:
        resolved = study.scored_samples(label).filter(
            pl.col("resolved") > 0, pl.col("outcome").is_not_null(), pl.col("question").is_in(list(outcomes))
        )
        answers = [answer == "Yes" for answer in resolved["outcome"].to_list()]
        ends = [outcomes[question] for question in resolved["question"].to_list()]
        events = event_clusters(resolved)
        plain = informativeness(answers, ends)
        # A move of several cruxes is not that of the first.
        may_infer = label in single
        turned = oriented(answers, [_direction(row, may_infer) for row in resolved.iter_rows(named=True)])
        told = sum(one is not None for one in turned)
        directed = informativeness(turned, ends) if told else None
        rows.append(
            {
                "model": label,
                "j": plain.j,
                "interval": plain.j_interval,
                "clustered": clustered_j_interval(answers, ends, events) if answers else None,
                "tpr": plain.tpr,
                "fpr": plain.fpr,
                "positives": plain.positives,
                "negatives": plain.negatives,
                "oriented": directed.j if directed else None,
                "oriented_interval": directed.j_interval if directed else None,
                "directions": told,
            }
        )
    rows.sort(key=lambda row: -(row["j"] if isinstance(row["j"], float) and not math.isnan(row["j"]) else -2.0))
    columns = (
        Column("model", "Model"),
        Column("j", "J", "number", help="P(crux Yes | question Yes) - P(crux Yes | question No), Youden's J."),
        Column("interval", "95% CI", "interval", help="Newcombe's, as if cruxes were independent."),
        Column("clustered", "Clustered", "interval", help="Bootstrap over events."),
        Column("tpr", "TPR", "number", help="P(crux Yes | question Yes)."),
        Column("fpr", "FPR", "number", help="P(crux Yes | question No)."),
        Column("positives", "Yes", "integer", help="Cruxes whose question ended Yes."),
        Column("negatives", "No", "integer", help="Cruxes whose question ended No."),
        Column("oriented", "J, oriented", "number", help="With answers turned by the direction that the crux states."),
        Column("oriented_interval", "95% CI", "interval", help="Newcombe's."),
        Column("directions", "Directions", "integer", help="Cruxes that state one."),
    )
    return Table(
        "informativeness",
        "Informativeness of cruxes",
        columns,
        tuple(rows),
        ("Only resolved cruxes count. A crux that is worded negatively turns the sign of J, not of the oriented J.",),
        "Table 8",
    )


def _direction(row: dict[str, object], may_infer: bool) -> bool | None:
    """Whether a Yes was to make the question likelier: as stated, else perhaps as the sign of the signed move tells."""
    stated = row["yes_makes_u"]
    if stated is not None:
        return stated == "more"
    if not may_infer:
        return None
    signed, before, after = (row[name] for name in ("signed_move", "p_before", "p_after"))
    numbers = [one for one in (signed, before, after) if isinstance(one, float) and not math.isnan(one)]
    if len(numbers) < 3 or not numbers[0] or numbers[1] == numbers[2]:
        return None
    with_move = (numbers[0] > 0) == (numbers[2] > numbers[1])
    return with_move == (row["outcome"] == "Yes")
