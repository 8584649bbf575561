"""What a library holds, in a form in which two libraries can be compared: without ids, generations and times."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from core.ports import Library, LibraryWriter, SearchIndex
from core.search import Filters


@dataclass(frozen=True)
class Snapshot:
    """`documents`: paths -> (hash, title, chunks with their text and vector). `ledger`: path -> (state, code)."""

    documents: dict[tuple[str, ...], Any]
    ledger: dict[str, tuple[str, str]]


async def snapshot(tenant: str, library: Library, writer: LibraryWriter) -> Snapshot:
    ids = list(await writer.live_documents())
    known = await library.documents(tenant, ids)
    documents = {}
    for made in await writer.indexed_documents(tenant, ids):
        stored = await library.chunks(tenant, [piece.id for piece in made.chunks])
        pieces = [
            (stored[piece.id].start, stored[piece.id].end, stored[piece.id].prefix, piece.text, piece.vector.tobytes()) for piece in made.chunks
        ]
        documents[tuple(sorted(made.paths))] = (known[made.id].content_hash, made.collection, pieces)
    lines, _, _ = await library.ledger(tenant, limit=100_000)
    return Snapshot(documents, {line.path: (line.state.value, line.code) for line in lines})


async def assert_in_step(tenant: str, writer: LibraryWriter, index: SearchIndex, token_chunks: Collection[int], word: str = "common") -> int:
    """The index holds exactly the truth's documents and chunks, once each, in both legs; the token store
    holds no other. `word` stands in every chunk. Returns the number of chunks."""
    live = await writer.live_documents()
    made = await writer.indexed_documents(tenant, list(live))
    chunks = [piece.id for each in made for piece in each.chunks]
    assert len(set(chunks)) == len(chunks)
    assert await index.generations() == {each: generation for each, (_, generation) in live.items()}
    assert (await index.counts()).vectors == len(chunks)
    assert set(await index.vectors(tenant, chunks)) == set(chunks)
    found = [hit.chunk_id for hit in (await index.search_lexical(tenant, word, Filters(), len(chunks) + 100)).hits]
    assert sorted(found) == sorted(chunks)
    assert set(token_chunks) <= set(chunks)
    assert [each.id async for each in writer.stale_documents(await index.generations())] == []
    return len(chunks)
