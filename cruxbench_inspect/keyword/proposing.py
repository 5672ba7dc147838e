"""The generator: from the articles to cruxes about the most telling event that lies ahead."""

import json
import re
from collections.abc import Iterable
from datetime import date, timedelta

from pydantic import BaseModel, ConfigDict

from cruxbench_inspect.keyword.announcements import Announcement, announcements
from cruxbench_inspect.keyword.dates import in_words
from cruxbench_inspect.keyword.event_words import BY_NAME
from cruxbench_inspect.keyword.events import event_mentions, event_stems
from cruxbench_inspect.keyword.figures import Figure
from cruxbench_inspect.keyword.outcomes import outcome_of
from cruxbench_inspect.keyword.prompts import GeneratorPrompt, ShownArticle
from cruxbench_inspect.keyword.sentences import sentences
from cruxbench_inspect.keyword.words import inverse_document_frequencies, matter, names, overlap, stem, stems, tokens

_WORTH = {"repeated": 1.0, "scheduled": 1.2, "expected": 0.4}
_TELLING = {
    "decide": 0.5,
    "vote": 0.5,
    "approve": 0.5,
    "reject": 0.5,
    "publish": 0.3,
    "launch": 0.4,
    "open": 0.4,
    "arrest": 0.4,
    "raise": 0.5,
    "cut": 0.5,
}
_OPEN_OUTCOME = 0.8
_VAGUE = 0.6
_SAME_MATTER = 0.75
_REPORT_DAYS = 1


class ProposedCrux(BaseModel):
    """A crux in the form in which a generator answers."""

    model_config = ConfigDict(frozen=True)

    question: str
    background: str
    resolution_criteria: str
    start_date: date
    end_date: date
    rationale: str
    yes_makes_u: str | None = None


def propose(prompt: GeneratorPrompt, count: int = 1) -> list[ProposedCrux]:
    """Up to `count` cruxes about different events, the most telling first; at least one.

    An event scores by how it is announced, by the words that it shares with the ultimate question (weighted by their
    inverse document frequency over the articles), by its kind, and by how soon it comes.
    """
    weights = inverse_document_frequencies(
        [*(f"{article.title}. {article.text}" for article in prompt.articles), prompt.question]
    )
    about = {word: weights.get(word, 0.0) for word in sorted(stems(prompt.question))}
    ranked = sorted(
        announcements(prompt),
        key=lambda announced: (-_score(announced, prompt, about), announced.due or prompt.latest, announced.sentence),
    )
    chosen: list[ProposedCrux] = []
    for announced in ranked:
        crux = _crux(prompt, announced)
        if crux and not _restates(crux.question, prompt.question) and all(_differs(crux, other) for other in chosen):
            chosen.append(crux)
        if len(chosen) == count:
            return chosen
    return chosen or [_fallback(prompt)]


def answer(cruxes: Iterable[ProposedCrux], several: bool, bare: bool, from_articles: bool = True) -> str:
    """The generator's message: a sentence and a fenced JSON object, or (bare) the JSON alone."""
    objects = [crux.model_dump(mode="json", exclude_none=True) for crux in cruxes]
    text = json.dumps({"cruxes": objects} if several else objects[0], ensure_ascii=False, indent=2)
    if bare:
        return text
    told = (
        "from the events that the articles announce" if from_articles else "of the question alone: there is no article"
    )
    return f"Chosen by keywords {told}.\n\n```json\n{text}\n```"


def _score(announced: Announcement, prompt: GeneratorPrompt, about: dict[str, float]) -> float:
    shared = overlap(about, stems(f"{announced.article.title} {announced.sentence}"))
    kinds = [mention.kind for mention in event_mentions(announced.phrase)]
    telling = max((_TELLING.get(kind, 0.1) for kind in kinds), default=0.0)
    days = (announced.due or prompt.latest) - prompt.earliest
    span = max((prompt.latest - prompt.earliest).days, 1)
    if announced.due is not None and outcome_of(prompt, announced) is not None:
        telling = _OPEN_OUTCOME
    vague = (
        _VAGUE if announced.sort == "scheduled" and not names(f"will {announced.subject} {announced.phrase}") else 0.0
    )
    return _WORTH[announced.sort] + shared + telling - vague + 0.4 * (1 - days.days / span)


def _crux(prompt: GeneratorPrompt, announced: Announcement) -> ProposedCrux | None:
    if announced.last is not None and announced.due is not None:
        return _about_figure(prompt, announced, announced.last, announced.due)
    end = prompt.latest if announced.due is None else min(announced.due + timedelta(_REPORT_DAYS), prompt.latest)
    outcome = outcome_of(prompt, announced)
    if outcome is not None and announced.due is not None:
        question = f"Will {outcome} (decision due on {in_words(announced.due)})?"
        criteria = (
            f"Yes if it is reported that this was the outcome of the decision due on {in_words(announced.due)}, "
            f"made public by {in_words(end)} (UTC). No if the decision went another way, or if there was none by then."
        )
    else:
        subject, phrase = announced.subject, announced.phrase
        if announced.due is None:
            subject, phrase = _made_concrete(prompt, announced)
        question = f"Will {subject} {phrase} by {in_words(end)}?"
        criteria = (
            f"Yes if it is reported that this happened, and became public, by {in_words(end)} (UTC). No otherwise."
        )
    return _assembled(prompt, announced.article, announced.sentence, question, criteria, end)


