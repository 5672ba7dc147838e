"""The dates that pages claim, in all the ways in which pages do."""

from datetime import datetime
from typing import Any

import htmldate
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement, document_fromstring, tostring

from cruxbench_inspect.evidence.cutoff import rejection
from cruxbench_inspect.evidence.dated_moment import DatedMoment
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.pages import found_dates
from cruxbench_inspect.evidence.pages.claimed_dates import claimed_dates
from cruxbench_inspect.utc import parse_utc

CAPTURED = parse_utc("2026-06-01T00:00:00Z")
STORY = "<p>The harbour court of Alvara upheld the licence of the ferry line, and the port opened again.</p>" * 4
FIRST = '<meta property="article:published_time" content="2026-01-10T08:00:00Z">'


def page(head: str = "", body: str = "") -> HtmlElement:
    return document_fromstring(f"<html><head><title>t</title>{head}</head><body>{body}{STORY}</body></html>")


def claims(head: str = "", body: str = "", captured: datetime = CAPTURED) -> tuple[str | None, str | None]:
    return claimed_dates(page(head, body), captured)


def published(head: str = "", body: str = "") -> DatedMoment:
    text, _ = claims(head, body)
    assert text is not None
    return DatedMoment.parse(text)


def linked(data: str) -> str:
    return f'<script type="application/ld+json">{data}</script>'


def instant(text: str | None) -> datetime:
    assert text is not None
    moment = DatedMoment.parse(text)
    assert moment.earliest == moment.latest, f"{text} is no instant"
    return moment.earliest


@pytest.mark.parametrize(
    ("stated", "utc"),
    [
        ("2026-01-10T23:30:00-05:00", "2026-01-11T04:30:00Z"),
        ("2026-01-10T23:30:00-0500", "2026-01-11T04:30:00Z"),
        ("2026-01-10T23:30-05:00", "2026-01-11T04:30:00Z"),
        ("2026-01-10T23:30:00.000-05:00", "2026-01-11T04:30:00Z"),
        ("2026-01-11T04:30:00Z", "2026-01-11T04:30:00Z"),
        ("2026-01-11T04:30:00+00:00", "2026-01-11T04:30:00Z"),
        ("2026-01-11T13:30:00+09:00", "2026-01-11T04:30:00Z"),
    ],
)
def test_a_stated_zone_is_kept(stated: str, utc: str) -> None:
    text, changed = claims(f'<meta property="article:published_time" content="{stated}">')
    assert instant(text) == parse_utc(utc)
    assert changed is None


def test_a_page_from_late_in_the_evening_belongs_to_the_next_day() -> None:
    text, changed = claims('<meta property="article:published_time" content="2026-01-10T23:30-05:00">')
    document = Document.model_validate(
        {
            "url": "https://a.com",
            "title": "",
            "source": "",
            "published": text,
            "modified": changed,
            "text": "",
            "proof": "C",
        }
    )
    assert rejection(document, parse_utc("2026-01-11T00:00:00Z")) == "published_after_cutoff"
    assert rejection(document, parse_utc("2026-01-11T04:30:00Z")) == "published_after_cutoff"
    assert rejection(document, parse_utc("2026-01-11T04:30:01Z")) is None


@pytest.mark.parametrize("stated", ["2026-01-10T18:00:00", "2026-01-10 18:00", "2026-01-10T18:00"])
def test_a_time_without_a_zone_may_be_of_any(stated: str) -> None:
    moment = published(f'<meta property="article:published_time" content="{stated}">')
    assert moment.latest >= parse_utc("2026-01-11T06:00:00Z")
    assert moment.earliest <= parse_utc("2026-01-10T04:00:00Z")


@pytest.mark.parametrize(
    "stated",
    ["2026-01-10", "2026-01-10T00:00:00", "2026-01-10T00:00:00Z", "2026-01-10T00:00:00.000Z", "2026-01-10 00:00"]
    + ["2026-01-10T00:00:00-05:00", "2026-01-10T00:00+0900", "January 10, 2026", "10 January 2026", "Jan 10, 2026"],
)
def test_a_date_and_midnight_are_a_whole_day(stated: str) -> None:
    moment = published(f'<meta property="article:published_time" content="{stated}">')
    assert moment.date_only
    assert moment.earliest == parse_utc("2026-01-10T00:00:00Z")
    assert moment.latest >= parse_utc("2026-01-11T11:59:59Z")
    for modified in ("article:modified_time", "og:updated_time"):
        text, _ = claims(f'<meta property="{modified}" content="{stated}">')
        assert text is not None and DatedMoment.parse(text) == DatedMoment.parse("2026-01-10")


