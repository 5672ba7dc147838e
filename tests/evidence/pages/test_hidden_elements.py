"""What a reader does not see, or what is not the page's own story, never gets into the text."""

from typing import Any

import pytest

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.pages.extraction import extract
from cruxbench_inspect.utc import parse_utc
from tests.extent import cases

CAPTURED = parse_utc("2026-01-20T00:00:00Z")
STORY = "".join(
    f"<p>Paragraph {number}: the harbour court of Alvara upheld the licence of the ferry line on Monday.</p>"
    for number in range(1, 6)
)
FORBIDDEN = "The forbidden words say that the licence was revoked at last, and everybody knew it in advance."
SHORT = "Xyzzy."


def text_of(body: str, head: str = "") -> str:
    markup = f"<html><head><title>A ruling</title>{head}</head><body><h1>A ruling</h1>{body}</body></html>"
    page = extract(markup.encode(), "https://news.alvara.com/a", "html", CAPTURED)
    assert page is not None
    assert "Paragraph 1:" in page.text and "Paragraph 5:" in page.text
    return page.text


STYLES = [
    "display:none",
    "DISPLAY : NONE !important",
    "color:red;display:none",
    "display/**/:/* a * b */none",
    "/* never closed: display:block; */display:none/*",
    "visibility:hidden",
    "visibility: collapse",
    "content-visibility:hidden",
    "opacity:0",
    "opacity: 0.00;",
    "opacity:0%",
    "font-size:0",
    "font-size: 0px !important",
    "font-size:0.0em;",
    "width:0;height:0;overflow:hidden",
    "max-height:0px",
    "position:absolute;left:-9999px",
    "position:fixed; top: -10000em",
    "text-indent:-9999px",
    "margin-left:-9999px",
    "clip:rect(0,0,0,0)",
    "clip: rect(1px, 1px, 1px, 1px)",
    "clip-path:inset(100%)",
    "transform:scale(0)",
    "color:transparent",
    "color: red" + " " * 12_000 + ";display:none",
    r"d\69splay:none",
    r"display:n\6f ne",
    "--shown:none;display:var(--shown)",
    "x:'a;b';display:none",
    "opacity:.0",
    "opacity:.01",
    "opacity:-1",
    "opacity:calc(0)",
    "font-size:1px",
    "font-size:.01em",
    "font:0/0 a",
    "font: bold 1px Arial",
    "color:rgba(0,0,0,0)",
    "color:#0000",
    "color:rgb(0 0 0 / 0%)",
    "color:white",
    "color:#336699;background:#336699",
    "-webkit-text-fill-color:transparent",
    "position:absolute;left:-99em",
    "position:absolute;left:9999px",
    "position:absolute;right:100%",
    "position:absolute;left:calc(0px - 9999px)",
    "position:absolute;left: - 9999px",
    "inset:-9999px",
    "text-indent:-99em",
    "margin:0 0 0 -9999px",
    "transform:translateX(-9999px)",
    "transform:rotate(3deg) scale(0,0)",
    "transform:matrix(0,0,0,0,0,0)",
    "transform:rotateY(90deg)",
    "translate:-200vw",
    "scale:0",
    "height:1px;width:1px;overflow:hidden",
    "clip:rect(1px 1px 1px 1px)",
    "clip-path:inset(0 0 100% 0)",
    "-webkit-clip-path:circle(0)",
    "clip-path:polygon(0 0, 0 0, 0 0)",
    "filter:opacity(0)",
]
ATTRIBUTES = [
    *(f'style="{style}"' for style in STYLES),
    "hidden",
    'hidden=""',
    'hidden="until-found"',
    'aria-hidden="true"',
    'aria-hidden=" TRUE "',
    'class="sr-only"',
    'class="a SR-ONLY b"',
    'class="visually-hidden"',
    'class="screen-reader-text"',
    'class="d-none"',
    'class="is-hidden"',
    'class="element-invisible"',
    'class="govuk-visually-hidden"',
    'class="tw-sr-only"',
    'class="slds-assistive-text"',
    'class="visually-hidden-focusable"',
    'class="opacity-0"',
    "popover",
]


@pytest.mark.parametrize("attribute", ATTRIBUTES, ids=lambda attribute: attribute[:40])
def test_a_hidden_element_is_left_out(attribute: str) -> None:
    for tag in ("div", "p", "span", "section", "a", "b", "font", "custom-element"):
        hidden = f"<{tag} {attribute}>{FORBIDDEN}<i>{FORBIDDEN}</i></{tag}>"
        text = text_of(f"<article>{STORY}<p>Before {hidden} and after the hidden words.</p>{STORY}{hidden}</article>")
        assert "forbidden" not in text, tag
        assert "after the hidden words" in text or tag in ("div", "p", "section"), tag


