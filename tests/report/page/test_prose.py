import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from cruxbench_inspect.report.page.prose import literal, prose, sentence


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
    assert {element.tag for element in shown.iterdescendants()} <= {"p", "strong", "em", "code", "ul", "ol", "li"}
    assert not any(element.attrib for element in shown.iterdescendants())


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"])))
def test_a_literal_is_shown_as_it_is(text: str) -> None:
    shown = html.fragment_fromstring(f"<p>{sentence(literal(text))}</p>")
    assert not list(shown)
    assert shown.text_content() == " ".join(text.split())
