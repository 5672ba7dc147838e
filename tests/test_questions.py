"""Question sets: what loads, and what is reported of a set that does not."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cruxbench_inspect import working_directory
from cruxbench_inspect.errors import InputError, InputProblems
from cruxbench_inspect.prices import trusted_prices
from cruxbench_inspect.questions import QuestionSet
from cruxbench_inspect.utc import HOUR
from tests.small_set import FIRST_PRICE, LAST_PRICE, WINDOW_START, question, write_set

Change = Callable[[Any], None]


def seal(folder: Path, **changes: Any) -> Path:
    """Give the manifest the digests that its files have now, and other changes."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) | changes
    for file in manifest["files"]:
        manifest["files"][file] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def rewrite_line(folder: Path, file: str, **changes: Any) -> Path:
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | changes)
    (folder / file).write_text("\n".join(lines), encoding="utf-8")
    return seal(folder)


def rewrite_prices(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Path:
    path = folder / "prices.parquet"
    change(pl.read_parquet(path)).write_parquet(path)
    return seal(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_set(tmp_path / "small", judge="cruxbench/keyword")


def problems_of(folder: Path) -> list[str]:
    with pytest.raises(InputProblems) as caught:
        QuestionSet.load(folder)
    assert str(folder) in str(caught.value)
    return caught.value.problems


def test_the_demo_set_loads_by_name() -> None:
    demo = QuestionSet.load("demo")
    assert demo.location == "demo"
    assert demo.manifest.fictional
    assert all(demo.trusted(question.id) is not None for question in demo.questions)


def test_a_real_set_loads(reference_data: Path) -> None:
    louvre = QuestionSet.load(reference_data / "sets" / "louvre")
    (only,) = louvre.questions
    series = louvre.trusted(only.id)
    assert series is not None
    golden = json.loads((reference_data / "golden" / "640486.json").read_text(encoding="utf-8"))
    assert series.values.tolist() == golden["hourly_trusted_yes"]["prices"]
    assert only.event == only.id


def test_a_relative_folder_is_read_from_where_the_user_stands(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working_directory, "USER_DIRECTORY", tmp_path)
    monkeypatch.chdir("/")
    assert QuestionSet.load("small").location == folder.as_posix()


@pytest.mark.parametrize("name", ["nope", "no/such/folder", ""])
def test_an_unknown_set_is_named_with_what_there_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_directory, "USER_DIRECTORY", tmp_path)
    with pytest.raises(InputError, match=r"no question set .* demo|is no question set"):
        QuestionSet.load(name)


def test_the_digest_follows_what_decides_scores(folder: Path) -> None:
    digest = QuestionSet.load(folder).digest
    assert QuestionSet.load(seal(folder, description="other words", version="2")).digest == digest
    rules = {"volume_threshold_usdc": 500, "half_window_hours": 12, "round_decimals": None}
    assert QuestionSet.load(seal(folder, price_rules=rules)).digest != digest


def test_a_later_version_stands_for_earlier_ones_with_its_questions(folder: Path) -> None:
    first = QuestionSet.load(folder)
    questions = first.manifest.files["questions.jsonl"]
    rewrite_prices(folder, lambda prices: prices.with_columns(price=pl.col("price") / 2))
    assert not QuestionSet.load(folder).stands_for(first.digest)
    digest = QuestionSet.load(folder).digest
    named = {"version": "1", "digest": first.digest, "questions": questions}
    second = QuestionSet.load(seal(folder, version="2", earlier=[named]))
    assert second.digest == digest != first.digest
    assert second.stands_for(first.digest) and second.stands_for(digest) and not second.stands_for("0" * 64)
    assert not first.stands_for(digest)
    asked_otherwise = seal(folder, version="2", earlier=[{**named, "questions": "0" * 64}])
    assert not QuestionSet.load(asked_otherwise).stands_for(first.digest)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"digest": "A" * 64}, "earlier.0.digest: String should match pattern"),
        ({"questions": "00"}, "earlier.0.questions: String should match pattern"),
        ({"version": ""}, "earlier.0.version: String should have at least 1 character"),
        ({"version": "1"}, "earlier names the version '1', which is another version's or the set's own"),
    ],
)
def test_an_earlier_version_that_makes_no_sense_is_told(folder: Path, changes: dict[str, str], problem: str) -> None:
    earlier = {"version": "0", "digest": "0" * 64, "questions": "1" * 64, **changes}
    assert any(problem in found for found in problems_of(seal(folder, earlier=[earlier])))