@pytest.mark.parametrize(
    "tag",
    "template noscript iframe object embed svg math dialog datalist select textarea script style nav aside".split(),
)
def test_elements_that_are_no_text_of_a_page(tag: str) -> None:
    assert "forbidden" not in text_of(f"<article>{STORY}<{tag}><p>{FORBIDDEN}</p></{tag}>{STORY}</article>")


@pytest.mark.parametrize(
    "hidden",
    [
        f"<!-- {FORBIDDEN} -->",
        f"<!--[if IE]><p>{FORBIDDEN}</p><![endif]-->",
        f"<? {FORBIDDEN} ?>",
        f"<![CDATA[ {FORBIDDEN} ]]>",
        f'<input type="hidden" value="{FORBIDDEN}">',
        f'<img alt="{FORBIDDEN}" title="{FORBIDDEN}" src="a.png">',
        f'<p title="{FORBIDDEN}" data-text="{FORBIDDEN}">A visible line of the story stands here.</p>',
        f'<meta name="description" content="{FORBIDDEN}">',
    ],
)
def test_comments_and_attributes_are_no_text(hidden: str) -> None:
    assert "forbidden" not in text_of(f"<article>{STORY}{hidden}{STORY}</article>")


@pytest.mark.parametrize(
    "attributes",
    [
        'class="related"',
        'class="related-stories"',
        'id="article_related"',
        'class="block recommended-articles"',
        'class="most-read"',
        'class="mostPopular most_popular"',
        'class="trending"',
        'id="news-ticker"',
        'class="read-more"',
        'class="more-from-the-courier more-from"',
        'class="up-next"',
        'class="OUTBRAIN"',
        'class="promo promo--wide"',
        'class="teaser-list"',
        'class="latest-news"',
        'class="breaking-news"',
        'class="newsletter"',
        'id="comments"',
        'id="disqus_thread"',
        'class="comment"',
    ],
)
def test_boxes_of_other_stories_and_of_comments_are_left_out(attributes: str) -> None:
    for tag in ("div", "section", "ul"):
        box = f"<{tag} {attributes}><h3>{SHORT}</h3><li>{FORBIDDEN}</li><p>{FORBIDDEN}</p></{tag}>"
        text = text_of(f"<article>{STORY}{box}{STORY}</article>{box}")
        assert "forbidden" not in text and SHORT not in text, tag


@pytest.mark.parametrize(
    "attributes",
    [
        'style="border-width:0"',
        'style="min-width:0; min-height: 0px"',
        'style="line-height:0"',
        'style="color:white;background:#123456"',
        'style="color:#fff;background:url(a.jpg)"',
        'style="clip:rect(0, 900px, 500px, 0)"',
        'style="clip-path:inset(10% 5%)"',
        'style="transform:translateX(-20px) rotate(2deg) scale(0.9)"',
        'style="filter:opacity(0.9)"',
        'style="margin:0 auto;inset:0"',
        'style="font:400 16px/1.5 Georgia"',
        'style="--later:none"',
        'class="visually-pleasing unhidden"',
        'style="margin-left:-100px"',
        'style="padding-left:0;left:0"',
        'style="opacity:0.9"',
        'style="opacity: 1; font-size:0.9em"',
        'style="width:0.5fr"',
        'style="height:05px"',
        'style="max-width:100%;display:block"',
        'style="background:url(display:none.png)"',
        'style="transition:opacity 0s"',
        'style="background-color:transparent"',
        'style="stroke-opacity:0"',
        'style="visibility:visible"',
        'aria-hidden="false"',
        'class="show-more-hidden-gems"',
        'class="correlated open-commentary"',
        'class="newsletters-of-the-past"',
        'class="has-sidebar post-trendingly"',
        'id="unrelated"',
    ],
)
def test_what_only_looks_like_hiding_is_kept(attributes: str) -> None:
    text_of(f"<article><div {attributes}>{STORY}</div></article>")


