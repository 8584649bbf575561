"""Tables as rows that programs can compute with: what GET /documents/{id}/tables returns, and what answers with figures are made from."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

Value = float | str | bool | None


class ColumnType(StrEnum):
    """What (nearly) all filled cells of a column are. AMOUNT is a number with one currency, DATE an ISO 8601 day or time."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    AMOUNT = "amount"
    PERCENT = "percent"
    DATE = "date"
    BOOLEAN = "boolean"


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


class StoredTable(BaseModel):
    """A table of a document without its rows. `ordinal` counts the document's tables from 0; start and end are code points of its text.

    `spans` are cells over several rows or columns as [row, column, rows, columns], header rows counted; `header` are the header rows' texts.
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


class TableWithRows(StoredTable):
    """A table with some of its rows, from `first_row` on."""

    first_row: int
    body: list[TableRow]


class TableList(BaseModel):
    """The tables of one document."""

    model_config = ConfigDict(frozen=True)

    document_id: str
    tables: list[StoredTable]