def _about_figure(prompt: GeneratorPrompt, announced: Announcement, last: Figure, due: date) -> ProposedCrux:
    named = announced.subject and not stems(announced.subject) <= stems(announced.figure)
    source = f" from {announced.subject}" if named else ""
    direction, other = _side(prompt, announced)
    repeated = announced.sort == "repeated"
    end = min(due + timedelta(_REPORT_DAYS + 7 * repeated), prompt.latest)
    # A weekly figure may skip a week: the first one of the stretch counts, whichever day it comes.
    when = f"published by {in_words(end)}" if repeated else f"due on {in_words(due)}"
    question = f"Will the next {announced.figure}{source}, {when}, be {direction} {last}?"
    criteria = (
        f"Yes if the first value published from {in_words(prompt.earliest)} to {in_words(end)} (UTC) is {direction} "
        f"{last}, the last value known beforehand. No if it is {last} or {other}, or if none is published."
    )
    return _assembled(prompt, announced.article, announced.sentence, question, criteria, end)


def _side(prompt: GeneratorPrompt, announced: Announcement) -> tuple[str, str]:
    """The side to ask for and its opposite: below if the articles speak more of falling than of rising."""
    tally = {"raise": 0, "cut": 0}
    for text in [prompt.question, *(sentence for article in prompt.articles for sentence in sentences(article.text))]:
        if shared := stems(text) & stems(announced.figure):
            words = {token.lower for token in tokens(text)}
            kinds = {mention.kind for mention in event_mentions(text)}
            tally["raise"] += len(shared) * ("raise" in kinds or "above" in words)
            tally["cut"] += len(shared) * ("cut" in kinds or "below" in words)
    return ("below", "higher") if tally["cut"] > tally["raise"] else ("above", "lower")


def _made_concrete(prompt: GeneratorPrompt, announced: Announcement) -> tuple[str, str]:
    """Subject and phrase of an expected event, tied to the matter where they name none of it."""
    subject, phrase = announced.subject, announced.phrase
    if re.fullmatch(r"(?:follow|come|happen|be (?:made|possible|near))", phrase):
        phrase = "be made public"
    if not names(f"Will {subject} {phrase}"):
        subject += _concerning(prompt)
    return subject, phrase


def _concerning(prompt: GeneratorPrompt) -> str:
    texts = [prompt.question, *(f"{article.title}. {article.text}" for article in prompt.articles)]
    counts: dict[str, int] = {}
    for name in (name for text in texts for name in set(names(text))):
        counts[name] = counts.get(name, 0) + 1
    asked = set(names(prompt.question))
    salient = max(counts, key=lambda name: (name in asked, counts[name], name), default=None)
    if salient is None:
        return ""
    article = "the " if re.search(rf"\bthe {re.escape(salient)}\b", " ".join(texts)) else ""
    return f" in the matter of {article}{salient}"


def _fallback(prompt: GeneratorPrompt) -> ProposedCrux:
    end = prompt.latest
    salient = _concerning(prompt) or " in the matter of the question"
    question = f"Will an official decision{salient} be announced by {in_words(end)}?"
    criteria = f"Yes if an official decision on the matter is reported by {in_words(end)} (UTC). No otherwise."
    article = prompt.articles[-1] if prompt.articles else None
    return _assembled(prompt, article, article.title if article else prompt.question, question, criteria, end)


def _assembled(
    prompt: GeneratorPrompt, article: ShownArticle | None, sentence: str, question: str, criteria: str, end: date
) -> ProposedCrux:
    source = f" ({article.source}, {in_words(article.published)})" if article else ""
    return ProposedCrux(
        question=question,
        background=f"{sentence}{source}",
        resolution_criteria=criteria,
        start_date=prompt.earliest,
        end_date=end,
        rationale=(
            "The articles point to this event inside the window, and it shares its matter with the question."
            if article
            else "No article points to an event inside the window: this asks for news of the question's matter."
        ),
        yes_makes_u=_direction(question, prompt.question),
    )


def _direction(crux: str, ultimate: str) -> str | None:
    """Whether a Yes makes U more or less likely, by the tone of both questions' main event words; None if unclear."""
    tones = [_tone(crux), _tone(ultimate)]
    if 0 in tones:
        return None
    return "more likely" if tones[0] == tones[1] else "less likely"


def _tone(question: str) -> int:
    mentions = [mention for mention in event_mentions(question) if mention.form in {"base", "past"}]
    tones = [BY_NAME[mention.kind].tone for mention in mentions]
    return tones[0] if tones else 0


def _restates(question: str, ultimate: str) -> bool:
    """Whether a crux asks for the ultimate question's own event: the same main kind about the same matter."""
    asked, own = (
        [mention.kind for mention in event_mentions(text) if mention.form in {"base", "past"}]
        for text in (question, ultimate)
    )
    about = matter(ultimate, without=event_stems(own[0]) if own else ())
    named = {stem(name.casefold()) for name in names(ultimate)}
    present = stems(question)
    same_event = not own or own[:1] == asked[:1]
    return same_event and overlap(about, present) >= _SAME_MATTER and about.keys() - named <= present


def _differs(crux: ProposedCrux, other: ProposedCrux) -> bool:
    return crux.end_date != other.end_date or stems(crux.question) != stems(other.question)
