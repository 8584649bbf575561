"""The vector table: blocks, deletes, rewriting, the change from numpy to faiss and back, and views that stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import InvalidInput
from core.ports import IndexedDocument
from core.search import Filters
from retrieval.vector_blocks import BLOCK, ExactRows, QuantisedRows, best_places
from retrieval.vector_table import VectorTable
from tests.support.indexes import DIMENSION, ORDINARY_ATTRIBUTES, document, vector_of

NONE = Filters()


def matrix(count: int, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def wide(document_id: str, rows: NDArray[np.float32], first_chunk: int) -> IndexedDocument:
    plain = document(document_id, *["x"] * len(rows), first_chunk=first_chunk)
    return replace(plain, chunks=tuple(replace(chunk, vector=row) for chunk, row in zip(plain.chunks, rows, strict=True)))


@pytest.mark.parametrize("kind", [ExactRows, QuantisedRows])
def test_rows_over_several_blocks_are_found_exactly(kind: type[ExactRows] | type[QuantisedRows]) -> None:
    data = matrix(2 * BLOCK + 100)
    rows = kind(DIMENSION)
    for start in range(0, len(data), 9_000):
        rows.append(data[start : start + 9_000])
    view = rows.view()
    for row in (0, BLOCK - 1, BLOCK, 2 * BLOCK + 99):
        found, scores = view.search(data[row], None, 5)
        assert found[0] == row
        assert scores[0] == pytest.approx(1.0, abs=2e-3)
        exact = np.argsort(-(data @ data[row]), kind="stable")[:5]
        assert len(set(found.tolist()) & set(exact.tolist())) >= 4
    np.testing.assert_allclose(view.gather(np.array([2 * BLOCK, 5, BLOCK])), data[[2 * BLOCK, 5, BLOCK]], atol=1e-3)


@pytest.mark.parametrize("kind", [ExactRows, QuantisedRows])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5])
def test_a_mask_is_exact(kind: type[ExactRows] | type[QuantisedRows], share: float) -> None:
    data = matrix(BLOCK + 500)
    rows = kind(DIMENSION)
    rows.append(data)
    allowed = np.random.default_rng(1).random(len(data)) < share
    found, _ = rows.view().search(data[3], allowed, 10)
    exact = np.argsort(-np.where(allowed, data @ data[3], -9), kind="stable")[: min(10, int(allowed.sum()))]
    assert len(found) == len(exact)
    assert len(set(found.tolist()) & set(exact.tolist())) >= len(exact) - 1
    assert allowed[found].all()


def test_a_view_does_not_see_what_comes_later() -> None:
    rows = ExactRows(DIMENSION)
    rows.append(matrix(10))
    view = rows.view()
    rows.append(matrix(10, seed=1))
    assert view.count == 10
    assert view.search(matrix(10, seed=1)[0], None, 50)[0].max() < 10


def test_the_table_changes_to_faiss_and_back() -> None:
    table = VectorTable(DIMENSION, faiss_above=500)
    data = matrix(900)
    table.upsert(wide("a", data[:400], 1))
    table.commit()
    assert isinstance(table._rows, ExactRows)
    table.upsert(wide("b", data[400:], 1001))
    table.commit()
    assert isinstance(table._rows, QuantisedRows)
    assert [hit.chunk_id for hit in table.search("default", data[700], NONE, 1)] == [1301]
    table.delete("default", ["b"])
    table.commit()
    assert isinstance(table._rows, ExactRows)
    assert table.search("default", data[7], NONE, 1)[0].chunk_id == 8
    assert table.counts() == (1, 400)


def test_deleted_rows_are_given_back() -> None:
    table = VectorTable(DIMENSION, faiss_above=10**9)
    for number in range(40):
        table.upsert(wide(f"d{number}", matrix(100, seed=number), 1 + number * 100))
    table.commit()
    full = table.nbytes
    table.delete("default", [f"d{number}" for number in range(0, 40, 2)])
    table.commit()
    assert table.nbytes < 0.6 * full
    assert table.counts() == (20, 2000)
    for number in (1, 39):
        assert table.search("default", matrix(100, seed=number)[50], NONE, 1)[0].chunk_id == 1 + number * 100 + 50
    assert set(table.get("default", [1, 101])) == {101}


def test_staged_changes_are_known_and_can_be_discarded() -> None:
    table = VectorTable(DIMENSION, faiss_above=10)
    table.upsert(document("a", "one"))
    assert table.generation("a") == 1
    table.discard()
    table.commit()
    assert table.generation("a") is None
    assert table.counts() == (0, 0)


def test_the_newest_version_is_known_before_it_is_committed() -> None:
    table = VectorTable(DIMENSION, faiss_above=10)
    table.upsert(document("a", "one"))
    table.commit()
    table.upsert(document("a", "two", attributes=replace(ORDINARY_ATTRIBUTES, generation=2, language="DE")))
    newest, committed = table.newest_version("a"), table.documents_by_id()["a"]
    assert newest is not None
    assert (newest.generation, newest.language, committed.generation) == (2, "de", 1)
    table.delete("stranger", ["a"])
    assert table.newest_version("a") == newest
    table.delete("default", ["a"])
    assert (table.newest_version("a"), table.newest_version("never-there")) == (None, None)
    table.discard()
    assert table.newest_version("a") == committed


def test_languages_are_those_of_what_is_committed() -> None:
    table = VectorTable(DIMENSION, faiss_above=10)
    for name, tenant, language in [("a", "default", "de"), ("b", "default", "DE"), ("c", "default", ""), ("d", "stranger", "ja")]:
        table.upsert(document(name, "text", attributes=replace(ORDINARY_ATTRIBUTES, tenant=tenant, language=language)))
    assert (table.languages("default"), table.all_languages()) == ({}, set())
    table.commit()
    assert (table.languages("default"), table.languages("stranger"), table.all_languages()) == ({"de": 2, "": 1}, {"ja": 1}, {"de", "", "ja"})
    table.delete("stranger", ["d"])
    table.commit()
    assert (table.languages("stranger"), table.all_languages()) == ({}, {"de", ""})


def test_a_vector_of_another_length_is_refused() -> None:
    table = VectorTable(DIMENSION + 4, faiss_above=10)
    with pytest.raises(InvalidInput, match="another model"):
        table.upsert(document("a", "one"))


def test_the_best_come_first_and_ties_in_their_order() -> None:
    scores = np.array([0.5, 0.9, 0.5, 0.1, 0.9], np.float32)
    assert best_places(scores, 3).tolist() == [1, 4, 0]
    assert best_places(scores, 99).tolist() == [1, 4, 0, 2, 3]
    assert best_places(scores, 0).tolist() == []


operations = st.lists(
    st.one_of(
        st.tuples(st.just("upsert"), st.integers(0, 5), st.integers(0, 3)),
        st.tuples(st.just("delete"), st.integers(0, 5), st.just(0)),
        st.tuples(st.just("commit"), st.just(0), st.just(0)),
    ),
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(steps=operations, faiss_above=st.sampled_from([3, 10**6]))
def test_any_sequence_of_changes_ends_as_a_dictionary_would(steps: list[tuple[str, int, int]], faiss_above: int) -> None:
    table, expected = VectorTable(DIMENSION, faiss_above), {}
    for serial, (action, number, chunks) in enumerate(steps):
        if action == "upsert":
            one = document(f"d{number}", *[f"text {number} {n}" for n in range(chunks)], first_chunk=1 + serial * 10)
            table.upsert(one)
            expected[one.id] = [chunk.id for chunk in one.chunks]
        elif action == "delete":
            table.delete("default", [f"d{number}"])
            expected.pop(f"d{number}", None)
        else:
            table.commit()
    table.commit()
    found = table.search("default", vector_of("text"), NONE, 1000)
    assert sorted(hit.chunk_id for hit in found) == sorted(chunk_id for ids in expected.values() for chunk_id in ids)
    assert table.counts() == (len(expected), sum(map(len, expected.values())))
    assert {hit.chunk_id: hit.document_id for hit in found} == {number: name for name, ids in expected.items() for number in ids}


def test_two_tenants_keep_their_masks_apart() -> None:
    table = VectorTable(DIMENSION, faiss_above=10)
    table.upsert(document("a", "one"))
    table.upsert(document("b", "one", attributes=replace(ORDINARY_ATTRIBUTES, tenant="other")))
    table.commit()
    for _ in range(2):
        assert [hit.document_id for hit in table.search("default", vector_of("one"), NONE, 5)] == ["a"]
        assert [hit.document_id for hit in table.search("other", vector_of("one"), NONE, 5)] == ["b"]
