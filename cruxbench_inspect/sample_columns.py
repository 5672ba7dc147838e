"""How Inspect's log viewer lists the samples of a run."""

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

LABELS = {
    "voi_kl": "KL",
    "excess_kl": "excess KL",
    "random_kl": "random",
    "oracle_kl": "oracle",
    "timing_percentile": "percentile",
    "signed_move": "signed move",
    "resolved": "resolved",
    "abs_change": "|change|",
    "entropy_drop": "entropy drop",
    "squared_change": "change²",
    "coverage": "scored",
}
"""What the sample list calls the scores, in the order of its columns."""


def sample_columns() -> ViewerConfig:
    """Columns, order and colours of the viewer's list of samples."""
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name="Value of information",
            columns=[
                TaskSamplesColumn(id="sampleStatus"),
                TaskSamplesColumn(id="sampleId"),
                TaskSamplesColumn(id="epoch", visible=False),
                TaskSamplesColumn(id="input", visible=False),
                TaskSamplesColumn(id="target", visible=False),
                TaskSamplesColumn(id="answer"),
                *(TaskSamplesColumn.score("voi", key) for key in LABELS),
            ],
            sort=[TaskSamplesSort.score("voi", "voi_kl", dir="desc")],
            multiline=False,
            score_labels=LABELS,
            score_color_scales={
                "voi_kl": ScoreColorScale(palette="neutral", min=0.0, max=0.2),
                "excess_kl": ScoreColorScale(palette="diverging", min=-0.1, max=0.1),
                "timing_percentile": ScoreColorScale(palette="good-high", min=0.0, max=1.0),
                "signed_move": ScoreColorScale(palette="diverging", min=-0.5, max=0.5),
                "resolved": ScoreColorScale(palette="good-high", min=0.0, max=1.0),
            },
            color_scales_enabled=True,
        ),
        sample_score_view=SampleScoreView(default="grid"),
    )
