"""What a reader has to know of question sets and runs before their numbers."""

from collections.abc import Iterable, Sequence

from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.report.gathering.run import Run, ScoredSample


def told_of_sets(sets: Iterable[QuestionSet]) -> list[str]:
    """A sentence for each set whose scores are not what they seem: of fictional questions, or chosen with hindsight."""
    manifests = {one.digest: one.manifest for one in sets}.values()
    warnings = [
        f"The questions of {one.name} are fictional: scores on them say nothing about a model's skill."
        for one in manifests
        if one.fictional
    ]
    warnings += [
        f"Windows of {one.name} were laid by when markets really ended, which was not known when they began."
        for one in manifests
        if "hindsight_dates" in one.flags
    ]
    return warnings


def told_of_runs(runs: Sequence[Run]) -> list[str]:
    """One sentence for each thing: unfinished or partial runs, provisional scores, models that judge themselves."""
    warnings = []
    unfinished = [run for run in runs if run.status != "success"]
    if unfinished:
        kinds = ", ".join(sorted({run.status for run in unfinished}))
        models = ", ".join(sorted({run.model for run in unfinished}))
        warnings.append(f"Not finished ({kinds}): the runs of {models}.")
    limited = sorted({run.model for run in runs if run.limited})
    if limited:
        warnings.append(f"Only a part of the questions was run by {', '.join(limited)}.")
    provisional = sum(bool(sample.told.get("provisional")) for run in runs for sample in run.samples)
    if provisional:
        warnings.append(f"{provisional} scores are provisional: prices of their windows are not final yet.")
    several = sorted({run.model for run in runs if run.terms.k > 1})
    if several:
        warnings.append(
            f"Several cruxes a question were proposed by {', '.join(several)}: scores are their means, and what is "
            "told of single cruxes (answers, times, rules, prices around them) is told of the first of each sample."
        )
    own_judge = sorted({run.model for run in runs if any(_judged_itself(sample) for sample in run.samples)})
    if own_judge:
        warnings.append(f"Judged by the model itself: {', '.join(own_judge)}.")
    return warnings


def _judged_itself(sample: ScoredSample) -> bool:
    return bool(sample.told.get("resolver_is_subject") or sample.told.get("verifier_is_subject"))
