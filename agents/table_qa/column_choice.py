"""Which of several columns is meant where the question names no one of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.table_qa.named_parts import NamedColumn
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_vocabulary import ACTUAL, PLANNED


def prefer_actual(matching: TableMatch, found: Sequence[NamedColumn]) -> Sequence[NamedColumn]:
    """Of a plan and what came of it the latter, and a note that names the other; else all that were found."""
    actual = [each for each in found if matching.name_stems[each.place] & ACTUAL]
    planned = [each for each in found if matching.name_stems[each.place] & PLANNED]
    if len(actual) != 1 or len(actual) + len(planned) != len(found):
        return found
    names = ", ".join(f"“{each.column.name}”" for each in planned)
    matching.notes.append(f"Beside it stands what was planned: {names}.")
    named = {matching.words[at].stem for at in actual[0].places}
    return [replace(actual[0], implied=actual[0].implied or matching.name_stems[actual[0].place] - ACTUAL <= named)]
