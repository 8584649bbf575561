"""Queries over the rows of a table, on every database: each gives what the same rows give in Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from statistics import median

import pytest

from core.errors import NotFound
from core.table_queries import (
    Aggregate,
    CellIs,
    DayWithin,
    FigureExceeds,
    GroupPart,
    HasNoValue,
    Order,
    TableCondition,
    TableQuery,
    TruthIs,
    ValueWithin,
)
from core.tables import ColumnType, RowKind, StoredTable, TableRow
from storage.database import Database
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_tables import SqlTables
from tests.contract.test_storage_tables import with_tables
from tests.support.databases import BACKENDS, open_backend

T = "default"
NAME, PLACE, DAY, PRICE, PIECES, PAID = range(6)


def grid(rows: int = 120) -> tuple[tuple[str, ...], ...]:
    pick = random.Random(3)
    body = []
    for number in range(rows):
        price = "" if number % 11 == 0 else f"{pick.randrange(1, 90_000) / 100:,.2f}"
        day = f"2026-{pick.randrange(1, 13):02}-{pick.randrange(1, 29):02}"
        place = pick.choice(["Vessen", "Karlshavn", "Lomar", 'O\'Hara "x"'])
        body.append((f"n{number}", place, day, price, str(pick.randrange(1, 40)), pick.choice(["yes", "no"])))
    return (("Name", "Place", "Sent", "Price (EUR)", "Pieces", "Paid"), *body, ("Total", "", "", "1.00", "", ""))


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


async def stored(database: Database) -> tuple[SqlTables, StoredTable, list[TableRow]]:
    written = await SqlLibraryWriter(database).write_document(T, with_tables(grid()))
    tables = SqlTables(database)
    (table,) = await tables.tables(T, written.document_id)
    assert [column.type for column in table.columns] == [
        ColumnType.TEXT, ColumnType.TEXT, ColumnType.DATE, ColumnType.AMOUNT, ColumnType.INTEGER, ColumnType.BOOLEAN,
    ]  # fmt: skip
    whole = await tables.rows(T, written.document_id, 0)
    return tables, table, [row for row in whole.body if row.kind is RowKind.DATA]


def number(row: TableRow, place: int) -> float:
    value = row.values[place]
    assert isinstance(value, float)
    return value


CONDITIONS: list[tuple[TableCondition, Callable[[TableRow], bool]]] = [
    (CellIs(PLACE, frozenset({"Vessen", 'O\'Hara "x"'})), lambda row: row.cells[PLACE] in {"Vessen", 'O\'Hara "x"'}),
    (CellIs(PLACE, frozenset({"Lomar"}), negated=True), lambda row: row.cells[PLACE] != "Lomar"),
    (ValueWithin(PIECES, low=10, high=20, open_high=True), lambda row: 10 <= number(row, PIECES) < 20),
    (ValueWithin(PRICE, low=400.5, open_low=True), lambda row: row.values[PRICE] is not None and number(row, PRICE) > 400.5),
    (DayWithin(DAY, first="2026-03-02", last="2026-05-31"), lambda row: "2026-03-02" <= str(row.values[DAY]) <= "2026-05-31"),
    (DayWithin(DAY, months=(9, 10)), lambda row: str(row.values[DAY])[5:7] in {"09", "10"}),
    (TruthIs(PAID, value=False), lambda row: row.values[PAID] is False),
    (HasNoValue(PRICE), lambda row: row.values[PRICE] is None),
    (FigureExceeds(PIECES, PRICE), lambda row: row.values[PRICE] is not None and number(row, PIECES) > number(row, PRICE)),
    (FigureExceeds(PIECES, PIECES, or_equal=True), lambda row: True),
]


async def test_every_condition_keeps_the_rows_that_it_says(database: Database) -> None:
    tables, table, rows = await stored(database)
    for where, holds in CONDITIONS:
        expected = [row.ordinal for row in rows if holds(row)]
        found = await tables.execute_query(T, table, TableQuery((where,), limit=500))
        assert (found.matched_rows, [row.ordinal for row in found.rows]) == (len(expected), expected), where
    both = await tables.execute_query(T, table, TableQuery((CONDITIONS[0][0], CONDITIONS[5][0])))
    assert both.matched_rows == len([row for row in rows if CONDITIONS[0][1](row) and CONDITIONS[5][1](row)])


async def test_sums_are_exact_and_rows_without_a_figure_are_told(database: Database) -> None:
    tables, table, rows = await stored(database)
    facts = await tables.facts(T, table)
    prices = [Decimal(repr(value)) for row in rows if (value := row.values[PRICE]) is not None]
    decimals = facts.columns[PRICE].decimals
    assert (facts.rows, decimals, facts.columns[PRICE].has_cents, facts.columns[PRICE].values) == (120, 2, True, len(prices))
    for aggregate, expected in (
        (Aggregate.SUM, sum(prices, Decimal(0))),
        (Aggregate.AVERAGE, sum(prices, Decimal(0)) / len(prices)),
        (Aggregate.MEDIAN, median(prices)),
    ):
        found = await tables.execute_query(T, table, TableQuery(target=PRICE, aggregate=aggregate, decimals=decimals))
        assert (found.matched_rows, found.filled_rows, found.value) == (120, len(prices), expected), aggregate
    different = await tables.execute_query(T, table, TableQuery(target=PLACE, aggregate=Aggregate.DIFFERENT))
    assert different.value == 4
    none = await tables.execute_query(T, table, TableQuery((CellIs(PLACE, frozenset({"Nowhere"})),), PRICE, Aggregate.SUM, decimals=2))
    assert (none.matched_rows, none.value, none.rows) == (0, None, ())


async def test_rows_come_in_the_order_that_is_asked_for_with_those_that_equal_the_last(database: Database) -> None:
    tables, table, rows = await stored(database)
    ranked = sorted(rows, key=lambda row: (-number(row, PIECES), row.ordinal))
    found = await tables.execute_query(T, table, TableQuery(target=PIECES, order=Order.HIGHEST, limit=3))
    last = number(ranked[2], PIECES)
    expected = [row.ordinal for row in ranked if number(row, PIECES) >= last]
    assert ([row.ordinal for row in found.rows], found.tied_rows) == (expected, sum(number(row, PIECES) == last for row in rows))
    earliest = await tables.execute_query(T, table, TableQuery(target=DAY, order=Order.LOWEST, limit=1))
    assert earliest.rows[0].values[DAY] == min(str(row.values[DAY]) for row in rows)


async def test_equal_rows_are_counted_and_sums_may_be_larger_than_64_bits(database: Database) -> None:
    rows = 10_000
    body = tuple((f"n{at}", "999,999,999,999,999", str(3 if at < 40 else 1)) for at in range(rows))
    written = await SqlLibraryWriter(database).write_document(T, with_tables((("Name", "Balance", "Boats"), *body)))
    tables = SqlTables(database)
    (table,) = await tables.tables(T, written.document_id)
    whole = await tables.execute_query(T, table, TableQuery(target=1, aggregate=Aggregate.SUM))
    assert whole.value == Decimal(999_999_999_999_999) * rows
    grouped = await tables.execute_query(T, table, TableQuery(target=1, aggregate=Aggregate.AVERAGE, group=2))
    assert {group.key: (group.rows, group.value) for group in grouped.groups} == {
        "3": (40, Decimal(999_999_999_999_999)),
        "1": (9960, Decimal(999_999_999_999_999)),
    }
    most = await tables.execute_query(T, table, TableQuery(target=2, order=Order.HIGHEST, limit=1))
    assert (most.tied_rows, {row.cells[2] for row in most.rows}) == (40, {"3"})


async def test_groups_have_their_figures_and_first_rows(database: Database) -> None:
    tables, table, rows = await stored(database)
    totals: dict[str, Decimal] = {}
    for row in rows:
        if row.values[PRICE] is not None:
            totals[row.cells[PLACE]] = totals.get(row.cells[PLACE], Decimal(0)) + Decimal(repr(row.values[PRICE]))
    query = TableQuery(target=PRICE, aggregate=Aggregate.SUM, group=PLACE, order=Order.HIGHEST, decimals=2)
    found = await tables.execute_query(T, table, query)
    assert {group.key: group.value for group in found.groups} == totals
    assert [group.value for group in found.groups] == sorted(totals.values(), reverse=True)
    assert all(first.cells[PLACE] == group.key for group in found.groups for first in group.first_rows)

    months = await tables.execute_query(T, table, TableQuery(aggregate=Aggregate.COUNT, group=DAY, part=GroupPart.MONTH, limit=20))
    assert {group.key: group.value for group in months.groups} == {
        month: Decimal(sum(str(row.values[DAY])[:7] == month for row in rows)) for month in {str(row.values[DAY])[:7] for row in rows}
    }
    two = await tables.execute_query(
        T, table, TableQuery(target=PRICE, aggregate=Aggregate.MEDIAN, group=PAID, limit=1, order=Order.HIGHEST, decimals=2)
    )
    by_paid = {
        said: median([Decimal(repr(row.values[PRICE])) for row in rows if row.cells[PAID] == said and row.values[PRICE]]) for said in ("yes", "no")
    }
    assert (two.group_count, two.groups[0].value) == (2, max(by_paid.values()))


async def test_facts_say_what_columns_hold(database: Database) -> None:
    tables, table, rows = await stored(database)
    facts = await tables.facts(T, table)
    assert facts.tells_rows_apart(NAME)
    assert not facts.tells_rows_apart(PLACE)
    assert {text: same.rows for text, same in facts.columns[PLACE].texts.items()} == {
        place: sum(row.cells[PLACE] == place for row in rows) for place in {row.cells[PLACE] for row in rows}
    }
    assert (facts.columns[PIECES].low, facts.columns[PIECES].high) == (
        min(number(row, PIECES) for row in rows),
        max(number(row, PIECES) for row in rows),
    )


async def test_another_tenant_and_another_generation_are_refused(database: Database) -> None:
    tables, table, _ = await stored(database)
    with pytest.raises(NotFound):
        await tables.execute_query("other", table, TableQuery())
    with pytest.raises(NotFound):
        await tables.facts("other", table)
    with pytest.raises(NotFound):
        await tables.execute_query(T, table.model_copy(update={"generation": table.generation + 1}), TableQuery())
