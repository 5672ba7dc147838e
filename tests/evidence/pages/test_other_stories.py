"""Related stories, notices and readers' remarks are left out; a page's own story is not, whatever its box is called."""

import pytest
from trafilatura import load_html

from cruxbench_inspect.evidence.pages.extraction import extract
from cruxbench_inspect.evidence.pages.hidden_elements import drop_unseen
from cruxbench_inspect.evidence.pages.story_words import Kind, kind_of_label, kind_of_names, refers_elsewhere
from tests.evidence.pages.test_hidden_elements import CAPTURED, FORBIDDEN, SHORT, STORY, text_of
from tests.extent import cases

LINKS = "".join(f'<li><a href="/{number}">{FORBIDDEN} {number}</a></li>' for number in range(5))


@pytest.mark.parametrize(
    "names",
    "relatedArticles RelatedStories related_links c-related article__related js-relatedPosts mostRead MostPopular"
    " most_read mostread trendingNow trending-now moreStories more-from-us topStories latest-headlines headlines"
    " popular readNext you-might-also-like you-may-also-like right-rail recirculation in-other-news dont-miss sponsored"
    " taboola-below verwandte-artikel mehr-zum-thema meistgelesen lire-aussi a-lire-aussi articles-lies"
    " noticias-relacionadas lo-mas-leido leia-tambem mais-lidas leggi-anche articoli-correlati lees-ook"
    " gerelateerde-artikelen czytaj-takze cok-okunanlar las-ocksa mest-lest читайте-также 関連記事 人気記事"
    " 相关新闻 관련기사 comments commentList comment-thread user-comments coral-talk livefyre disqus_thread"
    " fb-comments respond replies discussion responses kommentare commentaires comentarios reacties"
    " комментарии".split(),
)
def test_a_box_is_known_by_its_name_in_any_spelling(names: str) -> None:
    for attribute in (f'class="block {names}"', f'id="{names}"', f'data-testid="{names}"', f'data-component="{names}"'):
        for tag in ("div", "section", "ul", "article", "my-box"):
            box = f"<{tag} {attribute}><h3>{SHORT}</h3><li>{FORBIDDEN}</li><p>{FORBIDDEN}</p></{tag}>"
            text = text_of(f"<article>{STORY}{box}{STORY}</article>{box}")
            assert "forbidden" not in text and SHORT not in text, (tag, attribute)


@pytest.mark.parametrize(
    "box",
    [
        f'<section aria-label="Related stories"><p>{FORBIDDEN}</p></section>',
        f'<section aria-label="Les plus lus"><p>{FORBIDDEN}</p></section>',
        f'<div aria-label="関連記事"><p>{FORBIDDEN}</p></div>',
        f'<div role="complementary"><p>{FORBIDDEN}</p></div>',
        f'<div role="navigation"><p>{FORBIDDEN}</p></div>',
        f'<article class="comment"><p>{FORBIDDEN}</p></article>' * 5,
        f'<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><p>{FORBIDDEN}</p></div>',
        f'<dl class="comments"><dt>{SHORT}</dt><dd>{FORBIDDEN}</dd></dl>',
        f"<related-stories><p>{FORBIDDEN}</p></related-stories>",
        f'<p class="related"><a href="x">{FORBIDDEN}</a></p>',
        f"<h2>Most read</h2><ul><li>{FORBIDDEN}</li></ul>",
        f"<h3>Most read in sport</h3><ol>{LINKS}</ol>",
        f"<h3>Related</h3><div>{LINKS}</div>",
        f"<h3>Related stories</h3><p><a href=x>{FORBIDDEN}</a></p><p><a href=y>{FORBIDDEN} Again.</a></p>",
        f"<header><div><h2>Latest news</h2></div></header><ul>{LINKS}</ul>",
        f"<section><h2><span>More on this story</span></h2><div><div>{LINKS}</div></div></section>",
        f"<div><strong>You may also like</strong><div>{LINKS}</div><div>{LINKS}</div></div>",
        f"<p>Read more</p><ul>{LINKS}</ul>",
        f"<h3>Comments (12)</h3><ol><li>{FORBIDDEN}</li></ol>",
        *(
            f"<h3>{heading}</h3><ul>{LINKS}</ul>"
            for heading in (
                "Mehr zum Thema",
                "Das könnte Sie auch interessieren",
                "À lire aussi",
                "Les plus lus",
                "Lo más leído",
                "Te puede interesar",
                "Notícias relacionadas",
                "Mais lidas",
                "Leggi anche",
                "Meest gelezen",
                "Gerelateerde artikelen",
                "Читайте также",
                "Najczęściej czytane",
                "Çok okunanlar",
                "Läs också",
                "あわせて読みたい",
                "相关阅读",
                "많이 본 뉴스",
                "اقرأ أيضا",
            )
        ),
        "<p>Related: the forbidden court upholds the ban in March</p>",
        "<p>READ MORE: the forbidden court upholds the ban</p>",
        "<p><b>Read more:</b> <a href=x>The forbidden court upholds the ban in March</a></p>",
        "<p><strong>See also</strong> <a href=x>The forbidden court upholds the ban in March</a></p>",
        "<p><em>Lire aussi : <a href=x>The forbidden court upholds the ban in March</a></em></p>",
        "<p>関連記事：<a href=x>The forbidden court upholds the ban in March</a></p>",
    ],
)
def test_what_is_labelled_or_headed_as_other_stories_is_left_out(box: str) -> None:
    text = text_of(f"<article>{STORY}{box}<p>After the box, the story of the licence goes on.</p>{STORY}</article>")
    assert "forbidden" not in text
    assert "After the box" in text


