"""Whether more pages follow a page of the data service, and which is the next one."""

from collections.abc import Mapping
from typing import Any


def check_pagination(page: Mapping[str, Any]) -> None:
    """Refuse a page that does not say how to go on: what it cuts off would be missed without a word.

    Raises:
        ValueError: If it does not.
    """
    pagination = page.get("pagination")
    if not isinstance(pagination, dict | None):
        raise ValueError("pagination is no object")
    told = pagination or {}
    if not isinstance(told.get("has_more"), bool | None):
        raise ValueError("has_more is neither true nor false")
    if not isinstance(told.get("next_cursor"), str | None):
        raise ValueError("next_cursor is no text")
    if told.get("has_more") and not told.get("next_cursor"):
        raise ValueError("there is more, but no cursor leads to it")


def next_cursor(page: Mapping[str, Any]) -> str | None:
    """What the next page is asked with, None after the last one.

    Args:
        page: A page that ``check_pagination`` lets pass. Its word that nothing more comes counts more than a cursor.
    """
    told = page.get("pagination") or {}
    return None if told.get("has_more") is False else told.get("next_cursor") or None
