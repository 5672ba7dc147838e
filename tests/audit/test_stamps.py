"""Dates that are no part of a sentence: labels, stamps, fields and calendars, in many languages."""

import pytest

from cruxbench_inspect.audit.date_mentions import date_mentions
from cruxbench_inspect.audit.tense import looks_back
from cruxbench_inspect.utc import parse_utc

REFERENCE = parse_utc("2026-01-10T00:00:00Z")


def leaks(text: str) -> bool:
    return looks_back(text, date_mentions(text, REFERENCE)[-1])


@pytest.mark.parametrize(
    "text",
    [
        "Aktualisiert: 27. Januar 2026, 08:12 Uhr", "Zuletzt geändert am 27.01.2026", "Stand: 27.01.2026",
        "Mis à jour le 27 janvier 2026", "Publié le 1er février 2026", "Última actualización: 24 de febrero de 2026",
        "Ultimo aggiornamento: 27 gennaio 2026", "Atualizado em 27 de janeiro de 2026", "Bijgewerkt op 27 januari 2026",
        "Senast uppdaterad: 27 januari 2026", "Zaktualizowano 27 stycznia 2026", "Обновлено 27 января 2026",
        "Güncelleme: 27 Ocak 2026", "最終更新:2026年1月27日", "Päivitetty 27. tammikuuta 2026",
        "24/01/2026 - 18:05 The mayor resigns", "| term_end = 24 January 2026", "resolved_at: 2026-01-24T17:00:00Z",
        "Term: 4 March 2019 – 24 January 2026", "Read next: The mayor resigns (24 Jan 2026)", "Jan. 28, 2026",
        "20 January 2026: The council votes 17 to 14 against her.",
    ],
)  # fmt: skip
def test_a_stamp_is_from_its_time(text: str) -> None:
    assert leaks(text)


@pytest.mark.parametrize(
    "text",
    [
        "Deadline: 27 January 2026", "Frist: 27.01.2026", "Fecha límite: 27 de enero de 2026",
        "Next hearing: 27 Jan 2026",
        "Registration: January 16 - January 30, 2026", "Save the date: 24 January 2026",
        "Event date: 24 January 2026, 19:00",
        "27 January 2026: auction of bonds", "Key dates\n14 January 2026 hearing\n27 January 2026 Re Harbour Dues",
        "Fixtures: 14 January 2026 Velmar v Harlow; 27 January 2026 Harlow v Dunmere",
        # Sentences of other languages are not judged.
        "Das Urteil wird am 27.01.2026 verkündet.", "Am 27. Januar 2026 trat sie zurück.",
    ],
)  # fmt: skip
def test_what_is_to_come_is_no_stamp(text: str) -> None:
    assert not leaks(text)
