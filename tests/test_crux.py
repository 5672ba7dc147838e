"""Reading cruxes from what models write, and checking them."""

import hashlib
import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from cruxbench_inspect.crux import Crux, CruxFault, FaultKind, check_dates, read_crux, read_cruxes
from tests.extent import cases

FINAL: dict[str, Any] = {
    "question": "Will two suspects in the Louvre theft be arrested by 1 November?",
    "background": "Thieves took eight jewels; see {the report}, ``` and all.",
    "resolution_criteria": 'Yes if the prosecutor says "arrested" of two people, \\ otherwise No.',
    "start_date": "2025-10-21",
    "end_date": "2025-11-01",
    "rationale": "Arrests often lead to the loot.",
}
DRAFT = {**FINAL, "question": "Will the museum open again?"}
CRUX = Crux.model_validate(FINAL)
LINE = json.dumps(FINAL)
BLOCK = json.dumps(FINAL, indent=2)
DRAFT_LINE = json.dumps(DRAFT)


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in FINAL.items() if key != name}


def member(name: str, value: str) -> str:
    """The crux as JSON in which one member's value is written literally."""
    return LINE.replace(json.dumps(FINAL[name]), value)


def fault(text: str) -> CruxFault:
    found = read_crux(text)
    assert isinstance(found, CruxFault), found
    assert "\n" not in found.detail
    return found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LINE, id="alone"),
        pytest.param(f"Here is the crux, as you'd like it:\n\n{BLOCK}\n\nIt's {{good}}.", id="prose"),
        pytest.param(f"```json\n{BLOCK}\n```", id="fence"),
        pytest.param(f"```json\n{BLOCK}", id="no closing fence"),
        pytest.param(f"Draft:\n```\n{DRAFT_LINE}\n```\nFinal:\n```json\n{BLOCK}\n```", id="draft, then final"),
        pytest.param(f"{DRAFT_LINE}{LINE}", id="draft right before"),
        pytest.param(f"<think>Perhaps {DRAFT_LINE}? It's { {1} } {{</think>\n{LINE}", id="think"),
        pytest.param(f"{LINE}<thinking>or {DRAFT_LINE}</thinking>", id="thinking after the answer"),
        pytest.param(f"<reasoning>{DRAFT_LINE}</reasoning>{LINE}", id="reasoning"),
        pytest.param(f"<think>hm {DRAFT_LINE} {LINE}", id="unclosed think"),
        pytest.param(f"{DRAFT_LINE}, or not\n</think>\n{LINE}", id="think without its opening tag"),
        pytest.param(f"{LINE}\n</think>", id="lone closing tag at the end"),
        pytest.param(f"<answer>{LINE}</answer>", id="answer tag"),
        pytest.param(f"[{LINE}]", id="list of one"),
        pytest.param(f'{{"crux": {BLOCK}}}', id="wrapper"),
        pytest.param(f'{{"answer": {{"crux": [{LINE}]}}, "confidence": 0.5}}', id="nested wrapper"),
        pytest.param(f'{{"question": "Will any of it be returned?", "crux": {LINE}}}', id="wrapper that quotes U"),
        pytest.param(f'{{"draft": {DRAFT_LINE}, "final": {LINE}}}', id="draft and final in one wrapper"),
        pytest.param("{" + LINE + "}", id="doubled braces"),
        pytest.param(f"\ufeff{LINE}", id="BOM"),
        pytest.param(f"```json\r\n{BLOCK}\r\n```".replace("\n", "\r\n"), id="CRLF"),
        pytest.param(LINE[:-1] + ', "confidence": NaN, "odds": -Infinity}', id="NaN"),
        pytest.param(LINE[:-1] + ', "confidence": .5, "tags": ["a", "b",], }', id="trailing commas"),
        pytest.param(LINE[:-1] + ', "extra": {"deep": [1, {"question": "no"}]}}', id="extra keys"),
        pytest.param(repr(FINAL), id="Python"),
        pytest.param(repr({**FINAL, "confidence": None, "final": True}), id="Python literals"),
        pytest.param(repr({**FINAL, "note": f"not {DRAFT_LINE}"}), id="Python, strict JSON quoted in it"),
        pytest.param(LINE.replace('", "', '",\n// that\'s } it\n"'), id="line comments"),
        pytest.param(LINE.replace('", "', '", /* that\'s } it */ "'), id="block comments"),
        pytest.param(LINE.replace('", "', '", # that\'s } it\n "'), id="Python comments"),
        pytest.param(LINE.replace('", "', '"\n "'), id="missing commas"),
        pytest.param(LINE.replace('\\"arrested\\"', '"arrested"'), id="unescaped quotes inside"),
        pytest.param(f'{{"question" is the field that counts. {LINE}', id="unclosed brace in prose"),
        pytest.param(f"The set {{'a', 'b'}} and {{x: 1}}: {LINE}", id="braces in prose"),
        pytest.param(f"```json\n{DRAFT_LINE[:60]}\n```\nI begin again:\n```json\n{BLOCK}\n```", id="broken-off draft"),
        pytest.param(f"{DRAFT_LINE[:250]}\nFinal: {LINE}", id="draft broken off late"),
        pytest.param(f"{DRAFT_LINE[:40]}\nNo: {LINE[:-1]},}}", id="broken-off draft, sloppy final"),
        pytest.param(f"{LINE}\nOr rather {DRAFT_LINE[:200]}", id="complete, then cut off"),
        pytest.param(f"{LINE}\n{json.dumps({**DRAFT, 'end_date': 'YYYY-MM-DD'})}", id="complete, then a template"),
        pytest.param(f"{LINE}\n{{}} [] {{'note': 'done'}}", id="other objects after it"),
    ],
)
def test_finds_the_last_complete_crux(text: str) -> None:
    assert read_crux(text) == CRUX


