"""Answers computed from the rows of one table: counts, sums, averages, highest and lowest, for groups too, and single cells.

Pure arithmetic over typed rows. What does not fit a table clearly is not computed: the question is then answered from the passages like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import median

from agents.statements import stems
from agents.table_conditions import Unclear, Unfit, kept
from agents.table_matching import Matching, TableInHand, name_stems
from agents.table_plan import Plan, plan_for
from agents.table_question import Asked, Operation, read_question
from core.tables import Calculation, Column, ColumnType, RowKind, StoredTable, TableRow

TRUSTED = 0.65  # confidence from which a calculation is given
_WORD_LEFT = 0.8  # confidence of a reading that leaves a word unexplained
_LOOKUP_TRUSTED = 0.92  # a row could also be quoted: a single cell is given only where the column is named wholly
_SHOWN = 8  # rows that are cited
_GROUPS = 20
_TIED = 4
_SHORT = 500  # rows that are read without asking whether the question names a column
_LOOKED_UP = 3
_SIGNS = {"EUR": "€", "GBP": "£", "INR": "₹", "ILS": "₪", "TRY": "₺"}
_REST = re.compile(  # what a table puts together at its end
    r"(?:all\s+)?(?:the\s+)?(?:others?|rest|remainder)(?:\s+[^\W\d]+)?|(?:alle\s+)?(?:sonstige[sr]?|übrige[sr]?|andere)(?:\s+[^\W\d]+)?|autres?|"
    r"otr[oa]s|altr[ie]|outr[oa]s",
    re.I,
)
_VERBS = {Operation.SUM: "Sum", Operation.AVERAGE: "Average", Operation.MEDIAN: "Median", Operation.COUNT: "Number of rows"}

__all__ = ["Calculated", "TableInHand", "calculate", "might_hold", "read_question"]


@dataclass(frozen=True, slots=True)
class Calculated:
    """`rows` are those to cite, `lines` the groups with theirs. `unclear`: the sentence says why nothing was computed, though the question fits
    the table. `named` as in Plan. `total` is the table's own total row where a note speaks of it."""

    hand: TableInHand
    calculation: Calculation
    rows: tuple[TableRow, ...]
    lines: tuple[tuple[str, tuple[TableRow, ...]], ...] = ()
    unclear: bool = False
    named: int = 0
    total: TableRow | None = None


def calculate(asked: Asked, tables: Sequence[TableInHand]) -> list[Calculated]:
    """The calculation of the table that the question fits best; several where tables fit equally well, each for itself; [] where none fits."""
    found = [each for hand in tables if (each := _over(asked, hand)) is not None]
    sure = [each for each in found if not each.unclear]
    # A table that explains every word and leaves a column open is asked of rather than one that leaves words unexplained.
    is_better = len(sure) < len(found) and all(each.calculation.confidence <= _WORD_LEFT for each in sure)
    chosen = [each for each in found if each.unclear] if is_better else sure or found
    best = max(((each.calculation.confidence, each.named) for each in chosen), default=None)
    return [each for each in chosen if (each.calculation.confidence, each.named) == best]


def _over(asked: Asked, hand: TableInHand) -> Calculated | None:
    if not hand.data or not hand.table.columns:
        return None
    matching = Matching(asked, hand)
    try:
        plan = plan_for(matching)
        least = _LOOKUP_TRUSTED if plan.operation is Operation.LOOKUP else TRUSTED
        return _computed(plan, hand) if plan.confidence >= least else None
    except Unfit:
        return None
    except Unclear as reason:
        left, name, _ = matching.unexplained()
        return None if name or left or asked.operation is Operation.LOOKUP else _unclear(asked, hand, str(reason))


def _unclear(asked: Asked, hand: TableInHand, reason: str) -> Calculated:
    said = Said(sentence=f"Nothing was computed from {_place(hand)}. {reason}", value="")
    return Calculated(hand, _calculation(Plan(asked.operation, None, (), confidence=TRUSTED), hand, (), said), (), unclear=True)


@dataclass(frozen=True, slots=True)
class Said:
    """A result in words: the sentence, the value in it, and what a reader has to know beside it."""

    sentence: str
    value: str
    notes: tuple[str, ...] = ()


