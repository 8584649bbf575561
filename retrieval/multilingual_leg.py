"""The leg across languages: a multilingual encoder's cosines, in the place of the embedding model's (see `retrieval.language_crossing`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from retrieval.language_crossing import CrossLanguageHits, describe_crossing
from retrieval.leg import LegResult, LegSearch


def crosses_languages(search: LegSearch) -> bool:
    """Return whether question and passages are in different languages."""
    return search.crossing is not None


async def search_across_languages(search: LegSearch) -> LegResult:
    """Search the multilingual encoder's vectors. Raises Unavailable where it cannot be used."""
    if search.cross_language is None or search.crossing is None:
        return LegResult(())
    found = await search.cross_language.search(search.request, search.crossing, search.depth)
    return LegResult(found.hits, found.vector, degraded=found.degradation)


async def add_others(search: LegSearch, result: LegResult, documents: Mapping[int, str]) -> LegResult:
    """Give what only other legs found its cosine, where passages of all languages are compared."""
    if search.cross_language is None or search.crossing is None:
        return result
    others = {} if search.crossing.passages is not None else dict(documents)
    hits = await search.cross_language.complete_hits(search.request, CrossLanguageHits(result.hits, result.vector, None), others)
    return replace(result, hits=hits, note=describe_crossing(search.crossing))
