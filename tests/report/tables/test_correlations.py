import math
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import pearsonr, spearmanr

from cruxbench_inspect.report.gathering.facts import ModelFacts, read_facts
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.tables.correlations import correlations
from tests.synthetic_study import Subject, SyntheticStudy


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    made = SyntheticStudy(tmp_path_factory.mktemp("correlations"), questions=8)
    written: list[Path] = made.write([Subject(f"lab/m{number}", skill=0.2 * number) for number in range(5)])
    return make_study([str(path) for path in written], read_facts(None), Options())


def test_it_is_what_scipy_says(study: Study) -> None:
    capability = {label: float(place * place) for place, label in enumerate(sorted(study.labels))}
    known = replace(study, facts={label: ModelFacts(label, capability=value) for label, value in capability.items()})
    (row,) = correlations(known).rows
    labels = list(capability)
    voi = [float(study.scored(label)["voi_kl"].to_numpy().mean()) for label in labels]
    scores = [capability[label] for label in labels]
    expected = pearsonr(scores, voi)
    assert row["r"] == pytest.approx(expected.statistic, abs=1e-9)
    assert row["p"] == pytest.approx(expected.pvalue, abs=1e-9)
    assert row["rho"] == pytest.approx(spearmanr(scores, voi).statistic, abs=1e-9)
    half = 1.959963984540054 / math.sqrt(len(labels) - 3)
    assert row["interval"] == pytest.approx(
        (math.tanh(math.atanh(expected.statistic) - half), math.tanh(math.atanh(expected.statistic) + half)), abs=1e-9
    )
    without = [pearsonr(scores[:n] + scores[n + 1 :], voi[:n] + voi[n + 1 :]).statistic for n in range(len(labels))]
    assert row["least"] == pytest.approx(min(without))
    assert row["most"] == pytest.approx(max(without))


def test_without_other_scores_there_is_a_sentence(study: Study) -> None:
    with pytest.raises(ValueError, match="no capability .* or own forecasts are known of three models"):
        correlations(study)
