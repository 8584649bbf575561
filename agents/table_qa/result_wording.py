"""A result in words: one sentence that says what was computed over which rows, its value, its lines, and the rows to cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.operations import Operation
from agents.table_qa.query_plan import TablePlan
from agents.table_qa.row_periods import name_period
from core.language.numbers import ordinals
from core.table_queries import CellIs, GroupPart, QueryGroup, QueryResult
from core.tables import Calculation, Column, ColumnType, TableRow

MOST_CITED_ROWS = 8  # rows that are cited
MOST_LISTED_ROWS = 20  # rows of a list that are shown
MOST_GROUPS = 20
_MOST_NAMED = 12  # of a list that are named in its sentence
_MOST_TIED = 4
_SIGNS = {"EUR": "€", "GBP": "£", "INR": "₹", "ILS": "₪", "TRY": "₺"}
_REST_ROW = re.compile(
    r"""
          world(?:wide)?|career|lifetime|all[\s-]time|overall|(?:grand\s+|sub[\s-]?)?totals?(?:\s+[^\W\d].*)?
        | .{1,40}\stotals?(?:\s*\([^)]*)?|weltweit|welt|insgesamt|gesamt
        | (?:all\s+)?(?:the\s+)?(?:others?|rest|remainder)(?:\s+[^\W\d]+)?
        | (?:alle\s+)?(?:sonstige[sr]?|übrige[sr]?|andere)(?:\s+[^\W\d]+)?|autres?|otr[oa]s|altr[ie]|outr[oa]s
    """,
    re.I | re.VERBOSE,
)
_TOTAL = re.compile(r"\b(?:sub)?totals?\b", re.I)
_TIME_COLUMN = re.compile(r"\b(?:year|month|date|day|jahr|monat|datum|tag)\b", re.I)
_BARE_NUMBER = re.compile(r"\d{1,4}\W?")
_RANK_NAMES = {place: word.capitalize() for word, place in ordinals("en", most=10).items() if place > 1}
_ROUNDED = Decimal("0.01")  # of a sum, by which the table's own total may differ
_LABELS = {Operation.SUM: "Sum", Operation.AVERAGE: "Average", Operation.MEDIAN: "Median", Operation.COUNT: "Number of rows"}


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """`rows` are those to cite, `lines` the groups with theirs. `is_ambiguous`: the sentence says why nothing was computed, though the question fits
    the table. `named` as in TablePlan. `total` is the table's own total row where a note speaks of it. `asked` is the cell that is asked for beside
    the figure: the carrier for "Which carrier had the heaviest shipment?". `is_contradicted`: the table's own total is another figure, by more than
    is rounded; not `is_nearest`: the caption of another table of its document is nearer."""

    candidate: CandidateTable
    calculation: Calculation
    rows: tuple[TableRow, ...]
    lines: tuple[tuple[str, tuple[TableRow, ...]], ...] = ()
    is_ambiguous: bool = False
    named: int = 0
    total: TableRow | None = None
    asked: str = ""
    is_contradicted: bool = False
    is_nearest: bool = True


@dataclass(frozen=True, slots=True)
class ResultSentence:
    """The sentence, the value in it, and what a reader has to know beside it."""

    sentence: str
    value: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UsedRows:
    """The rows that a result rests on: how many, their first ordinals, and those to cite."""

    rows: int
    ordinals: tuple[int, ...]
    cited_rows: tuple[TableRow, ...]


def tell_ambiguity(operation: Operation, candidate: CandidateTable, reason: str) -> TableAnswer:
    """Return why nothing was computed, though the question fits the table."""
    said = ResultSentence(f"Nothing was computed from {_place(candidate)}. {reason}", "")
    plan = TablePlan(operation, None, (), confidence=0.65)
    return TableAnswer(candidate, _calculation(plan, candidate, UsedRows(0, (), ()), said), (), is_ambiguous=True)


def tell_count(plan: TablePlan, candidate: CandidateTable, found: QueryResult) -> TableAnswer:
    """Return how many rows, or how many different cells of the target."""
    where = describe_conditions(plan)
    if plan.target is None:
        value = f"{found.matched_rows:,}"
        of = f" of {candidate.facts.rows:,}" if where else ""
        return make_answer(
            plan,
            candidate,
            used_rows(found, found.matched_rows),
            ResultSentence(f"Number of rows of {_place(candidate)}{where}: {value}{of}.", value),
        )
    value = f"{found.value:,}"
    sentence = f"Different values of {column_of(candidate, plan.target)} over {_rows(found.filled_rows)}{where}: {value}."
    return make_answer(plan, candidate, used_rows(found, found.filled_rows), ResultSentence(sentence, value))


def tell_figure(plan: TablePlan, candidate: CandidateTable, found: QueryResult) -> TableAnswer:
    """Return a sum, an average or a median; of one row that is named its cell."""
    target, figure = target_of(plan), found.value or Decimal(0)
    value = shown_figure(figure, candidate, target)
    used = used_rows(found, found.filled_rows)
    if plan.operation is Operation.SUM and found.matched_rows == 1 and plan.conditions:  # nothing is added up: it is the cell of a row
        return make_answer(
            replace(plan, operation=Operation.LOOKUP),
            candidate,
            used,
            ResultSentence(f"{column_of(candidate, target)}{describe_conditions(plan)}: {value}.", value),
        )
    period = "" if plan.conditions else name_period(candidate)
    over = f"{_rows(found.filled_rows)}{f', {period}' * bool(period)}{describe_conditions(plan)}"
    sentence = f"{_LABELS[plan.operation]} of {column_of(candidate, target)} over {over}: {value}."
    total, compared = _own_total(plan, candidate, figure)
    notes = compared + _describe_missing(found, candidate.table.columns[target])
    contradicted = total is not None and abs(decimal_of(total, target) - figure) > _ROUNDED * abs(figure)
    return replace(make_answer(plan, candidate, used, ResultSentence(sentence, value, notes)), total=total, is_contradicted=contradicted)


def tell_cell(plan: TablePlan, candidate: CandidateTable, found: QueryResult) -> TableAnswer:
    """Tell one cell of the row that is named."""
    target = target_of(plan)
    value = found.rows[0].cells[target].strip()
    value = f"{int(value):,}" if value.isdecimal() and plan.is_measured else value
    return make_answer(
        plan,
        candidate,
        used_rows(found, found.matched_rows),
        ResultSentence(f"{column_of(candidate, target)}{describe_conditions(plan)}: {value}.", value),
    )


def tell_best(plan: TablePlan, candidate: CandidateTable, found: QueryResult, notes: tuple[str, ...]) -> TableAnswer:
    """Return the row with the highest or lowest value, and those that have the same."""
    target = target_of(plan)
    if found.matched_rows == 1 and plan.conditions:  # nothing is compared: "the maximum term for theft" is a cell under "Max Term"
        return tell_cell(replace(plan, operation=Operation.LOOKUP), candidate, found)
    column, best = candidate.table.columns[target], found.rows[plan.rank - 1].values[target]
    tied = [row for row in found.rows if row.values[target] == best]
    labels = "; ".join(_label(plan, candidate, row) for row in tied[:_MOST_TIED])
    labels += f"; and {found.tied_rows - _MOST_TIED:,} more" if found.tied_rows > _MOST_TIED else ""
    value = shown_value(best, candidate, target)
    head = f"{_rank_superlative(plan, _extreme(plan.operation, column))} {column_of(candidate, target)} of {_rows(found.filled_rows)}"
    sentence = f"{head}{describe_conditions(plan)}: {value} ({labels})."
    used = replace(used_rows(found, found.filled_rows), cited_rows=tuple(tied[:MOST_CITED_ROWS]))
    told = make_answer(plan, candidate, used, ResultSentence(sentence, value, _describe_missing(found, column) + notes))
    return replace(told, asked=tied[0].cells[plan.label].strip()) if len(tied) == 1 and plan.label not in {None, target} else told


def tell_top(plan: TablePlan, candidate: CandidateTable, found: QueryResult, notes: tuple[str, ...]) -> TableAnswer:
    """Return the first few by a column, each with its value; those that equal the last one, too."""
    target = target_of(plan)
    column = candidate.table.columns[target]
    lines = tuple((f"{_label(plan, candidate, row)}: {shown_value(row.values[target], candidate, target)}", (row,)) for row in found.rows)
    word = _extreme(plan.operation, column).lower()
    head = f"The {min(plan.limit, found.filled_rows)} {word} {column_of(candidate, target)} of {_rows(found.filled_rows)}{describe_conditions(plan)}:"
    last = found.rows[min(plan.limit, len(found.rows)) - 1].values[target]
    more = found.tied_rows - sum(row.values[target] == last for row in found.rows[: plan.limit])
    notes += (f"{more:,} more {'has' if more == 1 else 'have'} the same value as the last.",) if more else ()
    used = UsedRows(found.filled_rows, tuple(row.ordinal for row in found.rows), found.rows)
    return make_answer(plan, candidate, used, ResultSentence(head, "", _describe_missing(found, column) + notes), lines=lines)


def tell_list(plan: TablePlan, candidate: CandidateTable, found: QueryResult) -> TableAnswer:
    """Return all rows that fulfil the conditions, with their number; by the column that is asked for, else by the one that tells the rows apart."""
    of = f" of {candidate.facts.rows:,}" if plan.conditions else ""
    counted = f"{_rows(found.matched_rows)}{of}"
    by = plan.label if plan.label is not None else _find_naming_column(plan, candidate)
    names = list(dict.fromkeys(cell for row in found.rows if by is not None and (cell := " ".join(row.cells[by].split()))))
    value = "; ".join(names[:_MOST_NAMED])
    used = replace(used_rows(found, found.matched_rows), cited_rows=found.rows)
    if not value or by is None:
        return make_answer(plan, candidate, used, ResultSentence(f"{counted} of {_place(candidate)}{describe_conditions(plan)}.", counted))
    if found.matched_rows > len(found.rows) or len(names) > _MOST_NAMED:
        counted = f"the first {min(len(names), _MOST_NAMED)}; {counted}"
    return make_answer(plan, candidate, used, ResultSentence(f"{column_of(candidate, by)}{describe_conditions(plan)}: {value} ({counted}).", value))


def _find_naming_column(plan: TablePlan, candidate: CandidateTable) -> int | None:
    """The first column of texts that tells the rows apart: one whose cells hold a word that is named, else one that no condition speaks of."""
    exact = {each.place: each.exact for each in plan.conditions}
    texts = [place for place, column in enumerate(candidate.table.columns) if column.type is ColumnType.TEXT and not exact.get(place, False)]
    return next((place for place in sorted(texts, key=lambda place: place not in exact) if candidate.facts.tells_rows_apart(place)), None)


def tell_groups(plan: TablePlan, candidate: CandidateTable, found: QueryResult, operation: Operation) -> TableAnswer:
    """Tell one figure for each group."""
    head = _group_head(plan, candidate, found, operation)
    if found.group_count > len(found.groups):
        head = f"{head}, the {len(found.groups)} highest of {found.group_count:,}"
    lines = tuple((f"{_group_name(plan, group)}: {_group_figure(plan, candidate, group, operation)}", group.first_rows) for group in found.groups)
    return make_answer(plan, candidate, used_rows(found, found.matched_rows), ResultSentence(f"{head}:", ""), lines=lines)


def tell_best_group(
    plan: TablePlan, candidate: CandidateTable, found: QueryResult, tied: Sequence[QueryGroup], rows: QueryResult, operation: Operation
) -> TableAnswer:
    """Return the group with the highest or lowest figure; `rows` are those of the tied groups."""
    names = ", ".join(_group_name(plan, group) for group in tied[:_MOST_TIED])
    figure = _group_figure(plan, candidate, tied[0], operation)
    word = _rank_superlative(plan, "Highest" if plan.operation is Operation.HIGHEST else "Lowest").lower()
    head = _group_head(plan, candidate, found, operation)
    sentence = f"{names}: {figure}. That is the {word} of {found.group_count:,}: {head[:1].lower()}{head[1:]}."
    return make_answer(plan, candidate, used_rows(rows, rows.matched_rows), ResultSentence(sentence, f"{names}: {figure}"))


def unnamed_totals(plan: TablePlan, candidate: CandidateTable) -> CellIs | None:
    """Return the condition that leaves out rows that are called a total, though they are none by their figures ("World total (rounded)")."""
    rest = unnamed_rest(replace(plan, label=None), candidate)
    texts = frozenset(text for text in rest.texts if _TOTAL.search(text)) if rest is not None else frozenset()
    return replace(rest, texts=texts) if rest is not None and texts else None


def unnamed_rest(plan: TablePlan, candidate: CandidateTable) -> CellIs | None:
    """Return the condition that leaves out what a table puts together at its end ("Others"); None where it puts nothing together."""
    columns = candidate.table.columns
    place = plan.label if plan.label is not None else next((at for at, each in enumerate(columns) if each.type is ColumnType.TEXT), None)
    if place is None or place == plan.target:
        return None
    rest = frozenset(text for text in candidate.facts.columns[place].texts if _REST_ROW.fullmatch(text.strip(" *†()")))
    return CellIs(place, rest, negated=True) if rest else None


# -- what results are made of --------------------------------------------------------------------------------------------------------


def used_rows(found: QueryResult, rows: int) -> UsedRows:
    """Return the rows that a result rests on."""
    return UsedRows(rows, found.ordinals, found.rows[:MOST_CITED_ROWS])


def make_answer(
    plan: TablePlan, candidate: CandidateTable, used: UsedRows, sentence: ResultSentence, *, lines: tuple[tuple[str, tuple[TableRow, ...]], ...] = ()
) -> TableAnswer:
    """Return a result as an answer with its calculation."""
    calculation = _calculation(plan, candidate, used, sentence).model_copy(update={"lines": [text for text, _ in lines]})
    return TableAnswer(candidate, calculation, used.cited_rows, lines, named=plan.named)


def _calculation(plan: TablePlan, candidate: CandidateTable, used: UsedRows, sentence: ResultSentence) -> Calculation:
    table, columns = candidate.table, candidate.table.columns
    return Calculation(
        operation=plan.operation.value,
        document_id=table.document_id,
        filename=candidate.filename,
        table=table.ordinal,
        caption=table.caption,
        column=columns[plan.target].name if plan.target is not None else "",
        group=columns[plan.group].name if plan.group is not None else "",
        conditions=[condition.words for condition in plan.conditions],
        rows_used=used.rows,
        rows=table.rows,
        row_ordinals=list(used.ordinals),
        value=sentence.value,
        sentence=sentence.sentence,
        lines=[],
        notes=[*sentence.notes, *plan.notes],
        confidence=round(plan.confidence, 3),
    )


def target_of(plan: TablePlan) -> int:
    if plan.target is None:
        raise ValueError("This operation has no column; the plan should not have been made.")
    return plan.target


def _number(row: TableRow, place: int) -> float:
    value = row.values[place]
    return value if isinstance(value, float) else 0.0


def decimal_of(row: TableRow, place: int) -> Decimal:
    return Decimal(repr(_number(row, place)))


def _own_total(plan: TablePlan, candidate: CandidateTable, computed: Decimal) -> tuple[TableRow | None, tuple[str, ...]]:
    """The table's own total row and whether it says the same, where a whole column was added up."""
    target = target_of(plan)
    totals = [row for row in candidate.facts.total_rows if isinstance(row.values[target], float)]
    if plan.operation is not Operation.SUM or plan.conditions or not totals:
        return None, ()
    same = next((row for row in reversed(totals) if decimal_of(row, target) == computed), None)
    if same is not None:
        return same, ("The table's own total row says the same.",)
    return totals[-1], (f"The table's own total row says {shown_figure(decimal_of(totals[-1], target), candidate, target)}.",)


