"""The tables of what documents say of each other, and their writing: it goes with its document, and what it points to is looked up when it is
asked for.
"""

from __future__ import annotations

from sqlalchemy import Column, Connection, Index, Integer, Table, delete, insert

from core.ports import NewDocument
from storage.row_mapping import batches
from storage.schema import document_column, integer_column, metadata, text_column

ReferenceOwner = tuple[str, str, int]  # tenant, document id, generation

document_references = Table(
    "document_references",
    metadata,
    document_column(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    integer_column("generation"),
    text_column("kind"),
    text_column("target"),
    integer_column("start"),
    integer_column("end"),
    Column("page", Integer()),
)

# The names that a reference may mean; `place` 0 is the likeliest.
reference_names = Table(
    "reference_names",
    metadata,
    document_column(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    Column("place", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    text_column("key"),
    Index("reference_names_by_key", "tenant", "key"),
)


def replace_references(connection: Connection, owner: ReferenceOwner, new: NewDocument) -> None:
    """Store the references of a document's new generation in the place of the old ones."""
    tenant, document_id, generation = owner
    for table in (document_references, reference_names):
        connection.execute(delete(table).where(table.c.document_id == document_id))
    place = {"document_id": document_id, "tenant": tenant}
    pages = [(page.start, page.end, page.number) for page in new.document.pages]
    rows: list[dict[str, object]] = []
    names: list[dict[str, object]] = []
    for ordinal, found in enumerate(new.profile.references):
        page = next((number for start, end, number in pages if start <= found.start < end), None)
        said = {"kind": found.kind.value, "target": found.target, "start": found.start, "end": found.end, "page": page}
        rows.append({**place, "ordinal": ordinal, "generation": generation, **said})
        names += [{**place, "ordinal": ordinal, "place": number, "key": key} for number, key in enumerate(found.keys)]
    for batch in batches(rows):
        connection.execute(insert(document_references), batch)
    for batch in batches(names):
        connection.execute(insert(reference_names), batch)
