"""One OpenSearch index that two processes write and search: each finds what the other committed, and nobody brings back what is gone."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.ports import IndexedDocument, SharedSearchIndex
from core.search import Filters
from retrieval.opensearch.catalogue import StoredVersion
from retrieval.opensearch.index import OpenSearchIndex
from retrieval.opensearch.versions import IndexVersion
from retrieval.search_engines import IndexOptions
from tests.support.indexes import DIMENSION, DocumentAttributes, document, vector_of
from tests.support.opensearch_server import NoOpenSearchError, options_of, request, shared_server

pytestmark = pytest.mark.integration


@dataclass
class Sides:
    """The same index as two processes have it, and the documents of the library."""

    one: OpenSearchIndex
    other: OpenSearchIndex

    async def found(self, index: SharedSearchIndex, word: str) -> set[str]:
        """Return the ids of what both legs find."""
        words = {hit.document_id for hit in (await index.search_lexical("default", word, Filters(), 20)).hits}
        near = {hit.document_id for hit in await index.search_dense("default", vector_of(word), Filters(), 20)}
        assert words <= near
        return words


@pytest.fixture
async def sides(tmp_path: Path) -> AsyncIterator[Sides]:
    try:
        reached = options_of(shared_server(), f"sides-{os.getpid()}")
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))
    options = IndexOptions(tmp_path, DIMENSION, document_weight=0.3, faiss_above=10**6, opensearch=reached)
    async with AsyncExitStack() as stack:
        stack.callback(request, reached, "DELETE", f"/{reached.index_name}-*")
        opened = []
        for _ in range(2):
            opened.append(await OpenSearchIndex.open(options))
            stack.push_async_callback(opened[-1].close)
        yield Sides(*opened)


def live(*documents: IndexedDocument) -> dict[str, tuple[str, int]]:
    return {each.id: (each.tenant, each.generation) for each in documents}


async def test_what_one_committed_the_other_finds_after_it_caught_up(sides: Sides) -> None:
    crane, lease = document("crane", "the crane stands at quay seven"), document("lease", "the lease ends in may")
    await sides.one.upsert([crane, lease])
    await sides.one.commit()
    assert sides.one.commits == 1
    assert await sides.other.catch_up(live(crane, lease)) == ({"crane", "lease"}, {})
    assert await sides.found(sides.other, "crane") == {"crane"}
    assert await sides.other.generations() == await sides.one.generations()
    assert await sides.other.languages("default") == {"en": 2}
    assert await sides.other.catch_up(live(crane, lease)) == (set(), {})


async def test_words_and_vectors_of_what_others_committed_appear_together(sides: Sides, monkeypatch: pytest.MonkeyPatch) -> None:
    crane = document("crane", "the crane stands at quay seven")
    await sides.one.upsert([crane])
    await sides.one.commit()
    seen: list[tuple[int, int]] = []
    versions = sides.other._shared.versions
    read_newer = versions.read_newer

    async def look_and_read(version: IndexVersion, revision: int) -> list[StoredVersion]:
        counts = await sides.other.counts()
        seen.append((len(await sides.other.generations()), counts.vectors))
        return await read_newer(version, revision)

    monkeypatch.setattr(versions, "read_newer", look_and_read)
    await sides.other.catch_up(live(crane))
    assert seen == [(0, 0), (0, 0)]  # also while the second one is read
    assert (len(await sides.other.generations()), (await sides.other.counts()).vectors) == (1, len(crane.chunks))


async def test_a_document_that_changes_by_turns_is_there_once(sides: Sides) -> None:
    versions = [document("crane", f"the crane in version {number}", attributes=DocumentAttributes(generation=number)) for number in range(1, 6)]
    for number, version in enumerate(versions):
        writer, reader = (sides.one, sides.other) if number % 2 else (sides.other, sides.one)
        await writer.catch_up(live(versions[number - 1]) if number else {})
        await writer.upsert([version])
        await writer.commit()
        await reader.catch_up(live(version))
        assert await sides.found(reader, "crane") == {"crane"}
        assert await reader.generations() == {"crane": version.generation}
        held = request(sides.one._client.options, "GET", f"/{sides.one._words.index}/_count")["count"]
        assert held == len(version.chunks) + 1


async def test_what_is_gone_from_the_library_is_gone_from_both(sides: Sides) -> None:
    crane, lease = document("crane", "the crane stands at quay seven"), document("lease", "the lease ends in may")
    await sides.one.upsert([crane, lease])
    await sides.one.commit()
    await sides.other.catch_up(live(crane, lease))
    assert await sides.other.catch_up(live(lease)) == (set(), {"crane": "default"})  # whoever deleted it died before its commit
    assert await sides.found(sides.other, "crane") == set()
    await sides.other.commit()
    held = request(sides.one._client.options, "GET", f"/{sides.one._words.index}/_count")["count"]
    assert held == len(lease.chunks) + 1
    assert await sides.one.catch_up(live(lease)) == (set(), {"crane": "default"})
    assert await sides.found(sides.one, "lease") == {"lease"}


async def test_what_one_could_not_commit_does_not_replace_what_the_other_did(sides: Sides) -> None:
    before, after = (document("crane", f"the crane {word}", attributes=DocumentAttributes(generation=n)) for n, word in ((1, "stands"), (2, "fell")))
    await sides.one.upsert([before])  # and its commit fails
    await sides.other.catch_up({})
    await sides.other.upsert([after])
    await sides.other.commit()
    await sides.one.catch_up(live(after))
    await sides.one.upsert([other := document("lease", "the lease ends in may")])
    await sides.one.commit()
    await sides.other.catch_up(live(after, other))
    for each in (sides.one, sides.other):
        assert await each.generations() == {"crane": 2, "lease": 1}
        assert await sides.found(each, "fell") == {"crane"}
        assert await sides.found(each, "stands") == set()
    held = request(sides.one._client.options, "GET", f"/{sides.one._words.index}/_count")["count"]
    assert held == len(after.chunks) + len(other.chunks) + 2
