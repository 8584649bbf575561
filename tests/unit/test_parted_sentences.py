"""A sentence that a layout parts in two paragraphs is one unit; a heading is not joined to what stands under it."""

from __future__ import annotations

import pytest

from answers.units.answer_units import split_units
from core.documents import BlockKind
from tests.support.evidence import evidence


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("To raise the anchor, simply hold the lever and press", "the pedal just before the chain goes slack.", True),
        ("The keeper of the light stays in the", "tower until the morning.", True),
        ("Anchors and chains of the ferry", "are listed by weight here.", False),
        ("To raise the anchor, hold the lever.", "the pedal is on the left side of it.", False),
    ],
)
def test_halves_of_a_sentence(first: str, second: str, is_one: bool) -> None:
    text = f"{first}\n\n{second}"
    blocks = [(BlockKind.PARAGRAPH, 0, len(first)), (BlockKind.PARAGRAPH, len(first) + 2, len(text))]
    units = split_units([evidence(text, blocks=blocks)])
    assert any(first.split(maxsplit=1)[0] in unit.text and second.rsplit(maxsplit=1)[-1] in unit.text for unit in units) is is_one


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("~70% electricity", "production on Elver is driven by the tide", True),
        ("3.5 kg CO₂e/t", "carbon intensity of the ferries in 2022", True),
        ("1st woman", "keeper of a light was employed here in 2020.", True),
        ("3.2 Scope", "of the works that the harbour board orders", False),
        ("70 boats were sold.", "of these ten were new ones", False),
        ("~70% electricity", "Production on Elver is driven by the tide.", False),
    ],
)
def test_a_figure_on_its_own_line_goes_on_in_the_words_below(first: str, second: str, is_one: bool) -> None:
    text = f"{first}\n\n{second}"
    blocks = [(BlockKind.HEADING, 0, len(first)), (BlockKind.PARAGRAPH, len(first) + 2, len(text))]
    units = split_units([evidence(text, blocks=blocks)])
    whole = next(unit for unit in units if second.split(maxsplit=1)[0] in unit.text)
    assert (first in whole.text) is is_one
    assert text[whole.start : whole.end].replace("\n", " ") == whole.text
