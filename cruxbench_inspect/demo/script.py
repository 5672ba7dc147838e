"""A story gets a cast, a window and dates: when each event becomes public, and how the articles announce it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from cruxbench_inspect.demo.beliefs import Answer
from cruxbench_inspect.demo.draws import Draws
from cruxbench_inspect.demo.story import Beat, Reporting, Series, Story
from cruxbench_inspect.demo.text import in_words, weekday
from cruxbench_inspect.demo.world import PLACES, Place

WINDOW = timedelta(days=30)


@dataclass(frozen=True)
class Occurrence:
    """An event with its date.

    Attributes:
        beat: The event.
        at: The moment at which its answer becomes public, in UTC.
        reporting: How the evidence tells its time.
    """

    beat: Beat
    at: datetime
    reporting: Reporting

    @property
    def moves_the_market(self) -> bool:
        """Whether its answer becomes public at a moment; otherwise nobody can trade on it."""
        return self.reporting not in ("undated", "silent")


@dataclass(frozen=True)
class Script:
    """A story ready to be played.

    Attributes:
        story: The templates.
        cast: Index of the cast.
        place: Where it happens.
        start: The window's start.
        opened: When the market opened.
        closes: The last minute of the deadline's day at the place, in UTC.
        prior: The market's first price.
        occurrences: Its events in the order of time.
        fields: Values for the templates that are known at the window's start.
    """

    story: Story
    cast: int
    place: Place
    start: datetime
    opened: datetime
    closes: datetime
    prior: float
    occurrences: tuple[Occurrence, ...]
    fields: dict[str, str]

    @property
    def question_id(self) -> str:
        """Id of the story's main question."""
        return f"demo-{self.story.kind}-{self.place.city.lower().replace(' ', '-')}"

    @property
    def has_sibling(self) -> bool:
        """Whether a second market shares its event."""
        return self.story.sibling is not None and self.cast == 0

    @property
    def end(self) -> datetime:
        """The window's end."""
        return self.start + WINDOW


def stage(story: Story, cast: int, start: datetime, draws: Draws) -> Script:
    """Give a story its cast, dates and figures.

    Args:
        story: The templates.
        cast: Index of the cast, which also picks the reporting of each event.
        start: The window's start, 00:00Z.
        draws: The random choices.
    """
    place = PLACES[story.casts[cast]["city"]]
    zone = ZoneInfo(place.zone)
    deadline = start.date() + WINDOW + timedelta(days=draws.integer(7, 48))
    # A few markets open just before their window, so that their prices begin later than 96 hours before it.
    weeks_ago = timedelta(hours=draws.integer(20 * 24, 60 * 24))
    opened = start - (timedelta(hours=draws.integer(30, 80)) if draws.chance(0.08) else weeks_ago)
    prior = draws.between(*story.prior)
    fields = {
        **story.casts[cast],
        "country": place.country,
        "people": place.people,
        "deadline": in_words(deadline),
        "odds": "unlikely" if prior < 0.42 else "uncertain" if prior < 0.54 else "likely",
    }
    occurrences: list[Occurrence] = []
    for beat in story.beats:
        reporting = beat.reporting[cast]
        days = _days(beat, start.date(), draws)
        for day in days:
            local = datetime.combine(day, time.fromisoformat(beat.clock), zone)
            occurrences.append(Occurrence(beat, local.astimezone(UTC), reporting))
        fields |= _announcement(beat, reporting, days[0], draws)
    return Script(
        story=story,
        cast=cast,
        place=place,
        start=start,
        opened=opened,
        closes=datetime.combine(deadline, time(23, 59), zone).astimezone(UTC),
        prior=prior,
        occurrences=tuple(sorted(occurrences, key=lambda occurrence: occurrence.at)),
        fields=fields,
    )


def figures(series: Series, previous: str, answer: Answer, draws: Draws) -> str:
    """The next figure of a series: above the previous one for Yes, below it for No."""
    step = draws.between(*series.step)
    value = float(previous) + (step if answer == "Yes" else -step)
    return f"{value:.{series.decimals}f}"


def _days(beat: Beat, start: date, draws: Draws) -> list[date]:
    first, last = (start + timedelta(days=offset) for offset in beat.days)
    if beat.series:
        ahead = (beat.series.weekday - first.weekday()) % 7
        return [first + timedelta(days=ahead + 7 * week) for week in range(beat.series.releases)]
    day = first + timedelta(days=draws.integer(0, (last - first).days))
    if day.weekday() >= 5:
        day += timedelta(days=7 - day.weekday())
    return [day]


def _announcement(beat: Beat, reporting: Reporting, day: date, draws: Draws) -> dict[str, str]:
    named = draws.pick((in_words(day), f"{weekday(day)} {in_words(day)}"))
    clock = f"{beat.clock} local time"
    plan = f"on {named}"
    if reporting in ("stated", "silent"):
        plan = draws.pick((f"{plan} at {clock}", f"at {clock} {plan}"))
    fields = {"plan": plan, "on": in_words(day), "clock": beat.clock, "weekday": weekday(day)}
    if beat.series:
        before = f"{draws.between(*beat.series.level):.{beat.series.decimals}f}"
        fields |= {"before": before, "last": figures(beat.series, before, draws.pick(("Yes", "No")), draws)}
    return {f"{beat.key}_{name}": value for name, value in fields.items()}