@pytest.mark.parametrize(
    ("start", "end"), [("Start Date", "End Date"), ("startDate", "endDate"), ("START_DATE", "end-date")]
)
def test_keys_in_other_spelling(start: str, end: str) -> None:
    text = (
        LINE.replace("start_date", start).replace("end_date", end).replace("resolution_criteria", "resolutionCriteria")
    )
    assert read_crux(text.replace("question", "Question")) == CRUX


def test_smart_quotes_as_delimiters_keep_the_quotes_inside() -> None:
    text = (
        "{“question”: “Will he say “yes”, and mean it?”, “background”: “it’s so”, "
        "“resolution_criteria”: “He says “yes””, "
        "‘start_date’: ‘2025-10-21’, ‘end_date’: ‘2025-10-30’, “rationale”: “”}"
    )
    found = read_crux(text)
    assert isinstance(found, Crux)
    assert found.question == "Will he say “yes”, and mean it?"
    assert found.resolution_criteria == "He says “yes”"
    assert found.background == "it’s so"


@pytest.mark.parametrize(
    ("literal", "background"),
    [
        ('"one\ntwo\tthree"', "one\ntwo\tthree"),
        ('"naïve — 東京 🏛 \\u00e9 \\ud83c\\udfdb"', "naïve — 東京 🏛 é 🏛"),
        ('"a \\d and \\u12 and \\x41"', "a \\d and \\u12 and A"),
        ("'the firm's 'plan', the firms' plan'", "the firm's 'plan', the firms' plan"),
        ("'it\\'s \"so\"'", 'it\'s "so"'),
        ('"he said "yes", then "no" and {left}"', 'he said "yes", then "no" and {left}'),
        ('"""three "quotes" around"""', 'three "quotes" around'),
        ('"```json\n{\\"question\\": 1}\n```"', '```json\n{"question": 1}\n```'),
        ("null", ""),
        ("None", ""),
        ("NaN", ""),
        ('""', ""),
    ],
)
def test_strings_are_read_whole(literal: str, background: str) -> None:
    for text in (member("background", literal), member("background", literal)[:-1] + ",}"):
        found = read_crux(text)
        assert isinstance(found, Crux), found
        assert found.background == background
        assert found.rationale == CRUX.rationale


@pytest.mark.parametrize("name", ["background", "rationale", "yes_makes_u"])
def test_optional_fields_may_be_absent(name: str) -> None:
    assert isinstance(read_crux(json.dumps(without(name))), Crux)


@pytest.mark.parametrize(
    ("stated", "direction"),
    [
        ("more likely", "more likely"),
        ("more_likely", "more likely"),
        (" More-Likely. ", "more likely"),
        ("up", "more likely"),
        ("LESS LIKELY", "less likely"),
        ("lower", "less likely"),
        ("it depends", None),
        (None, None),
        (1, None),
        (["more likely", "less likely"], None),
    ],
)
def test_direction(stated: object, direction: str | None) -> None:
    found = read_crux(json.dumps({**FINAL, "yesMakesU": stated}))
    assert isinstance(found, Crux)
    assert found.yes_makes_u == direction


