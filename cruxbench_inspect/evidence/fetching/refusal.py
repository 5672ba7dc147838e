"""Why a page is not fetched."""

from typing import Literal

FetchFault = Literal[
    "bad_address",
    "scheme",
    "credentials",
    "port",
    "local_name",
    "numeric_host",
    "private_address",
    "excluded_site",
    "unresolvable",
    "unreachable",
    "too_many_redirects",
    "status",
    "wrong_type",
    "encoding",
    "too_large",
    "headers_too_large",
    "too_slow",
]
"""Why a page is not fetched; "unreachable" includes broken connections and wrong certificates."""


class FetchRefused(Exception):
    """A page that is not fetched.

    Attributes:
        fault: Why.
    """

    def __init__(self, fault: FetchFault, detail: str) -> None:
        self.fault: FetchFault = fault
        super().__init__(detail)
