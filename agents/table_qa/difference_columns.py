"""How far apart two things are in a table: two columns of one row, or one column of two rows."""

from __future__ import annotations

from collections.abc import Sequence

from agents.table_qa.column_relations import draft_relation, note_other_times
from agents.table_qa.difference_parser import DifferenceQuestion
from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import PARTIAL_NAME_DOUBT, PlanDraft, basic_columns, doubt_of, naming_words, only_column, total_columns
from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_vocabulary import TIME_STEMS
from agents.table_qa.time_parser import Span
from core.language.content_words import stems
from core.language.stems import stem
from core.table_queries import CellIs
from core.tables import ColumnType

_AVERAGES = frozenset(stem(word) for word in "average mean avg durchschnitt".split())
_CHANGE_WORDS = frozenset(stem(word) for word in "difference variance gap change increase decrease growth rise fall drop decline".split())


def pair_of(conditions: Sequence[RowCondition]) -> RowCondition | None:
    """Return the condition that names two cells of one column; None for none and for several."""
    found = [each for each in conditions if isinstance(each.where, CellIs) and each.named == len(each.where.texts) == 2]
    return found[0] if len(found) == 1 else None


def draft_difference(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    """Return the two columns that the two sides name wholly, else the column in which two rows are compared."""
    relation, apart = matching.question.request.relation, matching.question.request.difference
    if apart is None and relation is not None:
        return draft_relation(matching, relation)
    if apart is None or _is_difference_column(matching, apart) or not _says_average(matching):
        raise UnfitTable
    columns = _two_columns(matching, conditions, apart)
    rows = pair_of(conditions)
    if columns is not None:
        if rows is not None:
            raise UnfitTable  # both would be meant
        first, second = columns
        return PlanDraft(Operation.DIFFERENCE, first, other=second, named=2)
    if rows is None and relation is not None:
        return draft_relation(matching, relation)
    if rows is None:
        raise UnfitTable
    aim = _draft_two_rows(matching, conditions)
    if apart.percent and aim.target is not None and matching.columns[aim.target].type is ColumnType.PERCENT:
        raise UnfitTable  # points or per cent of a percentage: nobody says which
    return aim


def _is_difference_column(matching: TableMatch, apart: DifferenceQuestion) -> bool:
    """Return whether a column is called what is asked for ("Change 2023–2024", "Variance"): it says so itself."""
    asking = stems(" ".join(matching.question.text[span.start : span.end] for span in apart.asking_spans[:1]))
    return any(asking & _CHANGE_WORDS & stems(column.name) for column in matching.columns)


def _says_average(matching: TableMatch) -> bool:
    """Return whether the table is called an average where one is asked for: two cells are set against each other, and none is computed."""
    said = {word.stem for word in matching.words} & _AVERAGES
    return said <= matching.caption_stems.union(*matching.name_stems)


def _two_columns(matching: TableMatch, conditions: Sequence[RowCondition], apart: DifferenceQuestion) -> tuple[int, int] | None:
    """The columns of figures that the sides name, each only one: what their names have beside that must be the same."""
    taken = {condition.place for condition in conditions}
    measures = [place for place in matching.measures() if place not in taken]
    one_side, other_side = (_columns_named_by(matching, side, measures) for side in apart.sides)
    if len(one_side) != 1 or len(other_side) != 1 or one_side == other_side:
        return None
    first, second = one_side[0], other_side[0]
    asked = frozenset(word.stem for word in matching.words)
    rest = matching.name_stems[first] - asked - TIME_STEMS
    if rest != matching.name_stems[second] - asked - TIME_STEMS or not _are_of_same_kind(matching, first, second, percent=apart.percent):
        raise UnfitTable
    note_other_times(matching, first, second)
    matching.mark_explained(at for at, word in enumerate(matching.words) if word.stem in matching.name_stems[first] | matching.name_stems[second])
    return first, second


def _columns_named_by(matching: TableMatch, side: Span, measures: Sequence[int]) -> list[int]:
    """Of the columns that a side names best those of which the whole question names most: "sea" in front of "budget and actual" is of both."""
    within = [at for at in matching.places_in(side) if at in matching.free_places]
    found = matching.find_named(measures, within=within) if within else []
    asked = frozenset(word.stem for word in matching.words)
    more = [len(matching.name_stems[each.place] & asked) for each in found]
    return [each.place for each, named in zip(found, more, strict=True) if named == max(more)]


def _are_of_same_kind(matching: TableMatch, first: int, second: int, *, percent: bool) -> bool:
    one, other = matching.columns[first], matching.columns[second]
    kinds = {ColumnType.PERCENT, ColumnType.AMOUNT}
    alike = one.unit == other.unit and (one.type is other.type or not {one.type, other.type} & kinds)
    return alike and not (percent and one.type is ColumnType.PERCENT)


def _draft_two_rows(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    measures = [place for place in matching.measures() if place not in {condition.place for condition in conditions}]
    found = basic_columns(matching, matching.find_named(measures)) or total_columns(matching, measures)
    named = only_column(matching, found, naming_words(matching, found))
    if named is not None:
        return PlanDraft(Operation.DIFFERENCE, named.place, doubt=doubt_of(named), named=len(named.places))
    counted = matching.counting_columns() if matching.question.request.counted_start is not None else []
    possible = matching.money_columns() if matching.question.request.asks_for_money else counted if len(counted) == 1 else measures
    if len(possible) != 1:
        raise UnfitTable
    return PlanDraft(Operation.DIFFERENCE, possible[0], doubt=PARTIAL_NAME_DOUBT)
