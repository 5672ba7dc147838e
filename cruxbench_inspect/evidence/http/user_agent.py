"""How the benchmark names itself to the services that it asks."""

import os
from collections.abc import Mapping

from cruxbench_inspect import __version__
from cruxbench_inspect.errors import InputError

CONTACT = "CRUXBENCH_CONTACT"


def user_agent(environment: Mapping[str, str] = os.environ) -> str:
    """The value of the header, with the user's contact where the environment has one: Wikimedia asks for it.

    Raises:
        InputError: If the contact cannot stand in a header.
    """
    contact = environment.get(CONTACT, "").strip()
    if not (contact.isascii() and contact.isprintable()) or any(sign in contact for sign in "()"):
        raise InputError(f"{CONTACT}={contact!r}: an address is wanted that can stand in a header, such as me@lab.org")
    named = f"; {contact}" if contact else ""
    return f"cruxbench-inspect/{__version__} (research benchmark{named})"
