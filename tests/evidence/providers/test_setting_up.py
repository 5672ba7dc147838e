"""What has to be there before a source can be asked: packages and keys."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.providers.asknews import asknews
from cruxbench_inspect.evidence.providers.credentials import optional_key, required_key
from cruxbench_inspect.evidence.providers.exa import exa
from cruxbench_inspect.evidence.providers.tavily import tavily
from tests.evidence.providers.provider_cases import StoredPagesOfTests

KEYS = {"ASKNEWS_API_KEY": "a-key", "EXA_API_KEY": "a-key", "TAVILY_API_KEY": "a-key"}


@pytest.mark.parametrize(
    ("name", "module", "open_source"),
    [
        ("asknews", "asknews_sdk", lambda: asknews(environment=KEYS)),
        ("exa", "exa_py", lambda: exa(environment=KEYS)),
        ("tavily", "tavily", lambda: tavily(StoredPagesOfTests(), environment=KEYS)),
    ],
)
def test_a_missing_package_is_one_clear_line(
    name: str, module: str, open_source: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError) as caught:
        open_source()
    message = str(caught.value)
    assert message.startswith(f"evidence source '{name}': ") and "\n" not in message
    assert message.endswith(f"Install what it needs with pip install 'cruxbench-inspect[{name}]'")


def test_the_sdks_are_only_imported_when_a_source_is_made() -> None:
    script = (
        "import sys\n"
        "import cruxbench_inspect.evidence.providers.asknews\n"
        "import cruxbench_inspect.evidence.providers.exa\n"
        "import cruxbench_inspect.evidence.providers.tavily\n"
        "print(sorted({'asknews_sdk', 'exa_py', 'tavily'} & set(sys.modules)))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, encoding="utf-8")
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("key", ["sk-\u00e9t\u00e9", "sk- two words", "sk-\x00", "sk-one\nsk-two", "sk-\u200bhidden"])
def test_a_key_that_cannot_be_sent_is_not_shown(key: str) -> None:
    with pytest.raises(InputError, match="EXA_API_KEY holds characters that no key has") as caught:
        required_key("exa", "EXA_API_KEY", {"EXA_API_KEY": key})
    assert "sk-" not in str(caught.value)


def test_a_key_is_taken_without_the_space_around_it() -> None:
    assert required_key("exa", "EXA_API_KEY", {"EXA_API_KEY": "\t sk-key\r\n"}) == "sk-key"
    assert optional_key("exa", "EXA_API_KEY", {"EXA_API_KEY": " \n"}) is None
