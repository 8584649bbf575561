"""The library: the store of record of files, documents and chunks, read and written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from core.documents import Chunk, Document, DocumentProfile, DocumentState, ExtractedDocument, LedgerLine, StoredChunk
from core.graph import DocumentGraph
from core.ports.search_index import IndexedDocument
from core.search import Filters
from core.tables import TypedTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class FileStamp:
    """The result of a stat: enough to know that nothing changed. `mtime_ns` and `size` as in os.stat_result; inode 0 where there is none.

    A file in an archive or attached to a message has that one's path as `container`, its own size, and the time of the file on disk.
    """

    path: str
    size: int
    mtime_ns: int
    inode: int = 0
    container: str = ""


@dataclass(frozen=True, slots=True)
class LedgerReason:
    """The reason why a file is not (wholly) indexed: a sentence for people and a word for programs (`errors.*.code`), with the hash if it was read,
    and the version of the index settings that it was tried with."""

    text: str
    code: str
    content_hash: str = ""
    settings_version: str = ""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A ledger row as the scanner compares it. `container` is the path of the file that this one lies in, "" where it is a file of its own;
    `code` says in a word why it is not (wholly) indexed."""

    stamp: FileStamp
    root: str
    state: DocumentState
    content_hash: str
    document_id: str | None
    attempts: int
    settings_version: str
    container: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class NewDocument:
    """Everything that makes one generation of a document. `vectors` float16 [chunks, dimension]. `code` says why it is partial, where "partial"
    alone would not. `tables` are the document's tables as typed rows, in its order; () keeps none of them as rows."""

    stamp: FileStamp
    root: str
    collection: str
    content_hash: str
    file_type: str
    document: ExtractedDocument
    profile: DocumentProfile
    chunks: tuple[Chunk, ...]
    vectors: NDArray[np.float16]
    embedder: str
    settings_version: str
    graph: DocumentGraph | None = None
    container: str = ""
    code: str = ""
    tables: tuple[TypedTable, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of `LibraryWriter.write_document`. `replaced_chunks` are ids that no longer exist."""

    document_id: str
    generation: int
    chunk_ids: tuple[int, ...]
    replaced_chunks: tuple[int, ...]
    is_new: bool


@dataclass(frozen=True, slots=True)
class RemovalResult:
    """Result of a delete: `documents` only where the last path went; those that have other paths left are `documents_to_update`."""

    documents: tuple[str, ...]
    chunk_ids: tuple[int, ...]
    files: tuple[str, ...]
    documents_to_update: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentContent:
    """A stored document's text with its structure (everything but the metadata of the file)."""

    document_id: str
    generation: int
    text: str
    document: ExtractedDocument


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """The names of a document."""

    title: str
    filename: str


@dataclass(frozen=True, slots=True)
class Root:
    path: str
    collection: str
    added_at: datetime
    last_indexed_at: datetime | None
    counts: dict[DocumentState, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LibraryTotals:
    documents: int
    files: int
    chunks: int
    vectors: int
    bytes_on_disk: int
    by_state: dict[DocumentState, int]
    by_code: dict[str, int]


class Library(Protocol):
    """The library, read. Every method filters by tenant; an id of another tenant is as unknown as one that never was."""

    async def document(self, tenant: str, document_id: str) -> Document:
        """Return the document. Raises NotFound."""
        ...

    async def documents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, Document]: ...
    async def names(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentNames]:
        """Return the names of those of the documents that exist, without what else the library knows of them."""
        ...

    async def list_documents(
        self, tenant: str, *, filters: Filters, text: str = "", limit: int = 50, cursor: str | None = None
    ) -> tuple[list[Document], int, str | None]:
        """Return one page ordered by filename, the total, and the next cursor."""
        ...

    async def content(self, tenant: str, document_id: str) -> DocumentContent:
        """Return the document's text with its structure. Raises NotFound."""
        ...

    async def contents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentContent]:
        """Return the contents of those of the documents that exist, all from one moment."""
        ...

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]: ...
    async def section_chunks(self, tenant: str, document_id: str, first: int, last: int) -> list[StoredChunk]:
        """Return the chunks with first <= ordinal <= last, in order."""
        ...

    async def sample_chunks(self, tenant: str, limit: int) -> list[StoredChunk]:
        """Return chunks spread over the library, for starters."""
        ...

    async def ledger(
        self, tenant: str, *, states: Sequence[DocumentState] = (), root: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> tuple[list[LedgerLine], int, str | None]: ...
    async def roots(self, tenant: str) -> list[Root]: ...
    async def totals(self, tenant: str) -> LibraryTotals: ...


class LibraryWriter(Protocol):
    """The library, written. Every call is one transaction; after it returns the change survives `kill -9`."""

    async def add_root(self, tenant: str, path: str, collection: str) -> None: ...
    async def remove_root(self, tenant: str, path: str) -> RemovalResult: ...
    async def roots(self, tenant: str) -> list[Root]:
        """Return the tenant's roots by path, without counts: at once however many files there are."""
        ...

    async def known_files(self, tenant: str, root: str) -> dict[str, KnownFile]: ...
    async def known_files_below(self, tenant: str, paths: Sequence[str], inodes: Sequence[int] = ()) -> dict[str, KnownFile]:
        """Return the ledger rows at or below these paths, of members of archives there, and of other names (links) of the same files."""
        ...

    async def find_by_hash(self, tenant: str, content_hash: str, collection: str) -> str | None:
        """Return the id of the indexed document with this content, if any."""
        ...

    async def record_file(self, tenant: str, stamp: FileStamp, root: str, state: DocumentState, reason: LedgerReason) -> None:
        """Record a ledger line for a file that is not (or no longer) indexed. FAILED counts an attempt; the third in a row makes it QUARANTINED."""
        ...

    async def write_document(self, tenant: str, new: NewDocument) -> WriteResult:
        """Create or atomically replace the document of this path. A path that shared a document with others becomes its own."""
        ...

    async def attach_path(self, tenant: str, stamp: FileStamp, root: str, document_id: str, settings_version: str) -> RemovalResult:
        """Add a further path to (or note a move of) a document whose content is identical. What lies in it gets further paths, too: these documents
        are among the `documents_to_update`; what the path held before may be gone."""
        ...

    async def move_path(self, tenant: str, old: str, stamp: FileStamp, root: str, *, again: bool = False) -> RemovalResult:
        """Move a file's document to its new path; `again` has the next run read it, though it did not change. What lies in the file moves with it:
        these documents are among the `documents_to_update`; what stood at the new path before may be gone."""
        ...

    async def touch_file(self, tenant: str, stamp: FileStamp) -> None:
        """Record a new stat: the content did not change, nor that of what lies in the file."""
        ...

    async def touch_files(self, tenant: str, stamps: Sequence[FileStamp]) -> None:
        """Record new stats of many files at once; unknown paths are passed over."""
        ...

    async def remove_paths(self, tenant: str, paths: Sequence[str]) -> RemovalResult:
        """Remove files, and what lies in them."""
        ...

    async def paths_to_reread(self, tenant: str, document_ids: Sequence[str]) -> list[str]:
        """Return the paths of these documents that are to be read again though the files did not change: their title was the name of a path that is
        gone."""
        ...

    async def delete_document(self, tenant: str, document_id: str) -> RemovalResult: ...
    async def mark_indexed(self, rows: Sequence[tuple[str, int]]) -> None:
        """Record that each (document id, generation) now stands in the search index."""
        ...

    def stale_documents(self, present: dict[str, int]) -> AsyncIterator[IndexedDocument]:
        """Yield every document whose generation is not the one in `present` (document id -> generation in the index), with its vectors."""
        ...

    async def live_documents(self) -> dict[str, tuple[str, int]]:
        """Return document id -> (tenant, generation) of all that should stand in the index."""
        ...

    async def indexed_documents(self, tenant: str, document_ids: Sequence[str]) -> list[IndexedDocument]:
        """Return these documents as the index wants them (after a path or collection changed)."""
        ...

    async def reclaim_space(self) -> None:
        """Reclaim the space of removed documents: nothing of them stays readable in the store's own files, and the room goes back to the disk."""
        ...

    async def mark_root_indexed(self, tenant: str, root: str) -> None: ...