def _describe_missing(found: QueryResult, column: Column) -> tuple[str, ...]:
    left = found.matched_rows - found.filled_rows
    what = "date" if column.type is ColumnType.DATE else "figure"
    return (f"{left:,} more row{'' if left == 1 else 's'} {'has' if left == 1 else 'have'} no {what} there.",) if left else ()


# -- words ---------------------------------------------------------------------------------------------------------------------------


def _place(candidate: CandidateTable) -> str:
    sheet = candidate.table.section[-1] if candidate.table.section else ""
    inside = candidate.table.caption or sheet
    if inside and candidate.filename:
        return f"“{inside}” in {candidate.filename}"
    return candidate.filename or f"“{inside or 'the table'}”"


def column_of(candidate: CandidateTable, place: int) -> str:
    return f"“{candidate.column_name(place)}”"


def _rows(rows: int) -> str:
    return f"{rows:,} row{'' if rows == 1 else 's'}"


def describe_conditions(plan: TablePlan) -> str:
    """Return the conditions of a plan in words, " where …"; "" for none."""
    return f" where {' and '.join(condition.words for condition in plan.conditions)}" if plan.conditions else ""


def _extreme(operation: Operation, column: Column) -> str:
    high = operation is Operation.HIGHEST
    if column.type is ColumnType.DATE:
        return "Latest" if high else "Earliest"
    return "Highest" if high else "Lowest"