SHEETS = [
    ".zz{display:none}",
    "p.zz, .other{display:none!important}",
    "#zz{position:absolute;left:-9999px}",
    "article > [data-zz]{font-size:0}",
    "@media screen{.zz{visibility:hidden}}",
    "@supports (display:grid){@layer a{.zz{opacity:0}}}",
    ".broken{;;:x} .zz{display:none}",
    "<!-- .zz{clip:rect(0,0,0,0)} -->",
    ".zz{display:none} .zz:hover{display:block} .zz::before{display:block} .zz:nonsense(a){display:block}",
    ".zz{display:block} @media print{.zz{display:block}} article .zz{display:none}",
    ".zz{display:none !important} article p.zz{display:block}",
]


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("place", ["head", "body", "both"])
def test_what_the_page_s_own_style_sheet_hides_is_left_out(sheet: str, place: str) -> None:
    half = len(sheet) // 2
    style = {"head": (f"<style>{sheet}</style>", ""), "body": ("", f"<style>{sheet}</style>")}
    head, before = style.get(place, (f"<style>{sheet}</style>", f"<style>/*{sheet[:half].replace('*/', '')}*/</style>"))
    hidden = f'<p class="a zz" id="zz" data-zz>{FORBIDDEN}</p>'
    assert "forbidden" not in text_of(f"{before}<article>{STORY}{hidden}{STORY}</article>", head)


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print{.zz{display:none}}",
        "@media (max-width: 600px){.zz{display:none}}",
        ".zz:hover{display:none}",
        ".zz::after{display:none}",
        ".zz{display:none} .zz{display:block}",
        ".zz{display:none} article .zz.on{display:block}",
        ".zz.off{display:none}",
        "@keyframes a{from{visibility:hidden}}",
        "body{visibility:hidden} html{opacity:0}",
        "</style><style>.zz{colour:none",
        "</style><style media='print'>.zz{display:none}",
    ],
)
def test_what_a_style_sheet_hides_elsewhere_or_shows_again_is_kept(sheet: str) -> None:
    text_of(f'<article><div class="zz on">{STORY}</div></article>', f"<style>{sheet}</style>")


def test_a_style_sheet_that_is_made_to_cost_time_is_read_all_the_same() -> None:
    times = cases(20_000, 50_000)
    for sheet in ("a{" * times, ".a(" * times, "*" * 2 * times, ".a," * (times // 2), "@media screen{" * (times // 2)):
        text = text_of(f"<article>{STORY}</article>", f"<style>{sheet}</style>")
        assert "Paragraph 5:" in text


def test_a_story_whose_box_is_named_after_something_else_is_not_lost() -> None:
    """Sites name the box of the whole page after its topic and after what else is in it."""
    for names in ("post category-trending has-comments comments", "related tag-breaking-news", "single promo"):
        markup = f'<html><body><div class="{names}"><h1>A ruling</h1><div>{STORY}</div></div></body></html>'
        page = extract(markup.encode(), "https://news.alvara.com/a", "html", CAPTURED)
        assert page is not None and "Paragraph 5:" in page.text


def test_a_page_of_hidden_text_alone_is_refused() -> None:
    for attribute in ("hidden", 'style="display:none"', 'class="sr-only"', 'class="comments"'):
        markup = f"<html><body><div {attribute}>{STORY}</div></body></html>".encode()
        assert extract(markup, "https://news.alvara.com/a", "html", CAPTURED) is None


def test_what_stands_after_hidden_elements_is_kept_in_its_order() -> None:
    text = text_of(
        f"<article>{STORY}<p>One <b hidden>x</b>two<i hidden>x</i> three<br hidden>, <u hidden>x</u>four.</p></article>"
    )
    assert "One two three, four." in text


def document(text: str, **fields: Any) -> Document:
    return Document.model_validate(
        {"url": "https://news.alvara.com/a", "title": "t", "source": "s", "published": None, "proof": "A", **fields}
        | {"text": text}
    )


def test_invisible_characters_do_not_reach_a_document() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore the cutoff")
    unseen = f"{tags}\u200b\u200d\u2060\ufeff\u202eevah\u202c\u2066\u2069\u00ad\u034f\u3164\ufe0f\U000e0100\x1b[8m\x07"
    text = text_of(f"<article>{STORY}<p>The port{unseen} opened again, and the ferry left at noon.</p></article>")
    cleaned = document(text, title=f"A ruling{tags}", source=f"Courier{unseen}")
    assert cleaned.title == "A ruling"
    everything = cleaned.title + cleaned.source + cleaned.text
    assert "opened again" in everything
    assert not any(letter in everything for letter in unseen if letter not in "evah[8m")
    assert not any(0xE0000 <= ord(letter) < 0xE1000 for letter in everything)


def test_links_that_hold_data_do_not_reach_a_document() -> None:
    text = text_of(
        f"<article>{STORY}<p>See data:text/html;base64,PHNjcmlwdD4= for the whole ruling of it.</p></article>"
    )
    assert "PHNjcmlwdD4" not in document(text).text
