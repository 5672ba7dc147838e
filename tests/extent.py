"""How many generated cases are tried: few in every run, many where somebody asks for them."""

import os

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "suite")
"""The hypothesis profile: ``suite``, or ``thorough`` before a release."""


def cases(few: int, thorough: int) -> int:
    """How many cases of a costly kind a test tries.

    Args:
        few: In every run.
        thorough: With ``HYPOTHESIS_PROFILE=thorough``.

    Returns:
        The one that the profile asks for.
    """
    return thorough if PROFILE == "thorough" else few
