"""The contract of `core.ports.SearchIndex` with those who fill, compare and switch an index: every back end passes this suite."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import InvalidInput
from core.ports import IndexedDocument, SearchIndex
from core.search import Filters
from tests.support.indexes import BACKENDS, DIMENSION, ORDINARY_ATTRIBUTES, Backend, DocumentAttributes, document, fill, load, near, vector_of, words

NONE = Filters()


@pytest.fixture(params=BACKENDS, ids=[backend.name for backend in BACKENDS])
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    return chosen


@pytest.fixture
async def index(backend: Backend, tmp_path: Path) -> AsyncIterator[SearchIndex]:
    opened = await backend.open(tmp_path / "index")
    yield opened
    await opened.close()


async def test_what_the_library_no_longer_has_goes_for_every_tenant(index: SearchIndex) -> None:
    await fill(
        index, document("kept", "lease"), document("gone", "lease"), document("theirs", "lease", attributes=DocumentAttributes(tenant="stranger"))
    )
    assert await index.retain({"kept": 1}) == 2
    assert sorted(await words(index, "lease")) == ["gone", "kept"]
    await index.commit()
    assert await index.generations() == {"kept": 1}
    assert await index.chunk_ids() == {chunk.id for chunk in document("kept", "lease").chunks}


async def test_loading_brings_what_is_missing_and_what_is_newer(index: SearchIndex) -> None:
    await fill(index, document("a", "lease"))
    await load(index, document("a", "contract", attributes=replace(ORDINARY_ATTRIBUTES, generation=2)), document("b", "pump"))
    assert await words(index, "lease") == []
    assert await words(index, "contract pump") in (["a", "b"], ["b", "a"])
    assert (await near(index, "pump"))[0] == "b"


async def test_words_can_be_written_again(index: SearchIndex) -> None:
    kept = document("kept", "lease one", "lease two")
    await fill(index, kept, document("gone", "lease three"))
    await index.delete("default", ["gone"])
    await index.commit()
    for document_id, (tenant, _) in (await index.documents_beside_deleted()).items():
        assert (document_id, tenant) == ("kept", "default")
        await index.rewrite_words([kept])
    await index.commit()
    assert await index.documents_beside_deleted() == {}
    assert await words(index, "lease") == await near(index, "lease") == ["kept"]


async def test_terms_within_some_edits_are_found(index: SearchIndex) -> None:
    one, other = document("a", "deposit", "rent"), document("theirs", "deposit", attributes=DocumentAttributes(tenant="stranger"))
    await fill(index, one, other)
    (term,) = index.terms("deposit")
    assert await index.chunks_with_similar_term("default", term.replace("o", "u"), 1, 10) == [one.chunks[0].id]
    assert await index.chunks_with_similar_term("default", "zzzzzz", 2, 10) == await index.chunks_with_similar_term("nobody", term, 1, 10) == []
    assert index.analysis("The Café") == index.terms("The Café") == ["cafe"]


async def test_every_tenants_languages_are_known_together(backend: Backend, index: SearchIndex) -> None:
    await fill(index, document("a", "one"), document("f", "un", attributes=DocumentAttributes(tenant="stranger", language="fr")))
    assert await index.all_languages() == {"en", "fr"}
    assert (index.memory_bytes > 0) is backend.keeps_vectors_here


async def test_the_vectors_of_another_model_take_the_place_of_the_first(index: SearchIndex) -> None:
    await fill(index, document("a", "lease", "rent"), document("stale", "pump"))
    wide = np.eye(DIMENSION + 8, dtype=np.float16)

    async def made() -> AsyncIterator[tuple[str, int, NDArray[np.float16]]]:
        yield "a", 1, wide[:2]
        yield "stale", 9, wide[2:3]
        yield "absent", 1, wide[3:4]

    new = await index.with_vectors(DIMENSION + 8, made())
    assert [hit.document_id for hit in await new.search_dense("default", wide[1].astype(np.float32), NONE, 10)] == ["a", "a"]
    assert sorted(await words(new, "lease pump")) == ["a", "stale"]  # found by its words alone until it has vectors
    assert await near(index, "lease")  # whoever began with the first goes on with it
    with pytest.raises(InvalidInput):
        await new.search_dense("default", vector_of("lease"), NONE, 5)


class _Follower:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told = list[str]()

    def on_upsert(self, document: IndexedDocument) -> None:
        self.told.append(f"upserted {document.id}")

    def on_delete(self, tenant: str, document_ids: Sequence[str]) -> None:
        self.told.append(f"deleted {tenant} {' '.join(document_ids)}")

    def on_commit(self) -> None:
        self.told.append("committed")

    def on_discard(self) -> None:
        self.told.append("discarded")


async def test_followers_hear_of_each_write_and_look_at_the_newest_versions(index: SearchIndex) -> None:
    follower = _Follower()
    index.followers.append(follower)
    await index.upsert([document("a", "lease", attributes=replace(ORDINARY_ATTRIBUTES, generation=3))])
    waiting = await index.run_in_writer(lambda: index.filterable_document("a"))
    assert waiting is not None
    assert (waiting.generation, waiting.chunk_ids) == (3, tuple(chunk.id for chunk in document("a", "lease").chunks))
    await index.commit()
    await index.delete("default", ["a"])
    assert await index.run_in_writer(lambda: index.filterable_document("a")) is None
    await index.commit()
    assert follower.told == ["upserted a", "committed", "deleted default a", "committed"]
    index.followers.remove(follower)
    await fill(index, document("b", "pump"))
    assert len(follower.told) == 4
