"""Superlatives over a table: the column in which something is the highest or lowest, and the rows or groups that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.table_qa.counts import counted_run
from agents.table_qa.named_parts import NamedColumn
from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import (
    INFERRED_COLUMN_DOUBT,
    PlanDraft,
    basic_columns,
    doubt_of,
    is_about,
    names_rows,
    naming_words,
    only_column,
    total_columns,
)
from agents.table_qa.row_conditions import AmbiguousQuestion, RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_vocabulary import (
    DEFICITS,
    EDGES,
    EMPLOYEE_WORDS,
    GROWTH,
    GROWTH_VERBS,
    NUMBER_LEVELS,
    PEOPLE,
    RATES,
    SPEEDS,
    SURPLUSES,
    TIMES,
)
from agents.table_qa.time_conditions import FIRST_DAY_DOUBT
from core.language.inflections import singularize_english
from core.language.stems import stem
from core.tables import ColumnType

_SUMMED_WORDS = frozenset(
    stem(word) for word in "revenue sales turnover cost costs amount quantity units pieces orders total sum umsatz kosten menge stück".split()
)


def draft_superlative(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    """Return the row, or the group, with the highest or lowest figure."""
    asked = matching.question
    if conditions and (cell := _draft_cell_called_so(matching, conditions)) is not None:
        return cell
    label = _find_label_column(matching, conditions)
    if asked.request.extreme in EDGES:
        return _draft_first_or_last(matching, conditions, label)
    if (counted := _draft_number_column(matching, label)) is not None:
        return counted
    if asked.request.asks_most_often or (asked.request.inner is Operation.COUNT):
        return _draft_most_often(matching, label)
    outside = sorted(matching.free_places.difference(matching.places_in(asked.entity)))
    named = _find_compared_column(matching, outside)
    if asked.request.limit > 1 and label is not None and not matching.tells_rows_apart(label):
        raise UnfitTable  # the top three of what has several rows each
    if named is not None:
        return _group_rows(matching, PlanDraft(asked.operation, named.place, label=label, doubt=doubt_of(named), named=len(named.places)))
    if asked.request.asks_for_most and label is not None and names_rows(matching, outside):
        return _draft_most_rows(matching, label)
    return _group_rows(matching, _draft_only_measure(matching, label))


def _find_label_column(matching: TableMatch, conditions: Sequence[RowCondition]) -> int | None:
    """The column whose cell is the answer: of "China or Norway" that of the two, else that of what is asked for."""
    rivals = [each.place for each in conditions if each.exact and each.named > 1]
    return rivals[0] if len(rivals) == 1 else _find_entity_column(matching)


def _draft_first_or_last(matching: TableMatch, conditions: Sequence[RowCondition], label: int | None) -> PlanDraft:
    """The first or last row is the one with the earliest or latest day: the day that is named, else the first one, which is the thing's own. Who did
    it is not asked of a day."""
    days = matching.columns_of_type(ColumnType.DATE)
    named = matching.find_named(days)
    if not days or len(named) > 1 or matching.question.asks_who or not _are_rows_behind(matching, conditions, label):
        raise UnfitTable
    matching.mark_explained(at for each in named for at in each.places)
    if not named and len(days) > 1:
        others = ", ".join(f"“{matching.candidate.column_name(place)}”" for place in days[1:])
        matching.notes.append(f"The time is taken by “{matching.candidate.column_name(days[0])}”; other days of the table are {others}.")
    target = named[0].place if named else days[0]
    return PlanDraft(matching.question.operation, target, label=label, doubt=0.0 if named else FIRST_DAY_DOUBT, named=len(named))


def _are_rows_behind(matching: TableMatch, conditions: Sequence[RowCondition], label: int | None) -> bool:
    """Return whether the noun behind "first" is what the rows are; "the first game" is none whose title holds "game"."""
    end = matching.question.request.extreme_end
    noun = [at for at, word in enumerate(matching.words) if word.start >= end and not word.is_plain][:1]
    is_label = label is not None and any(matching.words[at].stem in matching.name_stems[label] for at in noun)
    return all(each.exact for each in conditions) and (is_label or names_rows(matching, noun))


def _find_compared_column(matching: TableMatch, outside: Sequence[int]) -> NamedColumn | None:
    """The column whose figures are compared. The cheapest is known by its price, whatever else the question names."""
    found = matching.find_named(matching.measures() + matching.columns_of_type(ColumnType.DATE), within=outside)
    suited = matching.columns_suited_to(matching.question.request.extreme)
    if suited:
        found = [each for each in found if each.place in suited] or [
            NamedColumn(place, matching.columns[place], 0.5, ()) for place in matching.find_basic(suited)
        ]
    found = basic_columns(matching, found) or total_columns(matching, matching.measures())
    return only_column(matching, found, naming_words(matching, found))


def _draft_number_column(matching: TableMatch, label: int | None) -> PlanDraft | None:
    """The row with the highest number of what there is most of, where a column counts it; None where none does."""
    asked = matching.question.request
    counted = _find_number_column(matching) if asked.inner is Operation.COUNT or asked.asks_for_most else None
    if counted is None:
        return None
    return _group_rows(matching, PlanDraft(asked.operation, counted.place, label=label, named=len(counted.places)))


def _find_number_column(matching: TableMatch) -> NamedColumn | None:
    """The only column of whole numbers that counts what there is most of: "Deaths › Number", and not "Deaths › Rate", of "most deaths"."""
    end = matching.question.request.extreme_end
    behind = [at for at in sorted(matching.free_places) if matching.words[at].start >= end]
    said = {name: at for at in behind for name in matching.stems_at(at)}
    found = []
    for place in matching.measures():
        counted = matching.name_stems[place] - NUMBER_LEVELS
        levels = len(matching.name_stems[place]) > len(counted) or len(counted) > 1
        if matching.columns[place].type is ColumnType.INTEGER and levels and counted and counted <= said.keys():
            found.append(NamedColumn(place, matching.columns[place], 1.0, tuple(sorted({said[name] for name in counted}))))
    if len(found) != 1:
        return None
    matching.mark_explained(found[0].places)
    return found[0]


def _draft_cell_called_so(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft | None:
    """The cell under "Max Term" of the row that is named: nothing is compared in a column of words that is called the highest."""
    restricted = {condition.place for condition in conditions}
    texts = [place for place in matching.columns_of_type(ColumnType.TEXT) if place not in restricted]
    called = [place for place in texts if stem(matching.question.request.extreme) in matching.name_stems[place]]
    found = matching.find_named(called)
    named = only_column(matching, found, naming_words(matching, found)) if len(found) == 1 else None
    return None if named is None else PlanDraft(Operation.LOOKUP, named.place, doubt=doubt_of(named), named=len(named.places))


def _draft_most_rows(matching: TableMatch, label: int) -> PlanDraft:
    """Return which has most of what the rows are; where each has one row, the column that counts them says it."""
    operation = matching.question.operation
    if not matching.tells_rows_apart(label):
        return PlanDraft(operation, None, Operation.COUNT, label, label)
    counting = matching.counting_columns()
    if len(counting) != 1:
        raise UnfitTable
    return PlanDraft(operation, counting[0], label=label, doubt=INFERRED_COLUMN_DOUBT)


def _direct_dates(matching: TableMatch, aim: PlanDraft) -> PlanDraft:
    """The oldest by a date is the earliest, the youngest the latest."""
    if (
        aim.target is None
        or matching.columns[aim.target].type is not ColumnType.DATE
        or matching.question.request.extreme not in {"oldest", "youngest"}
    ):
        return aim
    return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)


def _direct_speeds(matching: TableMatch, aim: PlanDraft) -> PlanDraft:
    """The fastest has the lowest time; by a column that is neither a time nor a speed nobody is the fastest."""
    if aim.target is None or matching.question.request.extreme not in SPEEDS:
        return aim
    if matching.name_stems[aim.target] & TIMES or matching.columns[aim.target].unit in {"s", "min", "h"}:
        return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)
    if not matching.columns_suited_to(matching.question.request.extreme) and not _tells_growth(matching, aim.target):
        raise UnfitTable
    return aim


def _tells_growth(matching: TableMatch, target: int) -> bool:
    """Return whether "grew fastest" is asked of figures that are called growth."""
    verbs = [at for at, word in enumerate(matching.words) if word.text.casefold() in GROWTH_VERBS]
    if not verbs or not GROWTH & (matching.name_stems[target] | matching.caption_stems):
        return False
    matching.mark_explained(verbs)
    return True


def _direct_deficits(matching: TableMatch, aim: PlanDraft) -> PlanDraft:
    """The largest deficit of a column that holds surplus and deficit is its lowest figure."""
    lost = any(word.stem in DEFICITS for word in matching.words)
    if aim.target is None or not lost or not matching.name_stems[aim.target] & SURPLUSES:
        return aim
    matching.notes.append(f"In “{matching.columns[aim.target].name}” a figure below zero is what is lacking.")
    return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)


def _draft_only_measure(matching: TableMatch, label: int | None) -> PlanDraft:
    measures = matching.measures()
    if len(measures) != 1 or not is_about(matching) or matching.is_unnamed(measures[0]):
        raise UnfitTable
    return PlanDraft(matching.question.operation, measures[0], label=label, doubt=INFERRED_COLUMN_DOUBT)


def _group_rows(matching: TableMatch, aim: PlanDraft) -> PlanDraft:
    """ "The most" and "the highest total" of something that has several rows are of its rows together."""
    asked = matching.question
    aim = _direct_deficits(matching, _direct_speeds(matching, _direct_dates(matching, aim)))
    if aim.label is None or aim.target is None or matching.columns[aim.target].type is ColumnType.DATE:
        return aim
    inner = asked.request.inner or (Operation.SUM if asked.request.asks_for_most or _adds_up(matching, aim.target) else None)
    if matching.tells_rows_apart(aim.label) or asked.request.of_two:
        return aim
    if inner is None:
        _check_one_row(matching, aim.label, aim.target)
        return aim
    if inner is Operation.SUM and matching.columns[aim.target].type is ColumnType.PERCENT:
        raise UnfitTable
    return replace(aim, inner=inner, group=aim.label)


def _check_one_row(matching: TableMatch, label: int, target: int) -> None:
    """Raise AmbiguousQuestion where what is asked for has several rows and nothing says whether these together or the highest of them is meant."""
    if matching.columns_suited_to(matching.question.request.extreme) and not _asks_for_one_row(matching):
        name, column = (matching.columns[place].name for place in (label, target))
        raise AmbiguousQuestion(
            f"“{name}” has several rows each: say whether the total or the average of “{column}” is meant, or the single highest."
        )


def _asks_for_one_row(matching: TableMatch) -> bool:
    """Return whether the single highest is asked for: "the heaviest shipment" of a table of shipments is one row, whose carrier is told."""
    end = matching.question.request.extreme_end
    behind = next((at for at, word in enumerate(matching.words) if end and word.start >= end and not word.is_plain), None)
    if behind is None:
        return False
    word = matching.words[behind]
    rows = [names for place, names in enumerate(matching.name_stems) if matching.tells_rows_apart(place)]
    if word.text.casefold() != singularize_english(word.text.casefold()) or word.stem not in matching.context_stems.union(*rows):
        return False
    matching.mark_explained([behind])
    return True


def _adds_up(matching: TableMatch, target: int) -> bool:
    """Return whether the highest of something that has several rows is of its rows together: of money and pieces, not of rates, prices or degrees."""
    column = matching.columns[target]
    if matching.columns_suited_to(matching.question.request.extreme) or matching.name_stems[target] & RATES or column.type is ColumnType.PERCENT:
        return False
    return column.type is ColumnType.AMOUNT or bool(matching.name_stems[target] & _SUMMED_WORDS)


def _draft_most_often(matching: TableMatch, label: int | None) -> PlanDraft:
    """ "The most common status", "which carrier has the highest number of shipments"."""
    textual = [place for place in range(len(matching.columns)) if place not in matching.measures()]
    if label is None:
        found = matching.find_named(textual)
        named = only_column(matching, found, naming_words(matching, found))
        label = named.place if named is not None else None
    if label is None:
        raise UnfitTable
    found = [each for each in matching.find_named(matching.measures()) if each.share == 1]
    if len(found) == 1:
        matching.mark_explained(found[0].places)
        return _group_rows(matching, PlanDraft(matching.question.operation, found[0].place, Operation.SUM, label=label))
    return PlanDraft(matching.question.operation, None, Operation.COUNT, label, label)


def _find_entity_column(matching: TableMatch) -> int | None:
    """The column of what is asked for ("which carrier", "who")."""
    measures = set(matching.measures())
    others = [place for place in range(len(matching.columns)) if place not in measures]
    for find_column in (_find_named_entity, *([] if matching.question.asks_who else [_find_noun_behind])):
        if (place := find_column(matching, others)) is not None:
            return place
    if not matching.question.asks_who:
        return None
    people = [place for place in others if matching.name_stems[place] & PEOPLE]
    if not people and not matching.names_people:
        raise UnfitTable  # whom it answers would be chance
    return people[0] if people else None


def _find_named_entity(matching: TableMatch, others: Sequence[int]) -> int | None:
    """The column that the words behind "which" name."""
    within = [at for at in matching.places_in(matching.question.entity) if at in matching.free_places]
    found = matching.find_named(others, within=within) if within else []
    if len(found) == 1:
        matching.mark_explained(found[0].places)
        return found[0].place
    named_people = [at for at in within if matching.words[at].stem in PEOPLE]  # "which player" over "Name"
    people = [place for place in others if matching.name_stems[place] & (PEOPLE | EMPLOYEE_WORDS)] if named_people else []
    if not people:
        return None
    matching.mark_explained(named_people)
    return people[0]


def _find_noun_behind(matching: TableMatch, others: Sequence[int]) -> int | None:
    """The column of texts that the noun behind the superlative names in full: "the cheapest carrier"; not "lap time", which is a figure's."""
    request = matching.question.request
    behind = counted_run(matching, request.extreme_end, set()) if request.extreme else []
    found = [each for each in matching.find_named(others, within=behind) if each.share == 1] if behind else []
    if len(found) != 1 or matching.columns[found[0].place].type is not ColumnType.TEXT:
        return None
    figures = {name for place in matching.measures() for name in matching.name_stems[place]}
    if any(matching.words[at].stem in figures for at in behind if at not in found[0].places):
        return None
    matching.mark_explained(found[0].places)
    return found[0].place
