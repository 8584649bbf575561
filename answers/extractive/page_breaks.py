"""Sentences that the end of a page cuts in two: a foot and a head stand between their halves, so that each is a unit of its own."""

from __future__ import annotations

import re

from answers.units.answer_units import Role, Unit
from answers.units.passage_regions import SENTENCE_END
from core.answers import Evidence

_NOTE_NUMBERS = re.compile(r"(?:\[\d+\])+\s*$")  # behind the end of a sentence


def is_cut_by_page(unit: Unit, following: Unit, evidence: Evidence) -> bool:
    """Return whether `following`, the next unit of a passage, is the second half of a sentence that begins as `unit` on the page before."""
    if not unit.role is following.role is Role.SENTENCE or unit.source != following.source or SENTENCE_END.search(_NOTE_NUMBERS.sub("", unit.text)):
        return False
    before, behind = _page_at(evidence, unit.end - 1), _page_at(evidence, following.start)
    return before is not None and behind is not None and behind == before + 1


def _page_at(evidence: Evidence, place: int) -> int | None:
    """Return the number of the page on which a place of the document lies."""
    return next((page.number for page in evidence.pages if page.start <= place < page.end), None)
