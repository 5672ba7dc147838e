"""Dates in bylines, datelines and labels such as "updated" and "retrieved", which say when a text was made."""

import re


def dates_the_text(before: str, after: str) -> bool:
    """Whether a date says when its text was made or changed.

    Labels are known in English, French, German, Italian, Portuguese and Spanish.

    Args:
        before: What stands before the date in its sentence or line.
        after: What stands after it there.
    """
    if _LABEL.search(before) or _BYLINE.match(before):
        return True
    return bool(_DATELINE.match(before) and _DATELINE_END.match(after))


LINK = r"(?:[\s:|,·–—(-]{0,4}(?:(?:on|at|in|by)\s)?(?:the\s)?)"
"""What may stand between a label and its date."""

_MADE = (
    r"(?:updated|published|posted|modified|edited|revised|corrected|retrieved|accessed|archived|captured|uploaded|dated"
    r"|issued|filed|reviewed|crawled|snapshot|correction|clarification|editor['’]s note|update|timestamp"
    r"|publi[ée]e? le|mis à jour le|ver[öo]ffentlicht(?: am)?|aktualisiert(?: am)?|publicado(?: el| em)?"
    r"|actualizado(?: el)?|atualizado(?: em)?|pubblicato(?: il)?|aggiornato(?: il)?)"
)
_LABEL = re.compile(
    r"(?:^|[.\n|•·(\[–—-]\s*|\b(?:last|first|article|story|page|post|version|was|were|been|and|originally)\s)"
    rf"{_MADE}(?:\s(?:by\s[\w .]{{1,40}}|from the original|at source|version))?(?:\s(?:on|at))?{LINK}$"
    r"|^by\s[\w .,'’-]{2,60}[,|·–—-]\s{0,2}" + LINK + "$",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"^(?:by|von|par|por)\s[A-Z][\w.'’-]+(?:\s[A-Z][\w.'’-]+){0,4}\s?[,|·–—-]\s?$", re.IGNORECASE)
_DATELINE = re.compile(r"^[A-Z][A-Z .'’-]{2,40}(?:,\s?[A-Z][\w .]{1,30})?(?:,|\s\(|:)\s{0,2}$")
_DATELINE_END = re.compile(
    r"^\)?\s{0,2}(?:\((?:Reuters|AP|AFP|dpa|DPA|EFE|ANSA|Xinhua|UPI|PA|Bloomberg|[A-Z][\w ]{1,30})\))?\s{0,2}[-–—:]"
)
