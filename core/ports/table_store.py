"""Tables of the library as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.table_queries import QueryResult, TableFacts, TableQuery
from core.tables import StoredTable, TableWithRows


class TableStore(Protocol):
    """The stored tables, read; every method filters by tenant."""

    async def tables(self, tenant: str, document_id: str) -> list[StoredTable]:
        """Return the document's tables in the order of the text. Raises NotFound for an unknown document."""
        ...

    async def rows(self, tenant: str, document_id: str, ordinal: int, *, first: int = 0, limit: int = 1000) -> TableWithRows:
        """Return rows first .. first + limit - 1 of one table. Raises NotFound."""
        ...

    async def tables_at(self, tenant: str, places: Sequence[tuple[str, int, int]]) -> list[StoredTable]:
        """Return the tables that reach into these spans (document id, start, end), in the order of the spans, each once."""
        ...

    async def facts(self, tenant: str, table: StoredTable) -> TableFacts:
        """Return what the columns of this table hold. Raises NotFound where its document was removed or written anew since."""
        ...

    async def execute_query(self, tenant: str, table: StoredTable, query: TableQuery) -> QueryResult:
        """Return the result of a query over the rows of this table. Raises NotFound as `facts` does."""
        ...
