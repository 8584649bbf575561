"""The contents of a stopped library, in a form in which two can be compared: without ids, generations, times and the order of things."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, select, update

from core.references import title_from_name
from core.search import Filters
from retrieval.embedded_index import EmbeddedIndex
from retrieval.embedders.transformer_models import GRANITE
from scripts.soak_operations import COMMON
from storage.blobs import segment_text
from storage.database import open_database
from storage.home import Home
from storage.schema import chunks, document_texts, documents, files, metadata, vectors

Paths = tuple[str, ...]
_SAME = 0.999  # cosine of two encodings of one text in different batches
_FAILED = {"failed", "quarantined"}  # how often a file was tried is not part of what the library holds
_DOCUMENT = (
    "collection",
    "content_hash",
    "file_type",
    "title",
    "summary",
    "keywords",
    "language",
    "doc_type",
    "pages",
    "chunks",
    "characters",
    "state",
)
_CHUNK = ("ordinal", "start", "end", "page", "section", "kind", "tokens", "prefix")
_ENTITY = ("entity_type", "key", "name", "mentions")


@dataclass
class LibraryContents:
    """A library: its ledger, and of each document (by its paths) everything that hangs on it. `faults` contradict each other inside it."""

    ledger: dict[str, tuple[str, ...]] = field(default_factory=dict)
    documents: dict[Paths, dict[str, Any]] = field(default_factory=dict)
    vectors: dict[Paths, Any] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


async def read_library(home: Path, tenant: str = "default") -> LibraryContents:
    """Read a library that no process has open."""
    database = open_database(home)
    try:
        held, live, ids = await database.read(lambda connection: _read_database(connection, tenant))
        await _read_index(home, held, live, ids)
    finally:
        await database.close()
    return held


def _read_database(connection: Connection, tenant: str) -> tuple[LibraryContents, dict[str, int], set[int]]:
    held = LibraryContents()
    paths: dict[str, list[str]] = defaultdict(list)
    for row in connection.execute(select(files).where(files.c.tenant == tenant)):
        state = "failed" if row.state in _FAILED else row.state
        held.ledger[row.path] = (row.root, state, row.code, row.content_hash if row.document_id else "")
        if row.document_id:
            paths[row.document_id].append(row.path)
    rows = connection.execute(select(documents).where(documents.c.tenant == tenant)).all()
    names: dict[str, Paths] = {}
    for row in rows:
        names[row.id] = tuple(sorted(paths[row.id])) or (f"(no path) {row.filename}",)
        if not paths[row.id]:
            held.faults.append(f"The document {row.filename} has no path.")
        if names[row.id] in held.documents:
            held.faults.append(f"Two documents have the same paths {names[row.id]}.")
        held.documents[names[row.id]] = {name: getattr(row, name) for name in _DOCUMENT}
    _read_contents(connection, held, names)
    _count_rows(connection, held, names)
    ids = set(connection.execute(select(chunks.c.id).where(chunks.c.tenant == tenant)).scalars())
    return held, {row.id: row.generation for row in rows}, ids


def _read_contents(connection: Connection, held: LibraryContents, names: dict[str, Paths]) -> None:
    for made in held.documents.values():
        made |= {"text": "", "pieces": [], "entities": []}

    def of(table: Table, *order: str) -> Iterator[tuple[Paths, dict[str, Any], Any]]:
        for row in connection.execute(select(table).order_by(*(table.c[name] for name in order))):
            if row.document_id in names:
                yield names[row.document_id], held.documents[names[row.document_id]], row

    for _, made, row in of(document_texts, "document_id", "ordinal"):
        made["text"] += segment_text(row.text)
    for _, made, row in of(chunks, "document_id", "ordinal"):
        made["pieces"].append(tuple(str(getattr(row, each)) for each in _CHUNK))
    for _, made, row in of(metadata.tables["graph_entities"], *_ENTITY):
        made["entities"].append(tuple(str(getattr(row, each)) for each in _ENTITY))
    for paths, _, row in of(vectors):
        held.vectors[paths] = np.frombuffer(row.vectors, np.float16).astype(np.float32).reshape(row.rows, row.dimension)


def _count_rows(connection: Connection, held: LibraryContents, names: dict[str, Paths]) -> None:
    """Count the rows of every table that belongs to documents, whatever tables there are."""
    for table in _document_tables():
        counted = Counter(connection.execute(select(table.c.document_id)).scalars())
        held.faults += [f"{table.name} has rows of a document that is gone." for each in counted if each is not None and each not in names]
        for document_id, made in names.items():
            held.documents[made][f"rows of {table.name}"] = counted.get(document_id, 0)


def _document_tables() -> Iterator[Table]:
    return (table for table in metadata.sorted_tables if "document_id" in table.c and table is not files and not table.name.startswith("deleted_"))


async def _read_index(home: Path, held: LibraryContents, live: dict[str, int], ids: set[int]) -> None:
    """Read the search index as it lies on disk: exactly the documents and chunks that the truth has."""
    index = await EmbeddedIndex.open(Home(home).index, dimension=GRANITE.dimension, document_weight=0.1, faiss_above=10**9)
    try:
        generations = await index.generations()
        found = [hit.chunk_id for hit in (await index.search_lexical("default", COMMON, Filters(), len(ids) + 1000)).hits]
    finally:
        await index.close()
    if generations != live:
        missing, extra = live.keys() - generations.keys(), generations.keys() - live.keys()
        other = [each for each in live.keys() & generations.keys() if live[each] != generations[each]]
        held.faults.append(f"The index lacks {len(missing)} documents, has {len(extra)} too many and {len(other)} in another generation.")
    if len(found) != len(set(found)) or set(found) - ids:
        held.faults.append(f"The index finds {len(set(found) - ids)} chunks that are gone, and {len(found) - len(set(found))} twice.")


def differences(have: LibraryContents, want: LibraryContents) -> list[str]:
    """Return the differences of `have` from `want`, in sentences."""
    said = [f"In the library itself: {fault}" for fault in have.faults]
    for path in sorted(have.ledger.keys() | want.ledger.keys()):
        if have.ledger.get(path) != want.ledger.get(path):
            said.append(f"Ledger {path}: {have.ledger.get(path)} instead of {want.ledger.get(path)}")
    for paths in sorted(have.documents.keys() | want.documents.keys()):
        one, two = have.documents.get(paths), want.documents.get(paths)
        if one is None or two is None:
            said.append(f"Document {paths}: {'missing' if one is None else 'should not be there'}")
            continue
        said += [f"Document {paths}: {key} is {str(one[key])[:200]} instead of {str(two[key])[:200]}" for key in two if one.get(key) != two[key]]
        said += _vector_differences(paths, have.vectors.get(paths), want.vectors.get(paths))
    return said


def title_changes(have: LibraryContents, want: LibraryContents) -> list[str]:
    """Return `want` with the titles of `have` where both are right: which of several paths gives a document its title depends on which was met first.
    The paths that gave it in `have`, where it is another in `want`: a title that is the name of none of the paths is a difference, and not among
    these.
    """
    found = []
    for paths in have.documents.keys() & want.documents.keys():
        title = have.documents[paths]["title"]
        if title != want.documents[paths]["title"]:
            found += [path for path in paths if title_from_name(PurePath(path).name) == title][:1]
    return sorted(found)


async def request_rereading(home: Path, paths: Sequence[str], tenant: str = "default") -> None:
    """Make the next run read these paths in a library that no process has open, so that they give their documents the title."""
    database = open_database(home)
    try:
        place = (files.c.tenant == tenant, files.c.path.in_(list(paths)))
        await database.write(lambda connection: connection.execute(update(files).where(*place).values(settings_version="")))
    finally:
        await database.close()


def _vector_differences(paths: Paths, one: Any, two: Any) -> list[str]:
    if one is None or two is None or one.shape != two.shape:
        return [f"Document {paths}: its vectors are missing or of another shape"]
    cosine = float(np.min(np.sum(one * two, axis=1) / (np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)))) if len(one) else 1.0
    return [f"Document {paths}: a vector differs (cosine {cosine:.4f})"] if cosine < _SAME else []
