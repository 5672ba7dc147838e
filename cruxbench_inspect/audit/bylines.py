"""Dates in bylines, datelines and labels such as "updated" and "retrieved", which say when a text was made."""

import re


def dates_the_text(before: str, after: str) -> bool:
    """Whether a date says when its text was made or changed.

    Labels are known in the languages of :data:`~cruxbench_inspect.audit.month_names.LANGUAGES`, in Greek, Japanese,
    Chinese, Korean and English.

    Args:
        before: What stands before the date in its sentence or line.
        after: What stands after it there.
    """
    if _LABEL.search(before) or _FOREIGN_LABEL.search(before) or _BYLINE.match(before):
        return True
    return bool(_DATELINE.match(before) and _DATELINE_END.match(after))


def is_foreign(words: str) -> bool:
    """Whether words around a date are of another language than English, as far as they tell."""
    found = [word.lower() for word in _WORD.findall(words)]
    if any(ord(letter) > _LATIN for word in found for letter in word):
        return True
    return sum(word in _OTHERS for word in found) > sum(word in _ENGLISH for word in found)


_MADE = (
    r"(?:updated|published|posted|modified|edited|revised|corrected|amended|retrieved|accessed|archived|captured"
    r"|uploaded"
    r"|dated|issued|filed|reviewed|crawled|snapshot|correction|clarification|editor['’]s note|update|timestamp|reflect)"
)
_LINK = r"(?:[\s:|,·–—(-]{0,4}(?:(?:on|at|in|by)\s)?(?:the\s)?)"
_LABEL = re.compile(
    r"(?:^|[.\n|•·(\[–—-]\s*|\b(?:last|first|article|story|page|post|version|was|were|been|and|originally|to)\s)"
    rf"{_MADE}(?:\s(?:by\s[\w .]{{1,40}}|from the original|at source|version|(?:the )?events of))?(?:\s(?:on"
    rf"|at))?{_LINK}$"
    r"|(?:©|\([Cc]\)|[Cc]opyright)\s{0,2}$"
    r"|^by\s[\w .,'’-]{2,60}[,|·–—-]\s{0,2}" + _LINK + "$",
    re.IGNORECASE,
)
# Stems of "updated", "published", "changed", "posted", "retrieved" and "as of".
_FOREIGN_LABEL = re.compile(
    r"(?:\b(?:aktualisier\w*|ge[äa]ndert|ver[öo]ffentlicht|erschienen|abgerufen|stand|bearbeitet|mis(?:e)? [àa] jour"
    r"|publi[ée]e?s?"
    r"|modifi[ée]e?|consult[ée]e?|post[ée]e?|actualizad[oa]|actualización|publicad[oa]|publicación|modificad[oa]"
    r"|consultad[oa]"
    r"|atualizad[oa]|atualização|publicação|aggiornat[oa]|aggiornamento|pubblicat[oa]|pubblicazione|modificat[oa]"
    r"|bijgewerkt"
    r"|gepubliceerd|geplaatst|gewijzigd|uppdaterad|publicerad|[äa]ndrad|opdateret|udgivet|oppdatert|publisert"
    r"|p[äa]ivitetty"
    r"|julkaistu|zaktualizowano|aktualizacja|opublikowano|aktualizov[áa]no|publikov[áa]no|vyd[áa]no|friss[íi]tve"
    r"|k[öo]z[ée]tett"
    r"|közzétéve|actualizat|publicat|g[üu]ncelle\w+|yay[ıi]n\w*|обновлен[оа]?|опубликован[оа]?|изменен[оа]?|оновлено"
    r"|опубліковано"
    r"|ενημ[εέ]ρωση\w*|δημοσ[ιί]ευση\w*)|更新\w{0,3}|公開\w{0,2}|掲載\w{0,2}|投稿\w{0,2}|発表日?|发布\w{0,3}|發布\w{0,3}|업데이트|수정\w?"
    r"|게시\w?|입력)"
    r"[\s:：,·|–—.(-]{0,4}(?:(?:am|vom|le|el|em|il|op|den|d\.|dnia|dne|la data de|в|на|tarihi|tarihinde"
    r"|pvm)[\s:]{1,2})?$",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"^(?:by|von|par|por)\s[A-Z][\w.'’-]+(?:\s[A-Z][\w.'’-]+){0,4}\s?[,|·–—-]\s?$", re.IGNORECASE)
_DATELINE = re.compile(r"^[A-Z][A-Z .'’-]{2,40}(?:,\s?[A-Z][\w .]{1,30})?(?:,|\s\(|:)\s{0,2}$")
_DATELINE_END = re.compile(
    r"^\)?\s{0,2}(?:\((?:Reuters|AP|AFP|dpa|DPA|EFE|ANSA|Xinhua|UPI|PA|Bloomberg|[A-Z][\w ]{1,30})\))?\s{0,2}[-–—:]"
)
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = 0x24F
_ENGLISH = frozenset(
    "the of to and for with from by is are was were has have had will that this it his her its their on at as be not"
    " but"
    " he she they who which than after before since until in said a an".split()
)
_OTHERS = frozenset(
    "der die das und ist den dem ein eine im am zu mit von wird wurde nicht le les des et est du une aux dans sur"
    " pour que"
    " el los las y en del por con se il lo gli di che della per non een het van voor niet och att är på det som av"
    " ett og"
    " til os em do da não uma w na się nie z je se ve bir bu és az egy si la".split()
)
