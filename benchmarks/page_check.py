"""Whether a report's page works in a browser: ``python -m benchmarks.page_check PAGE.html [--screenshots FOLDER]``.

The page is opened from disk in headless Chromium, 1440 and 360 pixels wide, light and dark. It fails on an error on
the console, a request that leaves the page, a figure that is not drawn, a serious or critical finding of axe-core, a
page that scrolls sideways, titles of axes that run into each other, cells of many lines in a table that scrolls, and
a table that is wider than a sheet of A4. Needed beside Python: Node, Chromium, and the npm packages
``playwright-core`` and ``axe-core``, which are looked for in ``--modules``, so that they need not be in this project.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_suffix(".mjs")
PACKAGES = ("playwright-core", "axe-core")
SEVERE = {"serious", "critical"}
SECONDS = 600


def main(options: Sequence[str] | None = None) -> int:
    """Check a page, and print what is wrong with it.

    Returns:
        0 if nothing is wrong, 1 if something is, 2 if something is missing that the check needs.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--screenshots", type=Path, help="folder for pictures of the page")
    parser.add_argument("--chromium", default="chromium", help="Chromium's command or path (default %(default)s)")
    parser.add_argument(
        "--modules", type=Path, default=Path("node_modules"), help="folder of npm packages (default %(default)s)"
    )
    arguments = parser.parse_args(options)
    if missing := _missing(arguments.page, arguments.chromium, arguments.modules):
        print("\n".join(missing), file=sys.stderr)
        return 2
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    views = _views(arguments.page, arguments.chromium, arguments.modules, arguments.screenshots)
    if views is None:
        return 2
    failed = False
    for view in views:
        problems, remarks = judged(view)
        failed = failed or bool(problems)
        print(f"{view['name']}: {len(problems)} problems, {view['drawn']} figures drawn")
        for line in (*problems, *remarks):
            print(f"  {line}")
    return int(failed)


def judged(view: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """What is wrong with a view of the page, and what axe-core and the browser remark beyond that; a line each."""
    findings = [
        (each["impact"], f"axe-core, {each['impact']}: {each['help']} ({each['count']} times, as {each['example']})")
        for each in view["findings"]
    ]
    problems = [
        *(f"console: {text.splitlines()[0]}" for text in dict.fromkeys(view["console"])),
        *(f"request: {address}" for address in view["requests"]),
        *(f"figure not drawn: {name}" for name in view["undrawn"]),
        *([f"the page scrolls sideways by {view['overflow']} pixels"] if view["overflow"] > 0 else []),
        *view["crowded"],
        *(f"cut off on paper: {cut}" for cut in view["cut"]),
        *(line for impact, line in findings if impact in SEVERE),
    ]
    warnings = [f"console, warning: {text.splitlines()[0]}" for text in dict.fromkeys(view["warnings"])]
    return problems, [*(line for impact, line in findings if impact not in SEVERE), *warnings]


def _missing(page: Path, chromium: str, modules: Path) -> list[str]:
    """What is not there, and how to get it."""
    packages = [name for name in PACKAGES if not (modules / name).is_dir()]
    checks = {
        f"{page}: no such page; `cruxbench report` makes one": page.is_file(),
        "Node is not installed: on Debian, `apt-get install nodejs npm`": shutil.which("node") is not None,
        f"{chromium}: no such command; on Debian, `apt-get install chromium`": shutil.which(chromium) is not None,
        f"{modules} has no {' and no '.join(packages)}: `npm install --prefix FOLDER {' '.join(PACKAGES)}`, then name "
        "FOLDER/node_modules with --modules": not packages,
    }
    return [message for message, there in checks.items() if not there]


def _views(page: Path, chromium: str, modules: Path, screenshots: Path | None) -> list[dict[str, Any]] | None:
    """What the browser found, by width and theme; None if it did not run to its end."""
    folder = str(screenshots.resolve()) if screenshots else ""
    command = ["node", *map(str, (SCRIPT, page.resolve(), shutil.which(chromium), modules.resolve())), folder]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if run.returncode:
        print(f"The browser could not be run to the end.\n{run.stderr}", file=sys.stderr)
        return None
    views: list[dict[str, Any]] = json.loads(run.stdout)
    return views


if __name__ == "__main__":
    sys.exit(main())
