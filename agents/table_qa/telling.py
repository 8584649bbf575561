"""A result in words: one sentence that says what was computed over which rows, its value, its lines, and the rows to cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from agents.table_qa.hands import TableInHand
from agents.table_qa.operations import Operation
from agents.table_qa.plan import Plan
from core.table_queries import CellIs, Group, GroupPart, Selected
from core.tables import Calculation, Column, ColumnType, TableRow

SHOWN = 8  # rows that are cited
LISTED = 20  # rows of a list that are shown
GROUPS = 20
_NAMED = 12  # of a list that are named in its sentence
_TIED = 4
_SIGNS = {"EUR": "€", "GBP": "£", "INR": "₹", "ILS": "₪", "TRY": "₺"}
_REST = re.compile(  # what a table puts together at its end
    r"world(?:wide)?|career|lifetime|all[\s-]time|overall|(?:grand\s+|sub[\s-]?)?totals?(?:\s+[^\W\d].*)?|.{1,40}\stotals?(?:\s*\([^)]*)?|weltweit|welt|insgesamt|gesamt|"
    r"(?:all\s+)?(?:the\s+)?(?:others?|rest|remainder)(?:\s+[^\W\d]+)?|(?:alle\s+)?(?:sonstige[sr]?|übrige[sr]?|andere)(?:\s+[^\W\d]+)?|autres?|"
    r"otr[oa]s|altr[ie]|outr[oa]s",
    re.I,
)
_TOTAL = re.compile(r"\b(?:sub)?totals?\b", re.I)
_IN_TIME = re.compile(r"\b(?:year|month|date|day|jahr|monat|datum|tag)\b", re.I)
_NUMBERED = re.compile(r"\d{1,4}\W?")
_PLACES = dict(enumerate("Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth".split(), 2))
_VERBS = {Operation.SUM: "Sum", Operation.AVERAGE: "Average", Operation.MEDIAN: "Median", Operation.COUNT: "Number of rows"}


@dataclass(frozen=True, slots=True)
class Calculated:
    """`rows` are those to cite, `lines` the groups with theirs. `unclear`: the sentence says why nothing was computed, though the question fits
    the table. `named` as in TablePlan. `total` is the table's own total row where a note speaks of it."""

    hand: TableInHand
    calculation: Calculation
    rows: tuple[TableRow, ...]
    lines: tuple[tuple[str, tuple[TableRow, ...]], ...] = ()
    unclear: bool = False
    named: int = 0
    total: TableRow | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The sentence, the value in it, and what a reader has to know beside it."""

    sentence: str
    value: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Used:
    """The rows that a result rests on: how many, their first ordinals, and those to cite."""

    rows: int
    ordinals: tuple[int, ...]
    cited: tuple[TableRow, ...]


def told_unclear(operation: Operation, hand: TableInHand, reason: str) -> Calculated:
    """Return why nothing was computed, though the question fits the table."""
    said = Said(f"Nothing was computed from {_place(hand)}. {reason}", "")
    plan = Plan(operation, None, (), confidence=0.65)
    return Calculated(hand, _calculation(plan, hand, Used(0, (), ()), said), (), unclear=True)


def tell_count(plan: Plan, hand: TableInHand, found: Selected) -> Calculated:
    """Return how many rows, or how many different cells of the target."""
    where = where_of(plan)
    if plan.target is None:
        value = f"{found.matched:,}"
        of = f" of {hand.facts.rows:,}" if where else ""
        return made(plan, hand, used_of(found, found.matched), Said(f"Number of rows of {_place(hand)}{where}: {value}{of}.", value))
    value = f"{found.value:,}"
    sentence = f"Different values of {column_of(hand, plan.target)} over {_rows(found.filled)}{where}: {value}."
    return made(plan, hand, used_of(found, found.filled), Said(sentence, value))


def tell_figure(plan: Plan, hand: TableInHand, found: Selected) -> Calculated:
    """Return a sum, an average or a median; of one row that is named its cell."""
    target, figure = target_of(plan), found.value or Decimal(0)
    value = shown_figure(figure, hand, target)
    used = used_of(found, found.filled)
    if plan.operation is Operation.SUM and found.matched == 1 and plan.conditions:  # nothing is added up: it is the cell of a row
        return made(replace(plan, operation=Operation.LOOKUP), hand, used, Said(f"{column_of(hand, target)}{where_of(plan)}: {value}.", value))
    sentence = f"{_VERBS[plan.operation]} of {column_of(hand, target)} over {_rows(found.filled)}{where_of(plan)}: {value}."
    total, compared = _own_total(plan, hand, figure)
    notes = compared + _missing(found, hand.table.columns[target])
    return replace(made(plan, hand, used, Said(sentence, value, notes)), total=total)


def tell_cell(plan: Plan, hand: TableInHand, found: Selected) -> Calculated:
    """Tell one cell of the row that is named."""
    target = target_of(plan)
    value = found.rows[0].cells[target].strip()
    value = f"{int(value):,}" if value.isdecimal() and plan.measured else value
    return made(plan, hand, used_of(found, found.matched), Said(f"{column_of(hand, target)}{where_of(plan)}: {value}.", value))


def tell_best(plan: Plan, hand: TableInHand, found: Selected, notes: tuple[str, ...]) -> Calculated:
    """Return the row with the highest or lowest value, and those that have the same."""
    target = target_of(plan)
    if found.matched == 1 and plan.conditions:  # nothing is compared: "the maximum term for theft" is a cell under "Max Term"
        return tell_cell(replace(plan, operation=Operation.LOOKUP), hand, found)
    column, best = hand.table.columns[target], found.rows[plan.rank - 1].values[target]
    tied = [row for row in found.rows if row.values[target] == best]
    labels = "; ".join(_label(plan, hand, row) for row in tied[:_TIED])
    labels += f"; and {found.equal - _TIED:,} more" if found.equal > _TIED else ""
    value = shown_value(best, hand, target)
    head = f"{_ranked(plan, _extreme(plan.operation, column))} {column_of(hand, target)} of {_rows(found.filled)}"
    sentence = f"{head}{where_of(plan)}: {value} ({labels})."
    used = replace(used_of(found, found.filled), cited=tuple(tied[:SHOWN]))
    return made(plan, hand, used, Said(sentence, value, _missing(found, column) + notes))


def tell_top(plan: Plan, hand: TableInHand, found: Selected, notes: tuple[str, ...]) -> Calculated:
    """Return the first few by a column, each with its value; those that equal the last one, too."""
    target = target_of(plan)
    column = hand.table.columns[target]
    lines = tuple((f"{_label(plan, hand, row)}: {shown_value(row.values[target], hand, target)}", (row,)) for row in found.rows)
    word = _extreme(plan.operation, column).lower()
    head = f"The {min(plan.limit, found.filled)} {word} {column_of(hand, target)} of {_rows(found.filled)}{where_of(plan)}:"
    last = found.rows[min(plan.limit, len(found.rows)) - 1].values[target]
    more = found.equal - sum(row.values[target] == last for row in found.rows[: plan.limit])
    notes += (f"{more:,} more {'has' if more == 1 else 'have'} the same value as the last.",) if more else ()
    used = Used(found.filled, tuple(row.ordinal for row in found.rows), found.rows)
    return made(plan, hand, used, Said(head, "", _missing(found, column) + notes), lines=lines)


def tell_list(plan: Plan, hand: TableInHand, found: Selected) -> Calculated:
    """Return all rows that fulfil the conditions, with their number; by the column that is asked for, else by the one that tells the rows apart."""
    of = f" of {hand.facts.rows:,}" if plan.conditions else ""
    counted = f"{_rows(found.matched)}{of}"
    by = plan.label if plan.label is not None else _telling_column(plan, hand)
    names = list(dict.fromkeys(cell for row in found.rows if by is not None and (cell := " ".join(row.cells[by].split()))))
    value = "; ".join(names[:_NAMED])
    used = replace(used_of(found, found.matched), cited=found.rows)
    if not value or by is None:
        return made(plan, hand, used, Said(f"{counted} of {_place(hand)}{where_of(plan)}.", counted))
    if found.matched > len(found.rows) or len(names) > _NAMED:
        counted = f"the first {min(len(names), _NAMED)}; {counted}"
    return made(plan, hand, used, Said(f"{column_of(hand, by)}{where_of(plan)}: {value} ({counted}).", value))


def _telling_column(plan: Plan, hand: TableInHand) -> int | None:
    """The first column of texts that tells the rows apart and that no condition speaks of."""
    held = {each.place for each in plan.conditions}
    texts = [place for place, column in enumerate(hand.table.columns) if column.type is ColumnType.TEXT and place not in held]
    return next((place for place in texts if hand.facts.tells_rows_apart(place)), None)


def tell_groups(plan: Plan, hand: TableInHand, found: Selected, operation: Operation) -> Calculated:
    """Tell one figure for each group."""
    head = _group_head(plan, hand, found, operation)
    if found.groups_in_all > len(found.groups):
        head = f"{head}, the {len(found.groups)} highest of {found.groups_in_all:,}"
    lines = tuple((f"{_group_name(plan, group)}: {_group_figure(plan, hand, group, operation)}", group.first) for group in found.groups)
    return made(plan, hand, used_of(found, found.matched), Said(f"{head}:", ""), lines=lines)


def tell_best_group(plan: Plan, hand: TableInHand, found: Selected, tied: Sequence[Group], rows: Selected, operation: Operation) -> Calculated:
    """Return the group with the highest or lowest figure; `rows` are those of the tied groups."""
    names = ", ".join(_group_name(plan, group) for group in tied[:_TIED])
    figure = _group_figure(plan, hand, tied[0], operation)
    word = _ranked(plan, "Highest" if plan.operation is Operation.HIGHEST else "Lowest").lower()
    head = _group_head(plan, hand, found, operation)
    sentence = f"{names}: {figure}. That is the {word} of {found.groups_in_all:,}: {head[:1].lower()}{head[1:]}."
    return made(plan, hand, used_of(rows, rows.matched), Said(sentence, f"{names}: {figure}"))


def unnamed_totals(plan: Plan, hand: TableInHand) -> CellIs | None:
    """Return the condition that leaves out rows that are called a total, though they are none by their figures ("World total (rounded)")."""
    rest = unnamed_rest(replace(plan, label=None), hand)
    texts = frozenset(text for text in rest.texts if _TOTAL.search(text)) if rest is not None else frozenset()
    return replace(rest, texts=texts) if rest is not None and texts else None


def unnamed_rest(plan: Plan, hand: TableInHand) -> CellIs | None:
    """Return the condition that leaves out what a table puts together at its end ("Others"); None where it puts nothing together."""
    columns = hand.table.columns
    place = plan.label if plan.label is not None else next((at for at, each in enumerate(columns) if each.type is ColumnType.TEXT), None)
    if place is None or place == plan.target:
        return None
    rest = frozenset(text for text in hand.facts.columns[place].texts if _REST.fullmatch(text.strip(" *†()")))
    return CellIs(place, rest, negated=True) if rest else None


# -- what results are made of --------------------------------------------------------------------------------------------------------


def used_of(found: Selected, rows: int) -> Used:
    """Return the rows that a result rests on."""
    return Used(rows, found.ordinals, found.rows[:SHOWN])


def made(plan: Plan, hand: TableInHand, used: Used, said: Said, *, lines: tuple[tuple[str, tuple[TableRow, ...]], ...] = ()) -> Calculated:
    """Return a result as an answer with its calculation."""
    calculation = _calculation(plan, hand, used, said).model_copy(update={"lines": [text for text, _ in lines]})
    return Calculated(hand, calculation, used.cited, lines, named=plan.named)


def _calculation(plan: Plan, hand: TableInHand, used: Used, said: Said) -> Calculation:
    table, columns = hand.table, hand.table.columns
    return Calculation(
        operation=plan.operation.value,
        document_id=table.document_id,
        filename=hand.filename,
        table=table.ordinal,
        caption=table.caption,
        column=columns[plan.target].name if plan.target is not None else "",
        group=columns[plan.group].name if plan.group is not None else "",
        conditions=[condition.words for condition in plan.conditions],
        rows_used=used.rows,
        rows=table.rows,
        row_ordinals=list(used.ordinals),
        value=said.value,
        sentence=said.sentence,
        lines=[],
        notes=[*said.notes, *plan.notes],
        confidence=round(plan.confidence, 3),
    )


def target_of(plan: Plan) -> int:
    if plan.target is None:
        raise ValueError("This operation has no column; the plan should not have been made.")
    return plan.target


def _number(row: TableRow, place: int) -> float:
    value = row.values[place]
    return value if isinstance(value, float) else 0.0


def decimal_of(row: TableRow, place: int) -> Decimal:
    return Decimal(repr(_number(row, place)))


def _own_total(plan: Plan, hand: TableInHand, computed: Decimal) -> tuple[TableRow | None, tuple[str, ...]]:
    """The table's own total row and whether it says the same, where a whole column was added up."""
    target = target_of(plan)
    totals = [row for row in hand.facts.totals if isinstance(row.values[target], float)]
    if plan.operation is not Operation.SUM or plan.conditions or not totals:
        return None, ()
    same = next((row for row in reversed(totals) if decimal_of(row, target) == computed), None)
    if same is not None:
        return same, ("The table's own total row says the same.",)
    return totals[-1], (f"The table's own total row says {shown_figure(decimal_of(totals[-1], target), hand, target)}.",)


