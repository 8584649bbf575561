"""The attributes of a comparison: those that the question names, else what the sides themselves have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agents.comparison.comparison_request import ComparisonRequest
from agents.comparison.sides import Side
from agents.sources.quotable_units import QuotableUnit
from core.language.content_words import stems
from core.language.document_vocabularies import usual_sections

MOST_ROWS = 8
_MOST_SHARED = 4  # labels that sides share, where documents of their kind are compared by more than these
_LABEL = re.compile(r"^(?P<label>[^\W\d_][\w /&'’().,%-]{2,48}?)\s*(?::\s+|\s{2,}|\s+(?=[£$€¥]?\d[\d.,]*\s*$))")
_CLAUSE_NUMBER = re.compile(r"^(?:clause|section|§)?\s*\d[\d.]*[.):]?\s*", re.IGNORECASE)
# Words that ask for a comparison without saying of what.
_COMPARATIVE_WORDS = frozenset("differ cheap better best expensive long fast large high low big small compare comparison difference between".split())


def attributes_of(request: ComparisonRequest, sides: Sequence[Side], units: Sequence[Sequence[QuotableUnit]]) -> list[str]:
    """Return the attributes that the question names, else the words beside a side's name, else the labels that the sides' `units` share."""
    named = list(request.attributes)
    if not named:
        named = list(dict.fromkeys(" ".join(side.other_words) for side in sides if side.other_words))[:1]
    telling = [attribute for attribute in named if stems(attribute) - _COMPARATIVE_WORDS]
    return (telling or named or [*shared_labels(units)[:_MOST_SHARED], *_usual_attributes(sides)])[:MOST_ROWS]


def _usual_attributes(sides: Sequence[Side]) -> tuple[str, ...]:
    """Return what documents of the kind that all sides are, are compared by: their usual headings."""
    kinds = {side.document.doc_type if side.document is not None else "" for side in sides}
    language = next((side.document.language for side in sides if side.document is not None), "")
    return usual_sections(kinds.pop(), language) if len(kinds) == 1 else ()


def shared_labels(units: Sequence[Sequence[QuotableUnit]]) -> list[str]:
    """Find labels that two and more sides have, those of most sides first: first cells of rows, "label: value", "label 1,200", headings."""
    seen: dict[frozenset[str], tuple[str, set[int], int]] = {}
    for side, of_side in enumerate(units):
        for order, label in enumerate(_labels(of_side)):
            key = stems(label)
            if not key or len(key) > 6:
                continue
            first, sides, place = seen.get(key, (label, set(), order))
            seen[key] = (first, sides | {side}, place)
    shared = sorted((entry for entry in seen.values() if len(entry[1]) > 1), key=lambda entry: (-len(entry[1]), entry[2]))
    return [label for label, _, _ in shared][:MOST_ROWS]


def _labels(units: Sequence[QuotableUnit]) -> Iterable[str]:
    headings: set[str] = set()
    titled = any(len(unit.section) > 1 for unit in units)  # then the outermost heading is the document's title
    for unit in units:
        if unit.cells:
            yield unit.cells[0]
        elif (match := _LABEL.match(unit.text)) and len(unit.text) <= 160:
            yield match["label"].strip()
        heading = unit.section[-1] if unit.section else ""
        if heading and heading not in headings and len(unit.section) > titled:
            headings.add(heading)
            yield _CLAUSE_NUMBER.sub("", heading)
