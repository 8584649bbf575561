"""`core.table_queries` as SQL over the rows of one table, for SQLite and PostgreSQL; and the facts of its columns, in one pass over them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Connection, Float, Integer, Numeric, String, and_, case, cast, distinct, func, literal, not_, or_, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from core.table_queries import (
    MOST_TEXTS,
    Aggregate,
    CellIs,
    ColumnFacts,
    DayWithin,
    FigureExceeds,
    GroupPart,
    HasNoValue,
    Order,
    QueryGroup,
    QueryResult,
    StandsWithin,
    TableCondition,
    TableFacts,
    TableQuery,
    TextRows,
    TruthIs,
    ValueWithin,
)
from core.tables import ColumnType, RowKind, TableRow, Value
from storage.document_tables import table_rows
from storage.library_scope import is_readable_in
from storage.row_mapping import AnyRow

MAX_ORDINALS, ROWS_PER_GROUP = 200, 2
_EQUAL = 8  # rows beyond those that are asked for, where they equal the last one
MAX_GROUPS = 200
_TOTALS, _HEADINGS = 8, 100
_PART = 10**9
_EXACT = 2**53  # whole numbers that a float holds exactly
_TWO_PLACES = re.compile(r"\d[.,]\d\d(?:\D|$)")
_CENTS_SEEN = 200  # cells
_PRIME = 2_305_843_009_213_693_951
_DAY, _MONTH, _YEAR = 10, 7, 4  # characters of an ISO day

TablePlace = tuple[str, str, int]  # tenant, document id, ordinal of the table


class _JsonText(FunctionElement[str]):
    """One element of a JSON list that is stored as text, as text: (column, place)."""

    type = String()
    inherit_cache = True


class _JsonNumber(FunctionElement[float]):
    """One element of such a list, as a number."""

    type = Float()
    inherit_cache = True


class _JsonBoolean(FunctionElement[int]):
    """One element of a JSON list as 1 or 0."""

    type = Integer()
    inherit_cache = True


@compiles(_JsonText, "sqlite")
@compiles(_JsonNumber, "sqlite")
@compiles(_JsonBoolean, "sqlite")
def _compile_on_sqlite(element: FunctionElement[Any], compiler: SQLCompiler, **kw: Any) -> str:
    column, place = list(element.clauses)
    return f"json_extract({compiler.process(column, **kw)}, '$[' || {compiler.process(place, **kw)} || ']')"


@compiles(_JsonText, "postgresql")
def _compile_text_postgresql(element: FunctionElement[Any], compiler: SQLCompiler, **kw: Any) -> str:
    column, place = list(element.clauses)
    return f"(CAST({compiler.process(column, **kw)} AS jsonb) ->> CAST({compiler.process(place, **kw)} AS integer))"


@compiles(_JsonNumber, "postgresql")
def _compile_number_postgresql(element: FunctionElement[Any], compiler: SQLCompiler, **kw: Any) -> str:
    return f"CAST({_compile_text_postgresql(element, compiler, **kw)} AS double precision)"


@compiles(_JsonBoolean, "postgresql")
def _compile_boolean_postgresql(element: FunctionElement[Any], compiler: SQLCompiler, **kw: Any) -> str:
    return f"CAST(CAST({_compile_text_postgresql(element, compiler, **kw)} AS boolean) AS integer)"


def _cell(place: int) -> ColumnElement[str]:
    return _JsonText(table_rows.c.cells, literal(place))


def _typed_text(place: int) -> ColumnElement[str]:
    return _JsonText(table_rows.c.typed, literal(place))


def _figure(place: int) -> ColumnElement[float]:
    return _JsonNumber(table_rows.c.typed, literal(place))


def select_rows(connection: Connection, table: TablePlace, types: Sequence[ColumnType], query: TableQuery) -> QueryResult:
    """Carry out the query over a table whose columns have these types. Each statement reads the table once: no more of them than are needed."""
    matching = _matching_rows(table, query.where)
    within = matching if query.target is None else and_(matching, _has_value(query.target))
    counted = matching if query.aggregate is Aggregate.COUNT else within
    matched, filled, value = _aggregate(connection, matching, within, query)
    if query.group is not None:
        groups, in_all = _groups(connection, counted, query)
        return QueryResult(matched, filled, None, (), groups, in_all, _ordinals(connection, counted))
    if query.order is not Order.STORED and query.target is not None:
        ranked, equal = _rank_rows(connection, within, types, query)
        return QueryResult(matched, filled, value, ranked, ordinals=_ordinals(connection, counted), tied_rows=equal)
    ordinals = _ordinals(connection, counted)
    shown = _load_rows(
        connection, select(table_rows).where(_is_in_table(table), table_rows.c.ordinal.in_(ordinals[: query.limit])).order_by(table_rows.c.ordinal)
    )
    return QueryResult(matched, filled, value, shown, ordinals=ordinals)


def _ordinals(connection: Connection, within: ColumnElement[bool]) -> tuple[int, ...]:
    own = table_rows.c.ordinal
    return tuple(connection.execute(select(own).where(within).order_by(own).limit(MAX_ORDINALS)).scalars())


def _matching_rows(table: TablePlace, where: Sequence[TableCondition]) -> ColumnElement[bool]:
    return and_(_is_in_table(table), table_rows.c.kind == RowKind.DATA.value, *(_row_condition(each) for each in where))


def _is_in_table(table: TablePlace) -> ColumnElement[bool]:
    tenant, document_id, ordinal = table
    own = table_rows.c
    return and_(is_readable_in(own.tenant, tenant), own.document_id == document_id, own.table == ordinal)


def _row_condition(where: TableCondition) -> ColumnElement[bool]:
    match where:
        case CellIs(column, texts, negated):
            found = _cell(column).in_(sorted(texts))
            return not_(found) if negated else found
        case StandsWithin(first, last):
            return table_rows.c.ordinal.between(first, last)
        case ValueWithin():
            return _is_within(where)
        case DayWithin(column, since, until, months):
            day = func.substr(_typed_text(column), 1, _DAY)
            if months:
                return func.substr(day, 6, 2).in_([f"{month:02}" for month in months])
            return and_(day != "", *([day >= since] if since else []), *([day <= until] if until else []))
        case TruthIs(column, says):
            return _JsonBoolean(table_rows.c.typed, literal(column)) == int(says)
        case HasNoValue(column):
            return or_(not_(_has_value(column)), func.trim(_typed_text(column)) == "")
        case FigureExceeds(column, other, or_equal):
            return _figure(column) >= _figure(other) if or_equal else _figure(column) > _figure(other)


def _is_within(where: ValueWithin) -> ColumnElement[bool]:
    value = _figure(where.column)
    bounds = [] if where.low is None else [value > where.low if where.open_low else value >= where.low]
    bounds += [] if where.high is None else [value < where.high if where.open_high else value <= where.high]
    return and_(value.is_not(None), *bounds)


def _has_value(column: int) -> ColumnElement[bool]:
    return _typed_text(column).is_not(None)


def _rank_rows(
    connection: Connection, within: ColumnElement[bool], types: Sequence[ColumnType], query: TableQuery
) -> tuple[tuple[TableRow, ...], int]:
    """Return the first rows by their values with those that equal the last one, as far as there is room; and how many equal it."""
    place = query.target or 0
    is_figure = types[place] not in {ColumnType.DATE, ColumnType.TEXT, ColumnType.BOOLEAN}
    value: ColumnElement[Any] = _figure(place) if is_figure else _typed_text(place)
    ranked = value.desc() if query.order is Order.HIGHEST else value.asc()
    found = _load_rows(connection, select(table_rows).where(within).order_by(ranked, table_rows.c.ordinal).limit(query.limit + _EQUAL))
    if not found:
        return (), 0
    last = found[min(query.limit, len(found)) - 1].values[place]
    shown = tuple(row for at, row in enumerate(found) if at < query.limit or row.values[place] == last)
    equal = sum(row.values[place] == last for row in shown)
    if len(shown) == query.limit + _EQUAL:
        equal = connection.execute(select(func.count()).where(within, value == last)).scalar_one()
    return shown, equal


def _load_rows(connection: Connection, query: Any) -> tuple[TableRow, ...]:
    return tuple(table_row(row) for row in connection.execute(query))


def table_row(row: AnyRow) -> TableRow:
    """Return the row as it was written: checking rows again would take longer than reading them."""
    return TableRow.model_construct(ordinal=row.ordinal, start=row.start, end=row.end, cells=row.cells, values=row.typed, kind=RowKind(row.kind))


def _scaled_figure(query: TableQuery) -> ColumnElement[int]:
    """Return the figures as whole numbers: what is added up has no error of binary fractions."""
    return cast(func.round(_figure(query.target or 0) * 10**query.decimals), Integer().with_variant(Numeric(30, 0), "postgresql"))


def _sum_in_parts(query: TableQuery) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Return the sum of the whole numbers in two parts, thousands of millions and the rest: one alone may be more than 64 bits hold."""
    value = _scaled_figure(query)
    rest = value % _PART
    return func.sum((value - rest) // _PART), func.sum(rest)


def _decimal(high: Any, low: Any, query: TableQuery) -> Decimal:
    return (Decimal(str(high)) * _PART + Decimal(str(low))).scaleb(-query.decimals)


def _aggregate(
    connection: Connection, matching: ColumnElement[bool], within: ColumnElement[bool], query: TableQuery
) -> tuple[int, int, Decimal | None]:
    """Return (rows that match, of them with a value, the figure); the figure only where it is made of all rows at once."""
    whole = query.aggregate if query.group is None else None
    counts: list[ColumnElement[Any]] = [func.count()]
    if query.target is not None:
        counts.append(func.count(_typed_text(query.target)))
    if whole is Aggregate.DIFFERENT:
        counts.append(func.count(distinct(case((_has_value(query.target or 0), func.lower(func.trim(_cell(query.target or 0))))))))
    if whole in {Aggregate.SUM, Aggregate.AVERAGE}:
        counts += _sum_in_parts(query)
    matched, *rest = connection.execute(select(*counts).where(matching)).one()
    filled = rest[0] if rest else matched
    if whole is Aggregate.COUNT:
        return matched, filled, Decimal(matched)
    if whole is Aggregate.DIFFERENT:
        return matched, filled, Decimal(rest[1])
    if whole is Aggregate.MEDIAN:
        return matched, filled, next((figure for _, figure in _medians(connection, within, literal(""), query)), None)
    if whole is None or not filled:
        return matched, filled, None
    return matched, filled, _decimal(rest[1], rest[2], query) / (filled if whole is Aggregate.AVERAGE else 1)


def _medians(connection: Connection, within: ColumnElement[bool], key: ColumnElement[str], query: TableQuery) -> list[tuple[str, Decimal]]:
    """Return (key, median) of each group: the middle figure, of an even number of figures the mean of the two in the middle."""
    value = _scaled_figure(query)
    ranked = select(
        key.label("key"),
        value.label("value"),
        func.row_number().over(partition_by=key, order_by=value).label("place"),
        func.count().over(partition_by=key).label("of"),
    ).where(within)
    each = ranked.subquery().c
    middle = (
        select(each.key, func.min(each.value), func.max(each.value))
        .where(each.place * 2 >= each.of, each.place * 2 <= each.of + 2)
        .group_by(each.key)
    )
    return [(name, _decimal(0, low, query) / 2 + _decimal(0, high, query) / 2) for name, low, high in connection.execute(middle)]


def _groups(connection: Connection, counted: ColumnElement[bool], query: TableQuery) -> tuple[tuple[QueryGroup, ...], int]:
    """Return the groups in the query's order (as they come first in the table, or by their figures), the number of all of them beside."""
    key = _group_key(query)
    named = and_(key.is_not(None), key != "")
    sizes = {
        name: (rows, first)
        for name, rows, first in connection.execute(select(key, func.count(), func.min(table_rows.c.ordinal)).where(counted, named).group_by(key))
    }
    figures = _group_figures(connection, and_(counted, named), key, query, {name: rows for name, (rows, _) in sizes.items()})
    names = sorted((name for name in sizes if name in figures), key=lambda name: sizes[name][1])
    if query.order is not Order.STORED:
        names.sort(key=lambda name: figures[name], reverse=query.order is Order.HIGHEST)
    elif len(names) > query.limit:
        names.sort(key=lambda name: -figures[name])
    shown = names[: min(query.limit, MAX_GROUPS)]
    first = _first_rows(connection, and_(counted, key.in_(shown)), key)
    return tuple(QueryGroup(name, sizes[name][0], figures[name], tuple(first[name])) for name in shown), len(names)


def _first_rows(connection: Connection, within: ColumnElement[bool], key: ColumnElement[str]) -> dict[str, list[TableRow]]:
    """Return the first rows of each group."""
    own = table_rows.c
    placed = select(own.ordinal, func.row_number().over(partition_by=key, order_by=own.ordinal).label("place")).where(within).subquery().c
    found: dict[str, list[TableRow]] = {}
    query = select(table_rows, key.label("key")).where(within, own.ordinal.in_(select(placed.ordinal).where(placed.place <= ROWS_PER_GROUP)))
    for row in connection.execute(query.order_by(own.ordinal)):
        found.setdefault(row.key, []).append(table_row(row))
    return found


def _group_key(query: TableQuery) -> ColumnElement[str]:
    place = query.group or 0
    if query.part is GroupPart.CELL:
        return func.trim(_cell(place))
    return func.substr(_typed_text(place), 1, _MONTH if query.part is GroupPart.MONTH else _YEAR)


def _group_figures(
    connection: Connection, within: ColumnElement[bool], key: ColumnElement[str], query: TableQuery, sizes: dict[str, int]
) -> dict[str, Decimal]:
    if query.target is None or query.aggregate in {None, Aggregate.COUNT}:
        return {name: Decimal(rows) for name, rows in sizes.items()}
    if query.aggregate is Aggregate.MEDIAN:
        return dict(_medians(connection, within, key, query))
    totals = connection.execute(select(key, *_sum_in_parts(query), func.count()).where(within).group_by(key))
    average = query.aggregate is Aggregate.AVERAGE
    return {name: _decimal(high, low, query) / (count if average else 1) for name, high, low, count in totals}


# -- facts ---------------------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _ColumnScan:
    """The facts of one column while its rows go by."""

    type: ColumnType
    texts: dict[str, list[int]] = field(default_factory=dict)
    hashes: set[int] = field(default_factory=set)
    values: int = 0
    low: float | None = None
    high: float | None = None
    decimals: int = 0
    sampled: int = 0
    cents: int = 0
    previous: float | None = None
    is_rising: bool = True
    is_falling: bool = True

    def add_cell(self, ordinal: int, cell: str, value: Value) -> None:
        self.hashes.add(hash(cell))
        if len(self.texts) <= MOST_TEXTS and self.type in {ColumnType.TEXT, ColumnType.INTEGER}:
            told = self.texts.setdefault(cell, [0, 0])
            told[0] += 1
            told[1] += hash((ordinal, _PRIME))
        if value is None:
            return
        self.values += 1
        if self.sampled < _CENTS_SEEN:
            self.sampled += 1
            self.cents += _TWO_PLACES.search(cell) is not None
        if isinstance(value, float) and not isinstance(value, bool):
            self._add_figure(value)

    def _add_figure(self, value: float) -> None:
        self.low = value if self.low is None or value < self.low else self.low
        self.high = value if self.high is None or value > self.high else self.high
        if self.previous is not None:
            self.is_rising, self.is_falling = self.is_rising and value > self.previous, self.is_falling and value < self.previous
        else:
            self.is_rising = self.is_falling = True
        self.previous = value
        written = repr(value)
        if "e" not in written and not written.endswith(".0"):
            self.decimals = max(self.decimals, len(written.partition(".")[2]))

    def facts(self) -> ColumnFacts:
        greatest = max(abs(self.low or 0.0), abs(self.high or 0.0), 1.0)
        decimals = self.decimals
        while decimals and greatest * 10**decimals >= _EXACT:
            decimals -= 1  # places beyond those that a float can tell
        texts = {} if len(self.texts) > MOST_TEXTS else {cell: TextRows(*told) for cell, told in self.texts.items()}
        return ColumnFacts(
            texts=texts,
            distinct_cells=len(self.hashes),
            values=self.values,
            low=self.low,
            high=self.high,
            decimals=decimals,
            has_cents=bool(self.sampled) and self.cents == self.sampled,
            is_monotonic=self.values > 1 and (self.is_rising or self.is_falling),
        )


def scan_table(connection: Connection, table: TablePlace, types: Sequence[ColumnType]) -> TableFacts:
    """Return the facts of the columns of a table with these types. One pass: some 5 µs a cell."""
    gathered = [_ColumnScan(kind) for kind in types]
    rows = 0
    own = table_rows.c
    found = connection.execution_options(yield_per=1000).execute(
        select(own.ordinal, own.cells, own.typed).where(_matching_rows(table, ())).order_by(own.ordinal)
    )
    for row in found:
        rows += 1
        _scan_row(gathered, row)
    totals = select(table_rows).where(_is_in_table(table), own.kind == RowKind.TOTAL.value).order_by(own.ordinal.desc()).limit(_TOTALS)
    heads = select(table_rows).where(_is_in_table(table), own.kind == RowKind.HEADING.value).order_by(own.ordinal).limit(_HEADINGS)
    body = connection.execute(select(func.min(own.start)).where(_is_in_table(table))).scalar()
    columns, last = tuple(each.facts() for each in gathered), tuple(reversed(_load_rows(connection, totals)))
    return TableFacts(rows, columns, last, _load_rows(connection, heads), body or 0)


def _scan_row(gathered: Sequence[_ColumnScan], row: AnyRow) -> None:
    for column, cell, value in zip(gathered, row.cells, row.typed, strict=False):
        column.add_cell(row.ordinal, cell, value)
