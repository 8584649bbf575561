"""core.ports.MentionFinder over the search index: passages with one of the words are looked up there and read in the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.documents import StoredChunk
from core.ports import Library, Mention, Mentions, SearchIndex
from core.search import Filters

MOST = 2_000  # passages that are looked at, best first: all of a library in which a word is not in every second passage
_AT_ONCE = 250


class TextMentionFinder:
    """The index says where the words may stand, the stored text whether they do."""

    def __init__(self, index: SearchIndex, library: Library) -> None:
        self._index, self._library = index, library

    async def find_mentions(self, tenant: str, words: str, filters: Filters, *, together: bool) -> Mentions:
        hits = (await self._index.search_lexical(tenant, words, filters, MOST)).hits
        ids = [hit.chunk_id for hit in hits]
        places: dict[str, set[tuple[int, int]]] = {}
        for first in range(0, len(ids), _AT_ONCE):
            chunks = await self._library.chunks(tenant, ids[first : first + _AT_ONCE])
            for chunk in chunks.values():
                found = _match_phrase(words, chunk) if together else self._match_all_words(words, chunk)
                places.setdefault(chunk.document_id, set()).update(found)
        mentions = {document: Mention(document, len(found), *min(found)) for document, found in places.items() if found}
        return Mentions(mentions, is_complete=len(hits) < MOST)

    def _match_all_words(self, words: str, chunk: StoredChunk) -> Iterator[tuple[int, int]]:
        """Yield the passage, where it holds every word in one form or another; its heading line counts."""
        wanted = frozenset(self._index.terms(words))
        if wanted and wanted <= frozenset(self._index.terms(f"{chunk.prefix} {chunk.text}")):
            yield chunk.start, chunk.end


def _match_phrase(words: str, chunk: StoredChunk) -> Sequence[tuple[int, int]]:
    """Return places in the document; white space and marks between the words count as one space, and the last may be in the plural."""
    parts = re.findall(r"\w+", words)
    if not parts:
        return []
    joined = r"\W+".join(map(re.escape, parts))
    pattern = re.compile(rf"(?<!\w){joined}(?:e?s|['’]s?)?(?!\w)", re.IGNORECASE)
    return [(chunk.start + match.start(), chunk.start + match.end()) for match in pattern.finditer(chunk.text)]
