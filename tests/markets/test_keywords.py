import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.keywords import FOLDER, Keyword, KeywordList, Matching

NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
LISTS = {name: KeywordList.read(name) for name in NAMES}
SUBJECTS = [LISTS[name] for name in ("sports", "crypto", "awards")]


def found(keywords: KeywordList, text: str, matching: Matching = "words") -> str | None:
    hit: str | None = pl.DataFrame({"text": [text]}).select(keywords.first_in(pl.col("text"), matching)).item()
    return hit


def subject(question: str) -> str | None:
    return next((keywords.name for keywords in SUBJECTS if found(keywords, question)), None)


@pytest.mark.parametrize(
    "question",
    [
        "Will Labour win the next general election in the United Kingdom?",
        "Will inflation exceed 3% in May?",
        "Will the conflict in Sudan end by June 30?",
        "Will the court decide whether the tariffs stand?",
        "Will the budget deficit of France fall below 5% of GDP?",
        "Will a two-state solution be adopted?",
        "Will the U.S. strike Iran before 2026?",
        "Will the US open its embassy again?",
        "Will the Methane rule survive the appeal?",
        "Will Scarborough elect a new mayor?",
        "Will the consolation payment be made?",
        "Will the SEC approve the merger?",
        "Will the French open talks with Spain?",
        "Will a survivor be found after the interception of the drone?",
        "Will gold reach an all-time high?",
    ],
)
def test_ordinary_words_are_no_keywords(question: str) -> None:
    assert subject(question) is None


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who wins the NFL's opening game?", "sports"),
        ("Will two nfl teams merge?", "sports"),
        ("Will the NFL\u2019s commissioner resign?", "sports"),
        ("Will he win the U.S. Open?", "sports"),
        ("How many playoffs will be played?", "sports"),
        ("Will the LEC-final sell out?", "sports"),
        ("Will (NBA) ratings rise?", "sports"),
        ("ETH above $5,000?", "crypto"),
        ("Will SOL flip ETH?", "crypto"),
        ("A new DeFi law?", "crypto"),
        ("Will they issue tokens?", "crypto"),
        ("Is it the new Shiba\n  Inu?", "crypto"),
        ("Will the film win  best\u00a0picture?", "awards"),
        ("Will she win four Emmys?", "awards"),
        ("Most Grammies?", "awards"),
        ("Palme d\u2019Or for a debut?", "awards"),
    ],
)
def test_whole_words_are_found_with_their_endings(question: str, name: str) -> None:
    assert subject(question) == name


@pytest.mark.parametrize("word", ["tweet", "Tweets", "TWEETED", "tweeting", "say", "says", "said", "saying"])
def test_forms_of_tweet_and_say_are_found(word: str) -> None:
    assert found(LISTS["words"], f"What will he {word} next?") == re.sub("s$", "", word)


@pytest.mark.parametrize("question", ["Will he retweet it? Hearsay!", "A port at Essaye", "Asayish"])
def test_tweet_and_say_inside_of_words_are_not_found(question: str) -> None:
    assert found(LISTS["words"], question) is None
    assert found(LISTS["words"], question, "substrings")


@pytest.mark.parametrize(
    ("question", "keyword"),
    [
        ("Will the election be held?", "lec"),
        ("Will inflation fall?", "nfl"),
        ("Will the conflict end?", "nfl"),
        ("Decide whether it stands", "eth"),
        ("The deficit of France", "defi"),
        ("A solution for Cyprus", "sol"),
    ],
)
def test_substrings_count_the_way_of_the_release(question: str, keyword: str) -> None:
    hits = [found(keywords, question, "substrings") for keywords in SUBJECTS]
    assert keyword in [each and each.lower() for each in hits]
    assert subject(question) is None


def test_forms_do_not_count_as_substrings() -> None:
    keywords = KeywordList(name="one", keywords=(Keyword(word="say", forms=("said",)),))
    assert found(keywords, "he said so") == "said"
    assert found(keywords, "he said so", "substrings") is None


@pytest.mark.parametrize("name", NAMES)
def test_every_keyword_and_form_finds_itself(name: str) -> None:
    for keyword in LISTS[name].keywords:
        assert found(LISTS[name], f"Of {keyword.word}, perhaps"), keyword
        assert found(LISTS[name], f"Of {keyword.word}, perhaps", "substrings"), keyword
        assert all(found(LISTS[name], form) for form in keyword.forms)


@pytest.mark.parametrize("name", NAMES)
def test_no_keyword_is_hit_by_another_one_of_its_list(name: str) -> None:
    for keyword in LISTS[name].keywords:
        others = tuple(other for other in LISTS[name].keywords if other != keyword)
        assert not found(KeywordList(name="others", keywords=others), keyword.word), keyword


keywords_of = st.sampled_from([(name, keyword.word) for name in NAMES for keyword in LISTS[name].keywords])
not_of_words = st.text(st.characters(categories=["Zs", "Po", "Pd", "Ps", "Pe", "Sm"]), min_size=1, max_size=3)
letters = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=3)


@given(keywords_of, not_of_words, not_of_words, st.sampled_from(["", "s", "'s", "es", "s'", "\u2019s"]), st.booleans())
def test_punctuation_case_and_endings_do_not_hide_a_keyword(
    keyword: tuple[str, str], before: str, after: str, ending: str, upper: bool
) -> None:
    name, word = keyword
    text = f"x{before}{word.upper() if upper else word}{ending}{after}x"
    hit = found(LISTS[name], text)
    assert hit is not None and hit.casefold() in text.casefold()


@given(keywords_of, letters)
def test_letters_and_digits_before_a_word_hide_it(keyword: tuple[str, str], before: str) -> None:
    one = KeywordList(name="one", keywords=(Keyword(word=keyword[1]),))
    assert found(one, f"{before}{keyword[1]}") is None
    assert found(one, f"{before}{keyword[1]}", "substrings") == keyword[1]


def test_a_file_has_comments_blank_lines_and_forms(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("# mine\n\n chess  # a game\nrun: ran, running ,\n", encoding="utf-8")
    keywords = KeywordList.read(file)
    assert keywords.name == "mine"
    assert keywords.keywords == (Keyword(word="chess"), Keyword(word="run", forms=("ran", "running")))
    assert KeywordList.model_validate_json(keywords.model_dump_json()) == keywords


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# nothing\n", "there is no keyword in it"),
        (b"good\n--\n: forms\n", "2 problems\n  - line 2: '--' is no keyword\n  - line 3: ': forms' is no keyword"),
        (b"one\nOne\n", "repeats one"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "bad.txt").write_bytes(content)
    with pytest.raises(InputError, match="bad.txt") as raised:
        KeywordList.read(tmp_path / "bad.txt")
    assert message in str(raised.value)


def test_an_unknown_list_is_named() -> None:
    with pytest.raises(InputError, match="nosuch"):
        KeywordList.read("nosuch")


def test_a_keyword_without_letters_or_digits_is_refused() -> None:
    with pytest.raises(ValidationError):
        Keyword(word="--")
