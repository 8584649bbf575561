"""OpenSearch behind `core.ports.SearchIndex`.

What is upserted is sent at once, as a new version that nobody sees yet; a commit deletes what it replaces, refreshes both indices and lets readers
see all of it together (`retrieval.opensearch.catalogue`). What a commit could not bring to its end stays staged: the next one goes on with it.
One process writes at a time: the library's lock sees to that, or, where several processes have the library, the lock of its index, whose next
holder first takes over what the others committed (`catch_up`).
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import numpy as np

from core.errors import InvalidInput, VantageError
from core.ports import FilterableDocument, Hit, IndexCondition, IndexCounts, IndexedDocument, IndexFollower, LexicalResult
from core.search import Filters
from retrieval.analysis import text_analyser
from retrieval.opensearch.catalogue import Catalogue, Revisions, StoredVersion
from retrieval.opensearch.condition import check_condition
from retrieval.opensearch.connection import OpenSearchClient
from retrieval.opensearch.entries import EntryWriter, delete_operations, stack_checked, vector_entries, vectors_digest, words_digest
from retrieval.opensearch.language_counts import LanguageCounts
from retrieval.opensearch.lexical_search import LexicalSearch
from retrieval.opensearch.library_mark import read_library_mark
from retrieval.opensearch.vector_search import VectorSearch
from retrieval.opensearch.versions import IndexVersion, IndexVersions
from retrieval.vector_table import make_filterable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from retrieval.search_engines import IndexOptions

log = logging.getLogger(__name__)

_EXPUNGE_SECONDS = 600.0
T = TypeVar("T")


@dataclass(slots=True)
class _Shared:
    """What an index has in common with the one that takes its place when the embedding model changes."""

    client: OpenSearchClient
    versions: IndexVersions
    words: LexicalSearch
    words_version: IndexVersion
    writer: anyio.Lock
    followers: list[IndexFollower]
    entries: EntryWriter
    revisions: Revisions
    languages: LanguageCounts
    superseded: list[str]  # indices that nobody is to ask any more
    commits: int = 0


class OpenSearchIndex:
    """Implements `core.ports.SearchIndex`. Made by `open`."""

    def __init__(self, shared: _Shared, vectors: VectorSearch, vectors_version: IndexVersion) -> None:
        self._shared = shared
        self._client, self._words, self._vectors, self._vectors_version = shared.client, shared.words, vectors, vectors_version
        self._in_use = False  # whether the aliases name the indices of this one

    @classmethod
    async def open(cls, options: IndexOptions) -> OpenSearchIndex:
        """Open or make the indices. Raises Unavailable, ConfigurationError and Conflict, each with what to do."""
        client = OpenSearchClient(options.opensearch)
        try:
            versions = IndexVersions(client, await anyio.to_thread.run_sync(read_library_mark, options.folder))
            scale = await versions.score_scale()
            words_version = await versions.open_version("words", options.dimension)
            vectors_version = await versions.open_version("vectors", options.dimension)
            words = LexicalSearch(client, words_version.name, await versions.read_catalogue(words_version), options.document_weight, scale)
            vectors = VectorSearch(client, vectors_version.name, await versions.read_catalogue(vectors_version), options.dimension)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await client.close()
            raise
        entries, counts = EntryWriter(text_analyser()), LanguageCounts(words.catalogue)
        shared = _Shared(client, versions, words, words_version, anyio.Lock(), [], entries, Revisions(), counts, [])
        return cls(shared, vectors, vectors_version)

    # ------------------------------------------------------------------------------------------------------------------ writing
    async def upsert(self, documents: Sequence[IndexedDocument]) -> None:
        async with self._shared.writer:
            await self._put(documents, changed_only=False)

    async def load_documents(self, documents: Sequence[IndexedDocument]) -> None:
        """Bring what is not there already, word for word and number for number."""
        async with self._shared.writer:
            await self._put(documents, changed_only=True)

    async def _put(self, documents: Sequence[IndexedDocument], *, changed_only: bool) -> None:
        words, vectors = await anyio.to_thread.run_sync(partial(self._prepare, documents, changed_only=changed_only))
        for catalogue, changes in ((self._words.catalogue, words), (self._vectors.catalogue, vectors)):
            for version, _ in changes:
                catalogue.note_sent(version)
        await self._client.bulk(chain.from_iterable(operations for _, operations in (*vectors, *words)))
        for catalogue, changes in ((self._words.catalogue, words), (self._vectors.catalogue, vectors)):
            for version, _ in changes:
                catalogue.stage(version)
        await anyio.to_thread.run_sync(self._tell_upserts, documents)

    def _prepare(self, documents: Sequence[IndexedDocument], *, changed_only: bool) -> tuple[list[_Change], list[_Change]]:
        """Return the changes of the words and of the vectors."""
        words: list[_Change] = []
        vectors: list[_Change] = []
        for document in documents:
            filterable, matrix = make_filterable(document), stack_checked(document, self._vectors.dimension)
            new = StoredVersion(filterable, self._shared.revisions.next(), words_digest(document, filterable))
            if not (changed_only and self._words.catalogue.holds(new)):
                words.append((new, list(self._shared.entries.word_entries(self._words.index, document, new))))
            new = StoredVersion(filterable, new.revision, vectors_digest(filterable, matrix))
            if not (changed_only and self._vectors.catalogue.holds(new)):
                vectors.append((new, _vector_operations(self._vectors.index, new, matrix)))
        return words, vectors

    def _tell_upserts(self, documents: Sequence[IndexedDocument]) -> None:
        for document in documents:
            for follower in self.followers:
                follower.on_upsert(document)

    async def delete(self, tenant: str, document_ids: Sequence[str]) -> None:
        async with self._shared.writer:
            await self._stage_deletions(tenant, document_ids)

    async def _stage_deletions(self, tenant: str, document_ids: Sequence[str]) -> None:
        for catalogue in (self._words.catalogue, self._vectors.catalogue):
            for document_id in document_ids:
                known = catalogue.newest_version(document_id)
                if known is not None and known.document.tenant == tenant:
                    catalogue.stage_deletion(document_id)
        await anyio.to_thread.run_sync(self._tell_deletions, tenant, document_ids)

    def _tell_deletions(self, tenant: str, document_ids: Sequence[str]) -> None:
        for follower in self.followers:
            follower.on_delete(tenant, document_ids)

    async def retain(self, live: Mapping[str, Any]) -> int:
        async with self._shared.writer:
            gone = self._known_tenants(live)
            for document_id, tenant in gone.items():
                await self._stage_deletions(tenant, [document_id])
            return len(gone)

    def _known_tenants(self, live: Mapping[str, Any]) -> dict[str, str]:
        """Return document id -> tenant of all documents that are no key of `live`."""
        found: dict[str, str] = {}
        for catalogue in (self._words.catalogue, self._vectors.catalogue):
            for document_id in catalogue.document_ids() - live.keys():
                known = catalogue.newest_version(document_id)
                if known is not None:
                    found[document_id] = known.document.tenant
        return found

    async def commit(self) -> None:
        async with self._shared.writer:
            await self._commit_changes()
            if not self._in_use:
                await self._take_over()
            await anyio.to_thread.run_sync(self._tell_commit)

    async def _commit_changes(self) -> None:
        parts = ((self._words.index, self._words.catalogue), (self._vectors.index, self._vectors.catalogue))
        if not any(catalogue.has_changes for _, catalogue in parts):
            return
        await self._client.bulk(chain.from_iterable(delete_operations(index, catalogue.obsolete_entries()) for index, catalogue in parts))
        for _, catalogue in parts:
            catalogue.begin_commit()
        await self._client.refresh([index for index, _ in parts])
        for _, catalogue in parts:
            catalogue.end_commit()
        self._words.forget_counts()
        self._shared.languages.forget()
        self._shared.commits += 1

    @property
    def commits(self) -> int:
        return self._shared.commits

    def _tell_commit(self) -> None:
        for follower in self.followers:
            follower.on_commit()

    async def _take_over(self) -> None:
        """Have the aliases name these indices, and delete the others, which were filled by an older version or for another model."""
        for version in (self._shared.words_version, self._vectors_version):
            unused = await self._shared.versions.use_version(version)
            await self._shared.versions.delete_indices([name for name in unused if name not in self._shared.superseded])
        self._in_use = True

    async def catch_up(self, live: Mapping[str, Any]) -> tuple[set[str], dict[str, str]]:
        async with self._shared.writer:
            changed, gone = set[str](), self._known_tenants(live)
            sides = ((self._shared.words_version, self._words.catalogue), (self._vectors_version, self._vectors.catalogue))
            read = [await self._shared.versions.read_newer(version, catalogue.newest_revision) for version, catalogue in sides]
            # From here on there is no await: nobody finds a document by its words and not yet by its vectors.
            for (_, catalogue), newer in zip(sides, read, strict=True):
                catalogue.adopt(newer, live.keys())
                changed |= {each.document.id for each in newer} & live.keys()
                self._shared.revisions.note(catalogue.newest_revision)
            self._words.forget_counts()
            self._shared.languages.forget()
            return changed, gone

    async def tell_followers(self, documents: Sequence[IndexedDocument], gone: Mapping[str, Sequence[str]]) -> None:
        async with self._shared.writer:
            await anyio.to_thread.run_sync(self._tell_upserts, documents)
            for tenant, document_ids in gone.items():
                await anyio.to_thread.run_sync(self._tell_deletions, tenant, document_ids)
            await anyio.to_thread.run_sync(self._tell_commit)

    async def documents_beside_deleted(self) -> dict[str, tuple[str, int]]:
        """Return nothing: OpenSearch takes what was deleted out of its files itself, which this asks for; it waits for the words. What OpenSearch
        still keeps for a replica goes the next time that this is asked."""
        async with self._shared.writer:
            counted = await self._client.read("GET", f"/{self._words.index},{self._vectors.index}/_stats/docs")
            for index, waits in ((self._words.index, "true"), (self._vectors.index, "false")):  # merging graphs of vectors takes long
                if counted["indices"].get(index, {}).get("primaries", {}).get("docs", {}).get("deleted"):
                    await self._client.change("POST", f"/{index}/_flush", seconds=_EXPUNGE_SECONDS)
                    options = {"only_expunge_deletes": "true", "wait_for_completion": waits}
                    await self._client.change("POST", f"/{index}/_forcemerge", seconds=_EXPUNGE_SECONDS, **options)
        return {}

    async def rewrite_words(self, documents: Sequence[IndexedDocument]) -> None:
        """Do nothing: nothing of deleted documents is left beside them (`documents_beside_deleted`)."""

    async def close(self) -> None:
        """Take out what was not committed, and what nobody is to ask any more, if OpenSearch is there; close the connections."""
        try:
            async with self._shared.writer:
                await self._client.bulk(self._uncommitted_operations())
                await self._shared.versions.delete_indices(self._shared.superseded)
        except VantageError as error:
            log.warning("What is left over in OpenSearch is taken out at the next start: %s", error)
        finally:
            await self._client.close()

    def _uncommitted_operations(self) -> Iterable[bytes]:
        parts = ((self._words.index, self._words.catalogue), (self._vectors.index, self._vectors.catalogue))
        return chain.from_iterable(delete_operations(index, catalogue.uncommitted_entries()) for index, catalogue in parts)

    # ------------------------------------------------------------------------------------------------------------------ searching
    async def search_lexical(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult:
        return await self._words.search(tenant, text, filters, limit)

    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        return await self._vectors.search(tenant, vector, filters, limit)

    async def vectors(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        return await self._vectors.get(tenant, chunk_ids) if chunk_ids else {}

    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        return await self._words.idf(tenant, text)

    async def chunks_with_similar_term(self, tenant: str, term: str, distance: int, limit: int) -> list[int]:
        return await self._words.chunks_with_similar_term(tenant, term, distance, limit)

    def terms(self, text: str) -> list[str]:
        return self._words.terms(text)

    @property
    def analysis(self) -> Callable[[str], list[str]]:
        """`terms`, for who keeps it: the words outlive the vectors (see `with_vectors`)."""
        return self._words.terms

    # ------------------------------------------------------------------------------------------------------------------ what it holds
    async def generations(self) -> dict[str, int]:
        return {version.document.id: version.document.generation for version in self._words.catalogue.committed_versions()}

    async def chunk_ids(self) -> set[int]:
        return {chunk for version in self._vectors.catalogue.committed_versions() for chunk in version.document.chunk_ids}

    async def languages(self, tenant: str) -> dict[str, int]:
        return self._shared.languages.count(tenant)

    async def all_languages(self) -> set[str]:
        return self._shared.languages.every()

    async def counts(self) -> IndexCounts:
        stored = await self._client.read("GET", f"/{self._words.index},{self._vectors.index}/_stats/store")
        words, vectors = self._words.catalogue, self._vectors.catalogue
        size = stored["_all"]["total"]["store"]["size_in_bytes"]
        return IndexCounts(len(words), words.count_chunks(words.tenants), vectors.count_chunks(vectors.tenants), size)

    async def check_condition(self) -> IndexCondition:
        words, vectors = self._words.catalogue, self._vectors.catalogue
        held = f"{words.count_chunks(words.tenants)} passages, {vectors.count_chunks(vectors.tenants)} vectors"
        return await check_condition(self._client, [self._words.index, self._vectors.index], held)

    @property
    def memory_bytes(self) -> int:
        """Nothing: the vectors are in OpenSearch."""
        return 0

    # ------------------------------------------------------------------------------------------------------------------ other vectors
    async def with_vectors(self, dimension: int, found: AsyncIterable[tuple[str, int, NDArray[np.float16]]]) -> OpenSearchIndex:
        shared = self._shared
        async with shared.writer:
            await shared.versions.delete_indices(shared.superseded)  # of the switch before: its last question has ended
            version = await shared.versions.create_version("vectors", dimension)
            try:
                catalogue = await self._fill_vectors(version.name, dimension, found)
                shared.superseded = await shared.versions.use_version(version)
            except BaseException:
                with anyio.CancelScope(shield=True):
                    await shared.versions.delete_indices([version.name])
                raise
        following = OpenSearchIndex(shared, VectorSearch(self._client, version.name, catalogue, dimension), version)
        following._in_use = self._in_use
        return following

    async def _fill_vectors(self, index: str, dimension: int, found: AsyncIterable[tuple[str, int, NDArray[np.float16]]]) -> Catalogue:
        catalogue = Catalogue()
        async for document_id, generation, matrix in found:
            known = self._words.catalogue.committed_version(document_id)
            if known is None or known.document.generation != generation:
                continue
            if matrix.shape != (len(known.document.chunk_ids), dimension):
                wanted = (len(known.document.chunk_ids), dimension)
                raise InvalidInput(f"The vectors of document {document_id} are {matrix.shape}, not {wanted}.")
            new = StoredVersion(known.document, self._shared.revisions.next(), vectors_digest(known.document, matrix))
            await self._client.bulk(await anyio.to_thread.run_sync(_vector_operations, index, new, matrix))
            catalogue.stage(new)
        await self._client.refresh([index])
        catalogue.end_commit()
        return catalogue

    @property
    def followers(self) -> list[IndexFollower]:
        return self._shared.followers

    async def run_in_writer(self, work: Callable[[], T]) -> T:
        async with self._shared.writer:
            return await anyio.to_thread.run_sync(work)

    def filterable_document(self, document_id: str) -> FilterableDocument | None:
        known = self._words.catalogue.newest_version(document_id)
        return None if known is None else known.document


_Change = tuple[StoredVersion, list[bytes]]


def _vector_operations(index: str, version: StoredVersion, matrix: NDArray[Any]) -> list[bytes]:
    return list(vector_entries(index, version, matrix))