def _rank_superlative(plan: TablePlan, word: str) -> str:
    """ "Second highest"."""
    return word if plan.rank == 1 else f"{_RANK_NAMES.get(plan.rank, f'{plan.rank}th')} {word.lower()}"


def _group_head(plan: TablePlan, candidate: CandidateTable, found: QueryResult, operation: Operation) -> str:
    what = _LABELS[operation] + (f" of {column_of(candidate, plan.target)}" if plan.target is not None else "")
    part = "" if plan.part is GroupPart.CELL else f"{plan.part.value} of "
    group = column_of(candidate, plan.group) if plan.group is not None else ""
    return f"{what} for each {part}{group} over {_rows(found.matched_rows)}{describe_conditions(plan)}"


def _group_name(plan: TablePlan, group: QueryGroup) -> str:
    return " ".join(group.key.split())


def _group_figure(plan: TablePlan, candidate: CandidateTable, group: QueryGroup, operation: Operation) -> str:
    return shown_figure(group.value or Decimal(0), candidate, plan.target if operation is not Operation.COUNT else None)


def _label(plan: TablePlan, candidate: CandidateTable, row: TableRow) -> str:
    """Return what the row is about: the column that was asked for, else the first that is text and that no condition holds for all rows, else the
    first."""
    shown = dict.fromkeys(row.cells[place] for place in _label_columns(plan, candidate, row) if place != plan.target and row.cells[place])
    return ", ".join(shown) or _first_cell(plan, candidate, row) or f"row {row.ordinal + 1}"