def _computed(plan: Plan, hand: TableInHand) -> Calculated | None:
    rows = kept(hand.data, plan.conditions)
    if plan.operation is Operation.COUNT and plan.group is None:
        return _counted(plan, hand, rows)
    if not rows:
        return None
    if plan.group is not None:
        return _grouped(plan, hand, rows)
    if plan.operation is Operation.LOOKUP:
        return _looked_up(plan, hand, rows)
    if plan.operation in {Operation.HIGHEST, Operation.LOWEST}:
        return _best_row(plan, hand, rows)
    return _figured(plan, hand, rows)


# -- operations ----------------------------------------------------------------------------------------------------------------------


def _counted(plan: Plan, hand: TableInHand, rows: list[TableRow]) -> Calculated | None:
    where = _where(plan)
    if plan.target is None:
        value = f"{len(rows):,}"
        sentence = (
            f"Number of rows of {_place(hand)}{where}: {value} of {len(hand.data):,}." if where else f"Number of rows of {_place(hand)}: {value}."
        )
        return _made(plan, hand, rows, Said(sentence, value))
    filled = [row for row in rows if row.values[plan.target] is not None]
    different = len({" ".join(row.cells[plan.target].casefold().split()) for row in filled})
    if different == len(rows):
        return _counted(replace(plan, target=None), hand, rows)
    value = f"{different:,}"
    return _made(plan, hand, filled, Said(f"Different values of {_column(hand, plan.target)} over {_rows(filled)}{where}: {value}.", value))


def _figured(plan: Plan, hand: TableInHand, rows: list[TableRow]) -> Calculated | None:
    target = _target(plan)
    filled = [row for row in rows if isinstance(row.values[target], float)]
    if not filled:
        return None
    column = hand.table.columns[target]
    figure = _figure(plan.operation, _numbers(filled, target))
    value = _shown(figure, hand, target)
    sentence = f"{_VERBS[plan.operation]} of {_column(hand, target)} over {_rows(filled)}{_where(plan)}: {value}."
    if plan.operation is Operation.SUM and len(rows) == 1 and plan.conditions:  # nothing is added up: it is the cell of a row
        sentence = f"{_column(hand, target)}{_where(plan)}: {value}."
        return _made(replace(plan, operation=Operation.LOOKUP), hand, filled, Said(sentence, value))
    total, compared = _own_total(plan, hand, figure)
    return replace(_made(plan, hand, filled, Said(sentence, value, compared + _missing(rows, filled, column))), total=total)


def _best_row(plan: Plan, hand: TableInHand, rows: list[TableRow]) -> Calculated | None:
    target = _target(plan)
    filled = [row for row in rows if row.values[target] is not None]
    if not filled:
        return None
    values = {row.ordinal: row.values[target] for row in filled}
    pick = max if plan.operation is Operation.HIGHEST else min
    rest = {row.ordinal for row in filled if _REST.fullmatch(_label(hand, row, plan.label, target))}
    one_by_one = {ordinal: value for ordinal, value in values.items() if ordinal not in rest} or values
    best = pick(one_by_one.values())  # type: ignore[type-var]  # one column: all floats or all dates
    tied = [row for row in filled if one_by_one.get(row.ordinal) == best]
    column = hand.table.columns[target]
    value = _shown(Decimal(repr(best)), hand, target) if isinstance(best, float) else str(best)
    labels = "; ".join(_label(hand, row, plan.label, target) for row in tied[:_TIED]) + (
        f"; and {len(tied) - _TIED} more" if len(tied) > _TIED else ""
    )
    word = _extreme_word(plan.operation, column)
    sentence = f"{word} {_column(hand, target)} of {_rows(filled)}{_where(plan)}: {value} ({labels})."
    left_out = tuple(f"“{_label(hand, row, plan.label, target)}” is no single one and not compared." for row in filled if row.ordinal in rest)
    notes = _missing(rows, filled, column) + (left_out[:1] if one_by_one is not values else ())
    return _made(plan, hand, filled, Said(sentence, value, notes), cited=tied)


def _extreme_word(operation: Operation, column: Column) -> str:
    high = operation is Operation.HIGHEST
    if column.type is ColumnType.DATE:
        return "Latest" if high else "Earliest"
    return "Highest" if high else "Lowest"


