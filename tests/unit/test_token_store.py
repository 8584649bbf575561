"""The store of reduced token vectors: what comes back, what it keeps of the inner products, damage and other models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.ports import TokenVectors
from retrieval.token_store import SqliteTokenStore

DIMENSION = 384


def tokens(count: int, seed: int = 0, *, first_id: int = 100, stride: int = 5) -> TokenVectors:
    generator = np.random.default_rng(seed)
    vectors = generator.standard_normal((count, DIMENSION)).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    starts = np.arange(count, dtype=np.int32) * stride
    return TokenVectors(np.arange(first_id, first_id + count, dtype=np.int32), np.stack([starts, starts + 3], axis=1), vectors)


async def test_what_is_put_comes_back(tmp_path: Path) -> None:
    store = SqliteTokenStore(tmp_path / "tokens.sqlite3", DIMENSION)
    one, two = tokens(40), tokens(7, seed=1)
    await store.put([(1, one), (2**40, two)])
    found = await store.get([1, 2, 2**40])
    assert set(found) == {1, 2**40}
    np.testing.assert_array_equal(found[1].ids, one.ids)
    np.testing.assert_array_equal(found[1].spans, one.spans)
    assert found[1].vectors.shape == (40, DIMENSION)
    await store.close()


async def test_inner_products_are_right_on_average_and_order_is_kept(tmp_path: Path) -> None:
    store = SqliteTokenStore(tmp_path / "tokens.sqlite3", DIMENSION)
    passage = tokens(200)
    await store.put([(1, passage)])
    stored = (await store.get([1]))[1].vectors
    np.testing.assert_allclose((passage.vectors * stored).sum(axis=1), 1.0, atol=2e-3)
    generator = np.random.default_rng(3)
    queries = passage.vectors[:50] + 0.04 * generator.standard_normal((50, DIMENSION)).astype(np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    exact, kept = queries @ passage.vectors.T, store.project(queries) @ stored.T
    assert (exact.argmax(axis=1) == kept.argmax(axis=1)).all()
    assert abs(float((kept - exact).mean())) < 0.003
    assert float(np.abs(kept - exact).max()) < 0.12
    await store.close()


async def test_ignored_tokens_are_not_kept(tmp_path: Path) -> None:
    store = SqliteTokenStore(tmp_path / "tokens.sqlite3", DIMENSION, ignored={101, 103})
    await store.put([(1, tokens(5)), (2, tokens(1, first_id=101))])
    found = await store.get([1, 2])
    assert found[1].ids.tolist() == [100, 102, 104]
    assert found[2].ids.tolist() == [101]  # nothing else would be left
    await store.close()


async def test_replaced_deleted_and_empty_rows(tmp_path: Path) -> None:
    store = SqliteTokenStore(tmp_path / "tokens.sqlite3", DIMENSION)
    await store.put([(1, tokens(5)), (2, tokens(6)), (3, tokens(0))])
    await store.put([(1, tokens(9))])
    await store.delete([2, 77])
    found = await store.get([1, 2, 3])
    assert {chunk: len(found[chunk].ids) for chunk in found} == {1: 9, 3: 0}
    assert await store.count() == 2
    assert await store.chunk_ids() == [1, 3]
    assert await store.get([]) == {}
    await store.close()


async def test_large_numbers_take_wider_fields(tmp_path: Path) -> None:
    store = SqliteTokenStore(tmp_path / "tokens.sqlite3", DIMENSION)
    wide = tokens(30, first_id=250_000, stride=9000)
    await store.put([(1, wide)])
    found = (await store.get([1]))[1]
    np.testing.assert_array_equal(found.ids, wide.ids)
    np.testing.assert_array_equal(found.spans, wide.spans)
    await store.close()


async def test_rows_survive_opening_again_and_another_model_does_not(tmp_path: Path) -> None:
    path = tmp_path / "tokens.sqlite3"
    store = SqliteTokenStore(path, DIMENSION, model="one")
    await store.put([(n, tokens(3, seed=n)) for n in range(1200)])
    await store.close()
    store = SqliteTokenStore(path, DIMENSION, model="one")
    assert len(await store.get(range(1200))) == 1200
    await store.close()
    store = SqliteTokenStore(path, DIMENSION, model="two")
    assert await store.count() == 0
    await store.close()


async def test_a_damaged_file_is_dropped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "tokens.sqlite3"
    path.write_bytes(b"this is no database" * 100)
    store = SqliteTokenStore(path, DIMENSION)
    assert "cannot be read" in caplog.text
    await store.put([(1, tokens(2))])
    assert len(await store.get([1])) == 1
    await store.close()


def test_a_dimension_that_does_not_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="multiple of 4"):
        SqliteTokenStore(tmp_path / "t", 30)


def _size(folder: Path) -> int:
    """The database with its journal, without the index of the journal."""
    return sum(path.stat().st_size for path in folder.iterdir() if not path.name.endswith("-shm"))


async def test_what_is_deleted_gives_its_room_on_the_disk_back(tmp_path: Path) -> None:
    path = tmp_path / "tokens.sqlite3"
    store = SqliteTokenStore(path, DIMENSION)
    await store.put([(n, tokens(250, seed=n)) for n in range(400)])
    await store.get([1])
    await store.delete([0])
    full = _size(tmp_path)
    await store.delete(range(1, 399))
    assert full > 20 * _size(tmp_path)
    assert len((await store.get([399]))[399].ids) == 250
    await store.close()
