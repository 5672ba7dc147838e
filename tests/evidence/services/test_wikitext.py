import multiprocessing
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.services.current_events import read_day
from cruxbench_inspect.evidence.services.wikitext import MAX_CHARACTERS, ExternalLink, plain_text, read_passage
from cruxbench_inspect.evidence.services.wikitext_tree import MAX_DEPTH, Link, Node, Table, Template, parse
from tests.evidence.pages.test_hidden_elements import STYLES

ARTICLE = """{{Short description|A strike}}
{{Infobox event
| title       = Ferry strike
| date        = {{start date|2025|10|19|df=y}} – present
| image       = Ferry.jpg
| image_size  = 200px
| parties     = {{plainlist|
* [[Union of sailors|Sailors]]
* Owners
}}
| outcome     =
| loss        = {{convert|88|km}}<ref>{{cite web |url=https://a.example |title=Ended in March}}</ref>
}}
<!-- Someone: it will end in March -->
The '''ferry strike''' is a [[strike action|strike]] in [[Oslo]],{{citation needed|date=May 2025}} that began&nbsp;on
{{nowrap|19 October}}<ref name="x" /> 2025{{snd}}see [https://b.example the notice] and https://c.example.
[[File:Ferry.jpg|thumb|A ferry of [[Oslo|the town]]]]

== Course ==
=== October ===
* All lines stop.
** Two start again.
# First
: ''Quoted''
{| class="wikitable sortable" style="width:9em"
|+ Lines
! Line !! Runs
|-
| style="color:red" | 1 || {{no}}
|- style="x"
| 2
| {{flag|Norway}}
| style="display:none" | 99
|}
=== November ===
== See also ==
* {{annotated link|X}}
== References ==
{{reflist|refs=
<ref name="x">{{cite news|title=T}}</ref>
}}
[[Category:Strikes]]
[[fr:Grève]]
__NOTOC__
"""


def test_an_article_as_its_reader_sees_it() -> None:
    assert plain_text(ARTICLE).splitlines() == [
        "title: Ferry strike",
        "date: 2025-10-19 – present",
        "parties: Sailors; Owners",
        "loss: 88 km",
        "",
        "The ferry strike is a strike in Oslo, that began on",
        "19 October 2025 – see the notice and https://c.example.",
        "",
        "Course",
        "October",
        "- All lines stop.",
        "- Two start again.",
        "- First",
        "Quoted",
        "",
        "Lines",
        "Line | Runs",
        "1 | No",
        "2 | Norway",
    ]


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("a <!-- b -->c", "a c"),
        ("a <!-- b", "a"),
        ('a<ref>b</ref>c<ref name="d">e</ref>f<ref name=g/>h<REF>i</REF >j', "acfhj"),
        ("a<ref>b", "ab"),
        ("a <nowiki>[[b]] {{c}}</nowiki>", "a [[b]] {{c}}"),
        ('a <span style="display: none">b<span>c</span>d</span>e', "a e"),
        ("a <div style='Visibility:HIDDEN'>b [[c</div>d", "a\nd"),
        ('a <span style="display:none">b', "a"),
        ("a {{b|<span style='display:none'>c}} d", "a d"),
        ("a<br>b<br />c", "a\nb\nc"),
        ("<gallery>\nA.jpg|b\n</gallery>c<math>x^2</math>", "c"),
        ("<section begin=x />a<section end=x />", "a"),
        ("'''a''' ''b'' '''''c'''''", "a b c"),
        ("&lt;ref&gt; &amp; &eacute;", "<ref> & é"),
        ("[[a|b]] [[c]] [[:Category:D]] [[Category:E]] [[#F|g]] [[File:h.jpg|thumb|[[i]]]]j", "b c Category:D g j"),
        ("[[wikt:strike|strike]] [[de:Streik]] [[CSI: Miami]] [[mos:a|b]]", "strike CSI: Miami b"),
        (
            "{{death date and age|2025|10|19|1940|1|2}} {{yes}} {{no|Refused}} {{euro|5}} {{euro}}",
            "2025-10-19 Yes Refused €5 €",
        ),
        ("[https://a.example b] [https://a.example] [//a.example c [[d]]]", "b c d"),
        ("[https://a.example b\nc]", "https://a.example b\nc]"),
        ("{{convert|5|to|6|km}} {{cvt|3|mi|km}}", "5 to 6 km 3 mi"),
        (
            "{{as of|2025|10}}; {{dts|2025|1|2}}; {{birth date and age|1970|12|31}}",
            "as of 2025-10; 2025-01-02; 1970-12-31",
        ),
        ("{{start date|June 2025}} {{start date|2025|1|2|9|05}}", "June 2025 2025-01-02 09:05"),
        ("{{ubl|a|b}}; {{hlist|a|\n* b\n* c}}", "a, b; a, b, c"),
        ("{{lang|fr|grève}} {{abbr|UN|United Nations}} {{color|red|x}} {{US$|5}} {{frac|1|2}}", "grève UN x US$5 1/2"),
        ("{{nowrap|1=a=b}} {{formatnum:1234}} {{#if:x|y|z}} {{DEFAULTSORT:q}}", "a=b 1234"),
        ("a {{unknown|b}} {{efn|c}} {{main|d}} e", "a e"),
        (
            "{{football box|date=1 May|team1=[[A]]|team2=B|score=2–1|stadium=}}",
            "date: 1 May\nteam1: A\nteam2: B\nscore: 2–1",
        ),
        ("{{cite web|title=a|url=b|date=c|work=d}}", ""),
        ("{{a|{{b}} [[c}} d", "d"),
        ("{{a|b c", "a|b c"),
        ("a }} b ]] c |} d", "a }} b ]] c |} d"),
        ("{|\n| a\n| b", "a | b"),
        ("{|\n! a\n|-\n| {{ubl|b|c}} || {{Infobox x|d=1|e=2|f=3}}\n|}", "a\nb, c | d: 1; e: 2; f: 3"),
        ("== a ==\n== b ==\nc\n=== d ===", "b\nc"),
        ("==", "=="),
        ("", ""),
    ],
)
def test_what_is_shown(wikitext: str, text: str) -> None:
    assert plain_text(wikitext) == text


