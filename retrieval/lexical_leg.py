"""The leg that searches for words: BM25 in the search index."""

from __future__ import annotations

from retrieval.leg import LegResult, LegSearch


async def search_words(search: LegSearch) -> LegResult:
    """Search for the text, or, across languages, for the question in the library's own words. The signal is measured on the person's question."""
    request, index = search.request, search.index
    own = "" if search.crossing is None else search.crossing.words
    result = await index.search_lexical(request.tenant, own or request.text, request.filters, search.depth)
    best, bound = (result.hits[0].score if result.hits else 0.0), result.upper_bound
    if search.is_reworded and not own:
        of_question = await index.search_lexical(request.tenant, request.question, request.filters, search.depth)
        found = {hit.chunk_id for hit in result.hits}
        best = max((hit.score for hit in of_question.hits if hit.chunk_id in found), default=0.0)
        bound = of_question.upper_bound
    return LegResult(result.hits, signals={"lexical_ratio": _capped_ratio(best, bound)})


def _capped_ratio(best: float, bound: float) -> float:
    """Return the score as a share of its bound, at most 1. The bound is that of the chunk's text; headings and document can lift a score above it."""
    return min(best / bound, 1.0) if bound > 0 else 0.0
