"""How often what happened of late names the entities of passages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain

import numpy as np

from core.graph import ChunkEpisodes, EpisodeScore, WeighedEpisode
from graph.entity_hits import find_leading_on, find_telling
from graph.graph_arrays import GraphArrays
from graph.int_rows import view
from graph.normalisation import name_tokens
from graph.tenant_graph import TenantGraph

Naming = Mapping[int, set[int]]  # an entity -> the places of the episodes that name it


def score_episodes(
    graph: TenantGraph, chunk_ids: Sequence[int], episodes: Sequence[WeighedEpisode], max_mentions: int, hub_share: float
) -> ChunkEpisodes:
    """Return for each chunk the mean of min(1, sum of weights / max_mentions) over its entities, weighted by how rare these are, and the number of
    distinct episodes; chunks of which none is named have no score. Hubs tell no passage from another: they are no entities here."""
    told = {chunk_id: find_telling(graph, chunk_id) for chunk_id in chunk_ids}
    telling = find_leading_on(graph, hub_share, set().union(*told.values()))
    naming = _find_naming(graph, telling, episodes)
    scores = {each: min(1.0, sum(episodes[place].weight for place in places) / max_mentions) for each, places in naming.items()}
    found, rarities = {}, _find_rarities(graph, telling) if naming else {}
    for chunk_id, entities in told.items():
        if named := naming.keys() & entities:
            mean = sum(rarities[each] * scores[each] for each in named) / sum(rarities[each] for each in entities & telling)
            found[chunk_id] = EpisodeScore(len(set().union(*(naming[each] for each in named))), mean)
    return ChunkEpisodes(found, {each for each, entities in told.items() if telling.isdisjoint(entities)})


def _find_rarities(graph: TenantGraph, entities: set[int]) -> Mapping[int, float]:
    """Return ln(1 + N / n) of each entity that documents use n times, in N documents."""
    numbers = np.fromiter(entities, np.int32)
    counts = graph.arrays.count_all(graph.arrays.places, numbers)
    return dict(zip(numbers.tolist(), np.log1p(graph.documents / counts).tolist(), strict=True))


def _find_naming(graph: TenantGraph, sought: set[int], episodes: Sequence[WeighedEpisode]) -> Naming:
    """Return for each entity the episodes that name it in the words of a run, or by a document that mentions it."""
    read = [_words_of(weighed.episode.text) for weighed in episodes]
    told = set().union(*(words for _, words in read))
    by_name, by_alias = _index_names(graph.arrays, sought, told), _index_aliases(graph, sought, told)
    naming: defaultdict[int, set[int]] = defaultdict(set)
    for place, (text, words) in enumerate(read if told else ()):
        named = [entity for word in by_name.keys() & words for name, entity in by_name[word] if name in text]
        for entity in chain(named, *(by_alias[word] for word in by_alias.keys() & words)):
            naming[entity].add(place)
    for entity, places in _find_in_documents(graph, sought, episodes):
        naming[entity].update(places)
    return naming


def _index_names(arrays: GraphArrays, sought: Iterable[int], words: Set[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
    """Return those of the words with which names begin -> the names, a space before and behind each, with their entities."""
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for each in sought:
        for key in map(arrays.keys.text, arrays.members(each)):
            first, _, _ = key.partition(" ")
            if first in words:
                found[first].append((f" {key} ", each))
    return found


def _index_aliases(graph: TenantGraph, sought: set[int], words: Iterable[str]) -> Mapping[str, set[int]]:
    """Return those of the words that are aliases -> whose. Aliases of several words are not looked for."""
    centres = graph.arrays.centres
    found = {word: sought.intersection(map(centres.__getitem__, graph.by_alias.numbers(word))) for word in words}
    return {word: entities for word, entities in found.items() if entities}


def _find_in_documents(graph: TenantGraph, sought: set[int], episodes: Sequence[WeighedEpisode]) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the entities that documents of episodes mention, with the places of these episodes."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, weighed in enumerate(episodes):
        for number in chain.from_iterable(map(graph.document_numbers, weighed.episode.document_ids)):
            places[number].append(place)
    centres, is_sought = view(graph.arrays.centres), np.zeros(len(graph.arrays.centres), bool)
    is_sought[list(sought)] = True
    documents, surfaces = graph.arrays.surfaces_in_documents(np.fromiter(places, np.int32))
    mentioned = centres[surfaces]
    for place in np.flatnonzero(is_sought[mentioned]).tolist():
        yield int(mentioned[place]), places[int(documents[place])]


@lru_cache(maxsize=1024)
def _words_of(text: str) -> tuple[str, frozenset[str]]:
    """Return a text's words as names are compared, a space before and behind each, and which there are."""
    words = name_tokens(text)
    return f" {' '.join(words)} ", frozenset(words)