def _looked_up(plan: Plan, hand: TableInHand, rows: list[TableRow]) -> Calculated | None:
    """None where the rows say different things: then it is no single cell that was asked for."""
    target = _target(plan)
    texts = {row.cells[target].strip() for row in rows}
    if len(texts) != 1 or len(rows) > _LOOKED_UP or not next(iter(texts)):
        return None
    value = next(iter(texts))
    conditions = " and ".join(condition.words for condition in plan.conditions)
    return _made(plan, hand, rows, Said(f"{_column(hand, target)} where {conditions}: {value}.", value))


def _grouped(plan: Plan, hand: TableInHand, rows: list[TableRow]) -> Calculated | None:
    """One figure for each group; the best of them where the highest is asked for."""
    group = plan.group if plan.group is not None else 0
    members: dict[str, list[TableRow]] = {}
    for row in rows:
        if row.cells[group].strip():
            members.setdefault(" ".join(row.cells[group].split()), []).append(row)
    ranked = plan.operation in {Operation.HIGHEST, Operation.LOWEST}
    operation = (plan.inner or Operation.SUM) if ranked else plan.operation
    figures = {name: figure for name, found in members.items() if (figure := _of_group(operation, found, plan.target)) is not None}
    if not figures:
        return None
    what = f"{_VERBS[operation]}" + (f" of {_column(hand, plan.target)}" if plan.target is not None else "")
    head = f"{what} for each {_column(hand, group)} over {_rows(rows)}{_where(plan)}"
    counted = plan.target if operation is not Operation.COUNT else None
    shown = {name: _shown(figure, hand, counted) for name, figure in figures.items()}
    if ranked:
        return _best_group(plan, hand, members, (figures, shown, head))
    chosen = list(figures)
    if len(figures) > _GROUPS:
        chosen = sorted(figures, key=lambda name: -figures[name])[:_GROUPS]
        head = f"{head}, the {_GROUPS} highest of {len(figures):,}"
    lines = tuple((f"{name}: {shown[name]}", tuple(members[name][:2])) for name in chosen)
    return _made(plan, hand, rows, Said(f"{head}:", ""), lines=lines)


def _best_group(
    plan: Plan, hand: TableInHand, members: dict[str, list[TableRow]], worked: tuple[dict[str, Decimal], dict[str, str], str]
) -> Calculated:
    figures, shown, head = worked
    best = (max if plan.operation is Operation.HIGHEST else min)(figures.values())
    tied = [name for name, figure in figures.items() if figure == best]
    names = ", ".join(tied[:_TIED])
    word = "highest" if plan.operation is Operation.HIGHEST else "lowest"
    sentence = f"{names}: {shown[tied[0]]}. That is the {word} of {len(figures):,}: {head[:1].lower()}{head[1:]}."
    rows = [row for name in tied[:_TIED] for row in members[name]]
    return _made(plan, hand, rows, Said(sentence, f"{names}: {shown[tied[0]]}"))


def _of_group(operation: Operation, rows: list[TableRow], target: int | None) -> Decimal | None:
    if target is None or operation is Operation.COUNT:
        return Decimal(len(rows))
    numbers = _numbers(rows, target)
    return _figure(operation, numbers) if numbers else None


def _figure(operation: Operation, numbers: list[Decimal]) -> Decimal:
    if operation is Operation.AVERAGE:
        return sum(numbers, Decimal(0)) / len(numbers)
    return median(numbers) if operation is Operation.MEDIAN else sum(numbers, Decimal(0))


def _numbers(rows: Sequence[TableRow], target: int) -> list[Decimal]:
    """The column's figures as decimals: what the cells say, without the error of binary fractions."""
    return [Decimal(repr(value)) for row in rows if isinstance(value := row.values[target], float)]


def _target(plan: Plan) -> int:
    if plan.target is None:
        raise Unfit
    return plan.target


# -- words ---------------------------------------------------------------------------------------------------------------------------


def _place(hand: TableInHand) -> str:
    sheet = hand.table.section[-1] if hand.table.section else ""
    inside = hand.table.caption or sheet
    if inside and hand.filename:
        return f"“{inside}” in {hand.filename}"
    return hand.filename or f"“{inside or 'the table'}”"


def _column(hand: TableInHand, place: int) -> str:
    return f"“{hand.table.columns[place].name}”"


