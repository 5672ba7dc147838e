"""CruxBench: propose a question whose answer will move a prediction market, and be scored by how far it moved."""

import click
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric

from cruxbench_inspect import BENCHMARK_VERSION, __version__
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.sources import absolute_name, open_source
from cruxbench_inspect.judge.judgement import prompt_versions
from cruxbench_inspect.judge.judging import JudgeNames
from cruxbench_inspect.proposals import record_cruxes
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.sample_columns import sample_columns
from cruxbench_inspect.utc import format_utc
from cruxbench_inspect.voi import WIDEST
from cruxbench_inspect.working_directory import user_path
from scorers.voi import voi
from solvers.propose import PROPOSE, REPAIR, propose, question_prompt


@task
def cruxbench(
    questions: str = "demo",
    evidence: str | None = None,
    record: str | None = None,
    width: int = 24,
    articles: int = 10,
    verify: bool = True,
    k: int = 1,
) -> Task:
    """Information discovery on prediction markets.

    Args:
        questions: A built-in question set, or a folder with one.
        evidence: The judge's evidence source, several joined by ``+``; by default the set's own.
        record: A file that keeps what the source answers, by request and cutoff; what it has is not asked again.
        width: Averaging width in hours, 1 to 48.
        articles: How many news articles the generator is shown at most.
        verify: Whether a verifier checks the resolver's times.
        k: How many cruxes are asked for; the score is their mean.
    """
    for name, value, least, most in (("width", width, 1, WIDEST), ("articles", articles, 0, None), ("k", k, 1, None)):
        if type(value) is not int or value < least or (most is not None and value > most):
            raise InputError(
                f"{name} is {value!r}, and must be a whole number from {least}{f' to {most}' if most else ''}"
            )
    if type(verify) is not bool:
        raise InputError(f"verify is {verify!r}, and must be true or false")
    question_set = QuestionSet.load(questions)
    evidence = absolute_name(evidence or question_set.manifest.evidence)
    record = None if record is None else str(user_path(record))
    open_source(evidence, question_set.evidence_file, record)
    judges = question_set.manifest.judges
    if judges is None and _made_by_a_command():
        JudgeNames.of_run(None, None, verify)

    about = {
        "set_name": question_set.name,
        "set_version": question_set.manifest.version,
        "set_digest": question_set.digest,
        "set_path": question_set.location,
        "evidence": evidence,
        "width": width,
        "verify": verify,
        "k": k,
    }
    return Task(
        dataset=MemoryDataset(
            [_sample(question, articles, k, about) for question in question_set.questions], name=question_set.name
        ),
        solver=propose(),
        scorer=voi(record=record),
        version=f"{BENCHMARK_VERSION} {question_set.name}-{question_set.manifest.version}-{question_set.digest[:12]}",
        metadata={
            "cruxbench_inspect": __version__,
            "prompts": [PROPOSE.version, REPAIR.version, *prompt_versions(verify, question_set.is_live)],
            # Judges that a run names instead are among its model roles.
            "default_judges": judges.model_dump() if judges else {},
            **about,
        },
        # A failed generation is not hidden: it is a sample without a score, and lowers the coverage.
        score_on_error=True,
        cleanup=record_cruxes,
        headline_metric=HeadlineMetric(scorer="voi", score="voi_kl", metric="mean"),
        viewer=sample_columns(),
    )


def _made_by_a_command() -> bool:
    """Whether a command makes this task, with its roles bound; one that is made in Python meets them when it scores."""
    return click.get_current_context(silent=True) is not None


def _sample(question: Question, articles: int, k: int, about: dict[str, object]) -> Sample:
    return Sample(
        id=question.id,
        input=question_prompt(question, articles, k),
        metadata={
            "question_id": question.id,
            "question": question.question,
            "event": question.event,
            "tags": list(question.tags),
            "window_start": format_utc(question.window.start),
            "window_end": format_utc(question.window.end),
            **about,
        },
    )
