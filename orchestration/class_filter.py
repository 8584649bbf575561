"""A class as a filter: the documents that mention an entity of it, which every search and list can be limited to."""

from __future__ import annotations

from core.errors import Conflict
from core.ports import KnowledgeGraph
from core.search import NO_DOCUMENT, Filters


async def resolve_class(filters: Filters, tenant: str, graph: KnowledgeGraph | None) -> Filters:
    """Return the filters, where they name a class limited to the documents that mention an entity of it or of a class below it. Raises InvalidInput
    for an unknown one, Conflict where entities get no classes."""
    if filters.entity_class is None:
        return filters
    if graph is None:
        raise Conflict("Documents cannot be limited to a class: the knowledge graph is switched off (graph.enabled).")
    found = await graph.class_documents(tenant, filters.entity_class)
    among = sorted(found & set(filters.document_ids) if filters.document_ids else found) or [NO_DOCUMENT]
    return filters.model_copy(update={"document_ids": among})
