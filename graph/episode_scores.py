"""How often what happened of late names the entities of passages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from core.graph import EpisodeScore, WeighedEpisode
from graph.entity_hits import find_telling, hub_test
from graph.normalisation import name_tokens
from graph.tenant_graph import TenantGraph

Naming = Mapping[int, set[int]]  # an entity -> the places of the episodes that name it


def score_episodes(
    graph: TenantGraph, chunk_ids: Sequence[int], episodes: Sequence[WeighedEpisode], max_mentions: int, hub_share: float
) -> dict[int, EpisodeScore]:
    """Return for each chunk the mean of min(1, sum of weights / max_mentions) over its entities, weighted by how rare these are, and the number of
    distinct episodes. Chunks without any are left out. Hubs tell no passage from another: they are no entities here."""
    leads_on = hub_test(graph, hub_share)
    sought = {chunk_id: {each for each in find_telling(graph, chunk_id) if leads_on(each)} for chunk_id in chunk_ids}
    naming = _find_naming(graph, set().union(*sought.values()), episodes)
    scores = {each: min(1.0, sum(episodes[place].weight for place in places) / max_mentions) for each, places in naming.items()}
    found = {}
    for chunk_id, entities in sought.items():
        if named := naming.keys() & entities:
            rarities = {each: math.log1p(graph.documents / graph.arrays.count_places(each)) for each in entities}
            mean = sum(rarities[each] * scores[each] for each in named) / sum(rarities.values())
            found[chunk_id] = EpisodeScore(len(set().union(*(naming[each] for each in named))), mean)
    return found


def _find_naming(graph: TenantGraph, sought: Iterable[int], episodes: Sequence[WeighedEpisode]) -> Naming:
    """Return for each entity the episodes that name it in the words of a run, or by a document that mentions it."""
    arrays, sought, by_first_word = graph.arrays, set(sought), defaultdict[str, list[tuple[str, int]]](list)
    for each in sought:
        for key in map(arrays.keys.text, arrays.members(each)):
            by_first_word[key.partition(" ")[0]].append((f" {key} ", each))
    naming: defaultdict[int, set[int]] = defaultdict(set)
    for place, weighed in enumerate(episodes):
        text, words = _words_of(weighed.episode.text)
        for word in by_first_word.keys() & words:
            for key, entity in by_first_word[word]:
                if key in text:
                    naming[entity].add(place)
        for entity in sought.intersection(arrays.centres[surface] for word in words for surface in graph.by_alias.numbers(word)):
            naming[entity].add(place)  # aliases of several words are not looked for
        for document_id in weighed.episode.document_ids:
            record = graph.record(document_id)
            used = arrays.places_of(record.number) if record is not None else ()
            for entity in sought.intersection(arrays.centres[arrays.place_surface[each]] for each in used):
                naming[entity].add(place)
    return naming


@lru_cache(maxsize=1024)
def _words_of(text: str) -> tuple[str, frozenset[str]]:
    """Return a text's words as names are compared, a space before and behind each, and which there are."""
    words = name_tokens(text)
    return f" {' '.join(words)} ", frozenset(words)
