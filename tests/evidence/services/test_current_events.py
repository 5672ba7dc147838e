import calendar
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.services.current_events import MAX_ITEMS, NewsItem, read_day, title_of
from cruxbench_inspect.evidence.services.wikitext import ExternalLink
from tests.evidence.services.test_wikitext import HOSTILE, MARKUP

DAY = date(2025, 10, 26)

NEWS = """
<!-- All news items below this line -->
'''Armed conflicts and attacks'''
*[[War of the Isles (2023–present)|War of the Isles]]
**[[Siege of Norhaven]], [[Norhaven crisis]]
***The [[Isles Navy|navy]] says that the ''Petrel'' was hit. [https://a.example/1 (AFP via ''The Courier'')] \
[https://b.example/2 (BBC)]
***[[Relief]] arrives. \
[https://web.archive.org/web/20251026101112/https://c.example/3?x=y (Reuters)]
** A truce is offered. <!-- editors: see talk --> [https://d.example/4 (AP)]

'''Law and crime'''
*Four are arrested for the [[2025 museum theft]]. https://archive.today/20251026/http://e.example/5
*Nobody says where this comes from.
<!-- All news items above this line -->"""

READ = [
    NewsItem(
        "Armed conflicts and attacks",
        "War of the Isles: Siege of Norhaven, Norhaven crisis: The navy says that the Petrel was hit.",
        ("Siege of Norhaven", "Norhaven crisis", "War of the Isles (2023–present)", "Isles Navy"),
        (ExternalLink("https://a.example/1", "AFP via The Courier"), ExternalLink("https://b.example/2", "BBC")),
    ),
    NewsItem(
        "Armed conflicts and attacks",
        "War of the Isles: Siege of Norhaven, Norhaven crisis: Relief arrives.",
        ("Siege of Norhaven", "Norhaven crisis", "War of the Isles (2023–present)", "Relief"),
        (ExternalLink("https://c.example/3?x=y", "Reuters"),),
    ),
    NewsItem(
        "Armed conflicts and attacks",
        "War of the Isles: A truce is offered.",
        ("War of the Isles (2023–present)",),
        (ExternalLink("https://d.example/4", "AP"),),
    ),
    NewsItem(
        "Law and crime",
        "Four are arrested for the 2025 museum theft.",
        ("2025 museum theft",),
        (ExternalLink("http://e.example/5", ""),),
    ),
    NewsItem("Law and crime", "Nobody says where this comes from.", (), ()),
]


@pytest.mark.parametrize(
    "frame",
    [
        "{{Current events|year=2025|month=10|day=26|content=%s}}",
        "{{Current events\n| year = 2025\n| month = 10\n| day = 26\n| content =%s\n}}\n",
        "{{Current events|year=2025|month=10|day=26|top=yes}}%s"
        "\n{{Current events|year=2025|month=10|day=26|bottom=yes}}",
        "{{Current events header|2025|10|26}}\n%s\n|}",
        "{{current_events header|2025|10|26}}%s\n<noinclude>{{navbox}}</noinclude>",
        "%s",
    ],
)
def test_a_day_in_every_frame_that_the_portal_has_used(frame: str) -> None:
    assert read_day(frame.replace("%s", NEWS), DAY) == READ


def test_the_older_way_to_write_categories() -> None:
    older = NEWS.replace("'''Armed conflicts and attacks'''", ";Armed conflicts and attacks:")
    assert read_day(older.replace("'''Law and crime'''", "== Law and crime =="), DAY) == READ


def test_of_several_days_only_the_asked_one() -> None:
    days = [f"{{{{Current events|year=2025|month=10|day={day}|content=\n*News of {day}.\n}}}}" for day in (25, 26, 27)]
    assert [item.text for item in read_day("\n".join(["intro", *days]), DAY)] == ["News of 26."]


def test_a_frame_that_states_another_day_is_read_all_the_same() -> None:
    assert len(read_day("{{Current events|year=2025|month=10|day=25|content=\n*News.\n}}", DAY)) == 1


@pytest.mark.parametrize(
    ("wikitext", "texts"),
    [
        ("", []),
        ("* \n*\n**", []),
        ("*A\n**B\n*C", ["A: B", "C"]),
        ("*A. [https://a.example (x)]\n**B", ["A.", "A: B"]),
        ("**B\n*A", ["B", "A"]),
        ("*A\n'''Sports'''\n**B", ["A", "B"]),
        ("* '''Bold''' news", ["Bold news"]),
        ("# One\n#: Two", ["One: Two"]),
        ("A line that is no bullet\n[[File:a.jpg]]\nOne with [https://a.example (a source)]", ["One with"]),
        ("*A {{Start date|2025|10|26}} [https://a.example (x)", ["A 2025-10-26 (x)"]),
        ("*{{flag|Norway}} wins 2–1. <ref>{{cite web|url=https://a.example}}</ref>", ["Norway wins 2–1."]),
        ("*A\n**B\n***C\n****D\n*****E\n******F", ["B: C: D: E: F"]),
    ],
)
def test_what_counts_as_news(wikitext: str, texts: list[str]) -> None:
    assert [item.text for item in read_day(wikitext, DAY)] == texts


@pytest.mark.parametrize(
    ("url", "first"),
    [
        ("https://web.archive.org/web/20251026000000/http://a.example/x", "http://a.example/x"),
        ("https://web.archive.org/web/20251026000000if_/https:/a.example/x", "https://a.example/x"),
        ("http://web.archive.org/web/2025*/a.example", "http://a.example"),
        ("https://archive.ph/20251026/https://a.example/x?y=z", "https://a.example/x?y=z"),
        ("https://archive.ph/AbCdE", "https://archive.ph/AbCdE"),
        ("https://a.example/20251026/http://b.example", "https://a.example/20251026/http://b.example"),
        ("https://archive.ph/20251026/http://[::1/x", None),
    ],
)
def test_an_archived_link_stands_for_the_page_itself(url: str, first: str | None) -> None:
    (item,) = read_day(f"*News. [{url} (A)]", DAY)
    if first is not None:
        assert [link.url for link in item.links] == [first]


@pytest.mark.parametrize("month", range(1, 13))
def test_the_title_of_a_day(month: int) -> None:
    assert title_of(date(2025, month, 6)) == f"Portal:Current events/2025 {calendar.month_name[month]} 6"


def test_a_day_is_bounded() -> None:
    items = read_day("*" + "Topic " * 1000 + "\n" + "**[[A]] b\n" * 10_000, DAY)
    assert len(items) == MAX_ITEMS
    assert max(len(item.text) for item in items) < 250


@pytest.mark.parametrize("wikitext", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_days_are_read_in_passing(wikitext: str) -> None:
    assert len(read_day(wikitext, DAY)) <= MAX_ITEMS


@given(MARKUP | st.text(), st.dates(date(2000, 1, 1), date(2030, 1, 1)))
def test_any_text_is_read(wikitext: str, day: date) -> None:
    for item in read_day(wikitext, day):
        assert item.text
        assert all(link.url.lower().startswith(("http://", "https://")) for link in item.links)
