"""Whether the attributes of an element hide its text from a reader."""

import re
from collections.abc import Mapping

from cruxbench_inspect.evidence.pages.unseen_styles import LONGEST_STYLE, declared, is_unseen

_NAMES_LIMIT = 300  # characters of a class that are looked at
_UNSEEN_CLASS = re.compile(
    r"(?:^|[\s:_-])(?:(?:is|u|a11y|tw|uk|ng|w3|mui)-?)?(?:(?:visually|accessibly|element)-?(?:hidden|invisible)(?:-focusable)?|hidden|invisible"
    r"|sr-(?:only|text)|screen-?reader(?:-?(?:only|text))?|assistive-text|show-for-sr|a11y-hidden|d-none|display-none"
    r"|hide(?:-text)?|off-?screen|opacity-0)(?=$|\s)",
    re.IGNORECASE,
)


def hides(attributes: Mapping[str, str]) -> bool:
    """Whether an element with these attributes, their names in small letters, is not for a reader's eyes.

    A style of more than ``LONGEST_STYLE`` characters is taken for one that hides.
    """
    if "hidden" in attributes or "popover" in attributes:
        return True
    if attributes.get("aria-hidden", "").strip().lower() == "true":
        return True
    style = attributes.get("style", "")
    if style and (len(style) > LONGEST_STYLE or is_unseen(declared(style))):
        return True
    return _UNSEEN_CLASS.search(attributes.get("class", "")[:_NAMES_LIMIT]) is not None
