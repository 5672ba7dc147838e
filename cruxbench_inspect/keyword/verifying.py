"""The verifier's one call: the time of a resolution, checked against the cited documents."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from cruxbench_inspect.keyword.deciding import findings, public_at
from cruxbench_inspect.keyword.prompts import ShownCrux, read_documents, read_moment, read_object
from cruxbench_inspect.keyword.submission import DEADLINE, Timing, Verification

_GRACE = timedelta(hours=36)


def verify(crux: ShownCrux, prompt: str, refused: bool = False) -> Verification:
    """Confirm or move the time of the resolution that the prompt shows.

    It is moved if a cited document states an earlier qualifying time, or if it lies outside the window: then to the
    time of the cited documents, or for a No to the deadline.

    Args:
        crux: The crux.
        prompt: The verifier's prompt, with the resolution and the cited documents.
        refused: Whether an earlier answer was refused: then the time stands.
    """
    resolution = read_object(prompt, "resolution") or {}
    shown = Verification.model_validate({**_timing_fields(resolution), "changed": False, "reason": "The time stands."})
    if refused or shown.rule == "no_deadline":
        return shown
    moment = _moment(shown, resolution)
    derived = _derived(crux, prompt, resolution.get("answer"))
    outside = moment is None or not crux.opens <= moment <= crux.deadline + _GRACE
    if derived is not None and (outside or _earlier(derived, moment)):
        return _moved(shown, derived, "A cited document states this time.")
    if outside and resolution.get("answer") == "No":
        moved = _moved(shown, DEADLINE, "The stated time lies outside the window, so that the deadline counts.")
        return moved.model_copy(update={"rule": "no_deadline"})
    return shown


def _derived(crux: ShownCrux, prompt: str, answer: object) -> Timing | None:
    for found in findings(crux, read_documents(prompt)):
        if found.answer == answer and found.timing is not None and crux.opens <= public_at(found):
            return found.timing
    return None


def _earlier(derived: Timing, moment: datetime | None) -> bool:
    new = derived.moment
    if new is None or moment is None or new >= moment:
        return False
    # A day without an hour is no earlier than an hour of the same day.
    return derived.precision != "date_only" or new.date() < moment.date()


def _moment(shown: Verification, resolution: Mapping[str, object]) -> datetime | None:
    try:
        return Timing(local_time=shown.local_time, zone=shown.zone, precision=shown.precision).moment
    except (ValueError, KeyError):
        return read_moment(str(resolution.get("time_utc")))


def _timing_fields(resolution: Mapping[str, object]) -> dict[str, object]:
    return {field: resolution.get(field) for field in ("local_time", "zone", "precision", "rule")}


def _moved(shown: Verification, timing: Timing, reason: str) -> Verification:
    return shown.model_copy(update={**timing.model_dump(), "changed": True, "reason": reason})
