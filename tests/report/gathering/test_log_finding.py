"""Where logs are found, and what is said where there are none."""

import os
from pathlib import Path
from uuid import uuid4

import fsspec
import pytest
from inspect_ai.log import list_eval_logs

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.report.gathering.log_finding import find_logs

NAMES = ("2026-01-01T00-00-00-00-00_cruxbench_a.eval", "2026-01-02T00-00-00-00-00_cruxbench_b.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two logs, one of them deeper, among other files."""
    place = tmp_path.resolve() / "all logs"
    (place / "deep" / "deeper").mkdir(parents=True)
    (place / NAMES[0]).write_bytes(b"a")
    (place / "deep" / "deeper" / NAMES[1]).write_bytes(b"b")
    (place / "notes.txt").write_bytes(b"no log")
    (place / "similarity_pairs.json").write_bytes(b"[]")
    return place


def addresses(folder: Path) -> list[str]:
    """The two logs, by name."""
    return sorted([str(folder / NAMES[0]), str(folder / "deep" / "deeper" / NAMES[1])])


def refused(*places: str) -> str:
    with pytest.raises(InputError) as error:
        find_logs(places)
    return error.value.message


def test_a_file(folder: Path) -> None:
    assert find_logs([str(folder / NAMES[0])]) == [str(folder / NAMES[0])]


def test_a_file_of_any_name_counts_where_it_is_named(folder: Path) -> None:
    assert find_logs([str(folder / "notes.txt")]) == [str(folder / "notes.txt")]


def test_a_folder_with_its_folders_has_only_logs(folder: Path) -> None:
    assert find_logs([str(folder)]) == addresses(folder)


def test_folders_have_the_logs_that_inspect_lists(folder: Path) -> None:
    names = (
        "a.eval",
        "2026-01-01.json",
        "2026-01-01T00:00:00+00:00_b.json",
        "2026-01-01T00-00-00_c.json.bak",
        "d.EVAL",
    )
    for place in (folder, folder / "deep", folder / "of [all] kinds"):
        place.mkdir(exist_ok=True)
        for name in (*names, "logs.json", ".hidden.eval", "2026-01-01T00-00-00_a.jsonl", "2026-1-1T00-00-00_e.json"):
            (place / name).write_bytes(b"")
    (folder / "folder.eval").mkdir()
    (folder / "folder.eval" / names[0]).write_bytes(b"")
    (folder / "linked").symlink_to(folder / "deep")
    (folder / "linked.eval").symlink_to(folder / "deep" / names[0])
    listed = {Path(log.name.removeprefix("file://")).resolve().as_posix() for log in list_eval_logs(str(folder))}
    assert find_logs([str(folder)]) == sorted(listed)
    assert len(listed) == 2 + 3 * 3 + 1


def test_a_relative_place_is_read_from_where_the_user_stands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cruxbench_inspect.working_directory.USER_DIRECTORY", folder.parent)
    assert find_logs([folder.name]) == addresses(folder)
    assert find_logs([f"{folder.name}/*.eval"]) == [str(folder / NAMES[0])]


def test_patterns(folder: Path) -> None:
    assert find_logs([str(folder / "*.eval")]) == [str(folder / NAMES[0])]
    assert find_logs([str(folder / "**" / "*_cruxbench_?.*")]) == addresses(folder)
    assert find_logs([str(folder / "deep" / "*" / "*_[bc].json")]) == [addresses(folder)[1]]


def test_a_pattern_that_fits_folders_finds_their_logs(folder: Path) -> None:
    assert find_logs([str(folder / "d*p")]) == [str(folder / "deep" / "deeper" / NAMES[1])]


def test_a_name_with_the_signs_of_patterns_is_a_name_where_it_exists(folder: Path) -> None:
    odd = folder / "run [1] what? 100%20 #2.eval"
    odd.write_bytes(b"c")
    assert find_logs([str(odd)]) == [str(odd)]
    inside = folder / "round [2]"
    inside.mkdir()
    (inside / NAMES[0]).write_bytes(b"d")
    assert find_logs([str(inside)]) == [str(inside / NAMES[0])]


def test_a_log_that_is_named_in_several_ways_is_found_once(folder: Path, tmp_path: Path) -> None:
    log = folder / NAMES[0]
    link = tmp_path / "link.eval"
    link.symlink_to(log)
    around = folder / "deep" / ".." / NAMES[0]
    places = [str(log), str(log), log.as_uri().replace("%20", " "), str(folder / "*.eval"), str(link), str(around)]
    assert find_logs([*places, str(folder), os.path.relpath(log)]) == addresses(folder)


def test_another_file_system(folder: Path) -> None:
    box = f"box-{uuid4().hex}"
    memory = fsspec.filesystem("memory")
    memory.pipe(f"/{box}/{NAMES[0]}", b"a")
    memory.pipe(f"/{box}/deep/{NAMES[1]}", b"b")
    both = [f"memory:///{box}/{NAMES[0]}", f"memory:///{box}/deep/{NAMES[1]}"]
    assert find_logs([f"memory://{box}"]) == both
    assert find_logs([f"memory://{box}/{NAMES[0]}", f"memory:///{box}/*.eval"]) == both[:1]
    assert find_logs([f"memory://{box}/**/*.json"]) == both[1:]
    assert find_logs([f"memory://{box}", str(folder)]) == sorted([*both, *addresses(folder)])


def test_nothing_there(folder: Path) -> None:
    empty = folder / "empty"
    empty.mkdir()
    advice = ": name log files, or the folder that was given to --log-dir"
    assert refused(str(empty)) == f"there is no Inspect log (*.eval or *.json) in {empty}{advice}"
    pattern = str(folder / "*.evil")
    assert refused(str(empty), pattern) == f"there is no Inspect log (*.eval or *.json) in {empty}, {pattern}{advice}"


def test_nothing_at_one_place_is_no_trouble_where_others_have_logs(folder: Path) -> None:
    assert find_logs([str(folder / "*.evil"), str(folder / NAMES[0])]) == [str(folder / NAMES[0])]


def test_a_missing_place_is_an_error_also_beside_others(folder: Path) -> None:
    missing = str(folder / "nowhere")
    assert refused(str(folder), missing) == f"{missing}: there is no such file or folder"
    assert refused("memory://nowhere/a.eval") == "memory://nowhere/a.eval: there is no such file or folder"


@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("unheard://of/logs", "Protocol not known: unheard"),
        ("gs://bucket/logs", "gcsfs"),
        ("a\0b", "null"),
    ],
)
def test_a_place_that_cannot_be_looked_at(place: str, cause: str) -> None:
    message = refused(place)
    assert message.startswith(f"{place}: ") and cause in message and "\n" not in message


def test_a_store_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoKey(Exception):
        pass

    def refuse(self: object, path: str, **options: object) -> bool:
        raise NoKey("Unable to locate credentials")

    monkeypatch.setattr(type(fsspec.filesystem("memory")), "exists", refuse)
    assert refused("memory://x") == "memory://x: logs cannot be listed there: Unable to locate credentials"
