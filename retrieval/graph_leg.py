"""The leg along the knowledge graph: the chunks that Apollo's expansion of the question names."""

from __future__ import annotations

from core.ports import Hit
from retrieval.leg import LegResult, LegSearch


def has_graph_hits(search: LegSearch) -> bool:
    """Return whether the request brings hits of the graph, and the strategy gives them weight."""
    return bool(search.request.graph_hits) and search.request.strategy.graph > 0


async def search_graph(search: LegSearch) -> LegResult:
    """Take Apollo's hits, best first, those that this tenant's index still holds: the graph may be older than the last change of a document."""
    best: dict[int, Hit] = {}
    for hit in search.request.graph_hits:
        if hit.chunk_id not in best or hit.score > best[hit.chunk_id].score:
            best[hit.chunk_id] = Hit(hit.chunk_id, hit.document_id, min(max(hit.score, 0.0), 1.0))
    known = await search.index.vectors(search.request.tenant, list(best))
    hits = sorted((hit for number, hit in best.items() if number in known), key=lambda hit: (-hit.score, hit.chunk_id))
    gone = len(best) - len(hits)
    note = f"{gone} left out: the index no longer holds {'it' if gone == 1 else 'them'}." if gone else ""
    return LegResult(tuple(hits[: search.depth]), note=note)