def _rows(rows: Sequence[TableRow]) -> str:
    return f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"


def _where(plan: Plan) -> str:
    return f" where {' and '.join(condition.words for condition in plan.conditions)}" if plan.conditions else ""


def _label(hand: TableInHand, row: TableRow, label: int | None, target: int) -> str:
    """What the row is about: the column that was asked for, else the first that is text, else the first."""
    columns = hand.table.columns
    texts = [place for place, column in enumerate(columns) if column.type is ColumnType.TEXT and row.cells[place]]
    places = [place for place in ([label] if label is not None else []) + texts[:1] if place != target]
    shown = list(dict.fromkeys(row.cells[place] for place in places if row.cells[place]))
    return ", ".join(shown) or next((cell for place, cell in enumerate(row.cells) if cell and place != target), f"row {row.ordinal + 1}")


def _shown(value: Decimal, hand: TableInHand, place: int | None) -> str:
    """With the thousands parted, two places where the column has them, and the unit where the column's name does not say it."""
    column = hand.table.columns[place] if place is not None else None
    places = max(0, -int(value.normalize().as_tuple().exponent))
    cents = place is not None and _has_cents(hand, place)
    rounded = round(value, 2 if cents or places > 6 else 4)
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
    """Whether the column writes two places behind the mark, as money does."""
    column = hand.table.columns[place]
    if column.type is ColumnType.AMOUNT and len(column.unit.split()) == 1:  # thousands and millions have no cents
        return True
    cells = [row.cells[place] for row in hand.data[:200] if row.values[place] is not None]
    return bool(cells) and all(re.search(r"\d[.,]\d\d(?:\D|$)", cell) for cell in cells)


def _missing(rows: Sequence[TableRow], filled: Sequence[TableRow], column: Column) -> tuple[str, ...]:
    left = len(rows) - len(filled)
    what = "date" if column.type is ColumnType.DATE else "figure"
    return (f"{left:,} more row{'' if left == 1 else 's'} {'has' if left == 1 else 'have'} no {what} there.",) if left else ()


def _own_total(plan: Plan, hand: TableInHand, computed: Decimal) -> tuple[TableRow | None, tuple[str, ...]]:
    """The table's own total row and whether it says the same, where a whole column was added up."""
    target = _target(plan)
    totals = [row for row in hand.table.body if row.kind is RowKind.TOTAL and isinstance(row.values[target], float)]
    if plan.operation is not Operation.SUM or plan.conditions or not totals:
        return None, ()
    same = next((row for row in reversed(totals) if Decimal(repr(row.values[target])) == computed), None)
    if same is not None:
        return same, ("The table's own total row says the same.",)
    return totals[-1], (f"The table's own total row says {_shown(Decimal(repr(totals[-1].values[target])), hand, target)}.",)


def _made(
    plan: Plan,
    hand: TableInHand,
    rows: Sequence[TableRow],
    said: Said,
    *,
    cited: Sequence[TableRow] = (),
    lines: tuple[tuple[str, tuple[TableRow, ...]], ...] = (),
) -> Calculated:
    shown = tuple((cited or rows)[:_SHOWN])
    calculation = _calculation(plan, hand, rows, said).model_copy(update={"lines": [text for text, _ in lines]})
    return Calculated(hand, calculation, shown, lines, named=plan.named)


def _calculation(plan: Plan, hand: TableInHand, rows: Sequence[TableRow], said: Said) -> Calculation:
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
        rows_used=len(rows),
        rows=table.rows,
        row_ordinals=[row.ordinal for row in rows[:200]],
        value=said.value,
        sentence=said.sentence,
        lines=[],
        notes=list(said.notes),
        confidence=round(plan.confidence, 3),
    )


def might_hold(asked: Asked, table: StoredTable, names: str) -> bool:
    """Whether it is worth reading the rows of a table: the question names a column of it, or it computes and the table is short or called so."""
    if asked.operation is not Operation.LOOKUP and table.kept <= _SHORT:
        return True
    words = {word.stem for word in asked.words if not word.plain}
    if any(name_stems(column) & words for column in table.columns):
        return True
    return asked.operation is not Operation.LOOKUP and bool(words & stems(f"{table.caption} {' '.join(table.section)} {re.sub('[_.-]', ' ', names)}"))
