"""Which network addresses are those of public hosts."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# Python counts these as global, but they lead elsewhere: into groups, or through gateways to any IPv4 address.
_NOT_FOR_US: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv6Network("64:ff9b::/96"),  # NAT64
    IPv6Network("64:ff9b:1::/48"),  # NAT64 of a local network
    IPv6Network("2001::/32"),  # Teredo
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("::/96"),  # IPv4-compatible
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated
    IPv6Network("fec0::/10"),  # site-local
    IPv6Network("5f00::/16"),  # segment routing
    IPv6Network("3fff::/20"),  # documentation
)


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
    if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        return False
    return not any(address.version == network.version and address in network for network in _NOT_FOR_US)
