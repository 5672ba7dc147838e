"""How often the offline judge answers as the demo set's answer sheet does, on cruxes that it did not choose.

The builder of the demo set knows the truth about every event of it, with a crux for each that is worded for people.
This settles each of them with ``cruxbench/keyword``, by the same tools and loop as any judge.

Run: python -m benchmarks.keyword_judge
"""

import re
from collections import Counter
from functools import partial

import anyio
from inspect_ai.model import get_model

from cruxbench_inspect.crux import Crux
from cruxbench_inspect.crux_dates import read_date
from cruxbench_inspect.demo.build import build
from cruxbench_inspect.demo.facts import Fact
from cruxbench_inspect.evidence.sources import open_source
from cruxbench_inspect.judge.judgement import Judges, Terms, judge, prompt_versions
from cruxbench_inspect.questions import Question, QuestionSet
from cruxbench_inspect.resolution import GRACE

MODEL = "cruxbench/keyword"


def crux_of(fact: Fact, question: Question) -> Crux:
    """The fact's crux, from the window's start to the last date in it or the window's end."""
    last = question.window.end.date()
    dates = re.findall(r"\d{1,2} [A-Z][a-z]+ \d{4}", fact.asks)
    end = min(read_date(dates[-1]), last) if dates else last
    return Crux(
        question=fact.asks,
        resolution_criteria=f"Yes if this is reported to have happened by {end}. No otherwise.",
        start_date=question.window.start.date(),
        end_date=end,
    )


async def settle(facts: tuple[Fact, ...]) -> Counter[tuple[str, str]]:
    """Count facts by the right answer and the judge's."""
    demo = QuestionSet.load("demo")
    source = open_source(demo.manifest.evidence, demo.evidence_file)
    judges = Judges(get_model(MODEL), get_model(MODEL))
    counts: Counter[tuple[str, str]] = Counter()
    for fact in facts:
        question = demo.question(fact.question_id)
        cutoff = question.window.end + GRACE
        terms = Terms(
            resolver=MODEL, verifier=MODEL, prompts=prompt_versions(True), cutoff=cutoff, evidence=source.name
        )
        judgement = await judge(crux_of(fact, question), source, terms, judges)
        answer = judgement.resolution.answer if judgement.resolution else None
        counts[fact.answer or "unresolvable", answer or "unresolvable"] += 1
    return counts


def agreement(counts: Counter[tuple[str, str]]) -> float:
    """The share of facts with the right answer."""
    return sum(count for (right, given), count in counts.items() if right == given) / counts.total()


def main() -> None:
    """Print the table."""
    counts = anyio.run(partial(settle, build().facts))
    print(f"{'right':<14}{'given':<14}count")
    for (right, given), count in sorted(counts.items()):
        print(f"{right:<14}{given:<14}{count:>5}")
    print(f"{counts.total()} cruxes, {100 * agreement(counts):.0f}% answered right")


if __name__ == "__main__":
    main()
