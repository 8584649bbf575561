"""Settings are chosen on one half and judged on the other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.errors import InvalidInput
from evaluation.tuning import CHOICES, KEYS, Values, choose_settings, split_halves
from settings import Settings
from settings_page import CHANGEABLE, TUNABLE, find_value

DEFAULTS = {key: find_value(Settings(home="/nowhere").model_dump(), key) for key in KEYS}  # type: ignore[arg-type] # pydantic makes a Path of it


class MeasuredLibrary:
    """A library in which settings are worth what `worth` says of each half; it remembers what was tried."""

    def __init__(self, first: dict[object, float], second: dict[object, float]) -> None:
        self._worth = {"first": first, "second": second}
        self.asked: list[tuple[str, Values]] = []

    async def measure(self, values: Values, half: str) -> Sequence[float]:
        self.asked.append((half, values))
        worth = 0.5 + sum(self._worth[half].get((key, value), 0.0) for key, value in values.items())
        return [worth + 0.01 * (number % 3) for number in range(20)]


def test_what_is_tried_is_what_the_page_may_set_at_once() -> None:
    assert set(KEYS) <= TUNABLE
    assert {CHANGEABLE[key] for key in KEYS} == {"now"}


async def test_what_is_better_on_both_halves_is_accepted_group_after_group() -> None:
    better: dict[object, float] = {("search.fusion", "rrf"): 0.1, ("search.rerank.weight", 1.0): 0.2, ("search.rerank.weight", 0.25): 0.1}
    library = MeasuredLibrary(better, better)
    found = await choose_settings(DEFAULTS, library.measure)
    assert found.values == {"search.fusion": "rrf", "search.rerank.weight": 1.0}
    assert found.is_accepted
    assert found.second is not None
    assert found.first.difference == pytest.approx(found.second.difference) == pytest.approx(0.3)
    assert [values for half, values in library.asked if half == "second"] == [{}, found.values]


async def test_what_is_better_on_the_first_half_alone_is_refused() -> None:
    found = await choose_settings(DEFAULTS, MeasuredLibrary({("search.fusion", "rrf"): 0.1}, {("search.fusion", "rrf"): -0.1}).measure)
    assert found.values == {"search.fusion": "rrf"}
    assert not found.is_accepted


async def test_where_nothing_is_better_the_other_half_is_not_even_asked() -> None:
    library = MeasuredLibrary({("search.fusion", "rrf"): -0.1}, {})
    found = await choose_settings(DEFAULTS, library.measure)
    assert (found.values, found.second, found.is_accepted) == ({}, None, False)
    assert {half for half, _ in library.asked} == {"first"}
    others = [values for group in CHOICES.values() for values in group if any(DEFAULTS[key] != value for key, value in values.items())]
    assert len(found.tried) == len(others) >= 10  # what holds already is not tried again


async def test_what_the_environment_sets_is_left_alone() -> None:
    library = MeasuredLibrary({("search.fusion", "rrf"): 0.1}, {("search.fusion", "rrf"): 0.1})
    found = await choose_settings(DEFAULTS, library.measure, frozenset({"search.fusion"}))
    assert not any("search.fusion" in values for _, values in library.asked)
    assert found.values == {}


def test_halves_are_drawn_by_a_seed_and_hold_everything_once() -> None:
    first, second = split_halves(list(range(21)), 1)
    assert (len(first), len(second), sorted(first + second)) == (10, 11, list(range(21)))
    assert split_halves(list(range(21)), 1) == (first, second) != split_halves(list(range(21)), 2)
    with pytest.raises(InvalidInput, match="at least 10"):
        split_halves([1, 2, 3])