@pytest.mark.parametrize(
    "written",
    [
        "2025-10-30",
        "2025/10/30",
        "2025.10.30",
        "2025‑10‑30",
        "2025-10-30T00:00:00Z",
        "2025-10-30Z",
        "2025-10-30 UTC",
        "2025-10-30 (23:59 UTC)",
        "20251030",
        "October 30, 2025 at midnight",
        "11:59 PM ET, October 30, 2025",
        "11:59 p.m. Eastern Time on 30 October 2025",
        "by 30 October 2025",
        "30 October 2025, end of day",
        "2025-10-30T23:59:59.999-05:00",
        "2025-10-30 23:59 UTC",
        "30 October 2025",
        "30th of October, 2025",
        "30-Oct-2025",
        "October 30, 2025",
        "Oct 30th, 2025",
        "Oct. 30 2025",
        "Thursday, October 30, 2025 at 11:59 PM ET",
        "Thu 30 Oct 2025",
        "30/10/2025",
        "10/30/2025",
        " 2025-10-30\n",
    ],
)
def test_dates(written: str) -> None:
    found = read_crux(json.dumps({**FINAL, "end_date": written}))
    assert isinstance(found, Crux), found
    assert found.end_date == date(2025, 10, 30)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("03/04/2026", "day and month cannot be told apart"),
        ("3-4-2026", "day and month cannot be told apart"),
        ("2025-02-30", "no day of the calendar"),
        ("30/30/2025", "no day of the calendar"),
        ("0000-01-01", "no day of the calendar"),
        ("October 2025", "not a date"),
        ("October 30", "not a date"),
        ("YYYY-MM-DD", "not a date"),
        ("30/10/25", "not a date"),
        ("2025-10-30 or later", "not a date"),
        ("", "not a date"),
        (20251030, "not a date"),
        (["2025-10-30"], "not a date"),
    ],
)
def test_unreadable_dates_name_field_value_and_reason(written: object, reason: str) -> None:
    found = fault(json.dumps({**FINAL, "end_date": written}))
    assert found.kind == "invalid_crux"
    assert found.detail.startswith(f"end_date {written!r}: {reason}")


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("", "no_response", "empty"),
        (" \n\ufeff\t", "no_response", "empty"),
        ("I cannot help with that.", "no_crux", "no JSON object"),
        ('{"probability": 0.4}', "no_crux", "no JSON object"),
        ("{} [] [[]] null 17", "no_crux", "no JSON object"),
        (f"<think>{LINE}</think>\nI could not decide.", "no_crux", "outside its reasoning"),
        (f"{LINE}</think>\nI could not decide.", "no_crux", "outside its reasoning"),
        ("{", "truncated", "closing bracket"),
        (f"```json\n{BLOCK[:-2]}\n```", "truncated", "closing bracket"),
        (f'{{"crux": {LINE}', "truncated", "closing bracket"),
        (f"[{LINE}, ", "truncated", "closing bracket"),
        (f'{LINE[:-1]}, "inner": {LINE}, "more', "truncated", "closing bracket"),
        (f'{LINE[:-1]}, "inner":\n{" " * 300}{LINE}, "more', "truncated", "closing bracket"),
        (f'{LINE[:-1]}, "inner": [1, {LINE}], "more', "truncated", "closing bracket"),
        (f"{repr(FINAL)[:-1]}, 'inner': {LINE}, 'more", "truncated", "closing bracket"),
        (json.dumps({**FINAL, "rationale": LINE})[:-3], "truncated", "closing bracket"),
        (json.dumps({**FINAL, "rationale": repr(FINAL)})[:-3], "truncated", "closing bracket"),
        (f"<think>{LINE}</think>{LINE[:-1]}", "truncated", "closing bracket"),
        ('{"question": "Will it?"}', "invalid_crux", "resolution_criteria is missing; start_date is missing; end_date"),
        (json.dumps(without("end_date")), "invalid_crux", "end_date is missing"),
        (json.dumps({**FINAL, "question": 12}), "invalid_crux", "question is not text: 12"),
        (json.dumps({**FINAL, "question": ["Will it?"]}), "invalid_crux", "question is not text: ['Will it?']"),
        (json.dumps({**FINAL, "question": None}), "invalid_crux", "question is missing"),
        (json.dumps({**FINAL, "question": " \n"}), "invalid_crux", "question is empty"),
        (json.dumps({**FINAL, "rationale": {"a": "b\nc"}}), "invalid_crux", "rationale is not text: {'a': 'b\\nc'}"),
        (json.dumps({**FINAL, "question": "\ud800"}), "invalid_crux", "question"),
        (json.dumps({**FINAL, "background": list(range(99))}), "invalid_crux", "background is not text: [0, 1, 2"),
    ],
)
def test_faults_are_typed(text: str, kind: FaultKind, detail: str) -> None:
    found = fault(text)
    assert found.kind == kind
    assert detail in found.detail
    assert len(found.detail) < 200


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    "wrapper", ["[{}]", '{{"cruxes": [{}]}}', '{{"answer": {{"Cruxes": [{}]}}}}', "```json\n[{},]\n```"]
)
def test_several_cruxes_up_to_k(wrapper: str, k: int) -> None:
    third = {**FINAL, "question": "Will a buyer be found?"}
    found = read_cruxes(wrapper.format(", ".join(map(json.dumps, (FINAL, DRAFT, third)))), k)
    assert found == tuple(map(Crux.model_validate, (FINAL, DRAFT, third)))[:k]


