"""Links from one passage to another: names that both mention, and titles of documents that stand in a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.graph import ChunkLink, EntityType
from core.language.stop_words import ARTICLES, NAMELESS_WORDS
from graph.graph_arrays import KINDS
from graph.normalisation import WORD, key_from, token_of
from graph.tenant_graph import TenantGraph

_LONGEST = 12  # words of a title that is looked for
_HUB = 300  # chunks: a phrase that more of them mention leads nowhere
_UNLINKED = frozenset({EntityType.DATE, EntityType.AMOUNT})


class _WrittenWords(NamedTuple):
    """A text's words as they are compared, with how they are written; `has_capitals` says that the text uses capitals at all."""

    tokens: list[str]
    written: list[str]
    has_capitals: bool


def find_titles(graph: TenantGraph, text: str) -> dict[str, list[str]]:
    """Return document ids -> their titles that occur in `text`."""
    found: dict[str, list[str]] = {}
    for key in _title_keys(graph, text):
        for record in graph.titles[key]:
            if record.title not in found.setdefault(record.id, []):
                found[record.id].append(record.title)
    return found


def find_document_names(graph: TenantGraph, text: str) -> list[str]:
    """Return the titles, and the names of files of several words, that occur in `text`."""
    titles = [title for each in find_titles(graph, text).values() for title in each]
    tokens = _split_words(text).tokens
    keys = (key for first in range(len(tokens)) for key, length in _keys_from(tokens, first) if length > 1)
    return list(dict.fromkeys([*titles, *(graph.files[key][-1].filename for key in keys if key in graph.files)]))


def find_links(graph: TenantGraph, chunk_ids: Sequence[int], texts: dict[int, str], limit_per_chunk: int) -> list[ChunkLink]:
    """Return for each chunk the titles that it mentions, then the phrases that it shares with others, the rarest first."""
    return [link for chunk_id in chunk_ids for link in _links_of(graph, chunk_id, texts.get(chunk_id, ""), limit_per_chunk)]


def _links_of(graph: TenantGraph, chunk_id: int, text: str, limit: int) -> list[ChunkLink]:
    own = graph.record_of(chunk_id)
    if own is None:
        return []
    found = [
        ChunkLink(chunk_id, record.first_chunk, record.id, key, name_frequency(graph, key), is_title=True)
        for key in _title_keys(graph, text)
        for record in graph.titles[key]
        if record is not own and record.chunks
    ]
    kinds, names = graph.arrays.kinds, graph.arrays.keys
    keys = [names.text(each) for each in graph.names_in_chunk(chunk_id) if KINDS[kinds[each]] not in _UNLINKED]
    shared = sorted((name_frequency(graph, key), key) for key in keys)
    for count, key in dict.fromkeys(shared):
        if len(found) >= limit:
            break
        if 1 < count <= _HUB:
            found += [
                ChunkLink(chunk_id, other, owner, key, count, is_title=False) for other, owner in _mentioning_chunks(graph, key) if other != chunk_id
            ]
    return found[:limit]


def name_frequency(graph: TenantGraph, key: str) -> int:
    """Return chunks that mention the name, under whatever type."""
    surfaces = graph.by_key.numbers(key)
    if len(surfaces) == 1:
        return graph.arrays.frequency(surfaces[0])
    return len({chunk for surface in surfaces for chunk in graph.arrays.chunk_ids(surface)})


def _mentioning_chunks(graph: TenantGraph, key: str) -> list[tuple[int, str]]:
    places = {place for surface in graph.by_key.numbers(key) for place in graph.arrays.places.row(surface)}
    found = {each for place in places for each in graph.arrays.chunks_at(place)}
    return [(chunk, graph.arrays.ids.text(document)) for chunk, document in sorted(found)]


def _title_keys(graph: TenantGraph, text: str) -> list[str]:
    """Return the keys of titles that occur in the text as whole words, in its order. A title of one word counts when it is written as a name."""
    words = _split_words(text)
    found: dict[str, None] = {}
    for first in _title_starts(graph, words.tokens):
        for key, length in _keys_from(words.tokens, first):
            if key in graph.titles and (" " in key or (length == 1 and _is_named(words, first))):
                found.setdefault(key)
    return list(found)


def _title_starts(graph: TenantGraph, tokens: Sequence[str]) -> Iterator[int]:
    """Yield the places where a title's first two words stand, or all of one of one word; an article before it is no part of a title's key."""
    starts, pairs = graph.title_starts, [hash(f"{one} {other}") for one, other in pairwise(tokens)]
    for first, token in enumerate(tokens):
        behind = first + (token in ARTICLES)
        if (behind < len(pairs) and pairs[behind] in starts) or hash(token) in starts:
            yield first


def _keys_from(tokens: Sequence[str], first: int) -> Iterator[tuple[str, int]]:
    for length in range(1, min(_LONGEST, len(tokens) - first) + 1):
        yield key_from(tokens[first : first + length]), length


def _is_named(words: _WrittenWords, place: int) -> bool:
    """Return whether the word names something: it has a capital that its place does not explain; where nothing has capitals, it is no common word."""
    token, written = words.tokens[place], words.written[place]
    if token in NAMELESS_WORDS or len(token) < 2:
        return False
    if not words.has_capitals:
        return len(token) > 3
    return written[0].isupper() or written[0].isdigit()


def _split_words(text: str) -> _WrittenWords:
    pairs = [(token_of(word), word) for word in WORD.findall(text)]
    kept = [(token, word) for token, word in pairs if token]
    return _WrittenWords([token for token, _ in kept], [word for _, word in kept], any(character.isupper() for character in text[1:]))
