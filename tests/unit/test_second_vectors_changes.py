"""Second vectors after any sequence of changes: as a table that is built afresh from what is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Unavailable
from core.ports import IndexedDocument
from core.search import Filters
from retrieval.vector_table import VectorTable, make_filterable
from tests.support.indexes import ORDINARY_ATTRIBUTES, document, vector_of
from tests.support.second_vectors import NO_FILTERS, WIDE_DIMENSION, SecondVectorLibrary, make_library, second_vectors_of

Step = tuple[str, int, int]
PUT = ("put", "put late")
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 4), st.integers(0, 3)),
        st.tuples(st.sampled_from(["rename", "delete", *PUT, *PUT]), st.integers(0, 4), st.just(0)),
        st.tuples(st.sampled_from(["stage", "flush", "flush", "fail"]), st.just(0), st.just(0)),
    ),
    max_size=30,
)


class Model:
    """A library that is written first, the index that is brought to it (`flush`), and who fills second vectors from the library."""

    def __init__(self, own: SecondVectorLibrary) -> None:
        self.own = own
        self.truth: dict[int, IndexedDocument] = {}
        self.filled: dict[int, int] = {}  # the generation whose vectors were put
        self.gone: set[str] = set()
        self.count = 0

    async def do(self, step: Step) -> None:
        name, number, size = step
        self.count += 1
        if name == "write":
            place = replace(
                ORDINARY_ATTRIBUTES, tenant="stranger" if number == 4 else "default", generation=self.count, paths=(f"/{self.count}/x.txt",)
            )
            texts = [f"text {each}" for each in range(size)]
            self.truth[number] = document(f"d{number}", *texts, first_chunk=1 + 10 * self.count, attributes=place)
        elif name in {"stage", "flush", "fail"}:
            await self._bring(name)
        elif number in self.truth:
            await self._change(name, number)

    async def _change(self, name: str, number: int) -> None:
        known = self.truth[number]
        if name == "rename":
            self.truth[number] = replace(known, paths=(f"/{self.count}/x.txt",), language="de" if self.count % 2 else "en")
        elif name == "delete":
            del self.truth[number]
            self.filled.pop(number, None)
            self.gone.add(known.id)
        elif name == "put":
            await self.own.put(known)
            self.filled[number] = known.generation
        else:
            await self.own.second.put_document(known.id, known.generation - 1, np.ones((len(known.chunks), WIDE_DIMENSION), np.float16))

    async def _bring(self, how: str) -> None:
        """As `ingestion.indexing.index_writer` does; what could not be committed is brought again."""
        for tenant in ("default", "stranger"):
            await self.own.index.delete(tenant, sorted(self.gone - {each.id for each in self.truth.values()}))
        await self.own.index.upsert(list(self.truth.values()))
        if how == "fail":
            self.own.words.failing = True
            with pytest.raises(Unavailable):
                await self.own.index.commit()
        elif how == "flush":
            await self.own.index.commit()

    def afresh(self) -> VectorTable:
        table = VectorTable(WIDE_DIMENSION, 1_000_000)
        for number, each in self.truth.items():
            if self.filled.get(number) == each.generation:
                table.upsert_vectors(make_filterable(each), second_vectors_of(each))
        table.commit()
        return table


@settings(max_examples=60, deadline=None)
@given(steps=steps, faiss_above=st.sampled_from([3, 1_000_000]))
async def test_any_sequence_of_changes_ends_as_a_table_built_afresh(steps: list[Step], faiss_above: int) -> None:
    model = Model(await make_library(faiss_above=faiss_above))
    for step in steps:
        await model.do(step)
    await model.do(("flush", 0, 0))
    expected = model.afresh()
    chunks = [chunk.id for each in model.truth.values() for chunk in each.chunks]
    asked = vector_of("anything")[:WIDE_DIMENSION]
    for tenant in ("default", "stranger"):
        for filters in (NO_FILTERS, Filters(languages=["de"]), *(Filters(path_prefix=each.paths[0]) for each in model.truth.values())):
            hits = await model.own.second.search(tenant, asked, filters, 100)
            assert [(hit.chunk_id, hit.document_id) for hit in hits] == [
                (hit.chunk_id, hit.document_id) for hit in expected.search(tenant, asked, filters, 100)
            ]
        known = await model.own.second.get(tenant, chunks)
        assert known.keys() == expected.get(tenant, chunks).keys()
        for number, row in expected.get(tenant, chunks).items():
            np.testing.assert_array_equal(known[number], row)
