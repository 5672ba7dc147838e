import re
from pathlib import Path

import pytest

from cruxbench_inspect.judge import resolver, verifier
from cruxbench_inspect.judge.judgement import prompt_versions
from cruxbench_inspect.prompts import Prompt
from solvers.propose import PROPOSE, REPAIR

PROMPT = Prompt("greeting", "Hello {{name}}, {{name}}! {{more}}")


def test_placeholders_are_filled_in() -> None:
    assert PROMPT.render(name="Ada", more="Bye.") == "Hello Ada, Ada! Bye."


def test_what_is_filled_in_is_not_read_again() -> None:
    assert PROMPT.render(name="{{more}}", more=r"\1 {{name}}") == r"Hello {{more}}, {{more}}! \1 {{name}}"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "Ada"}, "prompt 'greeting': missing fields ['more'], unknown fields []"),
        ({"name": "Ada", "more": "", "less": ""}, "prompt 'greeting': missing fields [], unknown fields ['less']"),
        ({}, "missing fields ['more', 'name']"),
    ],
)
def test_fields_and_placeholders_must_agree(fields: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        PROMPT.render(**fields)


def test_a_version_changes_with_the_template_alone(tmp_path: Path) -> None:
    file = tmp_path / "greeting.md"
    file.write_text("\nHello, {{name}} – ümlaut\n\n", encoding="utf-8")
    first = Prompt.read(file)
    assert re.fullmatch(r"greeting-[0-9a-f]{8}", first.version)
    file.write_text("Hello, {{name}} – ümlaut", encoding="utf-8")
    assert Prompt.read(file).version == first.version
    file.write_text("Hello, {{name}} - ümlaut", encoding="utf-8")
    assert Prompt.read(file).version != first.version


def test_the_versions_of_a_judgement() -> None:
    both = prompt_versions(verify=True)
    assert len(set(both)) == 4
    assert prompt_versions(verify=False) == both[:2]


@pytest.mark.parametrize("prompt", [resolver.RULES, resolver.TASK, verifier.RULES, verifier.TASK, PROPOSE, REPAIR])
def test_prompts_of_the_project_have_balanced_tags_and_no_stray_braces(prompt: Prompt) -> None:
    text = re.sub(r"\{\{\w+\}\}", "", prompt.template)
    assert "{{" not in text and "}}" not in text
    assert sorted(re.findall(r"^<(\w+)>$", text, re.MULTILINE)) == sorted(re.findall(r"^</(\w+)>$", text, re.MULTILINE))
