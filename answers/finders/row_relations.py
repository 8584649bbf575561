"""Whom a row sets beside a name under the very words that ask: "Morwenna Pascoe", whose row has "Trevanion & Holt, 14 Harbour Street" under the
column "Works for", for "Who works for Trevanion & Holt?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.named_cells import rows_under_headers
from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.row_wording import cell_places, cells_of
from core.language.content_words import stems
from core.language.question_wording import strip_politeness
from core.lazy_patterns import compile_when_used

_ASKED = compile_when_used(r"^\W*who\s+(?P<relation>[a-z]+\s+(?:for|to|with|at|under|in|on|by))\s+(?:the\s+)?(?P<value>[^?]+?)\W*$", re.IGNORECASE)
_CELL_END = r"\s*(?:[,;(/\n]|$)"  # behind a name in a cell, where an address or a remark may follow


def related_by_row(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the first cell of the only row whose cell under a column called what is asked begins with the name that is asked about; None where there
    is none, or there are several."""
    asked = _ASKED.match(strip_politeness(question.text))
    if asked is None:
        return None
    value = re.compile(rf"\s*(?:the\s+)?{re.escape(asked['value'])}{_CELL_END}", re.IGNORECASE)
    found: dict[str, UnitSpan] = {}
    for place, header, row in rows_under_headers(units):
        if (name := _name_in_row(asked["relation"], value, header, row)) is not None:
            found.setdefault(row[slice(*name)].strip(), UnitSpan(place, *name))
    return RuleAnswer(*(next((text, (span,)) for text, span in found.items())), SURE_CHANCE, "name") if len(found) == 1 else None


def _name_in_row(relation: str, value: re.Pattern[str], header: Sequence[str], row: str) -> tuple[int, int] | None:
    """Return where the first cell of a row stands, if one behind it is what the question says."""
    cells, places = cells_of(row), cell_places(row)
    if not cells or not cells[0].strip() or len(cells) > len(header):
        return None
    wanted = stems(relation)
    fits = any(
        wanted == stems(header[at]) and header[at].split()[-1:] == relation.lower().split()[-1:] and value.match(cells[at])
        for at in range(1, len(cells))
    )
    return places[0] if fits else None
