"""A miniature of the authors' release, in their layout: 12 invented markets, 3 generators, 2 forecasters."""

import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cruxbench_inspect.utc import HOUR, floor_hour, parse_utc

OPUS = "claude-opus-4-6"
QWEN = "together/Qwen/Qwen3-235B-A22B-Instruct-2507-tput"
LLAMA = "vllm/meta-llama/Llama-3.1-8B-Instruct"
GENERATORS = {OPUS: ("claude-opus-4-6", "opus"), QWEN: ("qwen3-235B", "qwen"), LLAMA: ("llama-3.1-8B", "llama8b")}
"""Folders of the generators, with the names that the verifications and the similarity pairs give them."""

FORECASTERS = ("gpt-5-mini", "together_Qwen_Qwen3-235B-A22B-Instruct-2507-tput")

IDS = tuple(601697 + 1311 * number for number in range(12))
EARLY = IDS[3]
"""A market that settled months before its scheduled close, which cut its window short."""

UNRESOLVABLE, INVALID, SILENT, EAGER, AFTER_THE_END = IDS[4:9]
"""Markets on whose cruxes each generator does something special."""

DAY = timedelta(days=1)
PLACES = ("Alvara", "Brenmoor", "Castelo", "Dorvik", "Estrel", "Falmona", "Gerrin", "Hollow", "Istra", "Jorvel",
          "Kestrin", "Lomar")  # fmt: skip


