"""Tables as rows that programs can compute with: what GET /documents/{id}/tables returns, and what answers with figures are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

Value = float | str | bool | None


UNCOUNTED = ": there are more."  # how the note ends where nobody counted the rows that were not read


class ColumnType(StrEnum):
    """Type of (nearly) all filled cells of a column. AMOUNT is a number with one currency, DATE an ISO 8601 day or time."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    AMOUNT = "amount"
    PERCENT = "percent"
    DATE = "date"
    BOOLEAN = "boolean"


class RowKind(StrEnum):
    """DATA rows are counted and added up. TOTAL rows hold sums (or other figures) over the others, HEADING rows divide the body or name its
    columns again: both are shown and never counted."""

    DATA = "data"
    TOTAL = "total"
    HEADING = "heading"


class Column(BaseModel):
    """A column: its name from the header rows (joined with " › " where there are several), its type and unit ("EUR", "%", "kg", "")."""

    model_config = ConfigDict(frozen=True)

    name: str
    type: ColumnType
    unit: str = ""


class TableRow(BaseModel):
    """A row below the header: its texts as they stand, its values by the columns' types (None where a cell is empty or does not fit), and
    the span of the row in the document's text, which a citation points to."""

    model_config = ConfigDict(frozen=True)

    ordinal: int
    start: int
    end: int
    cells: list[str]
    values: list[Value]
    kind: RowKind = RowKind.DATA


class StoredTable(BaseModel):
    """A table of a document without its rows. `ordinal` counts the document's tables from 0; start and end are code points of its text.

    `spans` are cells over several rows or columns as [row, column, rows, columns], header rows counted; `header` are the header rows' texts.
    `rows` counts the rows below the header, of which the first `kept` are stored as rows; where that is not all of them, `note` says so in a
    sentence.
    """

    model_config = ConfigDict(frozen=True)

    document_id: str
    generation: int
    ordinal: int
    caption: str
    section: list[str]
    page: int | None
    last_page: int | None
    start: int
    end: int
    header: list[list[str]]
    columns: list[Column]
    rows: int
    spans: list[list[int]]
    kept: int = 0
    note: str = ""


class TableWithRows(StoredTable):
    """A table with some of its rows, from `first_row` on."""

    first_row: int
    body: list[TableRow]


class TableList(BaseModel):
    """The tables of one document."""

    model_config = ConfigDict(frozen=True)

    document_id: str
    tables: list[StoredTable]


@dataclass(frozen=True, slots=True)
class TypedTable:
    """The types and values of one of `ExtractedDocument.tables`, the place in its list being the same.

    The first `header_rows` rows name the columns; `kinds` and `values` have an entry for each of the rows below that are kept. `rows` counts
    those that are there.
    """

    header_rows: int
    columns: tuple[Column, ...]
    kinds: tuple[RowKind, ...]
    values: tuple[tuple[Value, ...], ...]
    rows: int
    note: str = ""
    merged: Mapping[tuple[int, int], str] = field(default_factory=dict)


class Calculation(BaseModel):
    """Calculation over one table: shown beside the answer, so that a person can check it.

    `conditions` are in words ("Region is “North”"), `row_ordinals` the first of the rows that were used and `rows_used` how many they are, out of
    `rows` of the table. `sentence` says the calculation with its result; `value` is the result as shown, "" where there are several (`lines`).
    """

    model_config = ConfigDict(frozen=True)

    operation: str
    document_id: str
    filename: str
    table: int
    caption: str
    column: str
    group: str
    conditions: list[str]
    rows_used: int
    rows: int
    row_ordinals: list[int]
    value: str
    sentence: str
    lines: list[str]
    notes: list[str]
    confidence: float
