"""Build the demo set: ``python -m cruxbench_inspect.demo.build [--seed N] [--output DIR]``."""

import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import polars as pl

from cruxbench_inspect.demo.documents import Document
from cruxbench_inspect.demo.facts import Fact
from cruxbench_inspect.demo.play import play

SEED = 11
"""The seed of the embedded set."""

FOLDER = Path(__file__).parent / "set"
"""Where the embedded set lies."""

DESCRIPTION = (
    "Fictional: every place, firm, office, person, article and price in it is invented, and none of it says anything "
    "about the world. "
    "It exists to try out, demonstrate and test the benchmark offline; scores on it measure no model. "
    "Prices are a simulated martingale with jumps at the events that the evidence reports. "
    "Built by cruxbench_inspect.demo.build."
)

SCHEMA = {
    "question_id": pl.String(),
    "hour": pl.Datetime("us", "UTC"),
    "price": pl.Float64(),
    "volume_usdc": pl.Float64(),
}
"""Columns of ``prices.parquet``."""


@dataclass(frozen=True)
class DemoSet:
    """The set before it is written.

    Attributes:
        questions: Lines of ``questions.jsonl``.
        outcomes: Lines of ``outcomes.jsonl``.
        evidence: Lines of ``evidence.jsonl``.
        prices: The table of ``prices.parquet``.
        facts: What really happened in each story, event by event. No file of the set has it.
    """

    questions: list[dict[str, Any]]
    outcomes: list[dict[str, Any]]
    evidence: list[dict[str, Any]]
    prices: pl.DataFrame
    facts: tuple[Fact, ...]


def build(seed: int = SEED) -> DemoSet:
    """Make the set in memory; equal seeds give equal sets.

    Args:
        seed: Any whole number from 0.
    """
    played = play(seed)
    documents = sorted(played.documents, key=lambda document: (document.published, document.url))
    return DemoSet(
        questions=[question.known for question in played.questions],
        outcomes=[
            {"question_id": question.id, "outcome": question.outcome, "resolved_at": question.resolved_at}
            for question in played.questions
        ],
        evidence=[_line(document) for document in documents],
        prices=pl.concat(
            pl.DataFrame(
                {
                    "question_id": [question.id] * len(question.series.hours),
                    "hour": question.series.hours,
                    "price": question.series.prices,
                    "volume_usdc": question.series.volumes,
                },
                schema=SCHEMA,
            )
            for question in played.questions
        ),
        facts=played.facts,
    )


def write(demo: DemoSet, folder: Path) -> None:
    """Write the set's five files into a folder, which is made if need be."""
    table = io.BytesIO()
    demo.prices.write_parquet(table, compression="zstd", compression_level=15)
    files = {
        "questions.jsonl": _json_lines(demo.questions),
        "outcomes.jsonl": _json_lines(demo.outcomes),
        "prices.parquet": table.getvalue(),
        "evidence.jsonl": _json_lines(demo.evidence),
    }
    manifest = {
        "format": 1,
        "name": "demo",
        "version": "2",
        "description": DESCRIPTION,
        "fictional": True,
        "prices": "raw",
        "evidence": "archive",
        "judges": {"resolver": "cruxbench/keyword", "verifier": "cruxbench/keyword"},
        "counts": {
            "questions": len(demo.questions),
            "documents": len(demo.evidence),
            "prices": demo.prices.height,
        },
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "manifest.json").write_bytes((json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


def _line(document: Document) -> dict[str, Any]:
    """A document as a line, without what it does not have."""
    order = ("url", "title", "source", "published", "modified", "text")
    fields = asdict(document)
    return {name: fields[name] for name in order if fields[name] is not None}


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


@click.command(epilog="Example: python -m cruxbench_inspect.demo.build --seed 8 --output other-demo")
@click.option(
    "--seed", type=click.IntRange(min=0), default=SEED, show_default=True, help="What the chance draws start from."
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=FOLDER,
    show_default="the embedded set",
    help="The folder to write.",
)
def main(seed: int, output: Path) -> None:
    """Build the fictional question set."""
    demo = build(seed)
    write(demo, output)
    click.echo(
        f"{len(demo.questions)} questions, {len(demo.evidence)} documents, {demo.prices.height} prices in {output}"
    )


if __name__ == "__main__":
    main()
