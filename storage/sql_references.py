"""The references between documents: targets are looked up by name when they are asked for, so that they follow every rename."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePath

from sqlalchemy import Connection, and_, or_, select

from core.claim_comparison import OVERRULING_KINDS
from core.claim_precedence import Relation
from core.documents import ReferenceKind
from core.errors import NotFound
from core.references import DocumentReferences, Reference
from storage.database import Database
from storage.library_scope import is_readable_in
from storage.reference_tables import document_references, reference_names
from storage.row_mapping import AnyRow, TextCache, batches, load_paths
from storage.schema import documents

_MOST = 500  # references shown on either side
_NAMES = (documents.c.file_key, documents.c.stem_key, documents.c.title_key)
_DOCUMENT = (documents.c.id, documents.c.filename, *_NAMES)
ReferencePlace = tuple[str, int]  # document id and ordinal of a reference


class SqlReferences:
    """core.ports.reference_store.ReferenceStore over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextCache(4 << 20)

    async def references(self, tenant: str, document_id: str) -> DocumentReferences:
        """Return at most 500 on either side, in the order of the text. Raises NotFound."""

        def work(connection: Connection) -> DocumentReferences:
            query = select(*_DOCUMENT).where(is_readable_in(documents.c.tenant, tenant), documents.c.id == document_id)
            own = connection.execute(query).one_or_none()
            if own is None:
                raise NotFound(f"There is no document {document_id!r}.")
            outgoing = _load_rows(connection, tenant, document_references.c.document_id == document_id)
            meant = _ReferenceTargets(connection, tenant).find_targets(outgoing)
            incoming = _incoming_rows(connection, tenant, own)
            theirs = _ReferenceTargets(connection, tenant).find_targets(incoming)
            said = [row for row in incoming if theirs.get((row.document_id, row.ordinal), ("", ""))[0] == document_id]
            return DocumentReferences(
                document_id=document_id,
                refers_to=self._to_references(connection, outgoing, meant),
                referred_by=self._to_references(connection, said, theirs),
            )

        return await self._database.read(work)

    async def relations_between(self, tenant: str, document_ids: Sequence[str]) -> list[Relation]:
        """Return which of these documents replace or change which others of them; each pair and kind once."""
        wanted = sorted(set(document_ids))[:_MOST]
        place = document_references.c

        def work(connection: Connection) -> list[Relation]:
            kinds = [kind.value for kind in OVERRULING_KINDS]
            rows = _load_rows(connection, tenant, place.document_id.in_(wanted), place.kind.in_(kinds)) if len(wanted) > 1 else []
            meant = _ReferenceTargets(connection, tenant).find_targets(rows) if rows else {}
            found = {
                Relation(row.document_id, meant[row.document_id, row.ordinal][0], ReferenceKind(row.kind))
                for row in rows
                if (row.document_id, row.ordinal) in meant
            }
            return sorted((each for each in found if each.other_id in wanted), key=lambda each: (each.document_id, each.other_id, each.kind))

        return await self._database.read(work)

    def _to_references(self, connection: Connection, rows: Sequence[AnyRow], meant: dict[ReferencePlace, tuple[str, str]]) -> list[Reference]:
        texts = self._texts.texts(connection, rows)
        return [_reference(row, text, meant.get((row.document_id, row.ordinal))) for row, text in zip(rows, texts, strict=True)]


def _reference(row: AnyRow, text: str, meant: tuple[str, str] | None) -> Reference:
    return Reference(
        kind=ReferenceKind(row.kind),
        document_id=row.document_id,
        filename=row.filename,
        generation=row.generation,
        start=row.start,
        end=row.end,
        page=row.page,
        text=text,
        target=row.target,
        target_document_id=meant[0] if meant else None,
        target_filename=meant[1] if meant else None,
    )


