from collections.abc import Callable, Iterator

import pytest
from starlette.types import ASGIApp

from tests.loopback.server import serve
from tests.loopback.switch import Switch


@pytest.fixture(scope="package")
def loopback() -> Iterator[tuple[Switch, str]]:
    switch = Switch()
    with serve(switch) as base_url:
        yield switch, base_url


@pytest.fixture
def at(loopback: tuple[Switch, str]) -> Callable[[ASGIApp], str]:
    """Serves an application, and gives its address."""
    switch, base_url = loopback

    def start(app: ASGIApp) -> str:
        switch.app = app
        return base_url

    return start