CHANGES = [
    '<meta property="article:modified_time" content="{}">',
    '<meta property="og:updated_time" content="{}">',
    '<meta itemprop="dateModified" content="{}">',
    '<meta name="last-modified" content="{}">',
    '<meta name="LASTMOD" content="{}">',
    '<meta name="dcterms.modified" content="{}">',
    '<meta http-equiv="Last-Modified" content="{}">',
    '<time itemprop="dateModified" datetime="{}">x</time>',
    '<time class="updated" datetime="{}">x</time>',
    '<time class="entry-date post-modified" datetime="{}">x</time>',
    '<span itemprop="dateModified" content="{}">x</span>',
    '<span property="dateModified" content="{}">x</span>',
    linked('{{"@type": "NewsArticle", "datePublished": "2026-01-10T08:00:00Z", "dateModified": "{}"}}'),
    linked('{{"@graph": [{{"@type": "WebPage"}}, {{"@type": "Article", "dateModified": "{}"}}]}}'),
    linked('[[{{"mainEntity": {{"DateModified": "{}"}}}}]]'),
    linked('{{"headline": "A line\nbreak", "dateModified": "{}"}}'),
    linked('{{"headline": "No JSON at all",, "dateModified" : "{}",}}'),
    linked('/*<![CDATA[*/{{"dateModified":"{}"}}/*]]>*/'),
    linked('{{"@type": "LiveBlogPosting", "liveBlogUpdate": [{{"datePublished": "{}"}}]}}'),
    linked('{{"liveBlogUpdate": {{"a": {{"datePublished": "2026-01-11"}}, "b": [{{"datePublished": "{}"}}]}}}}'),
    linked('{{"@type": "VideoObject", "uploadDate": "{}"}}'),
]


@pytest.mark.parametrize("wording", CHANGES)
@pytest.mark.parametrize("where", ["head", "body"])
def test_every_way_to_state_a_change_counts(wording: str, where: str) -> None:
    stated = wording.format("2026-02-03T22:00:00-05:00")
    text, changed = claims(FIRST + (stated if where == "head" else ""), stated if where == "body" else "")
    assert instant(text) == parse_utc("2026-01-10T08:00:00Z")
    assert instant(changed) == parse_utc("2026-02-04T03:00:00Z")


@pytest.mark.parametrize(
    ("note", "day"),
    [
        ("<p>Updated: February 3, 2026</p>", "2026-02-03"),
        ("<p>Updated on 3 February 2026 at 5 pm</p>", "2026-02-03"),
        ("<div>Last modified 2026-02-03</div>", "2026-02-03"),
        ("<span class=date>Updated Feb. 3, 2026, 5:00 p.m. ET</span>", "2026-02-03"),
        ('<time class="updated">February 3, 2026</time>', "2026-02-03"),
        ('<time itemprop="dateModified"><span>3 February 2026</span></time>', "2026-02-03"),
        *(
            (f"<p>{words}</p>", "2026-02-03")
            for words in (
                "Updated 10:32 AM EST, Tue February 3, 2026",
                "Updated at 10:32 on 3 February 2026",
                "UPDATED 3RD FEBRUARY 2026",
                "Updated: 3-Feb-2026",
                "Updated • February 3, 2026",
                "Update (February 3, 2026): the ferry sails again",
                "Correction, February 3, 2026: an earlier version named another port.",
                "This article was amended on 3 February 2026 to add a name.",
                "First published 10 January 2026. Last update: 3 February 2026",
                "By Ann Lee <span>Updated</span> <span>February 3, 2026</span>",
                "<b>Updated:</b> February 3, 2026",
                "Updated on <b>February 3, 2026</b>",
                "Aktualisiert am 3. Februar 2026",
                "Stand: 03.02.2026, 10:32 Uhr",
                "Zuletzt geändert am 03.02.2026",
                "Mis à jour le 3 février 2026 à 10h32",
                "Actualizado el 3 de febrero de 2026",
                "Atualizado em 3 de fevereiro de 2026",
                "Aggiornato il 3 febbraio 2026",
                "Bijgewerkt op 3 februari 2026",
                "Обновлено 3 февраля 2026",
                "更新日: 2026年2月3日",
                "최종수정 2026.02.03",
                "Zaktualizowano 3 lutego 2026",
                "Güncelleme: 3 Şubat 2026",
            )
        ),
        *(
            (f'<meta name="{name}" content="2026-02-03">', "2026-02-03")
            for name in (
                "article.updated",
                "DC.modified",
                "lastupdate",
                "bt:modDate",
                "og:modified_time",
                "dateUpdated",
            )
        ),
        ("<span itemprop='datePublished dateModified' content='2026-02-03'></span>", "2026-02-03"),
        (linked('{"dateModified": ["2026-02-03"]}'), "2026-02-03"),
        (linked('{"schema:dateModified": {"@value": "2026-02-03"}}'), "2026-02-03"),
        (linked('{"http://schema.org/dateModified": "2026-02-03"}'), "2026-02-03"),
    ],
)
def test_a_change_in_words_counts(note: str, day: str) -> None:
    _, changed = claims(FIRST, note)
    assert changed is not None
    assert DatedMoment.parse(changed).latest >= DatedMoment.parse(day).latest


