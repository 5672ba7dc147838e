"""The providers that the package promises can be made with what it installs."""

import pytest
from inspect_ai.model import get_model

from cruxbench_inspect.errors import InputError


@pytest.mark.parametrize("name", ["openai/gpt-5.4", "anthropic/claude-opus-4-6", "google/gemini-3-pro", "together/x/y"])
def test_a_provider_is_installed(name: str) -> None:
    assert str(get_model(name, api_key="none", memoize=False)) == name


def test_the_offline_provider_knows_one_model() -> None:
    assert str(get_model("cruxbench/keyword")) == "cruxbench/keyword"
    with pytest.raises(InputError, match="cruxbench/keyword"):
        get_model("cruxbench/oracle")
