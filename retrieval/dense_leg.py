"""The leg that searches for meaning: cosines of the embedding model's vectors."""

from __future__ import annotations

from dataclasses import replace

from retrieval.leg import LegResult, LegSearch


async def search_meaning(search: LegSearch) -> LegResult:
    """Search for the text's nearest chunks, scores on the reference scale. The signal is measured on the person's question."""
    request, embedder = search.request, search.embedder
    vector = await embedder.embed_query(request.text)
    found = await search.index.search_dense(request.tenant, vector, request.filters, search.depth)
    hits = tuple(replace(hit, score=embedder.scale.rescale(hit.score)) for hit in found)
    best = hits[0].score if hits else 0.0
    if search.is_reworded and hits:
        asked = await embedder.embed_query(request.question)
        vectors = await search.index.vectors(request.tenant, [hit.chunk_id for hit in hits])
        best = max((embedder.scale.rescale(float(each @ asked)) for each in vectors.values()), default=0.0)
    return LegResult(hits, vector, signals={"dense_top1": min(max(best, 0.0), 1.0)})
