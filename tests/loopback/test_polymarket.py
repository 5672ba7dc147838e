"""The fictional exchange behaves in the ways that the clients have to cope with."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.loopback.polymarket import exchange
from tests.loopback.polymarket_faults import KINDS, Faults
from tests.loopback.polymarket_world import MarketWorld

WORLD = MarketWorld()
CLOSED = next(market for market in WORLD.all if market.oddity == "none" and WORLD.is_closed(market))


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(exchange(WORLD)) as client:
        yield client


def rows(client: TestClient, **params: Any) -> list[dict[str, Any]]:
    return list(client.get("/gamma/markets/keyset", params=params).json()["markets"])


def test_markets_come_out_the_same_for_a_seed() -> None:
    assert MarketWorld().all == WORLD.all
    assert MarketWorld(seed=2).all != WORLD.all


def test_without_a_word_only_open_markets_are_listed(client: TestClient) -> None:
    assert {row["closed"] for row in rows(client)} == {False}
    assert rows(client, condition_ids=CLOSED.condition_id) == []
    assert len(rows(client, condition_ids=CLOSED.condition_id, closed="true")) == 1


def test_filters_that_are_not_known_or_joined_by_commas_are_ignored(client: TestClient) -> None:
    assert len(rows(client, negRiskMarketID="0x1")) == 100
    assert len(rows(client, id=f"{CLOSED.id},7", closed="true")) == 100


def test_volumes_are_sorted_as_texts(client: TestClient) -> None:
    volumes = [row["volume"] for row in rows(client, order="volume", closed="true")]
    assert volumes == sorted(volumes)
    assert [float(volume) for volume in volumes] != sorted(map(float, volumes))


def test_what_is_refused(client: TestClient) -> None:
    assert client.get("/gamma/markets/keyset", params={"offset": 0}).status_code == 422
    assert client.get("/gamma/markets", params={"offset": 5_000}).status_code == 422
    assert client.get("/gamma/markets/404").status_code == 404
    for wrong in ("", "&start=0&end=5", "&start=1&end=2000000", "&start=1&interval=max"):
        assert client.get(f"/data/v2/prices-history?token_id={CLOSED.yes_token}{wrong}").status_code == 400
    assert client.get(f"/data/v2/trades?condition={CLOSED.condition_id}&offset=1").status_code == 400
    assert client.get(f"/clob/prices-history?market={CLOSED.yes_token}&startTs=1&endTs=2000000").status_code == 400


def test_fine_prices_that_are_no_longer_kept_are_an_empty_page(client: TestClient) -> None:
    old = next(market for market in WORLD.all if market.oddity == "none" and (WORLD.now - market.closed_at).days > 100)
    begin = int(old.opened.timestamp())
    window = f"/data/v2/prices-history?token_id={old.yes_token}&start={begin}&end={begin + 86_400}"
    answer = client.get(f"{window}&bucket_seconds=1800")
    assert (answer.status_code, answer.json()["data"]) == (200, [])
    points = client.get(window).json()["data"]
    assert {point["resolution_seconds"] for point in points} == {10_800, 0}
    assert points[-1]["timestamp"] == begin + 86_400


@pytest.mark.parametrize("kind", KINDS)
def test_faults_come_as_often_as_they_are_told(kind: Any) -> None:
    with TestClient(exchange(WORLD, Faults(share=1, kinds=(kind,), times=2))) as client:
        answers = [client.get("/gamma/markets/keyset", params={"limit": 2}) for _ in range(3)]
    assert answers[0].content == answers[1].content
    assert answers[0].status_code == int(kind[:3])
    assert len(answers[2].json()["markets"]) == 2