def test_of_several_changes_the_latest_counts() -> None:
    stated = [CHANGES[number].format(f"2026-02-{number + 1:02}T00:30:00Z") for number in range(20)]
    for order in (stated, stated[::-1]):
        assert instant(claims(FIRST, "".join(order))[1]) == parse_utc("2026-02-20T00:30:00Z")


def test_a_change_before_the_publication_is_none() -> None:
    later = '<meta property="article:modified_time" content="{}">'
    for stated in ("2026-01-09T00:00:01Z", "2026-01-10T08:00:00Z", "2026-01-10T09:00:00+01:00"):
        assert claims(FIRST + later.format(stated))[1] is None
    assert claims(FIRST + later.format("2026-01-10T08:00:01Z"))[1] is not None


def test_a_change_alone_is_not_lost() -> None:
    text, changed = claims('<meta property="article:modified_time" content="2026-02-03T22:00:00-05:00">')
    stated = [DatedMoment.parse(moment).latest for moment in (text, changed) if moment is not None]
    assert max(stated) == parse_utc("2026-02-04T03:00:00Z")


def test_an_evergreen_page_is_not_old() -> None:
    """Published before the cutoff, changed after it."""
    text, changed = claims(FIRST + '<meta property="article:modified_time" content="2026-03-01T10:00:00Z">')
    document = Document.model_validate(
        {
            "url": "https://a.com",
            "title": "",
            "source": "",
            "published": text,
            "modified": changed,
            "text": "",
            "proof": "C",
        }
    )
    assert rejection(document, parse_utc("2026-02-01T00:00:00Z")) == "modified_after_cutoff"
    assert rejection(document, parse_utc("2026-03-02T00:00:00Z")) is None


@pytest.mark.parametrize(
    ("stated", "day"),
    [
        ("03/04/2026", "2026-04-03"),
        ("04/03/2026", "2026-04-03"),
        ("4/3/2026", "2026-04-03"),
        ("03.04.2026", "2026-04-03"),
        ("03-04-2026", "2026-04-03"),
        ("25/04/2026", "2026-04-25"),
        ("04/25/2026", "2026-04-25"),
        # The other reading would lie after the copy was made.
        ("02/07/2026", "2026-02-07"),
        ("07/02/2026", "2026-02-07"),
    ],
)
@pytest.mark.parametrize(
    "place",
    [
        '<meta property="article:published_time" content="{}">',
        '<meta name="date" content="{}">',
        '<time datetime="{}">x</time>',
        "<time>{}</time>",
        '<span class="date">{}</span>',
        '<p class="published">Published: {}</p>',
    ],
)
def test_of_a_day_and_a_month_in_either_order_the_later_day_counts(stated: str, day: str, place: str) -> None:
    here = place.format(stated)
    text, changed = claims(here) if here.startswith("<meta") else claims(body=here)
    moments = [DatedMoment.parse(moment) for moment in (text, changed) if moment is not None]
    assert moments, "no date at all"
    assert max(moment.latest for moment in moments) == DatedMoment.parse(day).latest


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<footer>© 2019-2026 The Alvara Courier</footer>",
        "<footer><p>Copyright 2026</p></footer>",
        '<div id="footer">&copy; 2026 Alvara. All rights reserved.</div>',
        "<p>3 days ago</p>",
        '<time>3 days ago</time><span class="date">3 days ago</span>',
        "<span class=date>yesterday</span>",
        "<h1>What to expect of the ruling on March 3, 2026</h1>",
        "<p>The treaty of 10 January 2026 was signed on <b>2025-03-04</b>, as all of the ministers had agreed at the"
        " summit.</p>",
        "<!-- FILE ARCHIVED ON 20:15:31 Jan 10, 2026 AND RETRIEVED ON 09:12:00 Jan 12, 2026. -->",
        '<meta name="date" content="n/a"><time datetime="">x</time><meta property="article:modified_time">',
        '<meta property="article:modified_time" content="3 days ago"><time class="updated">just now</time>',
        linked('{"dateModified": null, "datePublished": ["x"], "a": {"dateModified": true}}'),
        linked('{"foundingDate": "2001-01-01", "copyrightYear": "2026"}'),
    ],
)
def test_what_is_no_date_of_the_page_gives_none(body: str) -> None:
    assert claims(body=body) == (None, None)