SEEN_IN_THE_WIKI = {"color:white"}  # on a ground that a template or a class gives
HIDING = [
    *(f'style="{style}"' for style in STYLES if style not in SEEN_IN_THE_WIKI),
    *("style='display:none'", "style=display:none", 'STYLE = "Display : None"', 'style="display&#58;none"'),
    *('class="sr-only"', "class='a visually-hidden'", "class=hidden", "hidden", 'hidden=""', 'aria-hidden="true"'),
    *('style="color:red" style="opacity:0"', 'id="a" style="display:none" lang="en"'),
]


@pytest.mark.parametrize("attributes", HIDING, ids=lambda attributes: attributes[:40])
def test_what_attributes_hide_is_not_shown(attributes: str) -> None:
    for tag in ("span", "div", "p", "small", "b", "table"):
        assert plain_text(f"a <{tag} {attributes}>secret [[secret]] {{{{nowrap|secret}}}}</{tag}> b").split() == [
            "a",
            "b",
        ]
        assert read_passage(f"a <{tag} {attributes}>secret</{tag}> b").text == "a b"
    assert plain_text(f"a\n{{| {attributes}\n|+ secret\n! secret\n|-\n| secret\n|}}\nb").split() == ["a", "b"]
    row = f"{{|\n| a\n|- {attributes}\n| secret || secret\n! secret\n* secret\n|-\n| b\n|}}"
    assert plain_text(row).split() == ["a", "b"]
    cell = f"{{|\n|+ {attributes} | secret\n! {attributes} | secret !! a\n|-\n| {attributes} | secret\nsecret\n| b\n|}}"
    assert plain_text(cell).split() == ["a", "b"]


@pytest.mark.parametrize(
    "attributes",
    [
        'style="color:white; background:#123"',
        'style="width:0.5em; opacity:0.9"',
        'style="text-align:center"',
        'class="nowrap hidden-gems"',
        'title="display:none"',
        'data-style="display:none"',
        'id="hidden"',
        'aria-hidden="false"',
        "lang=hidden-x",
    ],
)
def test_what_attributes_do_not_hide_is_shown(attributes: str) -> None:
    assert plain_text(f"a <span {attributes}>b</span>") == "a b"
    assert plain_text(f"{{| {attributes}\n|- {attributes}\n| {attributes} | b\n|}}") == "b"


def test_what_is_shown_on_the_page_itself_is_kept() -> None:
    # What "noinclude" surrounds is left out only where another page includes this one.
    assert plain_text("a <noinclude>b</noinclude> <includeonly>c</includeonly><onlyinclude>d</onlyinclude>") == "a b d"


def test_the_tree() -> None:
    assert parse("a{{b|c=[[d|e]]}}\n{|\nf\n|}") == [
        "a",
        Template([["b"], ["c=", Link([["d"], ["e"]])]]),
        "\n",
        Table(["\n", "f", "\n"]),
    ]


