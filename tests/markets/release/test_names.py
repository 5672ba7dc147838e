import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.markets.release.names import match_name, model_name

FOLDERS = (
    "claude-opus-4-6",
    "gemini-3.1-pro-preview",
    "gpt-3.5-turbo-1106",
    "gpt-5.4",
    "together/Qwen/Qwen3-235B-A22B-Instruct-2507-tput",
    "together/deepseek-ai/DeepSeek-V3.1",
    "together/meta-llama/Llama-3.3-70B-Instruct-Turbo",
    "vllm/meta-llama/Llama-3.1-8B-Instruct",
)
MODELS = [model_name(folder) for folder in FOLDERS]


def test_models_have_their_providers() -> None:
    assert MODELS[:4] == [
        "anthropic/claude-opus-4-6",
        "google/gemini-3.1-pro-preview",
        "openai/gpt-3.5-turbo-1106",
        "openai/gpt-5.4",
    ]
    assert MODELS[4:] == list(FOLDERS[4:])
    assert model_name("somebody-else") == "release/somebody-else"


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (FOLDERS, range(8)),
        ([folder.replace("/", "_") for folder in FOLDERS], range(8)),
        (("llama-3.3-70B", "qwen3-235B", "deepseek-v3.1", "llama-3.1-8B"), (6, 4, 5, 7)),
        (("opus", "gemini", "gpt54", "gpt35", "qwen", "deepseek", "llama70b", "llama8b"), (0, 1, 3, 2, 4, 5, 6, 7)),
    ],
)
def test_short_names_of_the_release_find_their_models(names: tuple[str, ...], places: tuple[int, ...]) -> None:
    assert [match_name(name, MODELS) for name in names] == [MODELS[place] for place in places]


@pytest.mark.parametrize("name", ["llama", "gpt", "mistral", "", "-"])
def test_names_that_fit_none_or_several(name: str) -> None:
    assert match_name(name, MODELS) is None


def test_a_whole_name_goes_before_a_part() -> None:
    assert match_name("gpt-5.4", ["openai/gpt-5.4-mini", "openai/gpt-5.4"]) == "openai/gpt-5.4"


@given(st.text(), st.lists(st.text(min_size=1), unique=True, max_size=5))
def test_a_match_is_one_of_the_names(short: str, names: list[str]) -> None:
    assert match_name(short, names) in {None, *names}
