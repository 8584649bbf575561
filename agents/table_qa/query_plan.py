"""The calculation that a question asks of one table: over which column, groups and rows, and how far that reading can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.table_qa.column_relations import relation_conditions
from agents.table_qa.compared_rows import compared_row_conditions
from agents.table_qa.counts import counted_run, draft_count
from agents.table_qa.denied_conditions import leave_out
from agents.table_qa.difference_columns import draft_difference, pair_of
from agents.table_qa.difference_parser import DifferenceQuestion
from agents.table_qa.figure_conditions import comparison_conditions, explain_checked_unit, explain_units, number_conditions, value_conditions
from agents.table_qa.figure_drafts import draft_figure, draft_lookup, draft_share
from agents.table_qa.heading_conditions import heading_conditions, leaves_heading
from agents.table_qa.lists import draft_list
from agents.table_qa.measure_rows import measure_conditions
from agents.table_qa.month_cells import month_conditions
from agents.table_qa.office_conditions import office_conditions
from agents.table_qa.operations import Operation, says_sum
from agents.table_qa.plan_drafts import INFERRED_COLUMN_DOUBT, PlanDraft
from agents.table_qa.relation_parser import RelationQuestion
from agents.table_qa.row_conditions import RowCondition, UnfitTable, boolean_conditions, cell_conditions, unlike_conditions
from agents.table_qa.row_periods import are_years
from agents.table_qa.said_rows import SaidRows, find_said_rows
from agents.table_qa.schema_linking import NUMERIC, TableMatch
from agents.table_qa.share_parser import ShareQuestion
from agents.table_qa.sign_conditions import sign_conditions
from agents.table_qa.superlatives import draft_superlative
from agents.table_qa.table_question import QuestionWord
from agents.table_qa.table_vocabulary import COUNTING, GENERIC, PEOPLE
from agents.table_qa.time_conditions import FIRST_DAY_DOUBT, time_conditions
from agents.table_qa.unexplained_words import unexplained_words
from agents.table_qa.whole_shares import whole_share_conditions
from core.language.content_words import stems
from core.language.stems import stem
from core.table_queries import CellIs, GroupPart
from core.tables import ColumnType

# What is taken from a confidence of 1: for a word that nothing explains, for one that is only a way of asking, and for a cell that holds more than
# what was said. `plan_drafts` has what is taken for a column.
_UNEXPLAINED_DOUBT, _USUAL_WORD_DOUBT, _LOOSE_CELL_DOUBT = 0.2, 0.02, 0.1
_EXTREMES = frozenset({Operation.HIGHEST, Operation.LOWEST})
_OVER_ALL_ROWS = frozenset({Operation.COUNT, Operation.SUM, Operation.AVERAGE, Operation.MEDIAN})
_ADDED = frozenset({Operation.SUM, Operation.AVERAGE})
_OF_ONE_ROW = frozenset({Operation.LOOKUP, Operation.DIFFERENCE})
_CELLS = frozenset({Operation.LOOKUP, Operation.LIST, Operation.COUNT})
_LEAST_ROWS_OF_SPANS, _LEAST_FILLED = 6, 0.34
_WHOLE_TABLE = 30  # rows of a table that is listed as it stands
_DAY_PARTS = {stem(word): part for words, part in (("month monat", GroupPart.MONTH), ("year jahr", GroupPart.YEAR)) for word in words.split()}
_PART_WORDS = frozenset(stem(word) for word in "percent share proportion part".split())


@dataclass(frozen=True, slots=True)
class TablePlan:
    """`target` is the column that is computed over (None where rows are counted), `label` the one that tells the rows apart. `inner` is computed
    for each group where `group` is set; with HIGHEST and LOWEST the best group is the answer. `distinct` counts different cells.

    `named` words of the question name the target: between tables that fit equally well the one whose column is named more fully is meant.
    Of a difference `other` is the second column, None where two rows are compared; `difference` says how the question asks for it.
    `rank`: the second highest; `limit` of the highest or lowest are asked for; `is_measured`: the target is a figure, no year and no number of
    something; `part` of a day makes the groups; `said_rows`: the question says that so many rows are added up; `notes` say what the question left
    open; no row of what is listed or counted may fulfil `excluded`.
    """

    operation: Operation
    target: int | None
    conditions: tuple[RowCondition, ...]
    inner: Operation | None = None
    group: int | None = None
    label: int | None = None
    distinct: bool = False
    confidence: float = 1.0
    named: int = 0
    other: int | None = None
    difference: DifferenceQuestion | None = None
    rank: int = 1
    limit: int = 1
    is_measured: bool = False
    part: GroupPart = GroupPart.CELL
    notes: tuple[str, ...] = ()
    excluded: RowCondition | None = None
    relation: RelationQuestion | None = None
    share: ShareQuestion | None = None
    said_rows: SaidRows | None = None


def plan_table_query(matching: TableMatch) -> TablePlan:
    """Plan the calculation of a question over a table. Raises UnfitTable where the table does not hold what is asked, AmbiguousQuestion where it
    holds it twice."""
    asked = matching.question
    by_day = _day_group(matching)
    group = by_day[0] if by_day is not None else _group(matching)
    said = find_said_rows(asked.text) if asked.operation in _ADDED else None
    matching.mark_explained(matching.places_in(said.span if said is not None else None))
    conditions = _restrict_rows(matching)
    aim = _DRAFTERS.get(asked.operation, draft_figure)(matching, conditions)
    if group is not None:
        if aim.operation in {Operation.LOOKUP, Operation.LIST, Operation.DIFFERENCE, Operation.SHARE} or group == aim.target:
            raise UnfitTable
        aim = replace(aim, group=group, part=by_day[1] if by_day is not None else GroupPart.CELL)
    explain_checked_unit(matching, aim.target)
    conditions += (comparison_conditions(matching, aim.target) if asked.checked is None else []) + time_conditions(
        matching, conditions if not aim.doubt else ()
    )
    conditions, excluded = leave_out(matching, conditions, aim)
    _explain_entity(matching, aim)
    _check_what_is_compared(matching, aim, conditions)
    confidence = _confidence(matching, aim, [*conditions, *([excluded] if excluded is not None else [])])
    return TablePlan(
        operation=aim.operation,
        target=aim.target,
        conditions=tuple(conditions),
        inner=aim.inner,
        group=aim.group,
        label=aim.label,
        distinct=aim.distinct,
        confidence=confidence,
        named=aim.named,
        other=aim.other,
        difference=asked.request.difference if aim.operation is Operation.DIFFERENCE else None,
        share=asked.request.share if aim.operation is Operation.SHARE else None,
        rank=asked.request.rank,
        limit=asked.request.limit,
        is_measured=aim.target in matching.measures(),
        part=aim.part,
        notes=tuple(dict.fromkeys(matching.notes)),
        excluded=excluded,
        relation=asked.request.relation if aim.operation is Operation.DIFFERENCE else None,
        said_rows=said,
    )


def _restrict_rows(matching: TableMatch) -> list[RowCondition]:
    """Return what restricts the rows beside comparisons and times, which need to know what is computed."""
    conditions = relation_conditions(matching) + office_conditions(matching) + heading_conditions(matching)
    reserved = _find_reserved_words(matching)
    matching.mark_explained(reserved)
    conditions += measure_conditions(matching) + whole_share_conditions(matching) + sign_conditions(matching)
    conditions += month_conditions(matching) + compared_row_conditions(matching)
    cells = matching.find_cells()
    conditions += cell_conditions(matching, cells)
    matching.free_places |= set(reserved)
    explain_units(matching, cells)
    return conditions + boolean_conditions(matching) + unlike_conditions(matching) + number_conditions(matching) + value_conditions(matching)


def _check_what_is_compared(matching: TableMatch, aim: PlanDraft, conditions: Sequence[RowCondition]) -> None:
    """Raise UnfitTable where two things are compared and not two are named, or where the highest is asked for of what is named already."""
    if matching.question.request.of_two or (aim.operation is Operation.DIFFERENCE and aim.other is None):
        if pair_of(conditions) is None:
            raise UnfitTable
    elif aim.operation in _EXTREMES and any(
        each.place == aim.label and each.exact and each.named == 1 and isinstance(each.where, CellIs) for each in conditions
    ):
        raise UnfitTable


def _confidence(matching: TableMatch, aim: PlanDraft, conditions: Sequence[RowCondition]) -> float:
    """Return how far the reading explains the question. Raises UnfitTable where it leaves a word that it cannot leave."""
    left, name, usual = unexplained_words(matching, _words_around(matching, aim, conditions))
    if aim.operation in _EXTREMES and aim.doubt and any(matching.words[at] in left for at in _find_words_behind(matching)):
        raise UnfitTable  # "train loops" is not "Persons trained"
    if name or (left and _leaves_no_word(aim, conditions)) or _speaks_of_another(matching, aim, conditions) or _names_another_column(matching, aim):
        raise UnfitTable
    if leaves_heading(matching):
        raise UnfitTable
    if not _may_compute(matching, aim, conditions) or _is_unrestricted(matching, aim, conditions) or _is_of_spanned_cells(matching, aim, conditions):
        raise UnfitTable
    unexplained = len(left) + _asks_for_another(matching, aim, left)
    doubt = aim.doubt + matching.doubt + _UNEXPLAINED_DOUBT * unexplained + _USUAL_WORD_DOUBT * usual + _doubt_of_cells(conditions)
    return max(0.0, 1.0 - doubt)


def _doubt_of_cells(conditions: Sequence[RowCondition]) -> float:
    return _LOOSE_CELL_DOUBT * sum(0.5 if each.phrase else 1 for each in conditions if not each.exact)


def _words_around(matching: TableMatch, aim: PlanDraft, conditions: Sequence[RowCondition]) -> frozenset[str] | None:
    """The words that may say of what the table is, where a row is named, or rows are compared in a column that is named; of several rows only those
    of the document's first line, and of all rows none (None): the others may restrict them."""
    named = [each for each in conditions if each.exact or each.phrase]
    if aim.operation in _EXTREMES:
        return matching.candidate.surrounding_stems if named or not aim.doubt else None
    if named and (aim.operation in _OF_ONE_ROW or any(matching.tells_rows_apart(each.place) for each in named)):
        return matching.candidate.surrounding_stems
    return stems(matching.candidate.surroundings.partition("\n")[0]) if named else None


