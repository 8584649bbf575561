"""Lists of documents as a page shows them: narrowed, sorted, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from core.documents import Document, DocumentState
from core.search import Filters


class DocumentSort(StrEnum):
    NAME = "name"
    CHANGED = "changed"
    ADDED = "added"
    SIZE = "size"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class DocumentListRequest:
    """The documents that a list shows, and their order; equal ones stand by name. `text` is a part of the file name or title, no `states` are all."""

    filters: Filters = field(default_factory=Filters)
    text: str = ""
    states: Sequence[DocumentState] = ()
    sort: DocumentSort = DocumentSort.NAME
    descending: bool = False


class DocumentLists(Protocol):
    """Lists of documents, each of one tenant."""

    async def page(
        self, tenant: str, listing: DocumentListRequest, *, limit: int = 50, cursor: str | None = None
    ) -> tuple[list[Document], int, str | None]:
        """Return one page, the total, and the next cursor. What has no date stands as the oldest. Raises InvalidInput for a cursor of another order
        and for a limit below 1."""
        ...
