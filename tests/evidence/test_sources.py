from pathlib import Path

import pytest

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.sources import open_source
from tests.evidence.fake_source import make_document


def test_an_archive_needs_an_evidence_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ships no evidence\.jsonl"):
        open_source("archive", None)
    file = tmp_path / "evidence.jsonl"
    file.write_text(make_document().model_dump_json(exclude={"proof"}) + "\n", encoding="utf-8")
    assert open_source("archive", file).name == "archive"


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown evidence source 'wbe'. Known: archive"):
        open_source("wbe", None)
