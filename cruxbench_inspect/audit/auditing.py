"""The audit of logs: collect what models were shown, check each item, sum up."""

from collections.abc import Sequence
from pathlib import Path

from inspect_ai.model import Model

from cruxbench_inspect.audit.auditor import Auditor
from cruxbench_inspect.audit.checks import findings_of
from cruxbench_inspect.audit.exposure import exposure_of
from cruxbench_inspect.audit.log_files import log_addresses, samples_of
from cruxbench_inspect.audit.results import Audit, CheckedItem
from cruxbench_inspect.audit.ultimates import Ultimates
from cruxbench_inspect.questions import QuestionSet

_NEEDED = ("question", "question_id", "window_start", "set_path")


async def audit(
    logs: Sequence[str | Path], questions: QuestionSet | None = None, auditor: Model | None = None
) -> Audit:
    """Look through everything that the models of logs were shown for what is from after their cutoff.

    Args:
        logs: Log files and folders with logs.
        questions: Where outcomes are looked up; by default the sets that the logs name.
        auditor: A model that reads every item with its cutoff, never with the question's outcome; None asks none.
    """
    addresses, problems = log_addresses(logs)
    ultimates = Ultimates(questions)
    samples, checked = 0, []
    for log in addresses:
        for sample in samples_of(log, problems):
            samples += 1
            missing = [name for name in _NEEDED if name not in sample.metadata]
            if missing:
                problems.append(f"{log}: sample {sample.id} has no {', '.join(missing)} in its metadata: not audited")
                continue
            shown = exposure_of(sample, log)
            if shown.unplaced:
                problems.append(
                    f"{log}: sample {sample.id}: {shown.unplaced} outputs of judges' tools belong to no judgement, so "
                    "that their cutoff is not known: not audited"
                )
            ultimate = ultimates.of(sample.metadata)
            checked += [CheckedItem(item, findings_of(item, ultimate)) for item in shown.items]
    use = None
    if auditor is not None:
        checked, use = await Auditor(auditor).review(checked)
    return Audit.of(addresses, samples, checked, [*problems, *ultimates.problems], use)
