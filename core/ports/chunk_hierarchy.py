"""The larger chunks above those that are matched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.documents import LargerChunk

ChunkPlace = tuple[str, int]  # document id, ordinal of the chunk


class ChunkHierarchy(Protocol):
    """The levels above the chunks, read; every method filters by tenant."""

    async def parents(self, tenant: str, places: Sequence[ChunkPlace], level: int) -> dict[ChunkPlace, LargerChunk]:
        """Return the larger chunk above each of these chunks, of that level or the highest below it that the document has. A chunk without one (of a
        document that was indexed before there were levels) is left out."""
        ...

    async def larger_chunks(self, tenant: str, document_id: str) -> list[LargerChunk]:
        """Return all larger chunks of a document, level by level, each in reading order; none for an unknown document."""
        ...
