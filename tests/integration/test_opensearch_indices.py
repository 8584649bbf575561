"""The indices in a real OpenSearch: versions behind an alias, a full disk, another model, another library."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import Conflict, StorageFull
from core.search import Filters
from retrieval.opensearch import mappings
from retrieval.opensearch.connection_options import OpenSearchOptions
from retrieval.search_engines import IndexOptions, open_index
from tests.support.indexes import DIMENSION, ORDINARY_ATTRIBUTES, DocumentAttributes, document, fill, load, vector_of, words
from tests.support.opensearch_server import NoOpenSearchError, options_of, request, shared_server


@pytest.fixture
async def reached(tmp_path: Path) -> AsyncIterator[OpenSearchOptions]:
    try:
        url = await asyncio.to_thread(shared_server)
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))
    found = options_of(url, f"indices-{tmp_path.name.lower().replace('_', '-')}")
    yield found
    for name in request(found, "GET", f"/{found.index_name}-*/_alias"):
        request(found, "DELETE", f"/{name}")


def _aliases(reached: OpenSearchOptions) -> dict[str, list[str]]:
    """Index -> its aliases."""
    found: dict[str, Any] = request(reached, "GET", f"/{reached.index_name}-*/_alias")
    return {name: sorted(each["aliases"]) for name, each in found.items()}


async def test_another_mapping_is_filled_beside_the_one_in_use(tmp_path: Path, reached: OpenSearchOptions, monkeypatch: pytest.MonkeyPatch) -> None:
    options, one = IndexOptions(tmp_path / "index", DIMENSION, 0.3, 1000, reached), document("a", "The lease ends in March.")
    index = await open_index("opensearch", options)
    await fill(index, one)
    await index.close()
    before = _aliases(reached)
    assert sorted(before.values()) == [[f"{reached.index_name}-vectors"], [f"{reached.index_name}-words"]]

    monkeypatch.setattr(mappings, "SCHEMA", mappings.SCHEMA + 1)
    index = await open_index("opensearch", options)
    assert await index.generations() == {}
    assert {name: each for name, each in _aliases(reached).items() if each} == before  # until it is filled
    await load(index, one)
    assert await words(index, "lease") == ["a"]
    after = _aliases(reached)
    assert not before.keys() & after.keys()
    assert sorted(after.values()) == sorted(before.values())
    await index.close()


async def test_a_read_only_index_is_a_full_disk_and_goes_on_afterwards(tmp_path: Path, reached: OpenSearchOptions) -> None:
    index = await open_index("opensearch", IndexOptions(tmp_path / "index", DIMENSION, 0.3, 1000, reached))
    await fill(index, document("a", "lease"))
    request(reached, "PUT", f"/{reached.index_name}-*/_settings", {"index.blocks.read_only_allow_delete": True})
    await index.delete("default", ["a"])
    with pytest.raises(StorageFull, match="Its disk is full"):
        await index.upsert([document("b", "pump")])
    condition = await index.check_condition()
    assert (condition.state, "accepts no writes" in condition.detail) == ("degraded", True)
    assert await words(index, "lease") == ["a"]
    request(reached, "PUT", f"/{reached.index_name}-*/_settings", {"index.blocks.read_only_allow_delete": None})
    await fill(index, document("b", "pump"))
    assert await words(index, "lease pump") == ["b"]  # the deletion before was not forgotten
    assert (await index.check_condition()).state == "ok"
    await index.close()


async def test_another_model_of_the_same_size_gets_its_own_vectors_at_a_start(tmp_path: Path, reached: OpenSearchOptions) -> None:
    """Its vectors may have been exchanged in the library alone: the index compares what it holds, not only how long it is."""
    options = IndexOptions(tmp_path / "index", DIMENSION, 0.3, 1000, reached)
    index = await open_index("opensearch", options)
    one = document("a", "lease")
    await fill(index, one)
    await index.close()
    turned = replace(one, chunks=tuple(replace(chunk, vector=vector_of("pump").astype(np.float16)) for chunk in one.chunks))
    index = await open_index("opensearch", options)
    await load(index, turned)
    assert (await index.search_dense("default", vector_of("pump"), Filters(), 5))[0].score == pytest.approx(1.0, abs=2e-3)
    await index.close()
    with pytest.raises(Conflict, match="another library"):
        await open_index("opensearch", replace(options, folder=tmp_path / "other"))


TEXTS = (
    "The lease of the harbour office ends in March and may be renewed twice.",
    "Rent is due monthly; the deposit is held by the harbour office.",
    "Le bail du bureau se termine en mars. Der Mietvertrag endet im März.",
    "The crane was examined in March. Its brakes were renewed.",
    "東京の倉庫 is the warehouse in Tokyo; its lease was never renewed.",
)
ASKED = ("When does the lease end?", "Who holds the deposit", "renewing brakes", "東京", "harbour harbour office", "Mietvertrag", "bail en mars")


def _named_after(text: str) -> DocumentAttributes:
    return replace(ORDINARY_ATTRIBUTES, title=text[:20], summary=text, keywords=(text[-20:],))


async def test_words_are_scored_as_the_embedded_engine_scores_them(tmp_path: Path, reached: OpenSearchOptions) -> None:
    documents = [
        document(
            f"d{number}",
            text,
            TEXTS[(number + 2) % 5],
            attributes=replace(ORDINARY_ATTRIBUTES, title=text[:20], summary=text, keywords=(text[-20:],)),
        )
        for number, text in enumerate(TEXTS)
    ]
    found = []
    for engine in ("embedded", "opensearch"):
        index = await open_index(engine, IndexOptions(tmp_path / engine, DIMENSION, 0.3, 1000, reached))
        await fill(index, *documents)
        found.append([await index.search_lexical("default", question, Filters(), 20) for question in ASKED])
        await index.close()
    for question, own, other in zip(ASKED, *found, strict=True):
        assert own.terms == pytest.approx(other.terms), question
        assert own.upper_bound == pytest.approx(other.upper_bound)
        assert {hit.chunk_id: hit.score for hit in own.hits} == pytest.approx({hit.chunk_id: hit.score for hit in other.hits}, rel=1e-5), question
