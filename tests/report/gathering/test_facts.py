"""What is known of models: the paper's own, and what a user's file adds to it."""

from datetime import date
from pathlib import Path

import pytest

from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.report.gathering.facts import ModelFacts, facts_of, read_facts


def write(folder: Path, *lines: str) -> Path:
    path = folder / "models.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    with pytest.raises(InputProblems) as error:
        read_facts(path)
    assert error.value.message.startswith(f"{path}: ")
    return error.value.problems


def test_the_paper_s_models_are_known_by_any_provider_s_name() -> None:
    facts = read_facts(None)
    assert facts_of("openai/gpt-5.4", facts).knowledge_cutoff == date(2025, 8, 1)
    assert facts_of("claude-opus-4-6", facts).knowledge_cutoff == date(2025, 8, 1)
    qwen = facts_of("together/Qwen/Qwen3-235B-A22B-Instruct-2507-tput", facts)
    assert (qwen.label, qwen.knowledge_cutoff, qwen.released) == ("qwen3-235b-a22b", None, date(2025, 7, 31))


def test_nothing_is_known_of_an_unheard_of_model() -> None:
    assert facts_of("lab/New-1", read_facts(None)) == ModelFacts("lab/New-1")
    assert ModelFacts("lab/New-1").knows_until is None and ModelFacts("lab/New-1").cutoff_text is None


def test_all_columns(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "model,label,knowledge_cutoff,released,capability",
        "lab/New-1,Newest,2026-02,2026-05-17,152.5",
        "",
        '"other","A, B",,2026-03,-3e2',
    )
    facts = read_facts(path)
    assert facts_of("LAB/new-1", facts) == ModelFacts("lab/New-1", "Newest", date(2026, 2, 1), date(2026, 5, 17), 152.5)
    assert facts_of("x/y/Other", facts) == ModelFacts("other", "A, B", None, date(2026, 3, 31), -300.0)
    assert facts_of("openai/gpt-5.4", facts).knowledge_cutoff is not None


def test_a_whole_name_goes_before_the_last_part_of_it(tmp_path: Path) -> None:
    facts = read_facts(write(tmp_path, "model,label", "new,any", "lab/new,own"))
    assert [facts_of(name, facts).label for name in ("lab/new", "elsewhere/new")] == ["own", "any"]


def test_a_file_with_some_columns_keeps_what_was_known(tmp_path: Path) -> None:
    facts = read_facts(write(tmp_path, "capability,model", "120,GPT-5.4", ",llama-3.3-70b-instruct-turbo"))
    assert facts_of("openai/gpt-5.4", facts) == ModelFacts("GPT-5.4", None, date(2025, 8, 1), None, 120.0)
    assert facts_of("llama-3.3-70b-instruct-turbo", facts).label == "llama-3.3-70b"


def test_a_row_of_a_provider_s_name_keeps_what_was_known_of_the_model(tmp_path: Path) -> None:
    facts = read_facts(write(tmp_path, "model,capability", "openai/gpt-5.4,120"))
    assert facts_of("openai/gpt-5.4", facts).knows_until == date(2025, 9, 1)
    assert facts_of("azure/gpt-5.4", facts).capability is None


def test_a_file_replaces_what_was_known(tmp_path: Path) -> None:
    facts = read_facts(write(tmp_path, "model,knowledge_cutoff,label", "gpt-5.4,2025-10,Five"))
    assert facts_of("gpt-5.4", facts) == ModelFacts("gpt-5.4", "Five", date(2025, 10, 1))


def test_a_file_of_a_spreadsheet_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_bytes(b"\xef\xbb\xbfmodel,label\r\nnew,Gr\xc3\xb6\xc3\x9fe\r\n")
    assert facts_of("new", read_facts(path)).label == "Größe"


@pytest.mark.parametrize(
    ("cutoff", "released", "until", "text"),
    [
        ("2025-08", "", date(2025, 9, 1), "2025-08"),
        ("2025-12", "", date(2026, 1, 1), "2025-12"),
        # What a stated cutoff leaves open is the whole month of it.
        ("2025-02-03", "", date(2025, 3, 1), "2025-02"),
        # It is new to what happens only when it is released, too.
        ("2024-06", "2025-01-15", date(2025, 1, 15), "2024-06, released 2025-01-15"),
        ("2025-01", "2025-01-15", date(2025, 2, 1), "2025-01"),
        ("2025-01", "2025-01", date(2025, 2, 1), "2025-01"),
        ("", "2025-08-21", date(2025, 8, 21), "2025-08 (release)"),
        # Of a release in a month its last day counts.
        ("", "2025-08", date(2025, 8, 31), "2025-08 (release)"),
        ("", "2024-02", date(2024, 2, 29), "2024-02 (release)"),
        ("", "2025-12", date(2025, 12, 31), "2025-12 (release)"),
        ("2025-02-03", "2025-04", date(2025, 4, 30), "2025-02, released 2025-04-30"),
    ],
)
def test_until_when_a_model_knows(tmp_path: Path, cutoff: str, released: str, until: date, text: str) -> None:
    facts = read_facts(write(tmp_path, "model,knowledge_cutoff,released", f"new,{cutoff},{released}"))
    found = facts_of("new", facts)
    assert (found.knows_until, found.cutoff_text) == (until, text)


def test_every_problem_at_once_with_its_line(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "model,label,knowledge_cutoff,released,capability",
        "good,,2025-08,,1",
        ",nameless,,,",
        "",
        "bad,,August,2025-13,much",
        "wide,,,,1,5",
        "infinite,,,,inf",
        "none,,,,nan",
        "Good,,,,",
    )
    assert problems(path) == [
        "line 3: model is empty",
        "line 5: knowledge_cutoff 'August' is no month or day such as 2025-08 or 2025-08-21",
        "line 5: released '2025-13' is no month or day such as 2025-08 or 2025-08-21",
        "line 5: capability 'much' is no number",
        "line 6: there are more cells than columns",
        "line 7: capability 'inf' is no number",
        "line 8: capability 'nan' is no number",
        "line 9: model 'Good' stands in an earlier line, too",
    ]


@pytest.mark.parametrize(
    ("head", "columns"), [("name,label", "name, label"), ("model,eci", "model, eci"), ("model;label", "model;label")]
)
def test_other_columns(tmp_path: Path, head: str, columns: str) -> None:
    path = write(tmp_path, head, "x,1")
    with pytest.raises(InputError) as error:
        read_facts(path)
    wanted = "must be model and any of label, knowledge_cutoff, released, capability"
    assert error.value.message == f"{path}: the columns are {columns}, and {wanted}"


@pytest.mark.parametrize("content", [b"", b"model,label\nx,\xff\xfe\n", b"model," + b"l" * 200_000])
def test_a_file_that_is_no_table(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "models.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match="models.csv: "):
        read_facts(path)


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.csv"):
        with pytest.raises(InputError) as error:
            read_facts(path)
        assert error.value.message.startswith(f"{path}: cannot be read: ")
