from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest

from cruxbench_inspect.errors import InputProblems
from cruxbench_inspect.markets.answers import AnswerStore
from cruxbench_inspect.markets.polymarket.settings import CLOB, DATA, GAMMA, Polymarket


def exchange(folder: Path, environment: dict[str, str]) -> Polymarket:
    store = AnswerStore(folder / "answers.sqlite")
    return Polymarket.of_environment(store, lambda: datetime(2026, 1, 1, tzinfo=UTC), environment=environment)


def test_by_default_the_exchange_is_asked_politely(tmp_path: Path) -> None:
    askers = exchange(tmp_path, {}).askers
    assert [asker.client.base_url.rstrip("/") for asker in askers] == [GAMMA, DATA, CLOB]
    for asker in askers:
        assert asker.client.pace.connections <= 8
        assert asker.client.pace.interval > 0
        assert asker.client.timeout >= 30


def test_each_address_can_be_set(tmp_path: Path) -> None:
    found = exchange(
        tmp_path,
        {
            "CRUXBENCH_GAMMA_URL": "http://127.0.0.1:1/gamma",
            "CRUXBENCH_POLYMARKET_DATA_URL": "http://127.0.0.1:1/data",
            "CRUXBENCH_CLOB_URL": "http://127.0.0.1:1/clob",
        },
    )
    assert [asker.client.base_url for asker in found.askers] == [
        "http://127.0.0.1:1/gamma",
        "http://127.0.0.1:1/data",
        "http://127.0.0.1:1/clob",
    ]
    assert not any(asker.client.pace.interval for asker in found.askers)


def test_what_is_damaged_in_the_store_is_told_for_all_services(tmp_path: Path) -> None:
    found = exchange(tmp_path, {})
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for asker in found.askers:
        asker.store.keep(f"{asker.client.service}/path", now, b"[")
        assert not anyio.run(asker.holds, "/path", {})
    assert len(found.damaged) == 3
    for asker, line in zip(found.askers, found.damaged, strict=True):
        assert line.startswith(f"the answer of 2026-01-01T00:00:00Z to {asker.client.service}/path: ")


def test_an_address_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputProblems, match="CRUXBENCH_CLOB_URL=clob"):
        exchange(tmp_path, {"CRUXBENCH_CLOB_URL": "clob"})
