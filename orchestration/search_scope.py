"""The scope of a search: how many documents a question was asked of, the whole library or the part that its limits leave."""

from __future__ import annotations

from core.ports import Library
from core.search import Filters, RetrievalRequest


async def count_searched_documents(request: RetrievalRequest, tenant: str, library: Library) -> dict[str, int]:
    """Return the counts of documents: `library` are all documents of the asker, `asked` those of them that the search was limited to: the same where
    it was not limited."""
    everything = await _count(library, tenant, Filters())
    asked = everything if request.filters.is_empty() else await _count(library, tenant, request.filters)
    return {"asked": asked, "library": max(everything, asked)}


async def _count(library: Library, tenant: str, filters: Filters) -> int:
    _, total, _ = await library.list_documents(tenant, filters=filters, limit=1)
    return total
