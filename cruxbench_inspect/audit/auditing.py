"""The audit of logs: collect what models were shown, check each item, sum up."""

from collections.abc import Sequence
from pathlib import Path

from inspect_ai.log import EvalSample
from inspect_ai.model import Model

from cruxbench_inspect.audit.auditor import Auditor
from cruxbench_inspect.audit.checks import findings_of
from cruxbench_inspect.audit.exposure import exposure_of
from cruxbench_inspect.audit.items import Item, Ultimate, without_repeats
from cruxbench_inspect.audit.log_files import log_addresses, samples_of
from cruxbench_inspect.audit.results import Audit, CheckedItem
from cruxbench_inspect.audit.ultimates import Ultimates
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import parse_utc


async def audit(
    logs: Sequence[str | Path], questions: QuestionSet | None = None, auditor: Model | None = None
) -> Audit:
    """Look through everything that the models of logs were shown for what is from after their cutoff.

    Args:
        logs: Log files and folders with logs. What was shown for one question several times, in several epochs or logs,
            is one item.
        questions: Where outcomes are looked up; by default the sets that the logs name.
        auditor: A model that reads every item with its cutoff, never with the question's outcome; None asks none.
    """
    addresses, problems = log_addresses(logs)
    ultimates = Ultimates(questions)
    asked: dict[tuple[str, str], Ultimate] = {}
    shown: list[Item] = []
    samples = 0
    for log in addresses:
        unplaced = 0
        for sample in samples_of(log, problems):
            samples += 1
            problem = _problem_with(sample)
            if problem is not None:
                problems.append(f"{log}: sample {sample.id} {problem}: not audited")
                continue
            exposure = exposure_of(sample, log)
            unplaced += exposure.unplaced
            shown += exposure.items
            asked[log, str(sample.id)] = ultimates.of(sample.metadata)
        if unplaced:
            problems.append(
                f"{log}: {unplaced} times judges were shown something outside of any judgement, so that its cutoff is "
                "not known: not audited"
            )
    checked = [CheckedItem(item, findings_of(item, asked[item.log, item.sample])) for item in without_repeats(shown)]
    use = None
    if auditor is not None:
        checked, use = await Auditor(auditor).review(checked)
    return Audit.of(addresses, samples, checked, [*problems, *ultimates.problems], use)


def _problem_with(sample: EvalSample) -> str | None:
    missing = [name for name in ("question", "question_id", "window_start", "set_path") if name not in sample.metadata]
    if missing:
        return f"has no {', '.join(missing)} in its metadata"
    try:
        parse_utc(str(sample.metadata["window_start"]))
    except ValueError as error:
        return f"has a window_start that {error}"
    return None
