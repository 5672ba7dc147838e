"""Titles of wiki pages: their one spelling, and which of them are articles."""

import re
from urllib.parse import unquote

_NAMESPACES = frozenset(
    "talk user user_talk wikipedia wikipedia_talk project project_talk wp wt file file_talk image image_talk mediawiki"
    " mediawiki_talk template template_talk help help_talk category category_talk portal portal_talk draft draft_talk"
    " mos mos_talk timedtext timedtext_talk module module_talk book book_talk event event_talk special media".split()
)
_OTHER_WIKIS = frozenset(
    "b c commons d doi foundation incubator iarchive m mail meta metawikimedia mw n outreach phab q s species v voy"
    " wikibooks wikidata wikimedia wikinews wikiquote wikisource wikispecies wikiversity wikivoyage wikt wiktionary"
    " wmf".split()
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)*|simple")
_FORBIDDEN = re.compile("[\x00-\x1f\x7f#<>\\[\\]{}|\ufffd\ud800-\udfff]")
_MAX_BYTES = 255


def canonical_title(text: str) -> str | None:
    """The title as the wiki spells it: spaces for underscores, a capital first; None when no page can be called so."""
    title = " ".join(text.replace("_", " ").split()).lstrip(":").strip()
    if not title or _FORBIDDEN.search(title) or len(title.encode()) > _MAX_BYTES or title in {".", ".."}:
        return None
    return title[0].upper() + title[1:]


def is_article(title: str) -> bool:
    """Whether a title is that of an article, and not of another namespace, another language or another wiki."""
    prefix, colon, _ = title.partition(":")
    if not colon:
        return True
    prefix = prefix.strip()
    folded = prefix.lower().replace(" ", "_")
    return folded not in _NAMESPACES and folded not in _OTHER_WIKIS and not is_other_language(title)


def is_other_language(title: str) -> bool:
    """Whether a title is that of a page in another language, as a link writes it: ``fr:Paris``.

    In small letters: a capital belongs to a title such as ``CSI: Miami``.
    """
    prefix, colon, _ = title.partition(":")
    prefix = prefix.strip()
    return bool(colon and _LANGUAGE.fullmatch(prefix)) and prefix not in _NAMESPACES | _OTHER_WIKIS


def linked_article(target: str) -> str | None:
    """The title of the article that the target of a wiki link names, None when it names none."""
    target = unquote(target).partition("#")[0].replace("_", " ").strip()
    if not is_article(target.lstrip(":").strip()):
        return None
    return canonical_title(target)
