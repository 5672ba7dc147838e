"""Embeddings from a loopback endpoint, good and bad, and what a report makes of them."""

import hashlib
import json
import logging
import random
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from click.testing import CliRunner, Result
from scipy.spatial.distance import cosine as cosine_distance
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from cruxbench_inspect.cli import main
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.inference.text_similarity import lexical_similarities
from cruxbench_inspect.report import building
from cruxbench_inspect.report.building import Choices, build_report
from cruxbench_inspect.report.crux_similarity import LEXICAL, compared_cruxes, crux_similarities, lexical_pairs
from cruxbench_inspect.report.embeddings.asking import BATCH, CONNECTIONS, Embeddings, embed, embedding_transport
from cruxbench_inspect.report.embeddings.cache import EmbeddingCache
from cruxbench_inspect.report.embeddings.service import OPENAI, EmbeddingService
from cruxbench_inspect.report.gathering.price_list import read_prices
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.report import Report
from cruxbench_inspect.report.sections import PLANS
from cruxbench_inspect.report.table import Table
from cruxbench_inspect.report.widths import width_scores
from tests.loopback.faults import Fault, too_many
from tests.loopback.server import serve
from tests.loopback.switch import Switch
from tests.synthetic_study import NOW, Subject, SyntheticStudy

KEY = "sk-0123456789abcdef"
MODEL = "Lab/Embedder-2"
SWITCH = Switch()
ADDRESS: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def one_server() -> Iterator[None]:
    with serve(SWITCH) as base_url:
        ADDRESS[:] = [base_url]
        yield


def vector(text: str) -> list[float]:
    """The embedding of a text."""
    return [byte / 128 - 1 for byte in hashlib.sha256(text.encode()).digest()[:8]]


class Endpoint:
    """An OpenAI-compatible endpoint, which sends embeddings in any order.

    Attributes:
        faults: What the next requests are answered instead, None for the right answer; used up from the left.
        texts: The texts of every request that came.
        paths: Their paths.
        told: Their other fields.
    """

    def __init__(self, *faults: Fault | None, key: str | None = KEY, vector: Callable[[str], list[float]] = vector):
        self.faults = deque(faults)
        self.texts: list[list[str]] = []
        self.paths: list[str] = []
        self.told: list[dict[str, Any]] = []
        self._key = key
        self._vector = vector
        SWITCH.app = self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        asked = await request.json()
        self.texts.append(asked.pop("input"))
        self.paths.append(request.url.path)
        self.told.append(asked)
        if self.faults and (fault := self.faults.popleft()) is not None:
            await fault.response()(scope, receive, send)
            return
        if self._key and request.headers.get("authorization") != f"Bearer {self._key}":
            sent = request.headers.get("authorization", "")
            refusal = {"error": {"message": f"Incorrect API key provided: {sent}", "code": "invalid_api_key"}}
            await JSONResponse(refusal, 401)(scope, receive, send)
            return
        data = [
            {"object": "embedding", "index": index, "embedding": self._vector(text)}
            for index, text in enumerate(self.texts[-1])
        ]
        random.Random(len(data)).shuffle(data)
        body = {"object": "list", "data": data, "model": asked["model"], "usage": {"prompt_tokens": 8}}
        await JSONResponse(body)(scope, receive, send)


class Waits:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        self.now += seconds

    def clock(self) -> float:
        """Seconds that have been waited."""
        return self.now


def service(path: str = "/v1", **changes: Any) -> EmbeddingService:
    return EmbeddingService(**({"model": MODEL, "url": ADDRESS[0] + path, "key": KEY} | changes))


def embedded(
    texts: Sequence[str], of: EmbeddingService | None = None, waits: Waits | None = None, **more: Any
) -> Embeddings:
    of, waits = of or service(), waits or Waits()
    transport = embedding_transport(of, sleep=waits.sleep, clock=waits.clock)
    return anyio.run(partial(embed, texts, of, transport=transport, **more))


def failure(texts: Sequence[str] = ("a", "b"), of: EmbeddingService | None = None) -> str:
    with pytest.raises(InputError) as caught:
        embedded(texts, of)
    assert KEY not in str(caught.value)
    return str(caught.value)


def data(*vectors: object, indices: Sequence[object] | None = None) -> Fault:
    rows = [
        {"index": index, "embedding": one} for index, one in zip(indices or range(len(vectors)), vectors, strict=True)
    ]
    return Fault(body=json.dumps({"data": rows}).encode())