class MiniRelease:
    """A release in a folder.

    Attributes:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        """Write the release."""
        self.root = root
        questions = [_question(number) for number in range(12)]
        self._write("data/ultimates_w_news.json", questions)
        bare = [{**each, "active_windows": [_without(each["active_windows"][0], "as_dicts")]} for each in questions]
        self._write("data/ultimates.json", bare)
        for question in questions:
            self._write_prices(question)
        self._write_outputs(questions)
        self._write_forecasts(questions)

    def read(self, file: str) -> Any:
        """A file's content."""
        return json.loads((self.root / file).read_text(encoding="utf-8"))

    def change(self, file: str, index: int, **changes: Any) -> None:
        """Change fields of one record of a file."""
        records = self.read(file)
        records[index] |= changes
        self._write(file, records)

    def released_crux(self, generator: str, market_id: int, file: str = "resolved.json") -> dict[str, Any] | None:
        """A generator's crux as the release has it."""
        (record,) = [each for each in self.read(f"outputs/{generator}/{file}") if each["id"] == market_id]
        cruxes = record["active_windows"][0]["subquestions"]
        return dict(cruxes[0]) if cruxes else None

    def _write(self, file: str, content: Any) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")

    def _write_prices(self, question: dict[str, Any]) -> None:
        market_id = question["id"]
        window = question["active_windows"][0]
        first, last = floor_hour(parse_utc(window["start"])), floor_hour(parse_utc(window["end"])) + 23 * HOUR
        begin = max(first - 96 * HOUR, floor_hour(_of_milliseconds(question["ph_start"])))
        end = min(last + 96 * HOUR, floor_hour(parse_utc(question["umaEndDate"])))
        dice = random.Random(market_id)
        raw: dict[str, float] = {}
        prices, volumes, price = [], [], 0.4
        for hour in range((end - begin) // HOUR + 1):
            price = min(0.97, max(0.03, price + dice.gauss(0, 0.02 if dice.random() < 0.95 else 0.15)))
            prices.append(round(price * 2000) / 2000)
            volumes.append(round(dice.expovariate(1 / 60), 2) if dice.random() < 0.6 else 0.0)
            raw[f"{begin + hour * HOUR + timedelta(seconds=dice.randrange(4, 30)):%Y-%m-%dT%H:%M:%S+00:00}"] = prices[
                -1
            ]
        self._write(
            f"data/hourly_prices/{market_id}.json",
            {"Yes": raw, "No": {moment: round(1 - price, 4) for moment, price in raw.items()}},
        )
        self._write(
            f"data/hourly_activity/{market_id}.json",
            {"t0": _iso(begin), "vol": volumes, "trades": [2 * (v > 0) for v in volumes], "shares": volumes},
        )
        trusted = _trusted(prices, volumes)
        hours = {_iso(begin + number * HOUR): value for number, value in enumerate(trusted)}
        self._write(f"data/hourly_prices_trusted/{market_id}.json", {"Yes": hours})

    def _write_outputs(self, questions: list[dict[str, Any]]) -> None:
        verified: list[dict[str, Any]] = []
        pairs: list[dict[str, Any]] = []
        resolved: dict[str, list[Any]] = {name: [] for name in GENERATORS}
        raw: dict[str, list[Any]] = {name: [] for name in GENERATORS}
        proposed: dict[str, list[Any]] = {name: [] for name in GENERATORS}
        for question in questions:
            entries = []
            for place, (name, (verifier_name, _)) in enumerate(GENERATORS.items()):
                crux, resolution = _crux(question, place)
                entry = _verification(verifier_name, resolution, place)
                if entry:
                    entries.append(entry)
                final = {**resolution, "resolution_datetime": entry["adjudicated_datetime"]} if entry else resolution
                proposed[name].append(_generated(question, [crux] if crux else []))
                raw[name].append(_generated(question, [crux | resolution] if crux else []))
                resolved[name].append(_generated(question, [crux | final] if crux else []))
            verified.append({"market_id": question["id"], "question": question["question"], "entries": entries})
            pairs += [
                {"parent": question["question"], "a": a, "b": b, "cosine": 0.5 + question["id"] % 7 / 20,
                 "same_resolution": 1, "date_gap_days": 0.0}
                for a, b in (("opus", "qwen"), ("opus", "llama8b"), ("qwen", "llama8b"))
            ]  # fmt: skip
        for name in GENERATORS:
            self._write(f"outputs/{name}/subquestions.json", proposed[name])
            self._write(f"outputs/{name}/resolved_raw.json", raw[name])
            self._write(f"outputs/{name}/resolved.json", resolved[name])
        self._write("outputs/timestamp_verifications.json", verified)
        self._write("outputs/crossmodel_similarity_pairs.json", pairs)
        scores = self.root / "data" / "epoch_eci_scores_2026-09-22.csv"
        scores.write_text("model,score\nmodel-a,150\n", encoding="utf-8")

    def _write_forecasts(self, questions: list[dict[str, Any]]) -> None:
        for place, forecaster in enumerate(FORECASTERS):
            self._write(
                f"outputs_forecast/{forecaster}/baseline_pu.json",
                [_forecast(question, 0.25 + 0.05 * place) for question in questions],
            )
        for generator in GENERATORS:
            file = f"outputs_forecast/{FORECASTERS[0]}/subq_pu__{generator.replace('/', '_')}.json"
            cruxes = {question["id"]: self.released_crux(generator, question["id"]) for question in questions}
            informed = [question for question in questions if _informs(question, cruxes[question["id"]])]
            self._write(file, [_forecast(question, 0.5) for question in informed])


def _question(number: int) -> dict[str, Any]:
    market_id, place = IDS[number], PLACES[number]
    start = parse_utc("2025-09-18T00:00:10Z") + number * DAY
    closes = parse_utc("2026-01-28T12:00:00Z") + number * DAY
    settled = closes + 2 * HOUR
    if market_id == EARLY:
        settled = start + 22 * DAY + 9 * HOUR
    last_price = floor_hour(settled) - timedelta(hours=settled.hour) + timedelta(seconds=22)
    opened = start - (9 * DAY if number % 2 else 5 * HOUR)
    first_price = start - 8 * DAY if number % 2 else start
    answer = "Yes" if number % 3 == 0 else "No"
    return {
        "id": market_id,
        "question": f"Will {place} open its harbour by {closes:%B %d}?",
        "conditionId": f"0x{market_id:064x}",
        "slug": f"will-{place.lower()}-open-its-harbour",
        "startDate": f"{opened:%Y-%m-%dT%H:%M:%S.%f}Z",
        "endDate": f"{closes:%Y-%m-%dT%H:%M:%SZ}",
        "createdAt": _iso(opened - HOUR),
        "closedTime": f"{settled:%Y-%m-%d %H:%M:%S}+00",
        "umaEndDate": f"{settled:%Y-%m-%dT%H:%M:%SZ}",
        "umaResolutionStatus": "resolved",
        "description": f"This market resolves to Yes if the harbour of {place} takes in a paying ship in time."
        + ("\n\nAdditional context (November 3): The ferry of October 30 was no paying ship." if number == 2 else ""),
        "outcomes": ["Yes", "No"],
        "outcomePrices": ["1", "0"] if answer == "Yes" else ["0", "1"],
        "clobTokenIds": [f"{market_id}1", f"{market_id}2"],
        "volume": 1000.5 * (number + 1),
        "negRisk": 1.0 if number == 0 else 0.0,
        "negRiskRequestID": None,
        "events": [{"id": str(45000 + number), "slug": f"{place.lower()}-harbour", "endDate": _iso(closes)}],
        "tags": [] if number else ["Transport", {"label": "Harbours", "slug": "harbours"}],
        "resolution": answer,
        "ph_start": round(first_price.timestamp() * 1000),
        "ph_end": round(last_price.timestamp() * 1000),
        "active_periods": [number % 4],
        "active_windows": [
            {
                "period_idx": number % 4,
                "start": _iso(start),
                "end": _iso(min(start + 30 * DAY, last_price - 3 * DAY)),
                "as_dicts": _articles(place, start),
            }
        ],
        "num_active": 1,
        "window_volume_usd": 4321.5,
    }


def _articles(place: str, start: datetime) -> list[dict[str, Any]]:
    moments = [_iso(start - 40 * DAY), f"{start - 2 * DAY:%Y-%m-%dT%H:%M:%S}", _iso(start + 3 * DAY), "some day"]
    return [
        {
            "title": f"News {number} of {place}",
            "url": f"https://courier.example/{place.lower()}/{number}",
            "source": "courier",
            "pub_date": moment,
            "summary": f"Report {number} on the harbour of {place}.",
        }
        for number, moment in enumerate(moments)
    ]


def _crux(question: dict[str, Any], place: int) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """What a generator proposed, and what the resolver made of it."""
    market_id, window = question["id"], question["active_windows"][0]
    start, end = parse_utc(window["start"]), parse_utc(window["end"])
    if market_id == SILENT and place == 1:
        return None, {}
    last_day = end - (place + 1) * DAY
    first_day = start - 2 * DAY if market_id == EAGER else start
    crux = {
        "question": f"Will the council of {PLACES[IDS.index(market_id)]} vote on plan {place}?",
        "background_information": "The council has debated it for years.",
        "resolution_criteria": "Yes if a vote on the plan is reported.",
        "start_date": f"{first_day:%Y-%m-%d}",
        "end_date": f"{last_day:%Y-%m-%d}" if place else f"{last_day:%Y-%m-%dT23:59:59Z}",
        "rationale": "Without a vote the harbour stays shut.",
        "valid_period": True,
    }
    if market_id == INVALID and place == 0:
        return crux | {"end_date": f"{end + 5 * DAY:%Y-%m-%d}", "valid_period": False}, {}
    steps = {"step1_decompose": "A vote.", "step8_final_decision": "The reports agree."}
    resolution: dict[str, Any] = {"evidence": steps, "source_urls": ["https://courier.example/vote"]}
    if market_id == UNRESOLVABLE:
        return crux, resolution | {"resolvable": False, "resolution": "", "resolution_datetime": ""}
    deadline = f"{last_day:%Y-%m-%d}T23:59:59Z"
    if place == 1:
        return crux, resolution | {"resolvable": True, "resolution": "No", "resolution_datetime": deadline}
    moment = floor_hour(start) + (4 + place + IDS.index(market_id) % 5) * DAY + timedelta(hours=13, minutes=30)
    if market_id == AFTER_THE_END and place == 2:
        moment = parse_utc(question["umaEndDate"]) + DAY
    return crux, resolution | {
        "resolvable": True,
        "resolution": "Yes",
        "resolution_datetime": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
    }


def _verification(model: str, resolution: dict[str, Any], place: int) -> dict[str, Any] | None:
    if not resolution.get("resolvable"):
        return None
    old = parse_utc(resolution["resolution_datetime"])
    moved = place == 2
    is_yes = resolution["resolution"] == "Yes"
    # The third generator's times are moved to the start of their day: only the date is known.
    new = old.replace(hour=0, minute=0) if moved else old
    return {
        "model": model,
        "resolution": resolution["resolution"],
        "old_datetime": f"{old:%Y-%m-%dT%H:%M:%SZ}",
        "adjudicated_datetime": f"{new:%Y-%m-%dT%H:%M:%SZ}",
        "rule": "yes_event" if is_yes else "no_deadline",
        "event_group": "vote" if is_yes else "deadline",
        "time_precision": ("date_only" if moved else "stated") if is_yes else "deadline",
        "changed": moved,
        "rationale": "A source states no hour." if moved else "A source states it.",
    }


def _generated(question: dict[str, Any], cruxes: list[dict[str, Any]]) -> dict[str, Any]:
    window = _without(question["active_windows"][0], "as_dicts")
    kept = {key: question[key] for key in ("id", "question", "description", "resolution")}
    return kept | {"active_windows": [window | {"subquestions": cruxes}]}


def _informs(question: dict[str, Any], crux: dict[str, Any] | None) -> bool:
    if crux is None or not crux.get("resolvable"):
        return False
    return parse_utc(crux["resolution_datetime"]) <= _of_milliseconds(question["ph_end"])


def _forecast(question: dict[str, Any], p_u: float) -> dict[str, Any]:
    period = question["active_windows"][0]["period_idx"]
    return {"ultimate_question": question["question"], "period_idx": period, "p_u": p_u}


def _trusted(prices: list[float], volumes: list[float]) -> list[float]:
    trusted: list[float] = []
    for hour, price in enumerate(prices):
        rounded = round(price * 1000) / 1000
        weight = min(1.0, sum(volumes[max(hour - 12, 0) : hour + 13]) / 1000)
        trusted.append(weight * rounded + (1 - weight) * trusted[-1] if trusted else rounded)
    return trusted


def _without(record: dict[str, Any], field: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != field}


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _of_milliseconds(value: int) -> datetime:
    return parse_utc("1970-01-01T00:00:00Z") + timedelta(milliseconds=value)
