"""Queries over the rows of one table (conditions, a column, groups, an order, how many), their results, and what its columns hold.

Only DATA rows are asked: totals and headings are never counted, added up or ranked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from core.tables import TableRow

MOST_TEXTS = 20_000  # different texts of a column that are known by name


class Aggregate(StrEnum):
    """The way in which a column's figures become one; DIFFERENT counts its different cells, letter case aside."""

    COUNT = "count"
    DIFFERENT = "different"
    SUM = "sum"
    AVERAGE = "average"
    MEDIAN = "median"


class Order(StrEnum):
    """Rows as they stand, or by the column's value."""

    STORED = "stored"
    HIGHEST = "highest"
    LOWEST = "lowest"


class GroupPart(StrEnum):
    """The part of a cell that makes a group: all of it, or of a day its month or year."""

    CELL = "cell"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class CellIs:
    """The cell is one of `texts`, letter for letter; `negated`: none of them."""

    column: int
    texts: frozenset[str]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ValueWithin:
    """The figure lies between two bounds (None: no bound); an open bound itself is outside."""

    column: int
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False


@dataclass(frozen=True, slots=True)
class DayWithin:
    """The day lies from `first` to `last` inclusive (ISO, "" for no bound), or, where `months` are given, in one of these of any year."""

    column: int
    first: str = ""
    last: str = ""
    months: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TruthIs:
    column: int
    value: bool


@dataclass(frozen=True, slots=True)
class HasNoValue:
    """The cell is empty, or says that there is nothing ("-", "n/a")."""

    column: int


@dataclass(frozen=True, slots=True)
class FigureExceeds:
    """The figure in `column` is above the one in `other` of the same row (`or_equal`: not below it); both are there."""

    column: int
    other: int
    or_equal: bool = False


@dataclass(frozen=True, slots=True)
class StandsWithin:
    """The row is one of those from `first` to `last` inclusive, by their ordinals: what stands under a heading inside the table."""

    first: int
    last: int


TableCondition = StandsWithin | CellIs | ValueWithin | DayWithin | TruthIs | HasNoValue | FigureExceeds


@dataclass(frozen=True, slots=True)
class TableQuery:
    """`target` is the column that is computed over or ordered by; rows without a value there count as matched and not as filled.

    With `group` the aggregate is made for each group, groups in `order`; without, of all rows, and the first `limit` rows come back in `order`. With
    HIGHEST or LOWEST rows that equal the last one of them come, too, as far as there is room; `QueryResult.tied_rows` counts them all. `decimals` are
    the places behind the mark in the target's figures: sums are exact with them.
    """

    where: tuple[TableCondition, ...] = ()
    target: int | None = None
    aggregate: Aggregate | None = None
    group: int | None = None
    part: GroupPart = GroupPart.CELL
    order: Order = Order.STORED
    limit: int = 8
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """One group: its rows, of which `first_rows` are the first two, and its figure (None: no row has one)."""

    key: str
    rows: int
    value: Decimal | None
    first_rows: tuple[TableRow, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryResult:
    """`matched_rows` rows fulfil the conditions, `filled_rows` of them have a value in the target; `ordinals` are the first 200 of those that count.
    Of ranked rows `tied_rows` have the value of the last one that was asked for.
    `group_count` counts the groups, of which `groups` are the first ones."""

    matched_rows: int
    filled_rows: int
    value: Decimal | None = None
    rows: tuple[TableRow, ...] = ()
    groups: tuple[QueryGroup, ...] = ()
    group_count: int = 0
    ordinals: tuple[int, ...] = ()
    tied_rows: int = 0


@dataclass(frozen=True, slots=True)
class TextRows:
    """Rows that have one text in a column: how many, and a sum that is the same only for the same rows."""

    rows: int
    rows_checksum: int


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """`texts` are the different cells with their rows, {} where there are more than MOST_TEXTS; `distinct_cells` counts them all, `values` the cells
    that fit the column's type. `decimals` is the most places behind the mark, `has_cents` whether every cell writes two; `is_monotonic` whether the
    figures
    only rise or only fall, `low` and `high` bound them."""

    texts: dict[str, TextRows] = field(default_factory=dict)
    distinct_cells: int = 0
    values: int = 0
    low: float | None = None
    high: float | None = None
    decimals: int = 0
    has_cents: bool = False
    is_monotonic: bool = False


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The contents of the DATA rows of a table, column by column; `total_rows` are its last rows that hold totals, `heading_rows` the first ones that
    divide it, `body_start` is where the first row below the header begins in the document's text."""

    rows: int
    columns: tuple[ColumnFacts, ...]
    total_rows: tuple[TableRow, ...] = ()
    heading_rows: tuple[TableRow, ...] = ()
    body_start: int = 0

    def tells_rows_apart(self, column: int) -> bool:
        """Return whether no two rows have the same cell there."""
        return self.columns[column].distinct_cells == self.rows
