"""How a report's numbers were made, in words that could stand in a paper, from what the logs say."""

from cruxbench_inspect.report.figures.wording import counted
from cruxbench_inspect.report.gathering.comparability import differences
from cruxbench_inspect.report.gathering.study import ENOUGH, Study
from cruxbench_inspect.report.widths import WidthScores


def methods_text(study: Study, widths: WidthScores, likeness: str = "") -> str:
    """The paragraphs, in markdown.

    Args:
        study: The study.
        widths: Its scores at all widths.
        likeness: How cruxes are compared, "" where they are not.
    """
    runs = [run for entry in study.entries for run in entry.runs]
    terms = [run.terms for run in runs]
    sets = sorted({one.question_set for one in terms})
    judges = sorted({(one.resolver, one.verifier) for one in terms if one.resolver})
    benchmark = sorted({run.benchmark for run in runs})
    imported = sorted({entry.label for entry in study.entries if any(run.imported for run in entry.runs)})
    starts = [start for start in study.scores["window_start"].to_list() if start is not None]
    paragraphs = [
        f"**Questions.** {len(study.questions)} questions of {_listed(sets)} (name, version, digest). "
        + (f"Evaluation windows begin from {min(starts):%Y-%m-%d} to {max(starts):%Y-%m-%d}. " if starts else "")
        + f"Benchmark version {_listed(benchmark)}.",
        "**Cruxes and judges.** Each model was shown a question and news from before its window, and proposed "
        + (f"{_listed(sorted({counted(one.k, 'crux', 'cruxes') for one in terms}))} a question. ")
        + (
            " ".join(
                f"{resolver} settled them from dated evidence"
                + (f", and {verifier} checked the times." if verifier else ", and no verifier checked the times.")
                for resolver, verifier in judges
            )
            or "No judge was asked."
        )
        + (f" The runs of {_listed(imported)} were imported, with the judgements they came with." if imported else ""),
        f"**Score.** VOI is KL(p' || p) in bits, where p is the mean trusted price over the "
        f"{_listed(sorted({str(one.width) for one in terms}))} hours up to the last whole hour before the answer "
        "became known, and p' the mean over as many hours after it. No crux, a malformed one, dates out of the window, "
        "unresolvable cruxes and moments without both means score 0; what failed through no fault of the model is "
        f"left out. {_trusted_prices(study)}Random timing is the mean over all hours of the window, the oracle their "
        "maximum.",
        "**Statistics.** Intervals of means are t intervals over questions with n - 1 degrees of freedom; stars are "
        "of one-sided paired t-tests against random timing, uncorrected. Differences between models are paired by "
        "question and clustered by event; Holm's and Benjamini and Hochberg's corrections are over the pairs "
        "that are shown. The bootstrap draws whole clusters, 2,000 times, and studentises. Signs are flipped 2,000 "
        "times, for one pair alone 10,000 times. Timing percentiles count ties half. "
        f"Models with scores on less than {ENOUGH:.0%} of the questions, or whose knowledge reaches into a window, are "
        + ("ranked all the same." if study.rank_all else "not ranked."),
    ]
    if widths.questions:
        paragraphs.append(
            f"**Prices.** The prices of {len(widths.questions)} questions were read again for all widths from 1 to 48 "
            "hours, from the logged times of resolution; no judge was asked."
        )
    if likeness:
        paragraphs.append(f"**Similarity of cruxes.** {likeness}")
    found = differences(runs, pooled=study.pooled)
    if found:
        paragraphs.append("**Mixed.** " + " ".join(one.line() for one in found))
    return "\n\n".join(paragraphs)


def _trusted_prices(study: Study) -> str:
    """How trusted prices are made, as the sets' manifests say it; nothing where no set is at hand."""
    manifests = {loaded.digest: loaded.manifest for loaded in study.sets.values()}.values()
    rules = sorted(
        {
            f"V / {one.price_rules.volume_threshold_usdc:,.0f} USDC), where V is the volume from "
            f"{one.price_rules.half_window_hours} hours before to {one.price_rules.half_window_hours} hours after it"
            for one in manifests
            if one.prices == "raw"
        }
    )
    told = "".join(f"The trusted price follows the traded price by alpha = min(1, {rule}. " for rule in rules)
    given = any(one.prices == "trusted" for one in manifests)
    return told + ("Trusted prices are as the question set has them. " if given else "")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"
