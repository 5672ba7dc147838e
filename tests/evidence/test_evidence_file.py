import json
from pathlib import Path

import pytest

from cruxbench_inspect.errors import InputProblems
from cruxbench_inspect.evidence.document import Document
from cruxbench_inspect.evidence.evidence_file import MAX_PROBLEMS, read_documents

PATH = Path("set/evidence.jsonl")
ROW: dict[str, object] = {
    "url": "https://news.example/a",
    "title": "A",
    "source": "news",
    "published": "2026-01-10",
    "text": "Text.",
}


def read(*lines: bytes | dict[str, object]) -> list[Document]:
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return list(read_documents(raw, PATH))


def test_a_line_is_a_document_of_class_b() -> None:
    documents = read(
        b"\xef\xbb\xbf" + json.dumps(ROW).encode(), b"\n", {**ROW, "published": None, "captured": "2026-01-11"}
    )
    assert [document.proof for document in documents] == ["B", "B"]
    assert [str(document.published) for document in documents] == ["2026-01-10", "None"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"url": "https:', "line 2: no JSON at column 9"),
        (b"\xff\xfe\xff", "line 2: no UTF-8 at byte"),
        (b"[1]", "line 2: [1] is no JSON object"),
        (b"[" * 100_000, "line 2: JSON that is nested too deeply"),
        ({**ROW, "published": "2026-13-01"}, "line 2, field published, value \"2026-13-01\": '2026-13-01' is no date"),
        ({**ROW, "modified": 1761436800}, "line 2, field modified, value 1761436800:"),
        ({**ROW, "text": None}, "line 2, field text, value null: Input should be a valid string"),
        ({**ROW, "url": ""}, 'line 2, field url, value "":'),
        ({**ROW, "extra": 1}, "line 2, field extra, value 1: Extra inputs are not permitted"),
        ({**ROW, "proof": "A"}, 'line 2: field proof, value "A": a file does not choose its proof class'),
        ({"url": "u"}, "line 2, field title: Field required"),
    ],
)
def test_a_wrong_line_is_named_with_field_and_value(line: bytes | dict[str, object], problem: str) -> None:
    with pytest.raises(InputProblems) as caught:
        read(ROW, line)
    assert caught.value.message.startswith("set/evidence.jsonl: ")
    assert any(found.startswith(problem) for found in caught.value.problems), caught.value.problems
    str(caught.value).encode("utf-8")


def test_all_problems_are_told_at_once_up_to_a_limit() -> None:
    with pytest.raises(InputProblems) as caught:
        read(b"{", ROW, {**ROW, "published": "soon", "text": 5})
    assert len(caught.value.problems) == 3
    with pytest.raises(InputProblems) as caught:
        read(*[b"{"] * 1000)
    assert len(caught.value.problems) == MAX_PROBLEMS + 1
    assert caught.value.problems[-1] == "reading stopped at line 50; there may be more"


@pytest.mark.parametrize("field", ["published", "modified", "captured"])
@pytest.mark.parametrize(
    "value",
    [
        {
            "text": "2030-01-01",
            "earliest": "1970-01-01T00:00:00Z",
            "latest": "1970-01-01T00:00:00Z",
            "date_only": False,
        },
        ["2026-01-10"],
        1768003200,
        True,
    ],
)
def test_a_date_that_is_no_text_is_a_problem(field: str, value: object) -> None:
    with pytest.raises(InputProblems, match=f"line 1, field {field}"):
        read({**ROW, field: value})
