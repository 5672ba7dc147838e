"""How VOI goes with what models can do otherwise: few models, so how sure a correlation is."""

from cruxbench_inspect.inference.correlation import leave_one_out, pearson_fisher, spearman
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.numbers import known, mean
from cruxbench_inspect.report.page.prose import literal
from cruxbench_inspect.report.table import Cell, Column, Table
from cruxbench_inspect.report.tables.forecasts import own_forecasts

_FEWEST = 3
_OF_SEVERAL = ("Of several runs of a model the first one counts.",)


def correlations(study: Study) -> Table:
    """The table of a study.

    Raises:
        ValueError: If no other score is known of three models.
    """
    forecasts = own_forecasts(study)
    others: dict[str, dict[str, float]] = {
        "capability": {label: facts.capability for label, facts in study.facts.items() if facts.capability is not None},
        "Brier score of own forecasts": {label: one.brier for label, one in forecasts.items()},
        "AUC of own forecasts": {label: one.auc for label, one in forecasts.items()},
    }
    rows: list[dict[str, Cell]] = []
    for name, of_all in others.items():
        scores = {label: score for label, score in of_all.items() if label in study.one_of_each_model}
        voi = {label: mean(study.scored(label)["voi_kl"].to_list()) for label in scores}
        both = [(scores[label], voi[label]) for label in scores if len(known([scores[label], voi[label]])) == 2]
        if len(both) >= _FEWEST:
            first, second = ([pair[place] for pair in both] for place in (0, 1))
            pearson, without = pearson_fisher(first, second), known(leave_one_out(first, second))
            rows.append(
                {
                    "score": name,
                    "models": len(both),
                    "r": pearson.r,
                    "interval": pearson.interval,
                    "p": pearson.p,
                    "least": min(without, default=None),
                    "most": max(without, default=None),
                    "rho": spearman(first, second),
                }
            )
    if not rows:
        raise ValueError("Correlations of VOI: no capability (--models) or own forecasts are known of three models.")
    columns = (
        Column("score", "VOI against"),
        Column("models", "Models", "integer"),
        Column("r", "r", "number", 2, help="Pearson's correlation of the models' means."),
        Column("interval", "95% CI", "interval", 2, help="Fisher's, over models."),
        Column("p", "p", "p_value", help="Two-sided, of no correlation."),
        Column("least", "Least without one", "number", 2, help="The least r with any one model left out."),
        Column("most", "Greatest without one", "number", 2, help="The greatest r with any one model left out."),
        Column("rho", "Rank correlation", "number", 2, help="Spearman's rho."),
    )
    doubtful = [label for label in study.labels if study.doubts(label)]
    several = len(study.entries) > len(study.one_of_each_model)
    notes = (f"Also of models that table 1 has doubts about: {', '.join(map(literal, doubtful))}.",) if doubtful else ()
    return Table("correlations", "VOI and other scores", columns, tuple(rows), (*notes, *_OF_SEVERAL[:several]))
