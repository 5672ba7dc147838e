"""What a reader does not see, or what is not the page's own story, never gets into the text."""

from typing import Any

import pytest

from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.pages.extraction import extract
from cruxbench_inspect.utc import parse_utc

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


def test_a_story_whose_box_is_named_after_something_else_is_not_lost() -> None:
    """Sites name the box of the whole page after its topic and after what else is in it."""
    for names in ("post category-trending has-comments comments", "related tag-breaking-news", "single promo"):
        markup = f'<html><body><div class="{names}"><h1>A ruling</h1><div>{STORY}</div></div></body></html>'
        page = extract(markup.encode(), "https://news.alvara.com/a", "html", CAPTURED)
        assert page is not None and "Paragraph 5:" in page.text


def test_a_page_of_hidden_text_alone_is_refused() -> None:
    for attribute in ("hidden", 'style="display:none"', 'class="related"'):
        markup = f"<html><body><div {attribute}>{STORY}</div></body></html>".encode()
        assert extract(markup, "https://news.alvara.com/a", "html", CAPTURED) is None


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
