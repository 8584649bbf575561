"""References between documents on every database: looked up by name, followed through renames, gone with their document, tenants apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.claim_precedence import Relation
from core.documents import ExtractedDocument, Link, ReferenceKind
from core.errors import NotFound
from core.ports import NewDocument
from ingestion.enrichment.document_references import find_references
from storage.database import Database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_references import SqlReferences
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts, stamp

T = "default"


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def made(path: str, text: str, title: str, links: tuple[Link, ...] = ()) -> NewDocument:
    new = new_document(DocumentSample(path=path, text=text, title=title))
    document: ExtractedDocument = replace(new.document, links=links)
    profile = replace(new.profile, references=find_references(document, title), authors=("Mara Ellison",))
    return replace(new, document=document, profile=profile)


async def test_names_lead_to_documents_and_back(database: Database) -> None:
    writer, store = SqlLibraryWriter(database), SqlReferences(database)
    old = await writer.write_document(T, made("/docs/travel-2.pdf", "Old rules.", "Travel Policy v2"))
    new = await writer.write_document(T, made("/docs/travel-3.pdf", "This supersedes version 2. See nothing-here.pdf for more.", "Travel Policy v3"))
    linked = await writer.write_document(T, made("/docs/index.html", "Our policy and more.", "Index", (Link(4, 10, "travel-3.pdf#page=2"),)))
    await writer.write_document("other", made("/docs/travel-2.pdf", "Other rules.", "Travel Policy v2"))
    found = await store.references(T, new.document_id)
    assert [(each.kind.value, each.text, each.target_document_id, each.target_filename) for each in found.refers_to] == [
        ("supersedes", "version 2", old.document_id, "travel-2.pdf"),
        ("names_file", "nothing-here.pdf", None, None),
    ]
    assert [(each.kind.value, each.filename, each.text) for each in found.referred_by] == [("links_to", "index.html", "policy")]
    assert [each.filename for each in (await store.references(T, old.document_id)).referred_by] == ["travel-3.pdf"]
    assert (await SqlLibrary(database).document(T, new.document_id)).authors == ["Mara Ellison"]
    await writer.move_path(T, "/docs/travel-3.pdf", stamp("/docs/renamed.pdf"), "/docs")
    assert (await store.references(T, linked.document_id)).refers_to[0].target_document_id is None
    with pytest.raises(NotFound):
        await store.references("nobody", new.document_id)


async def test_of_two_with_one_name_the_one_in_the_same_folder_is_meant(database: Database) -> None:
    writer, store = SqlLibraryWriter(database), SqlReferences(database)
    for folder in ("a", "b"):
        await writer.write_document(T, made(f"/docs/{folder}/Annex B.pdf", f"Rates of {folder}.", f"Rates {folder}"))
    near = await writer.write_document(T, made("/docs/a/contract.pdf", "For rates see Annex B.", "Contract"))
    far = await writer.write_document(T, made("/docs/letter.pdf", "For rates, see Annex B please.", "Letter"))
    (found,) = (await store.references(T, near.document_id)).refers_to
    rates = await SqlLibrary(database).document(T, str(found.target_document_id))
    assert rates.file_path == "/docs/a/Annex B.pdf"
    assert [each.target_document_id for each in (await store.references(T, far.document_id)).refers_to] == [None]


async def test_which_documents_change_which_others(database: Database) -> None:
    writer, store = SqlLibraryWriter(database), SqlReferences(database)
    lease = await writer.write_document(T, made("/docs/lease.pdf", "The rent is £900.", "Lease of Mill 3, Harrow Bridge"))
    change = await writer.write_document(
        T, made("/docs/second.pdf", "It changes the lease of Mill 3, Harrow Bridge, dated 4 May 2020.", "Amendment No. 2")
    )
    other = await writer.write_document(T, made("/docs/note.pdf", "See Lease of Mill 3 for more.", "Note"))
    ids = [lease.document_id, change.document_id, other.document_id]
    assert await store.relations_between(T, ids) == [Relation(change.document_id, lease.document_id, ReferenceKind.AMENDS)]
    assert await store.relations_between(T, ids[1:]) == []
    assert await store.relations_between("other", ids) == []


async def test_references_go_with_their_document(database: Database) -> None:
    writer = SqlLibraryWriter(database)
    written = await writer.write_document(T, made("/docs/a.pdf", "See Annex B. It supersedes Plan A.", "Plan C"))
    again = await writer.write_document(T, made("/docs/a.pdf", "See Annex C.", "Plan C"))
    assert again.document_id == written.document_id
    assert [each.target for each in (await SqlReferences(database).references(T, written.document_id)).refers_to] == ["Annex C"]
    await writer.remove_paths(T, ["/docs/a.pdf"])
    counts = row_counts(database)
    assert (counts["document_references"], counts["reference_names"]) == (0, 0)
