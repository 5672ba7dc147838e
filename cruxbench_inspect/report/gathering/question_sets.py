"""The question sets that runs were made with, wherever they are now."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.report.gathering.run import Run


def question_sets(runs: Sequence[Run], places: Sequence[str]) -> tuple[dict[str, QuestionSet], dict[str, str]]:
    """The sets of runs by their digests and those of the versions before them; why others are missing, by digest."""
    loaded = [QuestionSet.load(place) for place in places]
    troubles: dict[str, str] = {}
    for run in runs:
        digest = run.terms.questions
        if digest in troubles or any(one.stands_for(digest) for one in loaded):
            continue
        name = run.terms.question_set
        try:
            own = QuestionSet.load(run.set_path)
        except InputError as error:
            cause = str(error).splitlines()[0].partition(". ")[0].rstrip(".")
            troubles[digest] = f"The question set {name} could not be loaded: {cause}"
            continue
        if own.stands_for(digest):
            loaded.append(own)
        else:
            troubles[digest] = f"The question set at {run.set_path} is not the one that was run, {name}"
    found: dict[str, QuestionSet] = {}
    for one in sorted(loaded, key=lambda one: len(one.manifest.earlier)):
        earlier = [version.digest for version in one.manifest.earlier]
        found |= {digest: one for digest in (*earlier, one.digest) if one.stands_for(digest)}
    advice = "None of --questions is that set." if places else "Name it with --questions FOLDER."
    return found, {
        digest: f"{trouble}; what needs its prices is left out. {advice}"
        for digest, trouble in troubles.items()
        if digest not in found
    }


def newest_digest(questions: str, sets: Mapping[str, QuestionSet]) -> str:
    """The digest of the newest version of a set, as far as that could be loaded."""
    return sets[questions].digest if questions in sets else questions


def of_newest_version(run: Run, sets: Mapping[str, QuestionSet]) -> Run:
    """The run as if it was of its set's newest version, which asks the same."""
    newest = sets.get(run.terms.questions)
    if newest is None:
        return run
    named = f"{newest.name} {newest.manifest.version} ({newest.digest[:12]})"
    return replace(run, terms=replace(run.terms, questions=newest.digest, question_set=named))
