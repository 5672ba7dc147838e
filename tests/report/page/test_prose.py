import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from cruxbench_inspect.report.page.prose import fold, link, literal, prose, sentence


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\ntwo\n\nthree", "<p>one two</p>\n<p>three</p>"),
        (
            "**bold** and *emphasis* and `code`",
            "<p><strong>bold</strong> and <em>emphasis</em> and <code>code</code></p>",
        ),
        ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"),
        ("`**not bold** <b>`", "<p><code>**not bold** &lt;b&gt;</code></p>"),
        ("** p < 0.01, * p < 0.05", "<p>** p &lt; 0.01, * p &lt; 0.05</p>"),
        (r"\*\*plain\*\* \` \\", "<p>**plain** ` \\</p>"),
        ("2*3*4", "<p>2<em>3</em>4</p>"),
        ("text\n- one\n  more\n- two\n\nend", "<p>text</p>\n<ul><li>one more</li><li>two</li></ul>\n<p>end</p>"),
        ("1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"),
        ("<script>alert(1)</script> [a](b) # c", "<p>&lt;script&gt;alert(1)&lt;/script&gt; [a](b) # c</p>"),
        (
            "see [*a* \\[b\\]](<https://a.example/?x=1&y=*2*>)",
            '<p>see <a href="https://a.example/?x=1&amp;y=*2*"><em>a</em> [b]</a></p>',
        ),
        ("[a](<http://a.example>)", '<p><a href="http://a.example">a</a></p>'),
        ("[a](<javascript:alert(1)>)", "<p>[a](&lt;javascript:alert(1)&gt;)</p>"),
        ("[a](<//a.example>)", "<p>[a](&lt;//a.example&gt;)</p>"),
        (r"\[a](<https://a.example>)", "<p>[a](&lt;https://a.example&gt;)</p>"),
        (r"\_a\_ \<b\> \[c\] \~ \&amp; \#", r"<p>_a_ &lt;b&gt; [c] ~ &amp;amp; \#</p>"),
        ("", ""),
    ],
)
def test_the_small_markdown(text: str, shown: str) -> None:
    assert str(prose(text)) == shown


def test_a_sentence_has_no_paragraphs() -> None:
    assert str(sentence("- a\n\n*b* <i>")) == "- a <em>b</em> &lt;i&gt;"


@given(st.text(min_size=1))
def test_nothing_from_outside_becomes_an_element(text: str) -> None:
    shown = html.fragment_fromstring(str(prose(text)), create_parent="div")
    assert {element.tag for element in shown.iterdescendants()} <= {"p", "strong", "em", "code", "ul", "ol", "li", "a"}
    attributes = [item for element in shown.iterdescendants() for item in element.items()]
    assert all(name == "href" and value.startswith(("http://", "https://")) for name, value in attributes)


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"])))
def test_a_literal_is_shown_as_it_is(text: str) -> None:
    shown = html.fragment_fromstring(f"<p>{sentence(literal(text))}</p>")
    assert not list(shown)
    assert shown.text_content() == " ".join(text.split())


def test_a_literal_means_nothing_to_any_markdown() -> None:
    assert literal("<b> [a](b) *c* _d_ ~~e~~ &amp; `f` \\\n# g") == (
        r"\<b\> \[a\](b) \*c\* \_d\_ \~\~e\~\~ \&amp; \`f\` \\ # g"
    )


@given(st.text(), st.text())
def test_a_link_is_to_the_web_or_none(text: str, address: str) -> None:
    for place in (address, f"https://a.example/{address}", f"javascript:{address}"):
        shown = html.fragment_fromstring(f"<p>{sentence(link(text, place))}</p>")
        links = list(shown.iter("a"))
        assert len(list(shown.iterdescendants())) == len(links) <= 1
        assert all(one.get("href") == place and place.startswith(("http://", "https://")) for one in links)


def test_a_link_without_a_text_shows_its_address() -> None:
    assert link(" ", "https://a.example/b_c") == r"[https://a.example/b\_c](<https://a.example/b_c>)"
    assert link("", "") == "" and link("a", "b") == "a"


@pytest.mark.parametrize(
    ("text", "parts"),
    [("one", ("one", "")), ("one\ntwo", ("one\ntwo", "")), ("one\n\ntwo\n\n- three", ("one", "two\n\n- three"))],
)
def test_the_first_paragraph_stands_for_the_others(text: str, parts: tuple[str, str]) -> None:
    assert fold(text) == parts
