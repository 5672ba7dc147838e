"""Many logs at once, in one process and in several."""

import shutil

import pytest

from cruxbench_inspect.report.gathering.logs import read_logs
from cruxbench_inspect.report.gathering.run import Run
from cruxbench_inspect.report.gathering.unread import Unread
from tests.synthetic_study import Subject, SyntheticStudy

_LOGS = 17


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Copies of a log with one that is damaged, by addresses: those may be far away, and are worth processes."""
    folder = tmp_path_factory.mktemp("many")
    (written,) = SyntheticStudy(folder, 5).write([Subject("lab/alpha")])
    paths = [folder / f"{number:02}.eval" for number in range(_LOGS)]
    for path in paths:
        shutil.copyfile(written, path)
    paths[-1].write_bytes(b"no log")
    return [path.as_uri() for path in paths]


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_read_is_in_the_order_of_the_logs(addresses: list[str], processes: int) -> None:
    steps: list[tuple[int, int]] = []
    *runs, damaged = read_logs(addresses, lambda done, of: steps.append((done, of)), processes)
    assert [one.location for one in (*runs, damaged)] == addresses
    assert steps == [(done, _LOGS) for done in range(1, _LOGS + 1)]
    assert isinstance(damaged, Unread)
    for run in runs:
        assert isinstance(run, Run)
        assert (run.model, len(run.samples), run.samples[0].is_scored) == ("lab/alpha", 5, True)
