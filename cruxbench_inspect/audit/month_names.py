"""Names of months in languages other than English."""

import importlib
import re

LANGUAGES = ("cs", "da", "de", "es", "fi", "fr", "hu", "it", "nb", "nl", "pl", "pt", "ro", "ru", "sv", "tr", "uk")
"""The languages whose names are known, by ISO code."""

_ENGLISH = "january february march april may june july august september october november december".split()
_LONG_ENOUGH = 4
# Shorter ones are other words too often; these are not.
_SHORT_NAMES = frozenset("avr déc dez dic ene fév maj mai mei mrt mär okt".split())
_ROMAN = frozenset(["viii"])


def _foreign_names() -> dict[str, int]:
    names: dict[str, int] = {}
    for language in LANGUAGES:
        told = importlib.import_module(f"dateparser.data.date_translation_data.{language}").info
        for number, month in enumerate(_ENGLISH, start=1):
            for name in map(str.lower, told[month]):
                if (len(name) >= _LONG_ENOUGH and name not in _ROMAN) or name in _SHORT_NAMES:
                    names.setdefault(name, number)
    return names


MONTH_NUMBERS = _foreign_names()
"""The number of a month by its name, in lower case."""

FOREIGN_MONTH = rf"(?:{'|'.join(sorted(map(re.escape, MONTH_NUMBERS), key=len, reverse=True))})"
"""Pattern of such a name; to be matched without regard to case."""