def _label_columns(plan: TablePlan, candidate: CandidateTable, row: TableRow) -> list[int]:
    held = {each.place for each in plan.conditions if isinstance(each.where, CellIs) and len(each.where.texts) == 1}
    texts = [place for place, column in enumerate(candidate.table.columns) if column.type is ColumnType.TEXT and row.cells[place]]
    texts = [place for place in texts if place not in held] or texts
    if plan.label is not None:
        return [plan.label, *texts[:1]]
    telling = [place for place in texts if candidate.facts.tells_rows_apart(place)]
    return [*texts[:1], *telling[:1]]


def _first_cell(plan: TablePlan, candidate: CandidateTable, row: TableRow) -> str:
    """Return the first cell beside the target; in place of a mere number of the row the first of a column of times."""
    others = [cell for place, cell in enumerate(row.cells) if cell and place != plan.target]
    if len(others) > 1 and _BARE_NUMBER.fullmatch(others[0]) and candidate.facts.columns[row.cells.index(others[0])].is_monotonic:
        timed = [cell for cell, column in zip(row.cells, candidate.table.columns, strict=False) if cell and _TIME_COLUMN.search(column.name)]
        others = timed or others
    return others[0] if others else ""


def shown_value(value: object, candidate: CandidateTable, place: int) -> str:
    return shown_figure(Decimal(repr(value)), candidate, place) if isinstance(value, float) else str(value)


