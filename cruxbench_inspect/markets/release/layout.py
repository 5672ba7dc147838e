"""Where the files of a release lie."""

from dataclasses import dataclass
from pathlib import Path

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.markets.release.names import model_name

RESOLVED, RAW_RESOLVED, UNJUDGED = "resolved.json", "resolved_raw.json", "subquestions.json"
"""Files of a generator: with verified times, with the resolver's, without resolutions."""

BASELINE = "baseline_pu.json"
"""A forecaster's forecasts without a crux."""

WITH_CRUX = "subq_pu__"
"""How the files with a forecaster's forecasts given cruxes begin; the generator's name follows."""


@dataclass(frozen=True)
class ReleaseLayout:
    """A checkout or a copy of the release.

    Attributes:
        root: Its folder.
    """

    root: Path

    @classmethod
    def of(cls, root: Path) -> "ReleaseLayout":
        """Look for a release in a folder.

        Raises:
            InputError: If the folder holds none.
        """
        layout = cls(root)
        if not root.is_dir():
            raise InputError(f"there is no folder {root}: give the checkout of the release")
        if not any(path.is_file() for path in layout._question_files):
            raise InputError(
                f"{root} is no release: it has neither data/ultimates_w_news.json nor data/ultimates.json. "
                "Give the folder that holds data/, outputs/ and outputs_forecast/"
            )
        return layout

    @property
    def question_files(self) -> list[Path]:
        """The files with the questions, the one with articles first."""
        return [path for path in self._question_files if path.is_file()]

    @property
    def generators(self) -> dict[str, Path]:
        """Folders of generators by model; they may nest."""
        outputs = self.root / "outputs"
        files = sorted(path for name in (RESOLVED, RAW_RESOLVED, UNJUDGED) for path in outputs.rglob(name))
        folders = [path.parent for path in files if path.parent != outputs]
        return {model_name(folder.relative_to(outputs).as_posix()): folder for folder in folders}

    @property
    def forecasters(self) -> dict[str, Path]:
        """Folders of forecasters by name."""
        return {
            path.parent.name: path.parent for path in sorted((self.root / "outputs_forecast").glob(f"*/{BASELINE}"))
        }

    @property
    def verifications(self) -> Path:
        """The verifier's decisions."""
        return self.root / "outputs" / "timestamp_verifications.json"

    @property
    def capability_scores(self) -> tuple[Path, ...]:
        """Tables of capability scores of models."""
        return tuple(sorted((self.root / "data").glob("epoch_eci_scores_*.csv")))

    @property
    def similarity_pairs(self) -> Path:
        """Similarities of the generators' cruxes."""
        return self.root / "outputs" / "crossmodel_similarity_pairs.json"

    def trusted_prices(self, market_id: str) -> Path:
        """Trusted hourly prices of a market."""
        return self.root / "data" / "hourly_prices_trusted" / f"{market_id}.json"

    def raw_prices(self, market_id: str) -> Path:
        """Raw hourly prices of a market."""
        return self.root / "data" / "hourly_prices" / f"{market_id}.json"

    def activity(self, market_id: str) -> Path:
        """Hourly volumes of a market."""
        return self.root / "data" / "hourly_activity" / f"{market_id}.json"

    @property
    def _question_files(self) -> list[Path]:
        return [self.root / "data" / name for name in ("ultimates_w_news.json", "ultimates.json")]
