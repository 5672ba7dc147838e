"""Addresses that differ only in how they are written are one page."""

import pytest

from cruxbench_inspect.cited_pages import MOST_PAGES, page_ids

PAGE = "https://courier.example/2026/ruling"


@pytest.mark.parametrize(
    "address",
    [
        "http://courier.example/2026/ruling",
        "https://www.courier.example/2026/ruling/",
        "HTTPS://Courier.Example/2026/ruling#reactions",
        " https://courier.example/2026/ruling?utm_source=feed&fbclid=1 ",
        "https://web.archive.org/web/20260304123000/https://courier.example/2026/ruling",
        "https://web.archive.org/web/20260304123000id_/http://www.courier.example/2026/ruling/",
    ],
)
def test_one_page_however_its_address_is_written(address: str) -> None:
    assert page_ids([PAGE, address]) == page_ids([PAGE]) == page_ids([address])


@pytest.mark.parametrize(
    "address",
    [
        "https://courier.example/2026/ruling-2",
        "https://courier.example/2026/ruling?id=7",
        "https://news.courier.example/2026/ruling",
        "https://courier.example",
    ],
)
def test_other_pages_are_others(address: str) -> None:
    assert len(page_ids([PAGE, address])) == 2


@pytest.mark.parametrize(
    "address", ["", " ", "demo:ruling-7", "ftp://courier.example/a", "courier", "http://[::1", "https://"]
)
def test_what_is_no_address_of_the_web_is_no_page(address: str) -> None:
    assert page_ids([address]) == []


def test_few_and_short_enough_for_a_score() -> None:
    found = page_ids(f"{PAGE}/{number}" for number in range(9))
    assert len(found) == MOST_PAGES and len(" ".join(found)) < 50
    assert page_ids(["", PAGE, PAGE]) == page_ids([PAGE])
