"""The time that the rows of a table are of: a figure over all of them is a figure of that time."""

from __future__ import annotations

import re

from agents.table_qa.candidate_tables import CandidateTable
from core.language.months import months_in_cells
from core.language.word_files import join_alternatives

_PERIOD = re.compile(
    rf"(?:{join_alternatives(months_in_cells())})\.?(?:\W+(?:19|20)\d\d)?|(?:19|20)\d\d|(?:Q|quarter\s+)[1-4](?:\W+(?:19|20)\d\d)?", re.IGNORECASE
)


_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:[/–-]\d{2,4})?")
_LEAST_YEARS = 3


def are_years(candidate: CandidateTable) -> bool:
    """Return whether the rows are called by their years, three and more."""
    cells = [" ".join(cell.split()) for cell in candidate.facts.columns[0].texts]
    return len(cells) >= _LEAST_YEARS and candidate.facts.tells_rows_apart(0) and all(_YEAR.fullmatch(cell) for cell in cells)


def name_period(candidate: CandidateTable) -> str:
    """Return the first and the last of the months, quarters or years that the rows are called by, "July to September"; "" where they are not."""
    cells = [" ".join(cell.split()) for cell in candidate.facts.columns[0].texts]
    if len(cells) < 2 or not candidate.facts.tells_rows_apart(0) or not all(_PERIOD.fullmatch(cell) for cell in cells):
        return ""
    return f"{cells[0]} to {cells[-1]}"