def shown_figure(value: Decimal, candidate: CandidateTable, place: int | None) -> str:
    """Format a figure with the thousands parted, two places where the column has them, and the unit where the column's name does not say it."""
    column = candidate.table.columns[place] if place is not None else None
    places = max(0, -int(value.normalize().as_tuple().exponent))
    cents = place is not None and _has_cents(candidate, place)
    rounded = value.quantize(Decimal(1).scaleb(-2 if cents or places > 6 else -4), ROUND_HALF_UP)
    text = f"{rounded:,.2f}" if cents and rounded % 1 != 0 else f"{rounded.normalize():,f}"
    unit = column.unit if column is not None else ""
    if not unit or column is None:
        return text
    if unit == "%":
        return f"{text}%"
    if unit in "$¥":
        return f"-{unit}{text[1:]}" if text.startswith("-") else f"{unit}{text}"
    said = unit.casefold() in column.name.casefold().replace("_", " ") or _SIGNS.get(unit, unit) in column.name
    return text if said else f"{text} {unit}"


def _has_cents(candidate: CandidateTable, place: int) -> bool:
    """Return whether the column writes two places behind the mark, as money does; thousands and millions have no cents."""
    column = candidate.table.columns[place]
    return (column.type is ColumnType.AMOUNT and len(column.unit.split()) == 1) or candidate.facts.columns[place].has_cents
