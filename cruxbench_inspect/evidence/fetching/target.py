"""The address of a page, checked before anything is asked of its host."""

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

import httpx

from cruxbench_inspect.evidence.fetching.addresses import is_public
from cruxbench_inspect.evidence.fetching.refusal import FetchRefused

MAX_LENGTH = 2048

_PORTS = {"http": 80, "https": 443}
# Names without a public meaning, and those under which clouds offer a machine its own secrets.
_LOCAL_NAME = re.compile(
    r"(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|svc|test|example|invalid|onion|arpa)$"
    r"|(?:^|\.)metadata(?:\.|$)|(?:^|\.)instance-data(?:\.|$)"
)
_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
_USER = re.compile(r"[^/?#]*//[^/?#]*@")
# The system's resolver reads such hosts as numbers: 127.1, 0x7f000001, 017700000001, 2130706433.
_LIKE_A_NUMBER = re.compile(r"(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+))*\.?")


@dataclass(frozen=True)
class Target:
    """A page that may be fetched, if its host turns out to be public.

    Attributes:
        url: Its address, without fragment.
        host: The host: a name in ASCII, or a public address.
        port: 80 or 443.
        literal: Whether the host is an address and no name.
    """

    url: httpx.URL
    host: str
    port: int
    literal: bool


def check_target(text: str) -> Target:
    """Check the address of a page.

    Raises:
        FetchRefused: If it is none that may be fetched.
    """
    if len(text) > MAX_LENGTH:
        raise FetchRefused("bad_address", f"an address of {len(text)} characters")
    if re.search(r"[\x00-\x20\x7f\\]", text):
        raise FetchRefused("bad_address", "an address with spaces, controls or backslashes")
    try:
        url = httpx.URL(text)
        host = url.raw_host.decode("ascii").lower().rstrip(".")
    except (httpx.InvalidURL, ValueError, UnicodeError) as error:
        raise FetchRefused("bad_address", f"{type(error).__name__}: {error}"[:200]) from None
    if url.scheme not in _PORTS:
        raise FetchRefused("scheme", f"scheme {url.scheme[:20]!r}")
    # httpx forgets a user without a name.
    if url.userinfo or _USER.match(text):
        raise FetchRefused("credentials", "an address with a user")
    port = _PORTS[url.scheme] if url.port is None else url.port
    if port not in _PORTS.values():
        raise FetchRefused("port", f"port {port}")
    return Target(url.copy_with(fragment=None), host, port, literal=_check_host(host))


def _check_host(host: str) -> bool:
    """Whether a host that may be asked is an address."""
    if not host:
        raise FetchRefused("bad_address", "an address without a host")
    bare = host.removeprefix("[").removesuffix("]")
    if ":" in bare or _LIKE_A_NUMBER.fullmatch(bare):
        try:
            parsed = ip_address(bare)
        except ValueError:
            raise FetchRefused("numeric_host", f"{host[:80]} is no address in its usual notation") from None
        if not is_public(bare):
            raise FetchRefused("private_address", f"{host[:80]} is not public")
        if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
            raise FetchRefused("numeric_host", f"{host[:80]} is another notation of an IPv4 address")
        return True
    if _LOCAL_NAME.search(host):
        raise FetchRefused("local_name", f"{host[:80]} is no public name")
    if not _NAME.fullmatch(host) or len(host) > 253:
        raise FetchRefused("local_name" if "." not in host else "bad_address", f"{host[:80]!r} is no public name")
    return False
