"""A second sentence in which the reader found an answer, too, is told beside the first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from answers.scoring.unit_scores import ScoredUnit, prepare_question, score_units
from answers.scoring.unit_selection import Bounds, choose_units
from answers.units.answer_units import split_units
from tests.support.evidence import WordIndex, evidence

ASKED = "How is water brought to the town?"
TEXT = "Water of the town was scarce for a century. Water comes to the town by three tunnels under the river."


async def chosen(first: float | None, second: float | None, bounds: Bounds) -> list[str]:
    """The sentences of an answer whose second one is nearly good enough by its words; `first` and `second` are the reader's logits."""
    items = [evidence(TEXT)]
    question = await prepare_question(WordIndex(), "default", ASKED)
    scored = score_units(question, WordIndex(), items, split_units(items))

    def as_scored(unit: ScoredUnit, score: float, read: float | None) -> ScoredUnit:
        return replace(unit, score=score, lex=0.0, cosine=0.5, covered_terms=frozenset({"water"}), reader_score=read)

    units = [as_scored(scored[0], 1.0, first), as_scored(scored[1], bounds.stop_gain - 0.03, second)]
    return [unit.unit.text.split()[1] for unit in choose_units(question, units, bounds)]


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (3.0, 2.0, ["of", "comes"]),
        (-4.0, 0.5, ["of", "comes"]),
        (None, 0.5, ["of", "comes"]),
        (3.0, None, ["of"]),
        (3.0, -0.5, ["of"]),  # rather no answer
        (6.0, 2.0, ["of"]),  # much less likely than the first
    ],
)
async def test_what_the_reader_takes_for_an_answer_too_is_told(first: float | None, second: float | None, told: list[str]) -> None:
    assert await chosen(first, second, Bounds()) == told
    assert await chosen(first, second, Bounds(also_read=0.0)) == ["of"]