def test_fewer_cruxes_than_asked_for_are_taken() -> None:
    assert read_cruxes(f'{{"cruxes": [{LINE}]}}', 3) == (CRUX,)


def test_one_crux_may_stand_alone_or_last_in_a_list() -> None:
    assert read_cruxes(LINE, 1) == (CRUX,)
    assert read_cruxes(f'{{"cruxes": [{DRAFT_LINE}, {LINE}]}}', 1) == (CRUX,)
    assert read_crux(f"[{DRAFT_LINE}, {LINE}]") == CRUX


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        (f'{{"cruxes": [{LINE}, {DRAFT_LINE[:-1]}', "truncated", "closing bracket"),
        (f'{{"cruxes": [{json.dumps(without("end_date"))}]}}', "invalid_crux", "cruxes[0].end_date is missing"),
        ('{"cruxes": []}', "no_crux", "no JSON object"),
        ("", "no_response", "empty"),
    ],
)
def test_faults_of_several_cruxes(text: str, kind: FaultKind, detail: str) -> None:
    found = read_cruxes(text, 2)
    assert isinstance(found, CruxFault)
    assert found.kind == kind
    assert detail in found.detail


def test_a_malformed_crux_does_not_take_the_others_with_it() -> None:
    found = read_cruxes(f'{{"cruxes": [{LINE}, {json.dumps(without("end_date"))}]}}', 2)
    assert isinstance(found, tuple)
    assert found[0] == CRUX
    assert isinstance(found[1], CruxFault) and found[1].detail == "cruxes[1].end_date is missing"


def test_one_crux_of_several_may_stand_alone() -> None:
    assert read_cruxes(LINE, 2) == (CRUX,)


def test_a_lone_crux_after_a_list_does_not_hide_the_list() -> None:
    assert read_cruxes(f"[{LINE}, {DRAFT_LINE}]\nThe best: {DRAFT_LINE}", 2) == (CRUX, Crux.model_validate(DRAFT))


def test_no_crux_asked_for_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        read_cruxes(LINE, 0)


WRITTEN = [
    pytest.param(LINE, id="line"),
    pytest.param(f"```json\n{BLOCK}\n```", id="fence"),
    pytest.param(repr(FINAL), id="Python"),
    pytest.param(f'{{"crux": {BLOCK}, "k": 1}}', id="wrapper"),
    pytest.param(f"[{LINE}]", id="list"),
    pytest.param(json.dumps({**FINAL, "background": f"{repr(DRAFT)} {DRAFT_LINE}"}), id="crux inside a string"),
    pytest.param(repr({**FINAL, "rationale": f"not {DRAFT_LINE}"}), id="crux inside a Python string"),
    pytest.param(f'{LINE[:-1]}, "inner": {DRAFT_LINE}, "also": [{DRAFT_LINE}]}}', id="crux inside a crux"),
    pytest.param(BLOCK.replace('",\n', "\", // it's {so}\n").replace('\\"', '"')[:-1] + ",}", id="sloppy"),
]