def test_dates_after_the_copy_are_not_guessed() -> None:
    """Htmldate takes none from after the copy; one that is stated as a change shows a wrong copy, and is kept."""
    late = '<meta property="article:published_time" content="2027-01-10T08:00:00Z">'
    assert claims(late)[0] is None
    assert instant(claims(CHANGES[0].format("2027-01-10T08:00:00Z"))[1]) == parse_utc("2027-01-10T08:00:00Z")


def test_a_date_to_come_in_a_story_is_no_change_of_its_page() -> None:
    for story in ("The law will be edited 2027-01-01.", "Updated: rules that apply from January 1, 2027, were agreed."):
        assert claims(FIRST, f"<p>{story}</p>")[1] is None


@pytest.mark.parametrize("depth", [10, 3_000, 100_000])
def test_deep_linked_data_are_read_or_skipped(depth: int) -> None:
    deep = linked('{"a":' * depth + '{"dateModified": "2026-02-03T00:30:00Z"}' + "}" * depth)
    text, changed = claims(FIRST + deep)
    assert text is not None
    assert changed is None or instant(changed) == parse_utc("2026-02-03T00:30:00Z")
    assert changed is not None or depth > 10


@pytest.mark.parametrize(
    "stated", ["0000-00-00", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "2026-13-45", "1" * 5000]
)
def test_dates_that_are_none(stated: str) -> None:
    for wording in CHANGES:
        text, changed = claims(FIRST, wording.format(stated))
        assert text is not None and instant(text) == parse_utc("2026-01-10T08:00:00Z")
        assert changed is None or DatedMoment.parse(changed).text == changed


ODD_ZONES = [
    "2026-01-12T12:00:00+99:00",
    "2026-01-12T12:00:00+24:00",
    "2026-01-12T12:00:0002-60",
    "2026-01-12T12:00-9959",
]


@pytest.mark.parametrize("stated", ODD_ZONES)
@pytest.mark.parametrize(
    "place",
    [
        '<meta property="article:published_time" content="{}">',
        linked('{{"datePublished": "{}"}}'),
        '<time datetime="{}">x</time>',
        '<time class="published">{}</time>',
        '<span class="date">{}</span>',
        '<abbr class="published" title="{}">x</abbr>',
        "<b>Updated:</b> {}",
        "<p>{}</p>",
        *CHANGES,
    ],
)
def test_a_date_that_cannot_be_reckoned_with_costs_no_other_one(stated: str, place: str) -> None:
    """Before the page's own date, after it, and alone."""
    odd = place.format(stated)
    for body in (odd + FIRST, FIRST + odd, odd):
        text, changed = claims(body=body)
        for claim in (text, changed):
            assert claim is None or DatedMoment.parse(claim).text == claim
        if FIRST in body:
            assert text is not None and instant(text) == parse_utc("2026-01-10T08:00:00Z")


@pytest.mark.parametrize("error", [ValueError, OverflowError, OSError, TypeError, RecursionError, AssertionError])
def test_whatever_htmldate_raises_at_a_value_the_others_are_read(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = htmldate.find_date

    def stumbling(page: HtmlElement, **options: Any) -> str | None:
        if b"2026-01-12T03:04:05" in tostring(page):
            raise error("cannot be reckoned with")
        return find(page, **options)

    monkeypatch.setattr(found_dates, "find_date", stumbling)
    for place in (
        '<meta name="date" content="{}">',
        linked('{{"datePublished": "{}"}}'),
        "<time>{}</time>",
        "<p>{}</p>",
    ):
        text, _ = claims(FIRST, place.format("2026-01-12T03:04:05"))
        assert text is not None and instant(text) == parse_utc("2026-01-10T08:00:00Z")


def test_a_number_of_seconds_far_ahead_is_no_date() -> None:
    for number in ("9999999999", "4102444800", "9999999999000"):
        assert claims(FIRST + CHANGES[0].format(number))[1] is None
        assert claims(FIRST + linked(f'{{"dateModified": {number}}}'))[1] is None
    assert instant(claims(FIRST + CHANGES[0].format("1770174000"))[1]) == parse_utc("2026-02-04T03:00:00Z")


ODD = st.text(st.characters(exclude_characters="<>&\"'\\\0", exclude_categories=["Cs"]), max_size=40)


@given(ODD, st.sampled_from(CHANGES))
def test_any_statement_is_read_or_left_out(stated: str, wording: str) -> None:
    tree = page(FIRST, wording.replace("{}", stated).replace("{{", "{").replace("}}", "}"))
    before = tostring(tree)
    for text in claimed_dates(tree, CAPTURED):
        assert text is None or DatedMoment.parse(text).text == text
    assert tostring(tree) == before
