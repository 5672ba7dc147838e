"""Figures of studies that lack what they show say so in a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import polars as pl
import pytest

from cruxbench_inspect.report.drawings import (
    against_capability,
    against_own_forecasts,
    cost_of_information,
    differences,
    funnels,
    gains,
    leads_over_cutoffs,
    martingale_check,
    means,
    timings,
    widths,
)
from cruxbench_inspect.report.gathering.facts import ModelFacts
from cruxbench_inspect.report.gathering.price_list import PriceList
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.material import Material
from cruxbench_inspect.report.widths import width_scores
from tests.report.tables.sample_study import Sample, with_rows

NOTHING: dict[str, tuple[Callable[[Material], Sequence[object]], Callable[[Material], Material], str]] = {
    "means": (means, lambda m: _unscored(m), "no question has a score"),
    "capability": (against_capability, lambda m: _unknown(m), "no capability of a model is known"),
    "own forecasts": (against_own_forecasts, lambda m: m, "no forecaster's log is of one of these models"),
    "one model": (differences, lambda m: _alone(m), "With one model there is no matrix of differences"),
    "no shared question": (differences, lambda m: _unscored(m), "no two models have scores for the same question"),
    "beliefs": (martingale_check, lambda m: _unscored(m), "cruxes with both prices, and there are 0"),
    "no prices": (widths, lambda m: _without_sets(m), "they need the prices of the question set"),
    "no scores by width": (widths, lambda m: _unscored(m), "no model has any"),
    "timings": (timings, lambda m: _unscored(m), "no crux was resolved"),
    "cutoffs": (leads_over_cutoffs, lambda m: _unknown(m), "no cutoff is known"),
    "unpriced": (cost_of_information, lambda m: replace(m, prices=PriceList({}), study=_priceless(m)), "no price"),
    "priced but unscored": (cost_of_information, lambda m: _unscored(m), "no price of a model is known"),
    "funnel": (funnels, lambda m: _without_sets(m), "no manifest of these question sets has one"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_where_there_is_nothing_a_sentence_says_so(sample: Sample, name: str) -> None:
    draw, emptied, words = NOTHING[name]
    with pytest.raises(ValueError, match=words) as caught:
        draw(emptied(sample.material))
    assert str(caught.value)[0].isupper() and str(caught.value).endswith(".")


def test_without_groups_there_are_no_gains(sample: Sample) -> None:
    assert gains(_unscored(sample.material)) == []


def _unscored(material: Material) -> Material:
    study = with_rows(material.study, pl.DataFrame.clear)
    return Material(study, width_scores(study), material.prices, 3)


def _unknown(material: Material) -> Material:
    facts = {label: ModelFacts(label) for label in material.study.labels}
    return Material(replace(material.study, facts=facts), material.widths, material.prices, 3)


def _alone(material: Material) -> Material:
    study = replace(material.study, entries=material.study.entries[:1])
    return Material(study, material.widths, material.prices, 3)


def _without_sets(material: Material) -> Material:
    study = replace(material.study, sets={})
    return Material(study, width_scores(study), material.prices, 3)


def _priceless(material: Material) -> Study:
    """The study without the one model whose log tells what it cost."""
    return replace(material.study, entries=tuple(one for one in material.study.entries if one.label != "plain"))