def test_texts_are_asked_for_in_batches_and_each_has_its_own_embedding(caplog: pytest.LogCaptureFixture) -> None:
    for logger in ("", "httpx", "httpcore"):  # Other tests, and Inspect, set levels of their own.
        caplog.set_level(logging.DEBUG, logger)
    endpoint = Endpoint()
    texts = [f"Will ü{number} happen?" for number in range(2 * BATCH + 3)]
    steps: list[tuple[int, int]] = []
    found = embedded([*texts, *texts[:5]], progress=lambda done, of: steps.append((done, of)))
    assert found.model == MODEL
    assert {text: one.tolist() for text, one in found.vectors.items()} == {text: vector(text) for text in texts}
    assert sorted(map(len, endpoint.texts)) == [3, BATCH, BATCH]
    assert sorted(text for batch in endpoint.texts for text in batch) == sorted(texts)
    assert endpoint.paths == ["/v1/embeddings"] * 3
    assert endpoint.told == [{"model": MODEL, "encoding_format": "float"}] * 3
    assert steps[0] == (0, len(texts)) and steps[-1] == (len(texts), len(texts)) and sorted(steps) == steps
    assert "embeddings" in caplog.text and KEY not in caplog.text
    assert KEY not in repr(service())


def test_what_is_kept_is_not_asked_for_again() -> None:
    endpoint = Endpoint()
    first = embedded(["a", "b"])
    steps: list[tuple[int, int]] = []
    second = embedded(["b", "a"], progress=lambda done, of: steps.append((done, of)))
    assert len(endpoint.texts) == 1 and steps == [(2, 2)]
    assert {text: one.tolist() for text, one in second.vectors.items()} == {
        text: one.tolist() for text, one in first.vectors.items()
    }
    embedded(["a", "c"])
    embedded(["a"], service(model="another"))
    embedded(["a"], service("/v2"))
    assert endpoint.texts[1:] == [["c"], ["a"], ["a"]]


def test_nothing_is_asked_for_no_texts() -> None:
    endpoint = Endpoint()
    assert embedded([]).vectors == {} and endpoint.texts == []


def test_what_came_before_a_failure_is_kept() -> None:
    texts = [f"{number}" for number in range(5 * BATCH + 1)]
    Endpoint(None, None, *[Fault(400)] * 10)
    assert f"HTTP 400 (127.0.0.1/v1/embeddings). {2 * BATCH} of 1,281 texts have theirs, which are kept" in (
        failure(texts)
    )
    endpoint = Endpoint()
    assert len(embedded(texts).vectors) == len(texts)
    assert sum(map(len, endpoint.texts)) == len(texts) - 2 * BATCH


def test_nothing_more_is_asked_for_after_a_failure() -> None:
    endpoint = Endpoint(*[Fault(400)] * 20)
    failure([f"{number}" for number in range(3 * CONNECTIONS * BATCH)])
    assert 1 <= len(endpoint.texts) <= CONNECTIONS


def test_what_came_before_a_kill_is_kept() -> None:
    class Killed(BaseException):
        pass

    def killed(done: int, of: int) -> None:
        if done:
            raise Killed

    texts = [f"{number}" for number in range(BATCH + 1)]
    Endpoint()
    with pytest.raises(BaseExceptionGroup):
        embedded(texts, progress=killed)
    kept = EmbeddingCache(service()).get(texts)
    assert len(kept) >= 1
    endpoint = Endpoint()
    embedded(texts)
    assert [set(batch) for batch in endpoint.texts] == [set(texts) - set(kept)] * bool(set(texts) - set(kept))


@pytest.mark.parametrize(
    ("faults", "waited"),
    [
        ([too_many()], 1),
        ([too_many("7")], 7),
        ([Fault(500), Fault(503)], 3),
        ([Fault(body=b'{"data": [', missing=20)], 1),
    ],
    ids=["429", "429 with its time", "5xx", "a cut connection"],
)
def test_what_may_pass_is_tried_again(faults: list[Fault], waited: float) -> None:
    endpoint, waits = Endpoint(*faults), Waits()
    assert embedded(["a"], waits=waits).vectors["a"].tolist() == vector("a")
    assert len(endpoint.texts) == len(faults) + 1
    assert waited <= waits.now <= 1.25 * waited