@pytest.mark.parametrize("text", WRITTEN)
def test_cut_off_anywhere_it_is_never_a_crux(text: str) -> None:
    assert isinstance(read_crux(text), Crux)
    for end in range(text.rindex(text.rstrip("`\n")[-1])):
        assert fault(text[:end]).kind in {"no_response", "no_crux", "truncated"}


cruxes = st.builds(
    lambda question, background, criteria, day, rationale: {
        "question": f"Q{question}",
        "background": background,
        "resolution_criteria": f"R{criteria}",
        "start_date": "2025-10-21",
        "end_date": day.isoformat(),
        "rationale": rationale,
    },
    *[st.text(st.characters(codec="utf-8"), max_size=30)] * 3,
    st.dates(),
    st.text("{}[]\"'`\\:,/#*<> \nquestion“”’", max_size=30),
)
dumped = st.builds(
    lambda crux, ascii_only, indent: json.dumps(crux, ensure_ascii=ascii_only, indent=indent),
    cruxes,
    st.booleans(),
    st.sampled_from([None, 1]),
)


@settings(max_examples=cases(150, 500), deadline=None)
@given(dumped, st.data())
def test_strict_json_is_read_exactly_or_not_at_all(text: str, data: st.DataObject) -> None:
    expected = Crux.model_validate_json(text.replace("\ufeff", "").replace("\\ufeff", ""))
    assert read_crux(text.replace("\\ufeff", "")) == expected
    assert fault(text[: data.draw(st.integers(0, len(text) - 1))]).kind in {"no_response", "truncated"}


@settings(max_examples=cases(100, 300), deadline=None)
@given(dumped, st.sampled_from([",}", ", // so\n}", ", /* so */ odds: None}", ' "tags": ["a" "b"]}', ", 'ok': True}"]))
def test_mending_changes_no_text(text: str, sloppy_end: str) -> None:
    assert read_crux(text.rstrip("}\n") + sloppy_end) == read_crux(text)


