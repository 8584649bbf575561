"""Counts over a table, for "how many": rows, different cells, the figures of a column, or the one cell of a row that the question names."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from agents.table_qa.measure_rows import draft_measured_cell
from agents.table_qa.named_parts import NamedColumn
from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import INFERRED_COLUMN_DOUBT, PARTIAL_NAME_DOUBT, ROW_WORDS, PlanDraft, basic_columns, doubt_of, only_column
from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_vocabulary import GENERIC, NUMBERS, PEOPLE, RATES
from core.language.content_words import stems
from core.table_queries import CellIs, StandsWithin
from core.tables import ColumnType

_NUMBER_OF = re.compile(r"\b(?:numbers?|counts?|anzahl|zahl)\s+(?:of|der|von)\s+(?P<what>(?:[\w-]+\s*){1,4})", re.IGNORECASE)


def draft_count(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    """Choose what to count: rows where the table is called what is counted; different cells of a column that is called so; the sum of a column of
    such numbers.

    Where the conditions name one row ("how many cases did Spain report"), no rows are counted: the number stands in a cell of it.
    """
    measured = draft_measured_cell(matching, conditions)
    if measured is not None:
        return measured
    restricted = {condition.place for condition in conditions}
    run = counted_run(matching, matching.question.request.counted_start or 0, restricted)
    of_one_row = _names_one_row(matching, conditions)
    numbered = _draft_number_column(matching, run) or (_draft_number_as_text(matching, run) if of_one_row else None)
    numbered = numbered or _draft_kind_column(matching, run, of_one_row=of_one_row)
    if numbered is not None:
        return numbered
    if not run:
        return _draft_one_row(matching, run) if of_one_row else _draft_counted_cells(conditions)
    return _draft_counted_noun(matching, run, restricted, of_one_row=of_one_row)


def _draft_counted_noun(matching: TableMatch, run: Sequence[int], restricted: Set[int], *, of_one_row: bool) -> PlanDraft:
    """Count what the words of `run` name: the cells of a column, the rows, or else the column of a part of the name."""
    every = [place for place in range(len(matching.columns)) if place not in restricted]
    found = [each for each in matching.find_named(every, within=run) if run[-1] in each.places]
    whole = [each for each in found if each.share == 1]
    if len(whole) == 1:
        return _draft_counted_column(matching, whole[0])
    if of_one_row and not found:
        return _draft_one_row(matching, run)
    if _are_rows(matching, matching.words[run[-1]].stem):
        return _draft_counted_rows(matching, run)
    named = only_column(matching, found, matching.words[run[-1]].text)
    if named is None:
        raise UnfitTable
    return replace(_draft_counted_column(matching, named), doubt=doubt_of(named))


def _draft_counted_rows(matching: TableMatch, run: Sequence[int]) -> PlanDraft:
    """The rows are what is counted. "How many pesticides were exported" asks for a figure of the row "Exports", of which several may be meant."""
    if any(_are_some_rows(matching, matching.words[at].stem) for at in matching.free_places if at not in run):
        raise UnfitTable
    if _holds_numbers_of(matching, matching.words[run[-1]].stem):
        raise UnfitTable  # a table of "Number of students by faculty" has a faculty in each row
    matching.mark_explained([run[-1], *(at for at in run if matching.words[at].stem in matching.context_stems)])
    return _draft_case_sum(matching, matching.words[run[-1]].stem) or PlanDraft(Operation.COUNT)


def _holds_numbers_of(matching: TableMatch, noun: str) -> bool:
    """Return whether the table is called the numbers of what is counted."""
    called = _NUMBER_OF.search(matching.candidate.table.caption)
    return called is not None and noun in stems(called["what"])


def _draft_number_column(matching: TableMatch, run: Sequence[int]) -> PlanDraft | None:
    """A column of whole numbers that is called what is counted: "how many persons were trained" over "Persons trained"."""
    if not run:
        return None
    noun = matching.words[run[-1]].stem
    whole = [place for place in _whole_numbers(matching) if noun in matching.name_stems[place]]
    found = [each for each in matching.find_named(whole) if run[-1] in each.places]
    named = only_column(matching, basic_columns(matching, found), matching.words[run[-1]].text)
    if named is None:
        return None
    named = _find_activity_column(matching, run) or named
    return PlanDraft(Operation.SUM, named.place, doubt=doubt_of(named), named=len(named.places))


def _find_activity_column(matching: TableMatch, run: Sequence[int]) -> NamedColumn | None:
    """The one column called what those who are counted did: "Ballots completed" of "how many members completed the ballot", beside "Members"."""
    others = [place for place in _whole_numbers(matching) if matching.words[run[-1]].stem not in matching.name_stems[place]]
    found = [each for each in matching.find_named(others) if each.share == 1 and len(each.places) > 1 and min(each.places) > run[-1]]
    if len(found) != 1:
        return None
    matching.mark_explained(found[0].places)
    return found[0]


def _draft_number_as_text(matching: TableMatch, run: Sequence[int]) -> PlanDraft | None:
    """The cell of one row in a column that is called the number of what is counted, though some of its cells are words ("~100", "none known")."""
    noun = matching.words[run[-1]].stem if run else ""
    found = [
        place for place in matching.columns_of_type(ColumnType.TEXT) if noun in matching.name_stems[place] and matching.name_stems[place] & NUMBERS
    ]
    if len(found) != 1:
        return None
    matching.mark_explained(at for at, word in enumerate(matching.words) if word.stem in matching.name_stems[found[0]])
    return PlanDraft(Operation.LOOKUP, found[0], named=len(run))


def _draft_kind_column(matching: TableMatch, run: Sequence[int], *, of_one_row: bool) -> PlanDraft | None:
    """The column called what those who are counted are: "Hispanic" of "how many students were Hispanic in 2005", whose row is that year's. No rows
    are counted where a word names a column of figures."""
    asked = matching.question
    if not run or asked.comparisons or asked.request.relation is not None or not _may_be_counted(matching, run):
        return None
    dated = bool(asked.times) and any(matching.holds_years(place) for place in range(len(matching.columns)))
    found = [each for each in matching.find_named(_whole_numbers(matching)) if each.share == 1 or each.implied]
    if not (of_one_row or dated) or len(found) != 1 or not _stands_apart(matching, found[0], run[-1]):
        return None
    matching.mark_explained(found[0].places)
    return PlanDraft(Operation.SUM, found[0].place, named=len(found[0].places))


def _stands_apart(matching: TableMatch, named: NamedColumn, noun: int) -> bool:
    """Return whether a column is named behind the noun that is counted, by words that the table is not called."""
    return min(named.places) > noun and not any(matching.words[at].stem in matching.context_stems for at in named.places)


def _whole_numbers(matching: TableMatch) -> list[int]:
    kinds = {ColumnType.INTEGER, ColumnType.NUMBER}
    return [place for place in matching.measures() if matching.columns[place].type in kinds and not matching.name_stems[place] & RATES]


def _names_one_row(matching: TableMatch, conditions: Sequence[RowCondition]) -> bool:
    """Return whether a cell is named that no other row has, or, under a heading that is named, one that names the rows below each of the headings."""
    if any(condition.exact and matching.tells_rows_apart(condition.place) for condition in conditions):
        return True
    first = next((place for place, column in enumerate(matching.columns) if column.type is ColumnType.TEXT), None)
    under = any(isinstance(each.where, StandsWithin) for each in conditions)
    return under and any(each.exact and each.named == 1 and each.place == first and isinstance(each.where, CellIs) for each in conditions)


def _draft_one_row(matching: TableMatch, run: Sequence[int]) -> PlanDraft:
    """The number of one row: of the column that is named, else of the one that counts. Who has how many "seconds" is not told by the number of
    those who have them."""
    named = only_column(matching, matching.find_named(_whole_numbers(matching)), "how many")
    counted = frozenset(matching.words[at].stem for at in run)
    if named is not None:
        if counted and not _may_be_counted(matching, run) and counted.isdisjoint(matching.name_stems[named.place]):
            raise UnfitTable
        return PlanDraft(Operation.SUM, named.place, doubt=doubt_of(named), named=len(named.places))
    counting = matching.counting_columns()
    if len(counting) != 1:
        raise UnfitTable
    return PlanDraft(Operation.SUM, counting[0], doubt=INFERRED_COLUMN_DOUBT)


def _may_be_counted(matching: TableMatch, run: Sequence[int]) -> bool:
    """Return whether what is counted is called what the table is, or people, or nothing particular."""
    return not frozenset(matching.words[at].stem for at in run).isdisjoint(matching.context_stems | PEOPLE | GENERIC)


def _draft_case_sum(matching: TableMatch, noun: str) -> PlanDraft | None:
    """The column "Total (n)" or "Number" of a table on cases whose rows are countries: the cases are its sum."""
    key = next((place for place, column in enumerate(matching.columns) if column.type is ColumnType.TEXT and matching.tells_rows_apart(place)), None)
    counting = matching.counting_columns()
    if key is None or len(counting) != 1 or noun in matching.name_stems[key] | ROW_WORDS or matching.columns[key].name.startswith("column "):
        return None
    return PlanDraft(Operation.SUM, counting[0], doubt=PARTIAL_NAME_DOUBT)


def _are_rows(matching: TableMatch, noun: str) -> bool:
    """Return whether the rows are what the noun says: the table is called so, or each row names a person and people are asked for."""
    people = noun in PEOPLE and matching.names_people
    return (noun in matching.row_name_stems and not _are_some_rows(matching, noun)) or noun in ROW_WORDS or people


def _are_some_rows(matching: TableMatch, noun: str) -> bool:
    """Return whether the noun stands in the names of some rows and not of others: an "offer of two reach trucks" has a row for them, others for
    chargers."""
    named = (place for place, column in enumerate(matching.columns) if column.type is ColumnType.TEXT)
    first = next(named, None)
    texts = matching.candidate.facts.columns[first].texts if first is not None and matching.tells_rows_apart(first) else {}
    return 0 < sum(noun in stems(text) for text in texts) < len(texts)


def _draft_counted_cells(conditions: Sequence[RowCondition]) -> PlanDraft:
    """ "How many managers": what is counted is itself a cell."""
    if not conditions or not all(condition.exact for condition in conditions):
        raise UnfitTable
    return PlanDraft(Operation.COUNT)


def _draft_counted_column(matching: TableMatch, named: NamedColumn) -> PlanDraft:
    matching.mark_explained(named.places)
    if named.place in matching.measures() and named.column.type in {ColumnType.INTEGER, ColumnType.NUMBER}:
        return PlanDraft(Operation.SUM, named.place)
    if named.column.type in {ColumnType.AMOUNT, ColumnType.PERCENT, ColumnType.BOOLEAN}:
        raise UnfitTable
    return PlanDraft(Operation.COUNT, named.place, distinct=True)


def counted_run(matching: TableMatch, start: int, restricted: set[int]) -> list[int]:
    """Return the free words that follow at `start` without another between them: what is counted, its noun the last."""
    run: list[int] = []
    for at, word in enumerate(matching.words):
        if word.start < start:
            continue
        if at not in matching.free_places:
            if run or not word.is_plain:
                if run:
                    break
                continue
            if word.text.casefold() not in {"the", "of", "all", "my", "our", "different"}:
                break
            continue
        run.append(at)
    while len(run) > 1 and (
        matching.words[run[-1]].text.endswith(("ed", "ing")) or _is_verb(matching, run) or not _is_known(matching, run[-1], restricted)
    ):
        run.pop()  # a verb behind the noun ("orders came"), or the column of a condition ("people report to …")
    return run


def _is_verb(matching: TableMatch, run: Sequence[int]) -> bool:
    """Return whether the last word is what the people before it do: "how many people work here"."""
    return matching.words[run[-2]].stem in PEOPLE and matching.words[run[-1]].stem in {"work", "liv", "live", "report", "belong"}


def _is_known(matching: TableMatch, at: int, restricted: set[int]) -> bool:
    word = matching.words[at].stem
    return _are_rows(matching, word) or any(word in names for place, names in enumerate(matching.name_stems) if place not in restricted)
