"""The dense leg in OpenSearch: the k-NN plugin's graph of Lucene, with cosine, and the vectors themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.errors import InvalidInput
from core.ownership import libraries_read
from core.ports import Hit
from core.search import Filters
from retrieval.opensearch.catalogue import Catalogue
from retrieval.opensearch.connection import OpenSearchClient
from retrieval.opensearch.entries import filter_clauses, read_vector, tenant_clause
from retrieval.opensearch.lexical_search import HIT_FIELDS, read_hits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST_NEIGHBOURS = 100  # looked for in the graph, however few are wanted: fewer miss some of the nearest
_VECTORS_AT_ONCE = 1000


class VectorSearch:
    """`index` is searched, `catalogue` says what of it is committed. One model's vectors: another model has another one of these."""

    def __init__(self, client: OpenSearchClient, index: str, catalogue: Catalogue, dimension: int) -> None:
        self.index, self.catalogue, self.dimension = index, catalogue, dimension
        self._client = client

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        """Return the hits, best cosine first. Raises InvalidInput for a vector of another model."""
        if vector.shape != (self.dimension,):
            raise InvalidInput(f"The question's vector has {vector.shape} numbers, the index {self.dimension}: the embedding model was changed.")
        if not self._holds(tenant) or limit <= 0 or not vector.any():
            return ()
        [answer] = await self._client.search_several(self.index, [self._body(tenant, vector, filters, limit)])
        hits = [Hit(chunk, document, 2 * score - 1) for chunk, document, score in read_hits(answer, self.catalogue.accepts)]
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:limit])

    def _body(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> dict[str, Any]:
        wanted: dict[str, Any] = {"vector": vector.tolist(), "k": max(limit, _LEAST_NEIGHBOURS)}
        clauses = filter_clauses(tenant if len(self.catalogue.tenants) > 1 else None, filters)
        if clauses:
            wanted["filter"] = {"bool": {"filter": clauses}}
        return {**HIT_FIELDS, "size": limit, "query": {"knn": {"vector": wanted}}}

    async def get(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Return the vectors of those chunks that are known and the tenant's."""
        if not self._holds(tenant):
            return {}
        found: dict[int, NDArray[np.float32]] = {}
        wanted = list(dict.fromkeys(chunk_ids))
        for start in range(0, len(wanted), _VECTORS_AT_ONCE):
            part = wanted[start : start + _VECTORS_AT_ONCE]
            [answer] = await self._client.search_several(self.index, [_vectors_body(tenant, part)])
            found |= self._read_vectors(answer)
        return found

    def _read_vectors(self, answer: dict[str, Any]) -> dict[int, NDArray[np.float32]]:
        hits = [(hit["fields"], hit["_source"]["float16"]) for hit in answer["hits"]["hits"]]
        return {
            fields["chunk"][0]: read_vector(text) for fields, text in hits if self.catalogue.accepts(fields["document"][0], fields["revision"][0])
        }

    def _holds(self, tenant: str) -> bool:
        return any(self.catalogue.tenants[library] for library in libraries_read(tenant))


def _vectors_body(tenant: str, chunk_ids: Sequence[int]) -> dict[str, Any]:
    query = {"bool": {"filter": [{"terms": {"chunk": list(chunk_ids)}}, tenant_clause(tenant)]}}
    fields = {"_source": ["float16"], "docvalue_fields": HIT_FIELDS["docvalue_fields"], "track_total_hits": False}
    return {**fields, "size": 2 * len(chunk_ids), "query": query}  # a version that waits for its commit may stand beside the one in use