@pytest.mark.parametrize(
    "names",
    [
        "entry-content comments-open",
        "entry-content no-comments",
        "content with-comments",
        "has-related-posts hide-comments",
        "article-body newsletter-signup-enabled",
        "story breaking-news",
        "article promo",
        "post-content related",
        "story-body see-also-on",
        "article-body trending",
        "liveblog latest-news",
        "teaser",
        "comment",
        "opinion kommentar",
        "discussion",
    ],
)
@pytest.mark.parametrize("tag", ["div", "section", "article", "main"])
def test_the_box_of_the_story_is_kept_whatever_it_is_called(names: str, tag: str) -> None:
    """Its headline stands outside of it, and readers' remarks are longer than it."""
    remarks = f"<div class='comments'>{f'<article class=comment><p>{FORBIDDEN}</p></article>' * 30}</div>"
    text = text_of(f"<{tag} class='{names}'>{STORY}</{tag}>{remarks}<footer><p>{FORBIDDEN * 20}</p></footer>")
    assert "forbidden" not in text


@pytest.mark.parametrize(
    "part",
    [
        '<p class="article-teaser">The kept words stand first in this story of the port.</p>',
        "<h2>Popular unrest</h2><ul><li>The kept words are about a march in the north.</li></ul>",
        "<h2>Recommendations</h2><ul><li>The kept words recommend a larger port.</li></ul>",
        "<section><h2>Discussion</h2><p>The kept words discuss what was measured in the port.</p></section>",
        "<h3>Latest news</h3><p>The kept words of the story follow its own heading in the text.</p>",
        "<p>Related to this, the kept words say that the port opened again on Monday.</p>",
        "<p>Read more books, the kept words said: nobody in the port of Alvara does.</p>",
        '<div class="popularity"><p>The kept words stand in a box with a longer name.</p></div>',
        '<div class="has-comments"><p>The kept words stand in a box that has a state.</p></div>',
        '<p>He said that <span class="promo">the kept words</span> are a part of the sentence here.</p>',
    ],
)
def test_a_part_of_the_story_is_kept(part: str) -> None:
    text = text_of(f"<article>{STORY}{part}{STORY}</article>")
    assert "kept words" in text


def test_the_headline_that_is_the_title_tells_which_box_is_the_story() -> None:
    trap = f'<div class="related"><h1>Another story</h1><p>{FORBIDDEN}</p></div>'
    markup = (
        f"<html><head><title>A ruling - The Courier</title></head><body>{trap}"
        f'<div class="promo"><h2>A ruling</h2></div><article>{STORY}</article></body></html>'
    )
    page = extract(markup.encode(), "https://news.alvara.com/a", "html", CAPTURED)
    assert page is not None and "Paragraph 5:" in page.text and "forbidden" not in page.text


def test_hidden_words_do_not_make_a_box_the_story() -> None:
    padding = f'<p style="display:none">{"many words of nothing " * 500}</p>'
    text = text_of(f'<article>{STORY}</article><div class="related">{padding}<p>{FORBIDDEN}</p></div>')
    assert "forbidden" not in text and "many words" not in text


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("", None),
        ("article__body", None),
        ("relatedTopics2", "others"),
        ("unrelated", None),
        ("newsletters-of-the-past", None),
        ("HTMLComments", "remarks"),
        ("comments-open", None),
        ("comments-open comments", "remarks"),
        ("no-comments related", "others"),
        ("article-comment", "remark"),
        ("-- __ 12", None),
    ],
)
def test_names_of_boxes(names: str, kind: Kind | None) -> None:
    assert kind_of_names(names) == kind


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("The most read", "others"),
        ("Most read in Sport", "others"),
        ("Most read books of the century and why they lasted", None),
        ("Trending now", "others"),
        ("Trending upwards", None),
        ("Comment", None),
        ("Comments", "remarks"),
        ("Leave a reply", "remarks"),
        ("12", None),
    ],
)
def test_labels_for_readers(label: str, kind: Kind | None) -> None:
    assert kind_of_label(label) == kind


def test_a_reference_names_itself_before_a_colon() -> None:
    assert refers_elsewhere("Read more: a title") and refers_elsewhere("Related | a title")
    assert not refers_elsewhere("Read more about it: a title") and not refers_elsewhere("Related")


PART = cases(3, 1)
COSTLY = {
    "references": "<p><a>Read more</a></p>" * (40_000 // PART),
    "paragraphs": "<p>x</p>" * (100_000 // PART),
    "texts after boxes": "<div class=related>x</div>y" * (60_000 // PART),
    "texts after hidden words": "<b hidden></b>x" * (100_000 // PART),
    "names": "".join(f'<div class="c{number}">x</div>' for number in range(40_000 // PART)),
    "nested": "<div class=related><div class=comments>" * (20_000 // PART),
    "nested headings": "<div><h2>Most read</h2>" * 200 + "<a>x</a>" * (80_000 // PART),
    "headings": "<h2>Most read</h2><div><a>x</a></div>" * (20_000 // PART),
}


@pytest.mark.parametrize("name", COSTLY)
def test_a_page_made_to_cost_time_is_looked_through_in_passing(name: str) -> None:
    # What goes back for each element would need minutes.
    tree = load_html(f"<html><body>{STORY}{COSTLY[name]}</body></html>")
    assert tree is not None
    drop_unseen(tree)
    assert "Paragraph 5:" in tree.text_content()
