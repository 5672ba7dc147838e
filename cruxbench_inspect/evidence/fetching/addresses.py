"""Which network addresses are those of public hosts."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# Python counts these as global, or did until lately, but they lead elsewhere.
_NOT_FOR_US: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("168.63.129.16/32"),  # a cloud's own services for its machines
    IPv4Network("192.0.0.0/24"),  # protocols, and a cloud's metadata
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv6Network("2001::/23"),  # protocols: Teredo, relays, ORCHID
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("3fff::/20"),  # documentation
)
# All that hosts have been given so far. NAT64, site-local addresses, and those that contain an IPv4 one lie outside.
_UNICAST = IPv6Network("2000::/3")


def is_public(address: str) -> bool:
    """Whether an address in its canonical notation is that of one public host.

    Args:
        address: An IPv4 or IPv6 address. Anything else, and an address with a zone, is not public.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        if parsed.scope_id is not None:
            return False
        if parsed.ipv4_mapped is not None:
            return _is_public(parsed.ipv4_mapped)
    return _is_public(parsed)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False
    return not any(address.version == network.version and address in network for network in _NOT_FOR_US)