FRAGMENTS = st.sampled_from(
    [
        *"{}[]\"'`:,\\/#<>“”‘’\n\t",
        *(
            "```json\n",
            "<think>",
            "</think>",
            "<reasoning>",
            "//",
            "/*",
            "*/",
            "NaN",
            "None",
            '"question": ',
            "\\u12",
            "\ufeff",
        ),
        *(DRAFT_LINE, repr(DRAFT), '{"crux": ', "[1]", "\ud800", "\x00"),
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid answer with a few deletions, insertions and repetitions, perhaps wrapped, perhaps cut off."""
    text = draw(st.one_of(st.sampled_from([LINE, BLOCK, repr(FINAL), f"[{LINE}]"]), dumped))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        to = at + draw(st.integers(0, 12))
        text = (
            text[:at]
            + draw(st.one_of(st.just(""), FRAGMENTS, st.text(max_size=5), st.just(text[at:to] * 2)))
            + text[to:]
        )
    before, after = draw(
        st.sampled_from(
            [("", ""), ("```json\n", "\n```"), ("It's:\n", "\nIsn't it?"), ("<think>", ""), ('{"a": ', "}")]
        )
    )
    return before + text + after


@settings(max_examples=cases(300, 1_000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.one_of(mutated(), mutated(), st.lists(FRAGMENTS | st.text(max_size=4), max_size=30).map("".join)),
    st.lists(st.floats(0, 1), min_size=9, max_size=9),
    st.integers(1, 3),
)
def test_whatever_is_written_gives_cruxes_or_a_typed_fault(text: str, cuts: list[float], k: int) -> None:
    """Each text whole and cut off at nine places: thousands of messages."""
    for share in (1.0, *cuts):
        found = read_cruxes(text[: round(share * len(text))], k)
        if isinstance(found, CruxFault):
            assert found.kind in set(get_args(FaultKind)) - {"out_of_dates"}
            assert found.detail and "\n" not in found.detail
        else:
            assert 1 <= len(found) <= k
            cruxes = [crux for crux in found if isinstance(crux, Crux)]
            assert cruxes
            assert all(crux.question and crux.resolution_criteria for crux in cruxes)


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        "[",
        '"',
        "'",
        '{"',
        "{'",
        '{"a":',
        '{"a":[',
        "[{",
        "\\",
        "<think>",
        "</think> ",
        "{a:",
        '{"a": x ',
        '","',
        "</",
    ],
)
def test_a_megabyte_of_brackets_or_quotes_is_no_trap(unit: str) -> None:
    assert fault(unit * (MEGABYTE // len(unit))).kind in {"no_crux", "truncated"}


def test_a_megabyte_inside_a_string_is_no_trap() -> None:
    for unit in ('"', '",', "\\", "{", '{"', "' "):
        assert fault('{"question": "' + unit * (MEGABYTE // len(unit))).kind == "truncated"


def test_a_crux_behind_and_before_a_megabyte() -> None:
    assert read_crux("{" * MEGABYTE + LINE) == CRUX
    assert read_crux(LINE + "lorem 'ipsum' {x} " * (MEGABYTE // 18)) == CRUX


def test_hopelessly_deep_or_long_sloppy_json_is_not_repaired() -> None:
    assert fault("{'a':" * 500 + LINE[:-1] + ",}" + "}" * 500).kind == "no_crux"
    assert fault(member("background", '"' + "y" * 60_000 + '"')[:-1] + ",}").kind == "no_crux"


def test_moments_of_a_crux() -> None:
    assert CRUX.opens == datetime(2025, 10, 21, tzinfo=UTC)
    assert CRUX.deadline == datetime(2025, 11, 1, 23, 59, 59, tzinfo=UTC)


def test_a_crux_is_frozen_and_survives_its_own_json() -> None:
    assert Crux.model_validate_json(CRUX.model_dump_json()) == CRUX
    with pytest.raises(ValidationError):
        CRUX.question = "Will it?"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Crux.model_validate({**FINAL, "start_date": datetime(2025, 10, 21, tzinfo=UTC)})


def test_key_is_that_of_what_the_judge_sees() -> None:
    same = {**FINAL, "rationale": "other", "yes_makes_u": "less likely", "background": FINAL["background"] + " \n"}
    assert Crux.model_validate(same).key == CRUX.key
    assert len(CRUX.key) == 64
    spaced, composed, decomposed = (
        Crux.model_validate({**FINAL, "question": question}).key
        for question in ("Will  the\ncafé open?", "Will the café open?", "Will the cafe\u0301 open?")
    )
    assert spaced == composed == decomposed != CRUX.key
    changed = ("question", "background", "resolution_criteria", "start_date", "end_date")
    keys = {Crux.model_validate({**FINAL, name: "2025-10-22"}).key for name in changed}
    assert len(keys | {CRUX.key}) == len(changed) + 1


def test_the_hash_of_a_whole_crux_can_be_computed_from_its_json() -> None:
    crux = Crux.model_validate({**FINAL, "question": "Will the “café” open?", "yes_makes_u": "less likely"})
    text = json.dumps(crux.model_dump(mode="json"), separators=(",", ":"), ensure_ascii=False)
    assert crux.sha256 == hashlib.sha256(text.encode("utf-8")).hexdigest()
    other = crux.model_copy(update={"yes_makes_u": "more likely"})
    assert other.sha256 != crux.sha256 and other.key == crux.key


START, END = datetime(2025, 10, 21, tzinfo=UTC), datetime(2025, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(("start", "end"), [("2025-10-21", "2025-11-20"), ("2025-10-30", "2025-10-30")])
def test_dates_inside_the_stretch(start: str, end: str) -> None:
    crux = Crux.model_validate({**FINAL, "start_date": start, "end_date": end})
    assert check_dates(crux, START, END) is None


@pytest.mark.parametrize(
    ("start", "end", "detail"),
    [
        ("2025-10-20", "2025-11-01", "start_date 2025-10-20 is before the first allowed day, 2025-10-21"),
        ("2025-10-21", "2025-11-21", "end_date 2025-11-21 is after the last allowed day, 2025-11-20"),
        ("2025-11-02", "2025-11-01", "start_date 2025-11-02 is after end_date 2025-11-01"),
    ],
)
def test_dates_outside_the_stretch(start: str, end: str, detail: str) -> None:
    crux = Crux.model_validate({**FINAL, "start_date": start, "end_date": end})
    assert check_dates(crux, START, END) == CruxFault(kind="out_of_dates", detail=detail)


def test_the_stretch_is_counted_in_days_of_utc() -> None:
    crux = Crux.model_validate({**FINAL, "start_date": "2025-10-21", "end_date": "2025-11-20"})
    west = timezone(timedelta(hours=-5))
    assert check_dates(crux, START.astimezone(west), END.astimezone(west)) is None