def test_a_passage_has_its_links_apart() -> None:
    passage = read_passage(
        "Two are [[arrest]]ed in [[paris|Paris]], [[Paris]]. [https://a.example/x (''AFP'' via [[BBC]])]"
        " {{cite news|url=https://b.example|title=T|newspaper=''The Times''}} https://c.example/?a=b&amp;c=d"
        " [//d.example] [ftp://e.example f] [https://a.example/x (AFP)] [http://[::1 x]"
    )
    assert passage.text.startswith("Two are arrested in Paris, Paris.")
    assert passage.articles == ("Arrest", "Paris", "BBC")
    assert passage.links == (
        ExternalLink("https://a.example/x", "AFP via BBC"),
        ExternalLink("https://b.example", "The Times"),
        ExternalLink("https://d.example", ""),
        ExternalLink("https://c.example/?a=b&c=d", ""),
    )


HOSTILE = {
    "templates": "{{" * 50000,
    "links": "[[" * 50000,
    "closed too often": "{{[[" * 6666 + "}}" * 33333,
    "nested templates": "{{a|" * 20000 + "}}" * 20000,
    "nested infoboxes": "{{Infobox a|a=1|b=2|c=" * 3333 + "}}" * 3333,
    "tags": "<div>" * 20000,
    "tags without an end": "<a" * 50000,
    "a long tag": "<a " + " " * 100000,
    "hidden tags": '<span style="display:none">' * 4000,
    "styles": "".join(f'<b style="a:{number}">' for number in range(6000)),
    "long styles": "".join(f'<b style="{"a:b;" * 2400}{number}">' for number in range(10)),
    "brackets in a style": '<b style="' + "({[" * 33000 + '">',
    "names of attributes": "<b style " + "a= b='\" " * 12000 + ">",
    "styles of rows": "{|\n" + "".join(f'|- style="a:{number}"\n| hidden | x\n' for number in range(3000)),
    "references": "<ref>" * 20000,
    "comments": "<!--" * 25000,
    "external links": "[http://a " * 11000,
    "external links on lines": "[http://a \n" * 10000,
    "addresses": "http://" + "." * 100000,
    "tables": "{|\n" * 33333,
    "cells": "{|\n" + "|a||b\n" * 16666,
    "parameters": "{{a" + "|" * 100000,
    "list items": "*" * 100000,
    "bullets": "\n".join("*" * depth for depth in range(700)),
    "headings": "== a ==\n" * 12333,
    "equals signs": "=" * 100000,
    "apostrophes": "'" * 100000,
    "spaces": "( " + " " * 100000,
    "spaces in a list": "{{ubl|" + " " * 100000 + "}}",
    "everything": "{{[[[http://a {|\n<ref <!-" * 4000,
    "characters": "".join(map(chr, range(0x20, 0x11000))),
}


@pytest.mark.parametrize("wikitext", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_read_in_passing(wikitext: str) -> None:
    # A reader that goes back for each open bracket would need minutes for any of these.
    assert len(plain_text(wikitext)) <= 2 * len(wikitext)
    read_passage(wikitext)


def _depth(nodes: list[Node]) -> int:
    inner = [part for node in nodes if isinstance(node, Template | Link) for part in node.parts]
    return 1 + max(map(_depth, inner), default=0)


def test_the_tree_is_never_deep() -> None:
    assert _depth(parse("{{a|[[b|" * 5000 + "]]}}" * 5000)) == MAX_DEPTH + 1


def test_what_is_longer_than_any_page_is_cut() -> None:
    assert plain_text("a" * (MAX_CHARACTERS + 5)) == "a" * MAX_CHARACTERS


MARKUP = st.lists(
    st.sampled_from(
        "{{ }} [[ ]] [ ] {| |} |- | || ! !! = == ' '' ''' * ** # : ; <ref> </ref> <ref/> <br> <span> </span> <nowiki>"
        " </nowiki> <!-- --> http://a.example // a b Infobox cite File: Category: &amp; &# __TOC__".split(" ")
        + ["\n", "\n\n", " ", '<span style="display:none">', "[https://a.example (b)]", "{{Current events|content="]
    )
    | st.text(max_size=5),
    max_size=60,
).map("".join)


@given(MARKUP)
def test_any_text_is_read(wikitext: str) -> None:
    assert isinstance(plain_text(wikitext), str)
    passage = read_passage(wikitext)
    assert "\n" not in passage.text


@given(MARKUP, st.text("hidden", min_size=6, max_size=6))
def test_comments_and_references_never_show(wikitext: str, secret: str) -> None:
    for hidden in (f"<!-- {secret}! -->", f"<ref>{secret}!</ref>"):
        assert f"{secret}!" not in plain_text(f"a\n{hidden}\n" + wikitext.replace(secret, ""))


def test_it_runs_in_another_process() -> None:
    assert pickle.loads(pickle.dumps(read_day)) is read_day  # noqa: S301
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(plain_text, ("'''a'''",)) == "a"