@pytest.mark.parametrize(
    ("fault", "requests", "told"),
    [
        (Fault(500), 4, "HTTP 500"),
        (too_many(), 4, "HTTP 429"),
        (
            Fault(429, json.dumps({"error": {"message": "No money left", "code": "insufficient_quota"}}).encode()),
            1,
            "HTTP 429 No money left",
        ),
        (Fault(404, b'{"error": {"message": "model not found"}}'), 1, "HTTP 404 model not found"),
        (Fault(301, headers={"location": "http://127.0.0.1:1/"}), 1, "HTTP 301"),
    ],
    ids=["500", "429", "no quota", "404", "redirect"],
)
def test_a_failure_that_stays_is_told(fault: Fault, requests: int, told: str) -> None:
    endpoint = Endpoint(*[fault] * 9)
    message = failure()
    assert message.startswith(f"no embeddings of {MODEL} from {ADDRESS[0]}/v1: ") and told in message
    assert "0 of 2 texts" in message
    assert len(endpoint.texts) == requests


def test_a_refused_key_is_not_told() -> None:
    endpoint = Endpoint(key="sk-of-somebody-else")
    message = failure()
    assert "HTTP 401 Incorrect API key provided: Bearer [key]" in message and "Set CRUXBENCH" not in message
    assert len(endpoint.texts) == 1
    assert "Set CRUXBENCH_EMBEDDINGS_KEY to its key." in failure(of=service(key=None))


def test_a_local_endpoint_gets_no_key() -> None:
    Endpoint(key=None)
    assert embedded(["a"], service(key=None)).vectors["a"].tolist() == vector("a")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (data([1, 2]), "1 embeddings of 2 texts"),
        (data([1], [2], [3]), "3 embeddings of 2 texts"),
        (data([1], [2], indices=[0, 0]), "indices of its embeddings are not 0 to 1"),
        (data([1], [2], indices=[1, 2]), "indices of its embeddings are not 0 to 1"),
        (data([1, 2], [1, 2, 3]), "its embeddings have 2 numbers and 3"),
        (data([1, 2], [0, 0]), "the embedding with index 1 is zero"),
        (data([], []), "data.0.embedding: List should have at least 1 item"),
        (data([1, 2], [1, float("nan")]), "data.1.embedding.1: Input should be a finite number"),
        (data([1, float("inf")], [1, 2]), "data.0.embedding.1: Input should be a finite number"),
        (data([1, None], [1, 2]), "data.0.embedding.1: Input should be a valid number"),
        (data("AACAPwAAAEA=", [1, 2]), "data.0.embedding: Input should be a valid array"),
        (Fault(body=b'{"data": [{"index": 0, "embedding": [0.1, 0.'), "Invalid JSON: EOF"),
        (Fault(body=b"<html>Sign in</html>"), "Invalid JSON"),
        (Fault(body=b'{"error": "no such model"}'), "data: Field required"),
        (Fault(body=b""), "Invalid JSON"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_answer_is_refused_and_not_kept(fault: Fault, told: str) -> None:
    Endpoint(fault)
    message = failure()
    assert "its answer cannot be used" in message and told in message
    assert EmbeddingCache(service()).get(["a", "b"]) == {}


def test_an_endpoint_whose_model_has_changed_is_noticed() -> None:
    Endpoint()
    embedded(["a"])
    Endpoint(vector=lambda text: vector(text)[:5])
    message = failure(["a", "b"])
    assert "have 5 numbers and 8" in message and "embeddings.sqlite" in message


def test_a_damaged_cache_is_named(tmp_path: Path) -> None:
    endpoint, file = Endpoint(), tmp_path / "embeddings.sqlite"
    file.write_bytes(b"no database at all, but long enough to look like one" * 50)
    with pytest.raises(InputError, match=r"embeddings\.sqlite: embeddings cannot be kept there"):
        embedded(["a"], file=file)
    assert endpoint.texts == []
    file.unlink()
    embedded(["a"], file=file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE embeddings SET vector = x'00'")
    with pytest.raises(InputError, match="Delete the file if it is damaged"):
        embedded(["a"], file=file)
    with pytest.raises(InputError, match="CRUXBENCH_CACHE_DIR"):
        embedded(["a"], file=file / "below" / "a.sqlite")


@pytest.mark.parametrize(
    ("environment", "url", "key"),
    [
        ({"OPENAI_API_KEY": KEY}, OPENAI, KEY),
        ({"OPENAI_API_KEY": "other", "CRUXBENCH_EMBEDDINGS_KEY": f" {KEY}\n"}, OPENAI, KEY),
        ({"OPENAI_API_KEY": KEY, "CRUXBENCH_EMBEDDINGS_URL": "https://api.openai.com/v1/"}, OPENAI, KEY),
        ({"OPENAI_API_KEY": KEY, "CRUXBENCH_EMBEDDINGS_URL": "http://localhost:80/v1"}, "http://localhost/v1", None),
        ({"CRUXBENCH_EMBEDDINGS_URL": "http://localhost:8080/"}, "http://localhost:8080", None),
        (
            {"CRUXBENCH_EMBEDDINGS_URL": "https://lab.example/e", "CRUXBENCH_EMBEDDINGS_KEY": KEY},
            "https://lab.example/e",
            KEY,
        ),
    ],
)
def test_the_environment_says_who_is_asked(environment: dict[str, str], url: str, key: str | None) -> None:
    assert EmbeddingService.of_environment(MODEL, environment) == EmbeddingService(MODEL, url, key)


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, "need a key: set CRUXBENCH_EMBEDDINGS_KEY or OPENAI_API_KEY"),
        ({"OPENAI_API_KEY": " "}, "need a key"),
        ({"OPENAI_API_KEY": f"{KEY} {KEY}"}, "OPENAI_API_KEY holds characters that no key has"),
        ({"CRUXBENCH_EMBEDDINGS_KEY": f"{KEY}é"}, "CRUXBENCH_EMBEDDINGS_KEY holds characters"),
        ({"CRUXBENCH_EMBEDDINGS_URL": f"ftp://{KEY}"}, "CRUXBENCH_EMBEDDINGS_URL: URL scheme should be 'http'"),
        ({"CRUXBENCH_EMBEDDINGS_URL": f"http://me:{KEY}@lab.example/v1"}, "without user name, password"),
        ({"CRUXBENCH_EMBEDDINGS_URL": f"http://lab.example/v1?key={KEY}"}, "without user name, password"),
    ],
)
def test_a_wrong_environment_is_told_without_its_secrets(environment: dict[str, str], told: str) -> None:
    with pytest.raises(InputError) as caught:
        EmbeddingService.of_environment(MODEL, environment)
    assert told in str(caught.value) and KEY not in str(caught.value)