def test_an_earlier_version_is_neither_the_set_itself_nor_named_twice(folder: Path) -> None:
    digest = QuestionSet.load(folder).digest
    itself = {"version": "0", "digest": digest, "questions": "1" * 64}
    (problem,) = problems_of(seal(folder, earlier=[itself]))
    assert f"earlier names the digest '{digest}'" in problem
    twice = [{"version": version, "digest": "0" * 64, "questions": "1" * 64} for version in ("a", "b")]
    (problem,) = problems_of(seal(folder, earlier=twice))
    assert "earlier names the digest '0000" in problem


def test_trusted_prices_are_made_of_raw_prices_and_volume_around_the_window(folder: Path) -> None:
    hours = [WINDOW_START - 100 * HOUR + number * HOUR for number in range(400)]
    random = np.random.default_rng(5)
    raw, volume = random.uniform(0, 1, len(hours)), random.uniform(0, 120, len(hours))
    table = pl.DataFrame(
        {"question_id": "harbour", "hour": hours, "price": raw, "volume_usdc": volume},
        schema_overrides={"hour": pl.Datetime("us", "UTC")},
    )
    rewrite_prices(folder, lambda _: table)
    seal(folder, prices="raw")
    series = QuestionSet.load(folder).trusted("harbour")
    assert series is not None
    assert series.start == WINDOW_START - 96 * HOUR
    assert series.last_hour == LAST_PRICE
    stretch = slice(4, 4 + len(series.values))
    np.testing.assert_allclose(series.values, trusted_prices(raw[stretch], volume[stretch]), rtol=0, atol=1e-12)


def test_hours_with_volume_alone_fill_the_price_forward(folder: Path) -> None:
    hours = [WINDOW_START + number * HOUR for number in range(4)]
    table = pl.DataFrame(
        {"question_id": "harbour", "hour": hours, "price": [0.2, None, 0.4, None], "volume_usdc": [0.0, 2e3, 0.0, 0.0]},
        schema_overrides={"hour": pl.Datetime("us", "UTC")},
    )
    rewrite_prices(folder, lambda _: table)
    series = QuestionSet.load(seal(folder, prices="raw")).trusted("harbour")
    assert series is not None
    assert series.values.tolist() == [0.2, 0.2, 0.4]


def test_a_question_without_prices_has_no_series(tmp_path: Path) -> None:
    folder = write_set(
        tmp_path / "two", [question("harbour"), question("bridge")], judge=None, prices={"harbour": lambda _: 0.5}
    )
    loaded = QuestionSet.load(folder)
    assert loaded.trusted("bridge") is None
    assert loaded.trusted("harbour") is not None
    with pytest.raises(InputError, match="no question 'tunnel'"):
        loaded.question("tunnel")