def _names_another_column(matching: TableMatch, aim: PlanDraft) -> bool:
    """Return whether a name that is left over is a part of another column's name only: "Mexican" beside "Total population"."""
    if aim.target is None or aim.operation not in {Operation.LOOKUP, Operation.SUM}:
        return False
    own = matching.name_stems[aim.target] | matching.context_stems
    others = frozenset(name for names in matching.name_stems for name in names) - own
    return any(matching.words[at].is_name and matching.words[at].stem in others for at in matching.free_places)


def _is_of_spanned_cells(matching: TableMatch, aim: PlanDraft, conditions: Sequence[RowCondition]) -> bool:
    """Return whether rows are told by a cell of a column of texts that few rows fill: it may stand for the rows around it, as merged ones do."""
    facts = matching.candidate.facts
    if aim.operation not in _CELLS or facts.rows < _LEAST_ROWS_OF_SPANS:
        return False
    named = [each.place for each in conditions if isinstance(each.where, CellIs) and not each.where.negated]
    filled = [sum(each.rows for text, each in facts.columns[place].texts.items() if text.strip()) for place in named]
    return any(0 < rows < _LEAST_FILLED * facts.rows for rows in filled)


def _leaves_no_word(aim: PlanDraft, conditions: Sequence[RowCondition]) -> bool:
    """Return whether a word that is left over would restrict what is counted in all rows, or speak of another column than the one that is guessed
    at."""
    guessed = aim.target is not None and aim.doubt >= INFERRED_COLUMN_DOUBT
    whole = not conditions and aim.operation in {Operation.COUNT, Operation.SUM}
    return guessed or whole or aim.operation in {Operation.LIST, Operation.DIFFERENCE}


