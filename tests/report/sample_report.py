"""Reports for tests: small ones with all kinds of cells and parts, and one of full size."""

from typing import Any

from cruxbench_inspect.report.figure import Figure
from cruxbench_inspect.report.report import Report, Section
from cruxbench_inspect.report.table import Cell, Column, Table

NAN = float("nan")

COLUMNS = (
    Column("rank", "Rank", "integer"),
    Column("model", "Model", help="As the log names it."),
    Column("voi", "VOI (bits)", "number", 4),
    Column("interval", "95% CI", "interval"),
    Column("share", "Share", "share", 1),
    Column("p", "p", "p_value"),
    Column("hit", "Hit", "truth"),
)
ROWS: tuple[dict[str, Cell], ...] = (
    {
        "rank": 1,
        "model": "a|b, *c*",
        "voi": 0.01579,
        "interval": (0.0091, 0.0225),
        "share": 0.952,
        "p": 1.6e-7,
        "hit": True,
        "beyond": 7,
    },
    {
        "rank": 2,
        "model": 'say "hi"',
        "voi": NAN,
        "interval": (NAN, NAN),
        "share": None,
        "p": NAN,
        "hit": False,
        "_link": "logs/index.html#/b",
    },
    {"model": "random timing", "voi": 0.0073, "interval": (-0.5, 0.009), "share": 1.0, "p": 0.5, "hit": None},
)


def table(name: str = "voi", **changes: Any) -> Table:
    values: dict[str, Any] = {
        "title": "Value of information",
        "columns": COLUMNS,
        "rows": ROWS,
        "notes": ("A **bold** note.",),
        "paper": "Table 1",
        "emphasised": frozenset({2}),
    }
    return Table(name, **(values | changes))


def figure(name: str = "voi", text: str = "a model", values: list[dict[str, object]] | None = None) -> Figure:
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {
            "values": values or [{"model": text, "voi": 0.25, "part": text}, {"model": "b", "voi": NAN, "part": "b"}]
        },
        "mark": "bar",
        "encoding": {
            "x": {"field": "voi", "type": "quantitative"},
            "y": {"field": "model", "type": "nominal"},
            "color": {"field": "part", "type": "nominal"},
        },
    }
    return Figure(name, f"Figure of {text}", spec, f"It shows {text}.", "Made with *care*.", "Figure 2")


def report(*parts: Table | Figure, **changes: Any) -> Report:
    values: dict[str, Any] = {
        "title": "A report",
        "lead": "a is better than b.",
        "sections": (
            Section("results", "Results", "First.\n\nSecond.", parts, ("Figure 3 is left out: no forecasts.",)),
        ),
        "warnings": ("Judges differ.",),
        "made_at": "1 December 2026, 12:00 UTC",
    }
    return Report(**(values | changes))