def _load_rows(connection: Connection, tenant: str, *conditions: object) -> list[AnyRow]:
    """Load the references with the file names of their documents."""
    joined = select(document_references, documents.c.filename).join(documents, documents.c.id == document_references.c.document_id)
    query = joined.where(is_readable_in(document_references.c.tenant, tenant), *conditions)  # type: ignore[arg-type]
    ordered = query.order_by(documents.c.filename, document_references.c.document_id, document_references.c.ordinal)
    return list(connection.execute(ordered.limit(_MOST)).all())


def _incoming_rows(connection: Connection, tenant: str, own: AnyRow) -> list[AnyRow]:
    """Return the references of other documents one of whose names is this document's."""
    keys = {key for key in (own.file_key, own.stem_key, own.title_key) if key}
    if not keys:
        return []
    named = and_(
        reference_names.c.document_id == document_references.c.document_id,
        reference_names.c.ordinal == document_references.c.ordinal,
        is_readable_in(reference_names.c.tenant, tenant),
        reference_names.c.key.in_(keys),
    )
    return _load_rows(connection, tenant, document_references.c.document_id != own.id, select(reference_names.c.ordinal).where(named).exists())


class _ReferenceTargets:
    """The document that each reference means: the first of its names that leads to one document, those of the same folder before all others."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection, self._tenant = connection, tenant

    def find_targets(self, rows: Sequence[AnyRow]) -> dict[ReferencePlace, tuple[str, str]]:
        """Return (document id, ordinal) -> id and file name of the document that is meant; one that nothing or too much fits is left out."""
        names = self._load_names(rows)
        bearers = self._documents_by_name({key for keys in names.values() for key in keys})
        folders = self._folders_of({row.id for found in bearers.values() for row in found} | {row.document_id for row in rows})
        meant = {}
        for place, keys in names.items():
            found = (_choose_bearer(bearers.get(key, ()), place[0], folders) for key in keys)
            target = next((row for row in found if row is not None), None)
            if target is not None:
                meant[place] = (target.id, target.filename)
        return meant

    def _folders_of(self, ids: Collection[str]) -> dict[str, set[str]]:
        paths = load_paths(self._connection, list(ids))
        return {document: {str(PurePath(path.path).parent) for path in found} for document, found in paths.items()}

    def _load_names(self, rows: Sequence[AnyRow]) -> dict[ReferencePlace, list[str]]:
        wanted = {(row.document_id, row.ordinal) for row in rows}
        found: dict[ReferencePlace, list[str]] = defaultdict(list)
        for batch in batches(sorted({row.document_id for row in rows})):
            place = reference_names.c
            query = select(place.document_id, place.ordinal, place.key).where(
                is_readable_in(place.tenant, self._tenant), place.document_id.in_(batch)
            )
            for row in self._connection.execute(query.order_by(place.document_id, place.ordinal, place.place)):
                if (row.document_id, row.ordinal) in wanted:
                    found[row.document_id, row.ordinal].append(row.key)
        return found

    def _documents_by_name(self, keys: Iterable[str]) -> dict[str, list[AnyRow]]:
        """Return key -> documents of that name."""
        found: dict[str, dict[str, AnyRow]] = defaultdict(dict)
        for batch in batches(sorted(key for key in keys if key)):
            query = select(*_DOCUMENT).where(is_readable_in(documents.c.tenant, self._tenant), or_(*(name.in_(batch) for name in _NAMES)))
            for row in self._connection.execute(query):
                for key in {row.file_key, row.stem_key, row.title_key}:
                    found[key][row.id] = row
        return {key: list(rows.values()) for key, rows in found.items()}


def _choose_bearer(bearers: Sequence[AnyRow], own: str, folders: Mapping[str, set[str]]) -> AnyRow | None:
    """Return the one document of a name beside the own one: of the same folder, else of any; None where there is none or several."""
    others = [row for row in bearers if row.id != own]
    near = [row for row in others if folders[row.id] & folders[own]]
    chosen = near if len(near) == 1 else others
    return chosen[0] if len(chosen) == 1 else None
