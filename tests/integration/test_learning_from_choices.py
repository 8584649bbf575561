"""The product itself learns from what a person opens, by thirty searches, and unlearns it when the habit changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from benchmarks.learning import Habit, LearningStep, run_searches
from bootstrap import open_services
from memory.procedural import PRIOR_SHARE
from server.services import Services
from settings import load_settings
from tests.support.sample_library import copy_sample

pytestmark = pytest.mark.slow


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    copy_sample(tmp_path / "home")
    environ = {
        "VANTAGE_HOME": str(tmp_path / "home"),
        "VANTAGE_OLLAMA__ENABLED": "off",
        "VANTAGE_ANSWERS__READER_ENABLED": "false",
    }  # it moves no weight
    settings = load_settings(environ=environ, folder=tmp_path)
    async with open_services(settings) as opened:
        yield opened


async def done(services: Services, person: str, habit: Habit, count: int) -> list[LearningStep]:
    return [each async for each in run_searches(services, person, habit, count)]


async def test_choices_move_the_weights_and_another_habit_moves_them_back(services: Services) -> None:
    by_words = await done(services, "ann", "words", 30)
    assert all(each.learned.optimal_weights is None and not each.moved for each in by_words[:3])
    learned = by_words[-1].learned.optimal_weights
    assert learned is not None
    assert learned["lexical"] > PRIOR_SHARE + 0.03
    assert any("moved the weight of words" in each.moved for each in by_words)
    by_meaning = await done(services, "ann", "meaning", 30)
    after = by_meaning[-1].learned.optimal_weights
    assert after is not None
    assert after["lexical"] < PRIOR_SHARE
    stranger = await done(services, "bob", "chance", 1)
    assert (stranger[0].moved, stranger[0].learned.optimal_weights) == ("", None)
