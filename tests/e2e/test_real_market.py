"""A real market, from its question set through judge and scorer, with the published resolutions."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.evaluating import evaluate, rescore, samples_of, score_of, values_of
from tests.scripted_model import Call, Play, confirmed, crux_json, generator, scripted, tool_call

GENERATORS = ("claude-opus-4-6", "deepseek-v3.1", "gpt-3.5-turbo-1106", "llama-3.1-8B")
"""One of each published resolution: the other four generators share the first one's."""


def judge(resolution: dict[str, str]) -> Play:
    """A judge that submits a published resolution: a date alone at midnight, a local time, or the deadline."""
    moment = resolution["resolution_datetime"]
    deadline = resolution["rule"] == "no_deadline"
    midnight = moment.endswith("T00:00:00Z")

    def play(call: Call) -> Any:
        if call.role == "verifier":
            return tool_call("submit_verification", **confirmed(call))
        if call.turn == 0:
            return tool_call("search", query="suspects arrested jewels theft prosecutor press conference")
        results = re.findall(r'<result id="(doc-\w+)"[^>]*>\n(.*?)\n</result>', call.messages[-1].text, re.DOTALL)
        wanted = "jewels" if deadline else "arrest of two suspects" if midnight else "press conference"
        document, text = next((name, text) for name, text in results if wanted in text)
        place = text.index(wanted)
        return tool_call(
            "submit_resolution",
            resolvable=True,
            reasoning="As published.",
            answer=resolution["resolution"],
            rule=resolution["rule"],
            precision="deadline" if deadline else "date_only" if midnight else "stated",
            local_time=None if deadline else moment[:10] if midnight else moment.removesuffix("Z"),
            zone=None if deadline else "UTC",
            evidence=[{"document_id": document, "quote": text[max(place - 10, 0) : place + 20]}],
        )

    return play


@pytest.mark.parametrize("name", GENERATORS)
def test_a_published_resolution_scores_the_published_kl(name: str, reference_data: Path, tmp_path: Path) -> None:
    golden = json.loads((reference_data / "golden" / "640486.json").read_text(encoding="utf-8"))
    resolution = golden["resolutions"][name]
    judges = scripted(judge(resolution))
    end = resolution["resolution_datetime"][:10] if resolution["rule"] == "no_deadline" else "2025-11-20"
    crux = crux_json(question=f"Asked by {name}?", start_date="2025-10-21", end_date=end)
    log = evaluate(
        reference_data / "sets" / "louvre",
        scripted(generator(crux)).name,
        tmp_path,
        model_roles={"resolver": judges.name, "verifier": judges.name},
    )
    (sample,) = samples_of(log)
    values = values_of(sample)
    assert score_of(sample).reason is None
    assert round(values["voi_kl"], 6) == golden["release_kl"][name]
    baselines = golden["baselines_w24"]["kl"]
    assert values["random_kl"] == pytest.approx(baselines["random_timing"], abs=1e-9)
    assert values["oracle_kl"] == pytest.approx(baselines["oracle"], abs=1e-9)
    assert values["resolved"] == values["coverage"] == 1.0

    asked = len(judges.calls)
    (again,) = samples_of(rescore(log, width=12))
    assert len(judges.calls) == asked
    assert values_of(again)["voi_kl"] != values["voi_kl"]