@pytest.fixture
def only_likeness(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the other sections, which take longer."""
    monkeypatch.setattr(building, "PLANS", [plan for plan in PLANS if plan.name == "likeness"])


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("study")
    return SyntheticStudy(folder, questions=6, seed=3).write([Subject("lab/one", skill=0.5), Subject("lab/two")])


@pytest.fixture(scope="module")
def study(logs: list[Path]) -> Study:
    return make_study([str(path) for path in logs], {}, Options())


def embeddings_of(study: Study) -> Embeddings:
    return Embeddings(MODEL, {text: np.array(vector(text)) for text in compared_cruxes(study)})


def material(study: Study, embeddings: Embeddings | None = None) -> Material:
    return Material(study, width_scores(study), read_prices(None), 6, embeddings)


def built(study: Study, folder: Path, embeddings: Embeddings | None = None) -> Report:
    return build_report(study, read_prices(None), Choices(), NOW, folder, embeddings)


def likeness_table(report: Report) -> Table:
    return next(table for table in report.tables if table.name == "likeness")


def methods(report: Report) -> str:
    return next(section.text for section in report.sections if section.name == "methods")


def test_cosines_of_a_report_are_those_of_the_embeddings(study: Study) -> None:
    kind, found = crux_similarities(material(study, embeddings_of(study)))
    assert kind == f"cosine similarity ({MODEL})"
    cruxes = {(row["question"], row["entry"]): row["crux"] for row in study.scores.iter_rows(named=True)}
    both = [question for question in study.questions if all(cruxes.get((question, label)) for label in study.labels)]
    assert sorted(found) == [(question, *sorted(study.labels)) for question in sorted(both)]
    for (question, first, second), similarity in found.items():
        vectors = [vector(cruxes[question, label]) for label in (first, second)]
        assert similarity == pytest.approx(1 - cosine_distance(*vectors), abs=1e-12)


@pytest.mark.usefixtures("only_likeness")
def test_a_report_says_which_similarity_it_has(study: Study, tmp_path: Path) -> None:
    report = built(study, tmp_path, embeddings_of(study))
    table = likeness_table(report)
    assert table.columns[0].title == f"Cosine similarity ({MODEL})"
    assert f"The mean cosine similarity ({MODEL}) of all pairs is " in table.notes[0]
    assert "told by words of the resolution criteria" in table.notes[1]
    assert f"embeddings of their questions by {MODEL}." in methods(report)
    figures = {figure.name: figure for figure in report.figures}
    assert figures["similarity_disagreement"].paper == "Figure 4"
    assert figures["similarity_threshold"].paper == "Figure 11"
    assert "Days between resolutions, median" in figures["similarity_disagreement"].description
    assert "Same numeric threshold" in figures["similarity_threshold"].description
    lexical = built(study, tmp_path)
    assert likeness_table(lexical).columns[0].title == LEXICAL.capitalize()
    assert "lexical similarity" in methods(lexical) and MODEL not in methods(lexical)


@pytest.mark.usefixtures("only_likeness")
def test_embeddings_come_before_imported_similarities_and_these_before_lexical_ones(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("imported")
    paths = SyntheticStudy(folder, questions=3, seed=3).write([Subject("lab/one"), Subject("lab/two")])
    study = make_study([str(path) for path in paths], {}, Options())
    assert crux_similarities(material(study))[0] == LEXICAL
    rows = [{"question_id": "q000", "a": "lab/two", "b": "lab/one", "cosine": 0.625}]
    (paths[0].parent / "similarity_pairs.json").write_text(json.dumps(rows), encoding="utf-8")
    kind, found = crux_similarities(material(study))
    assert (kind, list(found.values())) == ("cosine similarity", [0.625])
    assert crux_similarities(material(study, embeddings_of(study)))[0] == f"cosine similarity ({MODEL})"
    report = built(study, folder)
    assert "the cosine similarity that was imported" in methods(report)


@pytest.mark.usefixtures("only_likeness")
def test_words_are_weighed_over_all_cruxes(study: Study, tmp_path: Path) -> None:
    rows = study.scores.filter(study.scores["crux"].is_not_null()).rows(named=True)
    whole = lexical_similarities([row["crux"] for row in rows])
    places = {(row["question"], row["entry"]): place for place, row in enumerate(rows)}
    found = lexical_pairs(study)
    assert found
    for (question, first, second), similarity in found.items():
        expected = whole[places[question, first], places[question, second]]
        assert similarity == pytest.approx(expected, abs=1e-12)
    assert "What a word weighs is of all these cruxes." in methods(built(study, tmp_path))


def command(logs: Sequence[Path], *more: str) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, logs), "--no-figures", *more], catch_exceptions=False)


@pytest.mark.usefixtures("only_likeness")
def test_the_command_asks_once(logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXBENCH_EMBEDDINGS_URL", f"{ADDRESS[0]}/v1")
    monkeypatch.setenv("CRUXBENCH_EMBEDDINGS_KEY", KEY)
    endpoint = Endpoint()
    result = command(logs, "-o", str(tmp_path / "one"), "--embeddings", MODEL)
    assert result.exit_code == 0, result.output
    assert len(endpoint.texts) == 1
    table = (tmp_path / "one/tables/likeness.md").read_text(encoding="utf-8")
    assert f"Cosine similarity ({MODEL})" in table
    again = command(logs, "-o", str(tmp_path / "two"), "--embeddings", MODEL)
    assert again.exit_code == 0 and len(endpoint.texts) == 1
    assert (tmp_path / "two/tables/likeness.md").read_text(encoding="utf-8") == table
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    assert KEY not in result.output


@pytest.mark.parametrize("more", [("--leaderboard", "-o", "x"), ("--compare", "a", "b")])
def test_embeddings_that_nothing_would_use_are_bad_usage(logs: list[Path], more: tuple[str, ...]) -> None:
    result = command(logs, "--embeddings", MODEL, *more)
    assert result.exit_code == 2 and "--embeddings compares cruxes" in result.output


def test_a_missing_key_is_told_before_logs_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CRUXBENCH_EMBEDDINGS_URL", "CRUXBENCH_EMBEDDINGS_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    result = command([tmp_path / "none"], "-o", str(tmp_path / "report"), "--embeddings", MODEL)
    assert result.exit_code == 1 and "set CRUXBENCH_EMBEDDINGS_KEY or OPENAI_API_KEY" in result.output
