"""Names of a question found among the entities: exactly, by an alias, or spelt nearly the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.graph import EntityMatch, EntityType
from core.language.stop_words import NAMELESS_WORDS
from graph.entity_views import show_entity
from graph.graph_arrays import KINDS
from graph.mentions import SurfaceForm
from graph.normalisation import EXACT_TYPES, MIN_SIMILARITY, WORD, key_from, name_tokens, signatures, similarity, token_of
from graph.pattern_entities import find_patterns
from graph.tenant_graph import TenantGraph

_LONGEST = 8
_CALLED = 3  # persons and firms that a single word may stand for
_PART = 0.9  # how surely it does
_EDGES = frozenset("the a an and or of in".split())
_TYPED = frozenset({EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.IDENTIFIER})
_ORDER = {"exact": 0, "alias": 1, "fuzzy": 2}


def match_names(graph: TenantGraph, names: Sequence[str], text: str, limit: int) -> list[EntityMatch]:
    """Return entities that `names` or phrases of `text` name, the surest first, then the longest name, then the most mentioned."""
    found: dict[SurfaceForm, tuple[str, str, float]] = {}
    for name in names:
        _keep_better(found, _match_name(graph, name), name)
    for phrase, key in _find_phrases(graph, text):
        _keep_better(found, _match_exactly(graph, key), phrase)
    for name in [*names, *_capitalised_phrases(text)]:
        if not any(matched == name for matched, _, _ in found.values()):
            _keep_better(found, _match_fuzzily(graph, name), name)
        _keep_better(found, _match_by_part(graph, name), name)
    mentions = graph.arrays.mentions
    order = sorted(found, key=lambda each: (_ORDER[found[each][1]], -found[each][2], -len(each.key.split()), -mentions(each.number), each.key))
    return [
        EntityMatch(entity=show_entity(graph, each), matched=found[each][0], how=found[each][1], similarity=round(found[each][2], 3))
        for each in order[:limit]
    ]


NameMatches = Iterator[tuple[SurfaceForm, str, float]]


def _keep_better(found: dict[SurfaceForm, tuple[str, str, float]], hits: NameMatches, matched: str) -> None:
    for surface, how, alike in hits:
        known = found.get(surface)
        if known is None or (_ORDER[how], -alike) < (_ORDER[known[1]], -known[2]):
            found[surface] = (matched, how, alike)


def _match_name(graph: TenantGraph, name: str) -> NameMatches:
    yield from _match_exactly(graph, key_from(name_tokens(name)))
    for each in find_patterns(name):
        yield from _match_exactly(graph, each.key)


def _match_exactly(graph: TenantGraph, key: str) -> NameMatches:
    for each in graph.by_key.numbers(key):
        centre = graph.graph.surface(each).centre
        yield centre, "exact" if centre.key == key else "alias", 1.0
    for each in graph.by_alias.numbers(key):
        yield graph.graph.surface(each).centre, "alias", 1.0


def _match_fuzzily(graph: TenantGraph, name: str) -> NameMatches:
    key = key_from(name_tokens(name))
    for kind in EntityType:
        if kind in EXACT_TYPES:
            continue
        for surface in {each for mark in signatures(key, kind) for each in graph.surfaces_with_signature(mark)}:
            alike = similarity(key, graph.arrays.keys.text(surface), kind)
            if MIN_SIMILARITY < alike < 1.0 and KINDS[graph.arrays.kinds[surface]] is kind:
                yield graph.graph.surface(surface).centre, "fuzzy", alike


def _match_by_part(graph: TenantGraph, name: str) -> NameMatches:
    """Yield the entities that are called so for short: "Kestrel" for "Kestrel Handling", where few are called so."""
    key = key_from(name_tokens(name))
    owners = {graph.arrays.centres[each] for each in graph.by_part.numbers(key)} if key not in NAMELESS_WORDS else set()
    if len(owners) <= _CALLED:
        yield from ((graph.graph.surface(owner), "alias", _PART) for owner in owners)


def _find_phrases(graph: TenantGraph, text: str) -> Iterator[tuple[str, str]]:
    """Yield (as written, key) of the phrases of a text that name something in the graph; one inside a longer one is left out."""
    for each in find_patterns(text):
        yield each.name, each.key
    words = [(word, token) for word in WORD.findall(text) if (token := token_of(word))]
    place = 0
    while place < len(words):
        step = 1
        for length in range(min(_LONGEST, len(words) - place), 0, -1):
            part = words[place : place + length]
            key = key_from([token for _, token in part])
            if (key in graph.by_key or key in graph.by_alias) and _is_meant_as_name(graph, key, part):
                yield " ".join(written for written, _ in part), key
                step = length
                break
        place += step


def _is_meant_as_name(graph: TenantGraph, key: str, part: Sequence[tuple[str, str]]) -> bool:
    """Return whether a phrase that stands in the graph is meant as a name: common words are not, a single one in lower case only where it is
    typed.
    """
    tokens = [token for _, token in part]
    if all(token in NAMELESS_WORDS for token in tokens) or tokens[0] in _EDGES or tokens[-1] in _EDGES:
        return False
    if len(tokens) > 1 and tokens[0] not in NAMELESS_WORDS and tokens[-1] not in NAMELESS_WORDS:
        return True
    if part[0][0][0].isupper() or any(character.isdigit() for character in key):
        return True
    kinds = {KINDS[graph.arrays.kinds[each]] for each in graph.by_key.numbers(key)}
    return len(tokens) == 1 and len(key) > 3 and bool(kinds & _TYPED)


def _capitalised_phrases(text: str) -> list[str]:
    found = re.findall(r"\w*[^\W\d_a-z]\w+(?: \w*[^\W\d_a-z]\w+){0,5}", text)
    return [name for name in found if name[:1].isupper() and name.lower() not in NAMELESS_WORDS]
