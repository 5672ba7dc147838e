"""Fixtures for every test: no network outside loopback, and the reference data where it is at hand."""

import importlib.metadata
import os
import socket
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.extent import PROFILE

# How fast a machine is says nothing about what is tested.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", settings.get_profile("suite"), max_examples=1_000)
settings.load_profile(PROFILE)

REFERENCE_DATA = Path(os.environ.get("CRUXBENCH_REFERENCE_DATA", Path(__file__).resolve().parents[2] / "shared"))
"""Golden values and real question sets, which this repository does not contain."""


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of golden values and real question sets; the test is skipped where it is absent."""
    if not (REFERENCE_DATA / "golden").is_dir():
        pytest.skip(f"no reference data at {REFERENCE_DATA} (set CRUXBENCH_REFERENCE_DATA)")
    return REFERENCE_DATA


@pytest.fixture(scope="session", autouse=True)
def installed_packages_are_listed_once() -> Iterator[None]:
    """Inspect looks through the files of all installed packages for each evaluation; here they stay the same."""
    with pytest.MonkeyPatch.context() as patch:
        listed = cache(importlib.metadata.packages_distributions)
        patch.setattr("inspect_ai._util.package.packages_distributions", listed)
        yield


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine, so that no test depends on the network."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else address
        if self.family in (socket.AF_INET, socket.AF_INET6) and host not in ("127.0.0.1", "::1", "localhost"):
            raise ConnectionRefusedError(f"tests must not reach the network: {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A fresh cache folder of the benchmark and of Inspect for each test, away from the user's own."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("CRUXBENCH_CACHE_DIR", str(folder / "cruxbench"))
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(folder / "inspect"))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    yield folder
