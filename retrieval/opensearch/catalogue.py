"""What an index in OpenSearch holds: the version of each document that readers may see, and those that wait for the commit.

A version of a document is a set of entries with one revision, a number that nothing else has. So a new version is written beside the one in use,
and a reader passes over what is not of the version that the catalogue names: between two commits everybody sees what the last one left.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from core.ports import FilterableDocument
from retrieval.lexical_schema import document_key


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A document in one version: as filters see it, the revision of its entries, and a digest of all that they hold."""

    document: FilterableDocument
    revision: int
    digest: str

    def entry_ids(self) -> Iterator[str]:
        """Yield the ids of its entries: one for each chunk, and its own."""
        for chunk in self.document.chunk_ids:
            yield chunk_entry_id(chunk, self.revision)
        yield document_entry_id(self.document.id, self.revision)


def chunk_entry_id(chunk: int, revision: int) -> str:
    return f"{chunk}.{revision}"


def document_entry_id(document_id: str, revision: int) -> str:
    return f"d{document_key(document_id):016x}.{revision}"


class Revisions:
    """Gives numbers that rise, over restarts, too: nanoseconds since 1970."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        self._last = max(self._last + 1, time.time_ns())
        return self._last

    def note(self, revision: int) -> None:
        """Give only higher numbers from now on than this one, which another process gave, whatever its clock says."""
        self._last = max(self._last, revision)


class Catalogue:
    """The versions of one index. Changed in the event loop alone, by the one who writes."""

    def __init__(self, committed: Iterable[StoredVersion] = ()) -> None:
        self._committed = {version.document.id: version for version in committed}
        self._staged: dict[str, StoredVersion | None] = {}
        self._sent: dict[str, list[StoredVersion]] = {}  # written since the last commit, what came to nothing included
        self._coming: dict[str, int] = {}
        self._tenants = Counter[str]()
        self._chunks = Counter[str]()
        self._count_all()

    # ------------------------------------------------------------------------------------------------------------------ writing
    def note_sent(self, version: StoredVersion) -> None:
        """Note a version before it is written, so that its entries are removed if nothing comes of it."""
        self._sent.setdefault(version.document.id, []).append(version)

    def stage(self, version: StoredVersion) -> None:
        self._staged[version.document.id] = version

    def stage_deletion(self, document_id: str) -> None:
        self._staged[document_id] = None

    @property
    def has_changes(self) -> bool:
        return bool(self._staged)

    def obsolete_entries(self) -> Iterator[str]:
        """Yield the ids of the entries that nobody needs once the commit is made."""
        for document_id in self._staged.keys() | self._sent.keys():
            kept = self.newest_version(document_id)
            before = self._committed.get(document_id)
            for version in (*([before] if before is not None else []), *self._sent.get(document_id, ())):
                if kept is None or version.revision != kept.revision:
                    yield from version.entry_ids()

    def uncommitted_entries(self) -> Iterator[str]:
        """Yield the ids of what was written since the last commit."""
        for versions in self._sent.values():
            for version in versions:
                yield from version.entry_ids()

    def begin_commit(self) -> None:
        """From here on readers accept what is coming beside what is there: which of the two they find is decided in OpenSearch, in one moment."""
        self._coming = {document_id: version.revision for document_id, version in self._staged.items() if version is not None}

    def end_commit(self) -> None:
        for document_id, version in self._staged.items():
            if version is None:
                self._committed.pop(document_id, None)
            else:
                self._committed[document_id] = version
        self._staged, self._sent, self._coming = {}, {}, {}
        self._count_all()

    def adopt(self, newer: Iterable[StoredVersion], live: Collection[str]) -> None:
        """Take over what other processes committed, `newer` than all that this one knew, and drop what is not in `live`. What this process staged and
        could not commit may be older than that: it is taken out with the next commit, and the library tells what is missing."""
        self._staged = {document_id: None for document_id, version in self._staged.items() if version is None}
        for version in newer:
            self._committed[version.document.id] = version
        for document_id in self._committed.keys() - live:
            self._sent.setdefault(document_id, []).append(self._committed.pop(document_id))
            self._staged[document_id] = None
        self._count_all()

    @property
    def newest_revision(self) -> int:
        """The highest revision of what is committed; 0 where nothing is."""
        return max((version.revision for version in self._committed.values()), default=0)

    # ------------------------------------------------------------------------------------------------------------------ reading
    def holds(self, version: StoredVersion) -> bool:
        """Return whether the newest version has the same generation and holds the same."""
        known = self.newest_version(version.document.id)
        return known is not None and (known.document.generation, known.digest) == (version.document.generation, version.digest)

    def accepts(self, document_id: str, revision: int) -> bool:
        known = self._committed.get(document_id)
        return (known is not None and known.revision == revision) or self._coming.get(document_id) == revision

    def newest_version(self, document_id: str) -> StoredVersion | None:
        """Return the newest version, a staged one counted; None where there is none."""
        return self._staged[document_id] if document_id in self._staged else self._committed.get(document_id)

    def committed_version(self, document_id: str) -> StoredVersion | None:
        return self._committed.get(document_id)

    def committed_versions(self) -> list[StoredVersion]:
        return list(self._committed.values())

    def document_ids(self) -> set[str]:
        """Return the ids of all documents, staged ones counted."""
        return {each for each in self._committed.keys() | self._staged.keys() if self.newest_version(each) is not None}

    @property
    def tenants(self) -> Counter[str]:
        """Documents of each tenant."""
        return self._tenants

    def count_chunks(self, libraries: Iterable[str]) -> int:
        return sum(self._chunks[library] for library in libraries)

    def __len__(self) -> int:
        return len(self._committed)

    def _count_all(self) -> None:
        self._tenants, self._chunks = Counter(), Counter()
        for version in self._committed.values():
            self._tenants[version.document.tenant] += 1
            self._chunks[version.document.tenant] += len(version.document.chunk_ids)