def _missing(found: Selected, column: Column) -> tuple[str, ...]:
    left = found.matched - found.filled
    what = "date" if column.type is ColumnType.DATE else "figure"
    return (f"{left:,} more row{'' if left == 1 else 's'} {'has' if left == 1 else 'have'} no {what} there.",) if left else ()


# -- words ---------------------------------------------------------------------------------------------------------------------------


def _place(hand: TableInHand) -> str:
    sheet = hand.table.section[-1] if hand.table.section else ""
    inside = hand.table.caption or sheet
    if inside and hand.filename:
        return f"“{inside}” in {hand.filename}"
    return hand.filename or f"“{inside or 'the table'}”"


def column_of(hand: TableInHand, place: int) -> str:
    return f"“{hand.name_of(place)}”"


def _rows(rows: int) -> str:
    return f"{rows:,} row{'' if rows == 1 else 's'}"


def where_of(plan: Plan) -> str:
    """Return the conditions of a plan in words, " where …"; "" for none."""
    return f" where {' and '.join(condition.words for condition in plan.conditions)}" if plan.conditions else ""


def _extreme(operation: Operation, column: Column) -> str:
    high = operation is Operation.HIGHEST
    if column.type is ColumnType.DATE:
        return "Latest" if high else "Earliest"
    return "Highest" if high else "Lowest"


