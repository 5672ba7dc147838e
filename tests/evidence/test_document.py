import pytest
from pydantic import ValidationError

from cruxbench_inspect.evidence.document import Document
from tests.evidence.fake_source import make_document


def test_it_is_serialised_with_its_dates_as_they_were_given() -> None:
    document = make_document("2026-01-10", modified="2026-01-11T01:00:00+01:00")
    stored = document.model_dump()
    assert stored["published"] == "2026-01-10"
    assert stored["modified"] == "2026-01-11T01:00:00+01:00"
    assert stored["captured"] is None
    assert Document.model_validate_json(document.model_dump_json()) == document


def test_its_id_follows_from_what_it_says() -> None:
    document = make_document("2026-01-10")
    assert document.id == "doc-53213b9ab3"
    assert make_document("2026-01-10", source="other", modified="2026-02-01").id == document.id
    others = [
        make_document("2026-01-11"),
        make_document(None),
        make_document("2026-01-10", title="A titleA", text=" text."),
        make_document("2026-01-10", url="https://news.example/b"),
    ]
    assert len({document.id, *(other.id for other in others)}) == 5


def test_its_text_is_clean_from_the_start() -> None:
    document = make_document(title=" A\n\u200btitle ", text="one\r\ntwo\x00")
    assert (document.title, document.text) == ("A title", "one\ntwo")


@pytest.mark.parametrize("field", ["published", "modified", "captured"])
@pytest.mark.parametrize("letter", ["\u202e", "\n", "\x00", "\ud800", "\U000e0041", '"', "<", "_", "é"])
def test_a_date_holds_nothing_but_a_date(field: str, letter: str) -> None:
    for text in (
        f"2026-01-10{letter}12:00:00",
        f"2026-01-10T12:00:00{letter}",
        f"{letter}2026-01-10",
        f"2026-01-10{letter}",
    ):
        with pytest.raises(ValidationError, match=field):
            make_document(**{field: text})


@pytest.mark.parametrize(
    "fields", [{"url": ""}, {"url": "\u200b"}, {"text": None}, {"published": "soon"}, {"proof": "D"}, {"score": 1}]
)
def test_what_is_no_document_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        make_document(**fields)  # type: ignore[arg-type]


def test_the_date_of_publication_may_be_unknown_but_not_forgotten() -> None:
    assert make_document(None).published is None
    with pytest.raises(ValidationError, match="published"):
        Document.model_validate({"url": "u", "title": "", "source": "", "text": "", "proof": "B"})
