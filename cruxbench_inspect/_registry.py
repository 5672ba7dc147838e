"""What Inspect finds through the entry point. It is loaded at every start: it imports nothing heavy."""

from inspect_ai.model import ModelAPI, modelapi

import cruxbench_inspect.working_directory  # noqa: F401  (notes it before Inspect changes it)
from cruxbench_inspect.metrics import p_above_random

__all__ = ["cruxbench", "p_above_random"]


@modelapi(name="cruxbench")
def cruxbench() -> type[ModelAPI]:
    """The offline model provider, ``cruxbench/keyword``."""
    from cruxbench_inspect.keyword_model import KeywordModel

    return KeywordModel
