"""How often what happened of late names the entities of passages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from core.graph import ChunkEpisodes, EpisodeScore, WeighedEpisode
from graph.entity_hits import find_telling, hub_test
from graph.graph_arrays import GraphArrays
from graph.normalisation import name_tokens
from graph.tenant_graph import TenantGraph

Naming = Mapping[int, set[int]]  # an entity -> the places of the episodes that name it


def score_episodes(
    graph: TenantGraph, chunk_ids: Sequence[int], episodes: Sequence[WeighedEpisode], max_mentions: int, hub_share: float
) -> ChunkEpisodes:
    """Return for each chunk the mean of min(1, sum of weights / max_mentions) over its entities, weighted by how rare these are, and the number of
    distinct episodes; chunks of which none is named have no score. Hubs tell no passage from another: they are no entities here."""
    told = {chunk_id: find_telling(graph, chunk_id) for chunk_id in chunk_ids}
    telling = set(filter(hub_test(graph, hub_share), set().union(*told.values())))
    naming = _find_naming(graph, telling, episodes)
    scores = {each: min(1.0, sum(episodes[place].weight for place in places) / max_mentions) for each, places in naming.items()}
    rarities = {each: math.log1p(graph.documents / graph.arrays.count_places(each)) for each in telling} if naming else {}
    found = {}
    for chunk_id, entities in told.items():
        if named := naming.keys() & entities:
            mean = sum(rarities[each] * scores[each] for each in named) / sum(rarities[each] for each in entities & telling)
            found[chunk_id] = EpisodeScore(len(set().union(*(naming[each] for each in named))), mean)
    return ChunkEpisodes(found, {each for each, entities in told.items() if telling.isdisjoint(entities)})


def _find_naming(graph: TenantGraph, sought: set[int], episodes: Sequence[WeighedEpisode]) -> Naming:
    """Return for each entity the episodes that name it in the words of a run, or by a document that mentions it."""
    read = [_words_of(weighed.episode.text) for weighed in episodes]
    by_name, by_alias = _index_names(graph.arrays, sought), _index_aliases(graph, sought, set().union(*(words for _, words in read)))
    naming: defaultdict[int, set[int]] = defaultdict(set)
    for place, (weighed, (text, words)) in enumerate(zip(episodes, read, strict=True)):
        named = [entity for word in by_name.keys() & words for key, entity in by_name[word] if key in text]
        called = chain.from_iterable(by_alias[word] for word in by_alias.keys() & words)
        for entity in chain(named, called, *(sought & _mentioned(graph, each) for each in weighed.episode.document_ids)):
            naming[entity].add(place)
    return naming


def _index_names(arrays: GraphArrays, sought: Iterable[int]) -> Mapping[str, Sequence[tuple[str, int]]]:
    """Return the first words of names -> the names, a space before and behind each, with their entities."""
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for each in sought:
        for key in map(arrays.keys.text, arrays.members(each)):
            found[key.partition(" ")[0]].append((f" {key} ", each))
    return found


def _index_aliases(graph: TenantGraph, sought: set[int], words: Iterable[str]) -> Mapping[str, set[int]]:
    """Return those of the words that are aliases -> whose. Aliases of several words are not looked for."""
    centres = graph.arrays.centres
    found = {word: sought.intersection(map(centres.__getitem__, graph.by_alias.numbers(word))) for word in words}
    return {word: entities for word, entities in found.items() if entities}


def _mentioned(graph: TenantGraph, document_id: str) -> set[int]:
    """Return the entities that a document mentions."""
    arrays, record = graph.arrays, graph.record(document_id)
    used = arrays.places_of(record.number) if record is not None else ()
    return {arrays.centres[arrays.place_surface[each]] for each in used}


@lru_cache(maxsize=1024)
def _words_of(text: str) -> tuple[str, frozenset[str]]:
    """Return a text's words as names are compared, a space before and behind each, and which there are."""
    words = name_tokens(text)
    return f" {' '.join(words)} ", frozenset(words)