@pytest.mark.parametrize(
    ("file", "changes", "expected"),
    [
        ("questions.jsonl", {"opened": "2025-02-20T00:00:00"}, "questions.jsonl line 1, opened: names no time zone"),
        ("questions.jsonl", {"opened": 17}, "questions.jsonl line 1, opened: is no ISO 8601 date and time, got 17"),
        ("questions.jsonl", {"closes": "2025-02-19T00:00:00Z"}, "opened 2025-02-20T00:00:00Z is not before closes"),
        ("questions.jsonl", {"surprise": 1}, "questions.jsonl line 1, surprise: Extra inputs are not permitted"),
        ("questions.jsonl", {"question": ""}, "questions.jsonl line 1, question: String should have at least 1"),
        (
            "questions.jsonl",
            {"window": {"start": "2025-03-01T00:00:00Z", "end": "2025-04-01T00:00:00Z"}},
            "window: ends at 2025-04-01T00:00:00Z, which is not within 30 days after its start",
        ),
        (
            "questions.jsonl",
            {"window": {"start": "2025-02-28T09:00:00Z", "end": "2025-03-08T00:00:00Z"}},
            "articles.0.published 2025-02-28T09:00:00Z is not before the window's start 2025-02-28T09:00:00Z",
        ),
        ("outcomes.jsonl", {"outcome": "Maybe"}, "outcomes.jsonl line 1, outcome: Input should be 'Yes' or 'No'"),
        ("outcomes.jsonl", {"question_id": "tunnel"}, "outcomes.jsonl, question_id: 'tunnel' is no question"),
    ],
)
def test_a_wrong_line_is_named_with_file_line_field_and_value(
    folder: Path, file: str, changes: dict[str, Any], expected: str
) -> None:
    (problem,) = problems_of(rewrite_line(folder, file, **changes))
    assert expected in problem


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda table: table.drop("volume_usdc"), ", column volume_usdc: is missing"),
        (lambda table: table.with_columns(hour=pl.lit(None, pl.Datetime("us", "UTC"))), "hour: None is empty"),
        (lambda table: table.with_columns(pl.col("hour").dt.replace_time_zone(None)), ", column hour: holds Datetime"),
        (lambda table: table.with_columns(price=pl.lit("high")), ", column price: holds String, not numbers"),
        (lambda table: table.with_columns(price=pl.lit(1.2)), "row 1 (question 'harbour'), price: 1.2 is not between"),
        (lambda table: table.with_columns(price=pl.lit(float("nan"))), "price: nan is not between 0 and 1"),
        (lambda table: table.with_columns(price=pl.lit(None, pl.Float64)), "is empty in a set of trusted prices"),
        (lambda table: table.with_columns(volume_usdc=pl.lit(-1.0)), "volume_usdc: -1.0 is no amount of USDC"),
        (lambda table: table.with_columns(pl.col("hour") + pl.duration(minutes=5)), "is no whole hour"),
        (lambda table: pl.concat([table, table.head(1)]), "stands there more than once for a question"),
        (lambda table: table.with_columns(question_id=pl.lit("tunnel")), "'tunnel' is no question of the set"),
    ],
)
def test_a_wrong_price_is_named_with_its_row_and_question(
    folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame], expected: str
) -> None:
    (problem,) = problems_of(rewrite_prices(folder, change))
    assert problem.startswith("prices.parquet")
    assert expected in problem


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "bad", [question("a"), question("b"), question("a")], judge=None, outcomes=[])
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    lines[1] = '{"id": '
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    rewrite_prices(folder, lambda table: table.with_columns(price=pl.lit(3.0)))
    found = problems_of(folder)
    assert [problem.split(":")[0] for problem in found[:2]] == ["questions.jsonl line 2", "questions.jsonl line 3"]
    assert any("price" in problem for problem in found)


def test_raw_prices_need_volume(folder: Path) -> None:
    seal(folder, prices="raw")
    assert problems_of(folder) == [
        "prices.parquet, column volume_usdc: is empty for question 'harbour', and raw prices need it"
    ]


def test_a_changed_missing_or_unlisted_file_is_reported(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest["files"]["evidence.jsonl"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "outcomes.jsonl").unlink()
    with (folder / "questions.jsonl").open("a", encoding="utf-8") as lines:
        lines.write("\n")
    found = "\n".join(problems_of(folder))
    assert "evidence.jsonl is there, but not listed" in found
    assert "outcomes.jsonl: is listed in manifest.json, but missing" in found
    assert "questions.jsonl: has the SHA-256 digest" in found


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("{", "is no JSON"),
        ("[]", "manifest.json"),
        ('{"format": 2}', "manifest.json, format: Input should be 1, got 2"),
        ('{"price_rules": {"volume_threshold_usdc": 0}}', "price_rules: needs a threshold above 0"),
    ],
)
def test_a_wrong_manifest_is_one_clear_message(folder: Path, content: str, expected: str) -> None:
    (folder / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        QuestionSet.load(folder)
    assert expected in str(caught.value)


def test_the_small_set_is_complete(folder: Path) -> None:
    series = QuestionSet.load(folder).trusted("harbour")
    assert series is not None
    assert (series.start, series.last_hour) == (FIRST_PRICE, LAST_PRICE)


def test_a_line_may_hold_every_character_of_unicode(folder: Path) -> None:
    description = "One\u2028two\u0085three\u000bfour\u00a0five"
    path = folder / "questions.jsonl"
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(record | {"description": description}, ensure_ascii=False) + "\n", encoding="utf-8")
    assert QuestionSet.load(seal(folder)).questions[0].description == description


def test_a_file_that_is_no_utf_8_is_named(folder: Path) -> None:
    (folder / "questions.jsonl").write_bytes('{"id": "café"}\n'.encode("latin-1"))
    assert problems_of(seal(folder)) == ["questions.jsonl: is no UTF-8 at byte 11"]