def _ranked(plan: Plan, word: str) -> str:
    """ "Second highest"."""
    return word if plan.rank == 1 else f"{_PLACES.get(plan.rank, f'{plan.rank}th')} {word.lower()}"


def _group_head(plan: Plan, hand: TableInHand, found: Selected, operation: Operation) -> str:
    what = _VERBS[operation] + (f" of {column_of(hand, plan.target)}" if plan.target is not None else "")
    part = "" if plan.part is GroupPart.CELL else f"{plan.part.value} of "
    group = column_of(hand, plan.group) if plan.group is not None else ""
    return f"{what} for each {part}{group} over {_rows(found.matched)}{where_of(plan)}"


def _group_name(plan: Plan, group: Group) -> str:
    return " ".join(group.key.split())


def _group_figure(plan: Plan, hand: TableInHand, group: Group, operation: Operation) -> str:
    return shown_figure(group.value or Decimal(0), hand, plan.target if operation is not Operation.COUNT else None)


def _label(plan: Plan, hand: TableInHand, row: TableRow) -> str:
    """Return what the row is about: the column that was asked for, else the first that is text and that no condition holds for all rows, else the
    first."""
    columns, label, target = hand.table.columns, plan.label, plan.target
    held = {each.place for each in plan.conditions if isinstance(each.where, CellIs) and len(each.where.texts) == 1}
    texts = [place for place, column in enumerate(columns) if column.type is ColumnType.TEXT and row.cells[place]]
    texts = [place for place in texts if place not in held] or texts
    telling = [place for place in texts if hand.facts.tells_rows_apart(place)] if label is None else []
    places = [place for place in ([label] if label is not None else []) + texts[:1] + telling[:1] if place != target]
    shown = list(dict.fromkeys(row.cells[place] for place in places if row.cells[place]))
    others = [cell for place, cell in enumerate(row.cells) if cell and place != target]
    if len(others) > 1 and _NUMBERED.fullmatch(others[0]) and hand.facts.columns[row.cells.index(others[0])].rises:
        others = [cell for cell, column in zip(row.cells, columns, strict=False) if cell and _IN_TIME.search(column.name)] or others
    return ", ".join(shown) or next(iter(others), f"row {row.ordinal + 1}")


def shown_value(value: object, hand: TableInHand, place: int) -> str:
    return shown_figure(Decimal(repr(value)), hand, place) if isinstance(value, float) else str(value)


def shown_figure(value: Decimal, hand: TableInHand, place: int | None) -> str:
    """Format a figure with the thousands parted, two places where the column has them, and the unit where the column's name does not say it."""
    column = hand.table.columns[place] if place is not None else None
    places = max(0, -int(value.normalize().as_tuple().exponent))
    cents = place is not None and _has_cents(hand, place)
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


def _has_cents(hand: TableInHand, place: int) -> bool:
    """Return whether the column writes two places behind the mark, as money does; thousands and millions have no cents."""
    column = hand.table.columns[place]
    return (column.type is ColumnType.AMOUNT and len(column.unit.split()) == 1) or hand.facts.columns[place].cents
