"""Lists out of a table: the rows that fulfil what is asked, what they are called, or the different texts of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.table_qa.counts import counted_run
from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import PlanDraft, names_column, names_rows
from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_question import TableQuestion
from agents.table_qa.table_vocabulary import PEOPLE
from core.tables import ColumnType

MOST_VALUES = 12  # different texts of a column that are told


def draft_list(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    """The rows that fulfil the conditions, or what they are called: what is asked for is what the rows are, or a column that names them."""
    asked = matching.question
    restricted = {condition.place for condition in conditions}
    either = [each for each in conditions if each.named > 1]
    if any(not each.exact for each in either):
        raise UnfitTable  # several words that several cells hold
    if either and _asks_which_of_two(asked):
        return PlanDraft(Operation.LIST, either[0].place, label=either[0].place)
    if _asks_for_one(matching):
        raise UnfitTable
    others = [place for place in range(len(matching.columns)) if place not in matching.measures() and place not in restricted]
    if asked.asks_who:
        return _draft_list_of_people(matching, others)
    run = counted_run(matching, asked.list_start or 0, restricted)
    if _names_row(matching, run, conditions):
        raise UnfitTable
    return _draft_named_list(matching, others, run, lists_values=not conditions)


def _asks_for_one(matching: TableMatch) -> bool:
    """Return whether what a subject does or a day of the table is asked for, and no rows."""
    return matching.question.asks_of_subject or (matching.question.asks_day and bool(matching.columns_of_type(ColumnType.DATE)))


def _asks_which_of_two(asked: TableQuestion) -> bool:
    return asked.negation is None and re.search(r"\b(?:or|oder)\b", asked.text) is not None


def _names_row(matching: TableMatch, run: Sequence[int], conditions: Sequence[RowCondition]) -> bool:
    """Return whether the row that is named is all that a list would tell: "which faculties are in the science cluster" is not answered by the row
    "Science" under "Faculty cluster"."""
    return any(each.exact and matching.tells_rows_apart(each.place) and names_column(matching, run, each.place) for each in conditions)


def _draft_named_list(matching: TableMatch, among: Sequence[int], run: Sequence[int], *, lists_values: bool) -> PlanDraft:
    """The column that the words of `run` name in full, else whole rows where they name those; `lists_values`: of all rows, so each cell once."""
    if not run:
        raise UnfitTable
    found = [each for each in matching.find_named(among, within=run) if each.share == 1 and run[-1] in each.places]
    if len(found) == 1:
        matching.mark_explained(found[0].places)
        place = found[0].place
        return PlanDraft(Operation.LIST, place, label=place, distinct=lists_values and _is_category(matching, place, run))
    if not names_rows(matching, run):
        raise UnfitTable
    return PlanDraft(Operation.LIST)


def _draft_list_of_people(matching: TableMatch, among: Sequence[int]) -> PlanDraft:
    people = [place for place in among if matching.name_stems[place] & PEOPLE]
    if not people:
        raise UnfitTable
    return PlanDraft(Operation.LIST, people[0], label=people[0])


def _is_category(matching: TableMatch, place: int, run: Sequence[int]) -> bool:
    """Return whether the rows share a few texts in a column, and it is asked for in the plural: "Which carriers do we use?"."""
    kinds = matching.candidate.facts.columns[place].distinct_cells
    several = matching.words[run[-1]].text.casefold().endswith(("s", "en"))
    return several and matching.columns[place].type is ColumnType.TEXT and 2 <= kinds <= MOST_VALUES and 2 * kinds <= matching.candidate.facts.rows
