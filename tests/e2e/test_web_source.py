"""Evaluations whose judge searches the web, which is on loopback here."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog

from tests.evaluating import all_values, evaluate, judge_events, rescore, samples_of, score_of, values_of
from tests.loopback.faults import Fault
from tests.loopback.world import World, harbour_world
from tests.scripted_model import Answer, Call, generator, judge, scripted, submit, tool_call
from tests.small_set import write_set


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = harbour_world()
    with world.served() as settings:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        yield world