def _is_unrestricted(matching: TableMatch, aim: PlanDraft, conditions: Sequence[RowCondition]) -> bool:
    """Return whether a cell or a list is asked for and nothing says of which rows, or a figure that each year has another of: how many employees a
    firm has is no sum over years."""
    if conditions:
        return False
    if aim.operation is Operation.SUM and not matching.question.times and not says_sum(matching.question.text):
        return are_years(matching.candidate)
    return aim.operation is Operation.LOOKUP or (aim.operation is Operation.LIST and not aim.distinct and not _is_whole_table(matching))


def _speaks_of_another(matching: TableMatch, aim: PlanDraft, conditions: Sequence[RowCondition]) -> bool:
    """Return whether the highest is taken of one column while a word that is left over names another: "max term" is not the highest fine, "lap time"
    not the number of laps. What the table is called, too, counts only where it stands where the column is named."""
    if aim.operation not in _EXTREMES:
        return not conditions and aim.operation in _OVER_ALL_ROWS and _leaves_a_restriction(matching, aim)
    if aim.target is None:
        return False
    used = {aim.target, aim.label, aim.group, *(each.place for each in conditions)}
    others = frozenset(name for place, names in enumerate(matching.name_stems) if place not in used for name in names)
    others -= matching.name_stems[aim.target] | stems(matching.columns[aim.target].name)
    left = [at for at in sorted(matching.free_places) if matching.words[at].stem in others]
    if any(_is_superlative_noun(matching, at, aim.target) for at in left):
        return True
    return bool(aim.doubt) and any(matching.words[at].stem not in matching.context_stems | GENERIC for at in left)


