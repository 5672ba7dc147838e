import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.fetching.addresses import is_public
from tests.evidence.fetching.hostile_addresses import PRIVATE_ADDRESSES


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "8.8.8.8",
        "93.184.216.34",
        "172.15.0.1",
        "172.32.0.1",
        "2606:4700::1111",
        "2a00:1450::1",
        "::ffff:8.8.8.8",
    ],
)
def test_addresses_of_hosts_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "news.example.com",
        "8.8.8",
        "08.8.8.8",
        "0x8080808",
        "134744072",
        "8.8.8.8/32",
        "2606:4700::1%eth0",
        " 8.8.8.8",
    ],
)
def test_other_notations_are_not_public(text: str) -> None:
    assert not is_public(text)


@given(st.ip_addresses(v=4))
def test_no_address_is_more_public_inside_another_one(inner: ipaddress.IPv4Address) -> None:
    number = int(inner)
    assert is_public(f"::ffff:{inner}") == is_public(str(inner))
    gateways = (
        0x64FF9B << 96 | number,
        0x2002 << 112 | number << 80,
        0x2001 << 112 | number,
        number,
        0xFFFF << 48 | number,
    )
    for outer in gateways:
        assert not is_public(str(ipaddress.IPv6Address(outer)))
