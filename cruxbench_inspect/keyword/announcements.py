"""Events that articles announce: scheduled for a day, repeated on a weekday, or merely expected."""

import re
from datetime import date
from typing import Literal, NamedTuple

from cruxbench_inspect.keyword.dates import WEEKDAYS, DateMention, date_mentions, next_weekday, weekday_mentions
from cruxbench_inspect.keyword.events import base_form
from cruxbench_inspect.keyword.figures import Figure, figures
from cruxbench_inspect.keyword.phrases import (
    DECISION_NOUN,
    name_phrases,
    plain_statement,
    subject,
    taking_place,
    verb_phrase,
)
from cruxbench_inspect.keyword.prompts import GeneratorPrompt, ShownArticle
from cruxbench_inspect.keyword.sentences import sentences
from cruxbench_inspect.keyword.words import stems

Sort = Literal["scheduled", "repeated", "expected"]

_FUTURE = (
    r"(?:will|shall"
    r"|(?:is|are) (?:(?:due|set|scheduled|expected|likely|planned|about|supposed) )?to"
    r"|(?:plans?|intends?|expects?|hopes?|aims?|promises?|means?|wants?) to"
    r"|(?:has|have) (?:(?:promised|agreed|pledged|undertaken|vowed|been asked|been told|until (?:then )?)) ?to)"
)
_ADVERB = r"(?:then |also |now |next |formally |finally )?"
_AHEAD = re.compile(rf"^(?P<subject>.+?),?\s+{_ADVERB}{_FUTURE}\s+{_ADVERB}(?P<verb>[a-z].+)$")
_NOUN_DUE = re.compile(
    r"^(?P<subject>.+?)\s+(?:(?:is|are)(?: now)? (?:due|scheduled|planned|set|expected|fixed|timetabled)"
    r"|has been (?:set|fixed|scheduled))(?: for| to (?:come|follow))?\s*(?:[,.]|$|and\b|in\b|at\b)"
)
_PRESENT = re.compile(r"^(?P<subject>(?:The |An? )?[A-Z].*?)\s+(?P<verb>[a-z]+s)\b(?P<rest>.*)$")
_WEEKLY = r"(?:every|each|on)\s+(?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)"
_PUBLISHES = r"(?:publishes|releases|issues|reports|posts|updates|puts out|announces)"
_REPEATED = re.compile(rf"(?P<subject>[^,;]+?)\s+{_PUBLISHES}\s+(?P<figure>[^,;]+?)\s+{_WEEKLY}")
_REPEATED_COUNT = re.compile(
    rf"(?P<subject>[^,;]+?)\s+{_PUBLISHES}\s+{_WEEKLY}[^,;]*?\b(?:how many|the number of)\s+(?P<figure>[^,;.]+)"
)
_REPEATED_PASSIVE = re.compile(
    r"(?P<figure>[^,;]+?)\s+(?:is|are|comes?|appears?)(?: (?:published|released|issued|out|reported))*"
    rf"(?:\s+by (?P<subject>[^,;]+?))?\s+{_WEEKLY}"
)
_HOPED = re.compile(
    r"\b(?:hopes?|hoped|expects?|expected|believes?|predicts?|thinks?|confident|sure)\s+(?:that\s+)?"
    r"(?P<subject>(?:an?|the|some|one|further|more|\w+s)\b.+?)\s+(?:will|would|can|could|might|may)\s+(?P<verb>[a-z].+)$"
)
_BEFORE_DATE = re.compile(r"(?:,?\s*\b(?:on|by|before|until|no later than|from|for|of)\s+(?:the\s+)?)?$", re.IGNORECASE)
_PUBLICATION = re.compile(r"^(?:publish|release|issue|report|announce)\s+|^be (?:published|released)$")
_QUANTITY = re.compile(
    r"\b(?:rates?|figures?|counts?|number|index|inflation|prices?|sales|polls?|totals?|tally|claims|output|production|growth"
    r"|exports|imports|unemployment|volume|share|average|percentage|turnover|earnings|passengers|deaths|cases)\b",
    re.IGNORECASE,
)


_LONGEST_SENTENCE = 600


class Announcement(NamedTuple):
    """An event that lies ahead.

    Attributes:
        sort: How it is announced.
        subject: Who or what, as inside a sentence ("the harbour board").
        phrase: The verb phrase in its base form ("rule on the merger"), without its date.
        due: The day, None for an expected event without one.
        last: The last value of the figure that is to be published, None where there is no figure.
        sentence: The sentence of the article.
        article: The article.
    """

    sort: Sort
    subject: str
    phrase: str
    due: date | None
    last: Figure | None
    sentence: str
    article: ShownArticle

    @property
    def figure(self) -> str:
        """What is to be published, without its article ("weekly traffic count")."""
        noun = _PUBLICATION.sub("", self.phrase) or self.subject
        return re.sub(r"^(?:its|their|an?|the)\s+(?:next\s+|latest\s+)?", "", noun)