def _leaves_a_column(matching: TableMatch, aim: PlanDraft) -> bool:
    """Return whether a word that is left over names a column by which rows may be told from each other: "product codes with status OK" are not
    all."""
    known = matching.context_stems | GENERIC | PEOPLE | (matching.name_stems[aim.target] if aim.target is not None else frozenset())
    used = {aim.target, aim.label, aim.group}
    others = [place for place in range(len(matching.columns)) if place not in used and not matching.tells_rows_apart(place)]
    wanted = frozenset(name for place in others for name in matching.name_stems[place]) - known
    return any(matching.words[at].stem in wanted for at in matching.free_places)


def _leaves_a_restriction(matching: TableMatch, aim: PlanDraft) -> bool:
    return _leaves_a_column(matching, aim) or _leaves_a_predicate(matching, aim)


def _leaves_a_predicate(matching: TableMatch, aim: PlanDraft) -> bool:
    """Return whether rows are counted and a word behind what is counted names a column of figures, though the table is called so, too: it says of
    which rows, as "imported" does of "how many countries had only imported cases"."""
    if aim.operation is not Operation.COUNT or aim.target is not None:
        return False
    asked = matching.question
    run = counted_run(matching, asked.request.counted_start or 0, set())
    end = matching.words[run[-1]].end if run else asked.request.counted_start or 0
    figures = [names for place, names in enumerate(matching.name_stems) if matching.columns[place].type in NUMERIC]
    named = frozenset().union(*figures) - COUNTING - GENERIC
    return any(matching.words[at].start >= end and not named.isdisjoint(matching.stems_at(at)) for at in matching.free_places)


def _is_superlative_noun(matching: TableMatch, at: int, target: int) -> bool:
    """Return whether the word is the noun behind the superlative, alone or behind a word that names the target: "lap time", not "order amount"."""
    run = _find_words_behind(matching)
    naming = [place for place in run if matching.words[place].stem in matching.name_stems[target]]
    return at in run and (not naming or at == run[-1] == naming[-1] + 1)


def _find_words_behind(matching: TableMatch) -> list[int]:
    """The words that follow the superlative without a plain one between them."""
    end, run = matching.question.request.extreme_end, list[int]()
    for place, word in enumerate(matching.words):
        if word.start >= end and not matching.question.text[end : word.start].strip() and not word.is_plain:
            run.append(place)
            end = word.end
    return run


def _is_whole_table(matching: TableMatch) -> bool:
    """Return whether a short table is asked for as it stands, by what stands over it: "list the capital items"."""
    said = {word.stem for word in matching.words if not word.is_plain}
    over = frozenset(stems(" ".join([matching.candidate.table.caption, *matching.candidate.table.section[-1:]]))) - GENERIC
    return matching.candidate.facts.rows <= _WHOLE_TABLE and bool(over) and over <= said


def _may_compute(matching: TableMatch, aim: PlanDraft, conditions: Sequence[RowCondition]) -> bool:
    """Not a share that nobody computes, and no sum of two where one is asked of: "how much did the crane cost" with two cranes."""
    adds_up = aim.operation is Operation.SUM and matching.question.request.asks_for_money and any(each.several for each in conditions)
    is_told = aim.operation is not Operation.LOOKUP or matching.question.request.difference is None or _names_change(matching, aim)
    return not adds_up and is_told and _relations_are_said(matching, aim)


def _names_change(matching: TableMatch, aim: PlanDraft) -> bool:
    """Return whether the cell that is shown where a change is asked for is of a column that is called so."""
    return aim.target is not None and bool(matching.name_stems[aim.target] & matching.computing_stems)


