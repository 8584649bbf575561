"""The same words with another model's vectors: two indexes side by side, one for who is still searching, one for who begins; and token files."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import anyio
import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import InvalidInput
from core.ports import TokenVectors
from core.search import Filters
from retrieval.embedded_index import EmbeddedIndex
from retrieval.token_store import SqliteTokenStore, adopt_tokens
from tests.support.indexes import DIMENSION, DocumentAttributes, document, vector_of

ALL = Filters()
WIDE = 8


def wide(number: int) -> NDArray[np.float16]:
    row: NDArray[np.float16] = np.eye(WIDE, dtype=np.float16)[number]
    return row


async def rows(*found: tuple[str, int, NDArray[np.float16]]) -> AsyncIterator[tuple[str, int, NDArray[np.float16]]]:
    for each in found:
        yield each


async def opened(folder: Path, faiss_above: int) -> EmbeddedIndex:
    index = await EmbeddedIndex.open(folder, dimension=DIMENSION, document_weight=0.3, faiss_above=faiss_above)
    await index.upsert([document("a", "the crane", "the quay", first_chunk=10), document("b", "the ferry", first_chunk=20)])
    await index.upsert([document("other", "the crane", first_chunk=30, attributes=DocumentAttributes(tenant="t2"))])
    await index.commit()
    return index


@pytest.mark.parametrize("faiss_above", [0, 1_000_000])
async def test_both_are_searched_by_their_own_vectors_and_share_the_words(tmp_path: Path, faiss_above: int) -> None:
    old = await opened(tmp_path, faiss_above)
    new = await old.with_vectors(
        WIDE,
        rows(("b", 1, wide(2)[None]), ("a", 1, np.stack([wide(0), wide(1)])), ("other", 1, wide(0)[None]), ("gone", 1, wide(3)[None])),
    )
    assert [hit.chunk_id for hit in await new.search_dense("default", wide(1).astype(np.float32), ALL, 1)] == [11]
    assert [hit.chunk_id for hit in await new.search_dense("t2", wide(0).astype(np.float32), ALL, 5)] == [30]
    assert [hit.chunk_id for hit in await old.search_dense("default", vector_of("the ferry"), ALL, 1)] == [20]
    for index in (old, new):
        assert [hit.chunk_id for hit in (await index.search_lexical("default", "ferry", ALL, 5)).hits] == [20]
    with pytest.raises(InvalidInput):
        await new.search_dense("default", vector_of("the ferry"), ALL, 1)
    assert (await new.counts()).vectors == (await old.counts()).vectors == 4
    await new.close()


async def test_what_is_written_later_goes_to_the_new_one_while_the_old_is_still_searched(tmp_path: Path) -> None:
    old = await opened(tmp_path, 1_000_000)
    new = await old.with_vectors(WIDE, rows(("a", 1, np.stack([wide(0), wide(1)])), ("b", 1, wide(2)[None])))
    await new.delete("default", ["b"])
    await new.commit()
    assert await new.search_dense("default", wide(2).astype(np.float32), Filters(document_ids=["b"]), 5) == ()
    assert [hit.chunk_id for hit in await old.search_dense("default", vector_of("the ferry"), ALL, 1)] == [20]  # as it was when the search began
    assert (await old.search_lexical("default", "ferry", ALL, 5)).hits == ()
    await new.close()


async def test_vectors_of_another_generation_or_shape_are_not_taken(tmp_path: Path) -> None:
    old = await opened(tmp_path, 1_000_000)
    new = await old.with_vectors(WIDE, rows(("a", 2, np.stack([wide(0), wide(1)])), ("b", 1, wide(2)[None])))
    assert (await new.counts()).documents == 1
    with pytest.raises(InvalidInput, match="document a"):
        await old.with_vectors(WIDE, rows(("a", 1, wide(0)[None])))
    await new.close()


def tokens(seed: int) -> TokenVectors:
    vectors = np.random.default_rng(seed).standard_normal((3, WIDE)).astype(np.float32)
    spans = np.array([[0, 1], [2, 3], [4, 5]], np.int32)
    return TokenVectors(np.array([1, 2, 3], np.int32), spans, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


async def stored(path: Path, model: str, chunk: int) -> None:
    store = SqliteTokenStore(path, WIDE, model=model)
    await store.put([(chunk, tokens(chunk))])
    await store.close()


async def test_token_vectors_that_were_filled_beside_take_over_at_a_start(tmp_path: Path) -> None:
    path, beside = tmp_path / "tokens.db", tmp_path / "tokens-next.db"
    await stored(path, "old", 1)
    await stored(beside, "new", 2)
    adopt_tokens(path, beside, "old")  # the old one is in use still: both stay
    assert beside.is_file()
    adopt_tokens(path, beside, "new")
    store = SqliteTokenStore(path, WIDE, model="new")
    assert (await store.chunk_ids(), beside.exists()) == ([2], False)
    await store.close()
    adopt_tokens(path, beside, "new")
    assert path.is_file()


async def test_what_a_killed_process_left_in_the_log_is_taken_over(tmp_path: Path) -> None:
    path, beside = tmp_path / "tokens.db", tmp_path / "tokens-next.db"
    store = SqliteTokenStore(tmp_path / "live.db", WIDE, model="new")
    await store.put([(7, tokens(7))])
    for suffix in ("", "-wal"):
        (tmp_path / f"tokens-next.db{suffix}").write_bytes((tmp_path / f"live.db{suffix}").read_bytes())
    await store.close()
    adopt_tokens(path, beside, "new")
    again = SqliteTokenStore(path, WIDE, model="new")
    assert await again.chunk_ids() == [7]
    await again.close()
    assert [each.name async for each in anyio.Path(tmp_path).glob("tokens-next*")] == []


@pytest.mark.parametrize("broken", [b"", b"no database at all" * 400])
async def test_a_damaged_file_beside_is_never_adopted(tmp_path: Path, broken: bytes) -> None:
    path, beside = tmp_path / "tokens.db", tmp_path / "tokens-next.db"
    await stored(path, "new", 1)
    beside.write_bytes(broken)
    adopt_tokens(path, beside, "new")
    store = SqliteTokenStore(path, WIDE, model="new")
    assert await store.chunk_ids() == [1]
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
