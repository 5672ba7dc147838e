"""The lists of stages, in the paper's order."""

from collections.abc import Mapping
from datetime import datetime

from cruxbench_inspect.markets.funnel_rules import FunnelRules
from cruxbench_inspect.markets.funnel_stage import Stage
from cruxbench_inspect.markets.market_stages import (
    confirmed_resolution,
    enough_points,
    first_of_equal_questions,
    has_resolution,
    has_yes,
    history_reaches,
    horizon,
    is_open,
    largest_of_similar_questions,
    no_keyword,
    no_placeholder,
    no_tag,
    one_per_event,
    one_record,
    scheduled_close,
)
from cruxbench_inspect.markets.window_stages import (
    active_period,
    long_window,
    one_window,
    traded,
    undecided,
    window_before_close,
)


def stages(rules: FunnelRules) -> tuple[Stage, ...]:
    """The paper's funnel over closed markets, up to the choice of a window; ``window_volume`` comes after it.

    Three stages are not the paper's: a market that was listed twice counts once, placeholders of a group of markets are
    left out, and a market without a scheduled close in its record is kept if its rules state a deadline.
    """
    return (
        one_record(),
        history_reaches(rules.earliest),
        has_resolution(),
        first_of_equal_questions(),
        confirmed_resolution(),
        has_yes(),
        *_by_record(rules),
        *_by_history_and_event(rules),
        active_period(rules),
        long_window(rules),
        one_window(rules.seed),
    )


def record_stages(rules: FunnelRules, *, live: bool = False) -> tuple[Stage, ...]:
    """The stages that judge each market alone, by its record and without its prices.

    What they drop, the whole funnel drops as well: so no prices have to be asked for it.
    """
    return (
        *((is_open(),) if live else (has_resolution(), confirmed_resolution())),
        has_yes(),
        *_by_record(rules),
        no_placeholder(rules.placeholders),
        no_keyword("blocklisted phrase", rules.description_phrases, rules.matching, in_description=True),
    )


def live_stages(rules: FunnelRules, start: datetime) -> tuple[Stage, ...]:
    """The funnel over open markets for a round that starts at a midnight: it uses only what is known by then.

    The frame must not have later prices. The trailing volume comes after it, by ``trailing_volume``.
    """
    return (
        one_record(),
        is_open(),
        first_of_equal_questions(),
        has_yes(),
        *_by_record(rules),
        *_by_history_and_event(rules),
        undecided(rules.certain, start),
        window_before_close(rules, start),
    )


def window_volume(rules: FunnelRules, volumes_usdc: Mapping[str, float]) -> Stage:
    """The last stage: enough was traded in the hours of the chosen window.

    Args:
        rules: The amount, and the basis on which the volumes have to be counted.
        volumes_usdc: For every market that is left, what was traded from the window's start, floored to the hour, to
            its end, floored to the hour, plus 23 hours.
    """
    return traded("window volume", "inside its window", rules, volumes_usdc)


def trailing_volume(rules: FunnelRules, volumes_usdc: Mapping[str, float]) -> Stage:
    """The last stage of a live round: enough was traded before its start, in as many days as a window has."""
    return traded("trailing volume", f"in the {rules.period_days} days before the start", rules, volumes_usdc)


def _by_record(rules: FunnelRules) -> tuple[Stage, ...]:
    return (
        no_tag(rules.excluded_tags),
        no_keyword("tweet or say", rules.question_words, rules.matching),
        scheduled_close(),
        horizon(rules.shortest_horizon_days),
        no_keyword("excluded subject", rules.subjects, rules.matching),
    )


def _by_history_and_event(rules: FunnelRules) -> tuple[Stage, ...]:
    return (
        enough_points(rules.fewest_points),
        no_placeholder(rules.placeholders),
        one_per_event(rules.seed),
        largest_of_similar_questions(),
        no_keyword("blocklisted phrase", rules.description_phrases, rules.matching, in_description=True),
    )