def _relations_are_said(matching: TableMatch, aim: PlanDraft) -> bool:
    """Return whether shares and changes that are asked for are what the column, a cell or the table is called: they are not computed."""
    target = aim.target
    known = matching.caption_stems | (matching.name_stems[target] if target is not None else frozenset())
    if target is not None and matching.columns[target].type is ColumnType.PERCENT:
        known |= _PART_WORDS
    places = [at for span in matching.question.relative_spans for at in matching.places_in(span)]
    return all(at not in matching.free_places or matching.words[at].stem in known for at in places)


def _asks_for_another(matching: TableMatch, aim: PlanDraft, left: Sequence[QuestionWord]) -> bool:
    """Return whether what stands behind "which" is nothing that the table knows: the highest of its rows may be of another kind."""
    entity = matching.question.entity
    return aim.operation in _EXTREMES and entity is not None and any(entity.meets((word.start, word.end)) for word in left)


def _find_reserved_words(matching: TableMatch) -> list[int]:
    """Words that are the whole name of a column of figures: they name it, whatever cell says the same."""
    if matching.question.operation is Operation.COUNT:
        return []
    return [at for named in matching.find_named(matching.measures()) if named.share == 1 for at in named.places]


def _day_group(matching: TableMatch) -> tuple[int, GroupPart] | None:
    """The column of days behind "per month" and "by year", where no column is called so."""
    within = [at for at in matching.places_in(matching.question.group) if matching.words[at].stem in _DAY_PARTS]
    dated = matching.columns_of_type(ColumnType.DATE)
    if not within or not dated or matching.find_named(range(len(matching.columns)), within=within):
        return None
    matching.mark_explained(within)
    if len(dated) > 1:
        matching.notes.append(f"The time is taken by “{matching.columns[dated[0]].name}”.")
        matching.doubt += FIRST_DAY_DOUBT
    return dated[0], _DAY_PARTS[matching.words[within[0]].stem]


def _group(matching: TableMatch) -> int | None:
    """The column behind "per" or "by". A price per unit is a column's name, not a group; "by Kestrel" names a cell."""
    found = _find_named_group(matching)
    if found is None and matching.question.request.is_per_group and matching.question.operation is Operation.SUM:
        raise UnfitTable
    return found


def _find_named_group(matching: TableMatch) -> int | None:
    asked = matching.question
    within = [at for at in matching.places_in(asked.group) if at in matching.free_places]
    if not within or _is_in_name_of_measure(matching, within):
        return None
    measures = set(matching.measures())
    ranks, averages = asked.operation in _EXTREMES, asked.operation is Operation.AVERAGE
    named = matching.find_named([place for place in range(len(matching.columns)) if place not in measures], within=within)
    if len(named) == 1 and not ranks:
        matching.mark_explained(named[0].places)
        return None if averages and matching.tells_rows_apart(named[0].place) else named[0].place
    if asked.is_grouped_by or ranks:
        return None
    if averages and matching.words[within[0]].stem in matching.context_stems:
        matching.mark_explained(within[:1])  # an average per order, where each row is an order
        return None
    raise UnfitTable


def _is_in_name_of_measure(matching: TableMatch, within: Sequence[int]) -> bool:
    """Return whether the words belong to the whole name of a column of figures: "price per unit"."""
    named = matching.find_named(matching.measures())
    return any(each.share == 1 and len(each.places) > 1 and set(each.places) & set(within) for each in named)


_DRAFTERS = {
    Operation.COUNT: draft_count,
    Operation.HIGHEST: draft_superlative,
    Operation.LOWEST: draft_superlative,
    Operation.LOOKUP: draft_lookup,
    Operation.LIST: draft_list,
    Operation.DIFFERENCE: draft_difference,
    Operation.SHARE: draft_share,
}


def _explain_entity(matching: TableMatch, aim: PlanDraft) -> None:
    """Behind "which" may stand what the table's rows are, by the table's own name or by that of what tells them apart ("Customer Id")."""
    if aim.operation in {Operation.HIGHEST, Operation.LOWEST}:
        keys = (names for place, names in enumerate(matching.name_stems) if matching.tells_rows_apart(place) and place not in matching.measures())
        known = matching.context_stems.union(*keys)
        matching.mark_explained(at for at in matching.places_in(matching.question.entity) if matching.words[at].stem in known)
