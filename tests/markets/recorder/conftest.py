"""A live round as it was built, for all tests of recording it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cruxbench_inspect.markets.polymarket import trades
from tests.markets.recorder.recording import build_round


@pytest.fixture(scope="module", autouse=True)
def short_pages() -> Iterator[None]:
    """Pages of trades that are so short that there are several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trades, "PAGE", 30)
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a live round as it was built."""
    folder = tmp_path_factory.mktemp("built")
    build_round(folder)
    return folder
