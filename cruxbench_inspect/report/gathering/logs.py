"""Reading many logs, in processes of their own where there are enough of them to be worth it."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from cruxbench_inspect.report.gathering.forecast_run import ForecastRun, read_forecast
from cruxbench_inspect.report.gathering.run import Run, read_run
from cruxbench_inspect.report.gathering.unread import Unread

_WORTH_IT = 16
"""Logs that take long, from which on processes of their own take less time than they need to start."""


def read_logs(
    locations: Sequence[str], progress: Callable[[int, int], None] = lambda done, of: None, processes: int = 1
) -> list[Run | ForecastRun | Unread]:
    """Read logs, each as what it is.

    Args:
        locations: The logs.
        progress: Is told how many have been read.
        processes: How many processes may read. With more than one, a script that calls this has to be importable
            without effects, as ``multiprocessing`` wants it.

    Returns:
        What they are, in the order of their locations.
    """
    read: list[Run | ForecastRun | Unread] = []
    if sum(map(_takes_long, locations)) < _WORTH_IT or processes < 2:
        for location in locations:
            read.append(read_log(location))
            progress(len(read), len(locations))
        return read
    # Forked processes would inherit the threads' locks of what is loaded here.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for one in pool.map(read_log, locations, chunksize=4):
            read.append(one)
            progress(len(read), len(locations))
    return read


def read_log(location: str) -> Run | ForecastRun | Unread:
    """Read one log."""
    read = read_run(location)
    return read_forecast(location) if isinstance(read, Unread) and read.task == "forecast" else read


def _takes_long(location: str) -> bool:
    """Whether reading a log takes longer than handing it over to another process: not of packed logs on this disk."""
    return "://" in location or not location.endswith(".eval")
