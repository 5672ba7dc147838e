import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.markets.tolerant_json import tolerant_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=VALUES, ascii_only=st.booleans())
def test_strict_json_is_read_as_it_is(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert tolerant_json(text) == tolerant_json(text.encode()) == value


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (rb'["\ud83d Will", 1]', ["\ufffd Will", 1]),
        (rb'["Will \uDE00", 1]', ["Will \ufffd", 1]),
        (rb'["\ud83d\ud83d\ude00", 1]', ["\ufffd\U0001f600", 1]),
        (rb'{"\udead": 1}', {"\ufffd": 1}),
        (rb'["\\ud83d \ud83d"]', [r"\ud83d " + "\ufffd"]),
        (b'["Wi\x0bll\n"]', ["Wi\x0bll\n"]),
        (b'["Wi\xffll"]', ["Wi\ufffdll"]),
        (b'["cut \xf0\x9f\x98"]', ["cut \ufffd"]),
        (b'\xef\xbb\xbf["x"]', ["x"]),
        (b"[1e999, " + b"9" * 5000 + b"]", [math.inf, math.inf]),
        ('["\ud83d"]', ["\ufffd\ufffd\ufffd"]),
    ],
)
def test_a_sign_that_is_forbidden_costs_itself_alone(content: bytes | str, read: Any) -> None:
    found = tolerant_json(content)
    assert found == read
    json.dumps(found, ensure_ascii=False).encode("utf-8")


@given(text=st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
def test_every_text_that_is_read_can_be_written(text: str) -> None:
    for content in (json.dumps([text]), json.dumps([text], ensure_ascii=False)):
        (found,) = tolerant_json(content)
        found.encode("utf-8")


@pytest.mark.parametrize("content", [b"", b"[1", b'{"a": "b', b"<html>", b"[" * 5_000, b"[" * 5_000 + b"]" * 5_000])
def test_what_is_no_whole_json_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError):
        tolerant_json(content)
