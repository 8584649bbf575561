"""Places of recognised text on the pages of the library's documents."""

from __future__ import annotations

from typing import Protocol

from core.recognized_lines import DocumentPlaces


class PlaceStore(Protocol):
    """The places of recognised text, read; every method filters by tenant."""

    async def places(self, tenant: str, document_id: str, *, start: int, end: int) -> DocumentPlaces:
        """Return the recognised lines that reach into [start, end) of the text, page by page. Raises NotFound for an unknown document."""
        ...
