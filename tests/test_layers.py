"""Dependencies point one way, also those of imports inside functions."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LAYERS: tuple[tuple[str, ...], ...] = (
    ("tasks",),
    ("solvers", "scorers"),
    ("cruxbench_inspect._registry",),
    (
        "cruxbench_inspect.cli+cruxbench_inspect.archive_commands+cruxbench_inspect.market_commands"
        "+cruxbench_inspect.import_commands+cruxbench_inspect.report_commands+cruxbench_inspect.command_options",
    ),
    ("cruxbench_inspect.report",),
    (
        "cruxbench_inspect.question_display",
        "cruxbench_inspect.keyword_model",
        "cruxbench_inspect.demo",
        "cruxbench_inspect.audit",
        "cruxbench_inspect.markets",
    ),
    ("cruxbench_inspect.keyword", "cruxbench_inspect.score_record"),
    ("cruxbench_inspect.judge", "cruxbench_inspect.explanation", "cruxbench_inspect.proposals"),
    ("cruxbench_inspect.settlement", "cruxbench_inspect.evidence"),
    # A set is loaded through QuestionSet.load, which imports the reading of its files when it is called.
    ("cruxbench_inspect.questions+cruxbench_inspect.question_files", "cruxbench_inspect.crux"),
    (
        "cruxbench_inspect.question_prices",
        "cruxbench_inspect.resolution",
        "cruxbench_inspect.crux_text",
        "cruxbench_inspect.restatement",
    ),
    ("cruxbench_inspect.sloppy_json", "cruxbench_inspect.crux_dates", "cruxbench_inspect.voi"),
    (
        "cruxbench_inspect.prices",
        "cruxbench_inspect.metrics",
        "cruxbench_inspect.sample_columns",
        "cruxbench_inspect.inference",
    ),
    (
        "cruxbench_inspect.cited_pages",
        "cruxbench_inspect.source_kinds",
        "cruxbench_inspect.side_by_side",
        "cruxbench_inspect.clock",
        "cruxbench_inspect.statistics",
        "cruxbench_inspect.utc",
        "cruxbench_inspect.errors",
        "cruxbench_inspect.prompts",
        "cruxbench_inspect.working_directory",
    ),
)
"""From the top. A part imports parts of layers below its own; parts of one layer do not know each other."""

PURE = (
    "cruxbench_inspect.prices",
    "cruxbench_inspect.voi",
    "cruxbench_inspect.statistics",
    "cruxbench_inspect.inference",
)

RANKS = {name: rank for rank, layer in enumerate(LAYERS) for part in layer for name in part.split("+")}
PARTS = {name: part for layer in LAYERS for part in layer for name in part.split("+")}


def modules() -> dict[str, Path]:
    found = {}
    for folder in ("tasks", "solvers", "scorers", "cruxbench_inspect"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            found[name] = path
    return found


MODULES = modules()


@cache
def imports(module: str) -> set[str]:
    """All modules that a module imports anywhere, by their full names."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{module} has a relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in inner}
    return found


def part_of(module: str) -> str | None:
    """The part of the layers that a module belongs to; None for the package itself and for other packages."""
    names = module.split(".")
    return next((name for length in range(len(names), 0, -1) if (name := ".".join(names[:length])) in RANKS), None)


def test_every_module_has_its_layer() -> None:
    homeless = [module for module in MODULES if part_of(module) is None and module != "cruxbench_inspect"]
    assert not homeless, "name these in LAYERS"
    assert {part_of(module) for module in MODULES} - {None} == set(RANKS), "LAYERS names what is not there"


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module: str) -> None:
    part = part_of(module)
    for imported in imports(module):
        other = part_of(imported)
        if part is None or other is None or PARTS[part] == PARTS[other]:
            continue
        assert RANKS[part] < RANKS[other], f"{module} imports {imported}, which is not below it"


def test_the_package_itself_imports_nothing_of_the_project() -> None:
    assert not [name for name in imports("cruxbench_inspect") if part_of(name) is not None]


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("cruxbench_inspect")])
def test_the_library_knows_no_task_no_solver_and_no_scorer(module: str) -> None:
    assert not {name.split(".")[0] for name in imports(module)} & {"tasks", "solvers", "scorers", "tests"}


@pytest.mark.parametrize("module", [name for name in MODULES if part_of(name) in PURE])
def test_pure_maths_knows_neither_inspect_nor_input_and_output(module: str) -> None:
    allowed = {
        *("collections", "dataclasses", "datetime", "decimal", "functools", "itertools", "math", "re", "typing"),
        *("numpy", "scipy", "unicodedata"),
    }
    own = {name for name in imports(module) if name.startswith("cruxbench_inspect")}
    assert {name.split(".")[0] for name in imports(module) - own} <= allowed
    assert {part_of(name) for name in own} - {None} <= {"cruxbench_inspect.utc", *PURE}
    calls = [node.func for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8")))
             if isinstance(node, ast.Call)]  # fmt: skip
    assert not {func.id for func in calls if isinstance(func, ast.Name)} & {"open", "print", "input", "exec", "eval"}


def test_the_judge_knows_no_question_no_price_and_no_outcome() -> None:
    reached, left = set(), [name for name in MODULES if name.startswith("cruxbench_inspect.judge")]
    while left:
        module = left.pop()
        if module not in reached:
            reached.add(module)
            left += [name for name in imports(module) if name in MODULES]
    forbidden = {"questions", "question_files", "prices", "voi", "settlement", "explanation"}
    assert not reached & {f"cruxbench_inspect.{name}" for name in forbidden}