def announcements(prompt: GeneratorPrompt) -> list[Announcement]:
    """The events of the articles that fall into the stretch that a crux may cover, in the order of the articles."""
    found: list[Announcement] = []
    for article in prompt.articles:
        before = article.title
        for sentence in sentences(article.text):
            # What runs on so long is a list or a table, and slow to match.
            if len(sentence) > _LONGEST_SENTENCE:
                continue
            found.extend(_repeated(prompt, article, sentence))
            found.extend(_scheduled(prompt, article, sentence, before))
            found.extend(_expected(article, sentence, before))
            before = sentence
    return found


def _scheduled(prompt: GeneratorPrompt, article: ShownArticle, sentence: str, before: str) -> list[Announcement]:
    mentions = date_mentions(sentence, article.published)
    mentions = mentions or weekday_mentions(sentence, article.published, future=True)
    found: list[Announcement] = []
    for mention in mentions:
        parts = _parts(sentence, mention, before) if prompt.earliest <= mention.day <= prompt.latest else None
        if parts is None:
            continue
        announced = Announcement("scheduled", *parts, mention.day, None, sentence, article)
        figure = announced.figure
        if _PUBLICATION.search(announced.phrase) and _QUANTITY.search(figure) and not DECISION_NOUN.search(figure):
            announced = _with_last_value(prompt, announced)
        found.append(announced)
    return found


def _repeated(prompt: GeneratorPrompt, article: ShownArticle, sentence: str) -> list[Announcement]:
    match = _REPEATED.search(sentence) or _REPEATED_PASSIVE.search(sentence)
    counted = None if match else _REPEATED_COUNT.search(sentence)
    found = match or counted
    if found is None:
        return []
    publisher = subject(found["subject"], article.title) if found["subject"] else None
    figure = found["figure"].strip()
    if counted:
        figure = "number of " + re.sub(r"\b(?:was|were|is|are|have been|has been)\s+|\s+during the \w+$", "", figure)
    due = next_weekday(prompt.earliest, WEEKDAYS.index(found["weekday"].removesuffix("s")))
    announced = Announcement(
        "repeated", publisher or "", f"publish {plain_statement(figure)}", due, None, sentence, article
    )
    announced = _with_last_value(prompt, announced)
    return [announced] if announced.last is not None and due <= prompt.latest else []


def _expected(article: ShownArticle, sentence: str, before: str) -> list[Announcement]:
    match = _HOPED.search(sentence)
    if match is None and not date_mentions(sentence, article.published):
        match = _AHEAD.match(plain_statement(sentence))
    if match is None:
        return []
    who, phrase = subject(match["subject"], before), verb_phrase(match["verb"])
    return [Announcement("expected", who, phrase, None, None, sentence, article)] if who and phrase else []


def _parts(sentence: str, mention: DateMention, before: str) -> tuple[str, str] | None:
    """Subject and verb phrase of a sentence that announces something for a day, or None."""
    head = _BEFORE_DATE.sub("", sentence[: mention.start]).strip()
    tail = sentence[mention.end :]
    plain = plain_statement(f"{head}{tail}" if head else tail.lstrip(" ,"))
    who: str | None = None
    phrase: str | None = None
    if match := _AHEAD.match(plain):
        who, phrase = subject(match["subject"], before), verb_phrase(match["verb"])
    elif match := _NOUN_DUE.match(plain):
        who, phrase = subject(match["subject"], before), taking_place(match["subject"])
    elif (match := _PRESENT.match(plain)) and (base := base_form(match["verb"])):
        who, phrase = subject(match["subject"], before), verb_phrase(base + match["rest"])
    return (who, phrase) if who and phrase else None


def _with_last_value(prompt: GeneratorPrompt, announced: Announcement) -> Announcement:
    """The announcement with the figure's last value: from the sentence nearest to it in words, then in time.

    A name of the ultimate question that this sentence ties the value to ("stood at 31 percent") joins the figure.
    """
    wanted = stems(announced.figure)
    best: tuple[tuple[int, date], Figure, str] | None = None
    for article in prompt.articles:
        for sentence in sentences(article.text):
            stated = [figure for figure in figures(sentence, article.published) if figure.relation is None]
            near = len(wanted & stems(sentence)) + 2 * (article == announced.article)
            if stated and near >= 1 and (best is None or (near, article.published) > best[0]):
                best = ((near, article.published), stated[-1], sentence)
    if best is None:
        return announced
    _, last, sentence = best
    holder = next(
        (name for name in name_phrases(sentence) if name in prompt.question and name not in announced.sentence), None
    )
    phrase = f"{announced.phrase} for {holder}" if holder else announced.phrase
    return announced._replace(last=last, phrase=phrase)
