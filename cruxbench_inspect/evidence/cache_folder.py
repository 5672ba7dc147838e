"""Where archives and stored results are kept between runs."""

import os
from pathlib import Path

from platformdirs import user_cache_path

from cruxbench_inspect.working_directory import user_path


def cache_folder() -> Path:
    """The benchmark's cache folder: ``CRUXBENCH_CACHE_DIR`` where that is set, else the user's own. Not created."""
    chosen = os.environ.get("CRUXBENCH_CACHE_DIR")
    return user_path(chosen) if chosen else user_cache_path("cruxbench")
