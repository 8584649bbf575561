"""What changes a clause among the passages comes in behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from core.documents import BlockKind, ReferenceKind, StoredChunk
from core.errors import NotFound
from core.ports import Library, ReferenceStore
from core.references import DocumentReferences, Reference
from core.search import Passage
from orchestration.changed_clauses import CHECKED_PASSAGES, add_changing_passages


def passage(content: str, document: str, chunk: int) -> Passage:
    return Passage(
        content=content,
        section=[],
        document_id=document,
        start=0,
        end=len(content),
        chunks=[chunk],
        page=None,
        anchor=chunk,
        anchor_score=0.7,
        coherence_score=1.0,
    )


def stored(number: int, text: str) -> StoredChunk:
    return StoredChunk(
        id=number,
        document_id="amendment",
        generation=1,
        ordinal=number,
        start=0,
        end=len(text),
        page=None,
        section=["Clause 12"],
        kind=BlockKind.PARAGRAPH,
        tokens=9,
        prefix="",
        text=text,
    )


CHUNKS = [stored(20, "Background\n\nThe parties have agreed."), stored(21, "In clause 12.1 the date 1 May is replaced by 1 June.")]


class Documents:
    """The chunks of one amendment, and that it amends the lease."""

    def __init__(self, kind: ReferenceKind = ReferenceKind.AMENDS) -> None:
        self.kind = kind

    async def section_chunks(self, tenant: str, document_id: str, first: int, last: int) -> list[StoredChunk]:
        return CHUNKS if (tenant, document_id) == ("default", "amendment") else []

    async def references(self, tenant: str, document_id: str) -> DocumentReferences:
        if document_id == "gone":
            raise NotFound("It was deleted.")
        found = Reference(
            kind=self.kind,
            document_id="amendment",
            filename="amendment.docx",
            generation=1,
            start=0,
            end=5,
            page=None,
            text="It amends the lease.",
            target="the lease",
            target_document_id=document_id,
            target_filename="lease.pdf",
        )
        return DocumentReferences(document_id=document_id, refers_to=[], referred_by=[found] if document_id == "lease" else [])


async def changed(passages: Sequence[Passage], documents: Documents | None = None) -> tuple[list[int], list[str]]:
    store = documents or Documents()
    found, numbers = await add_changing_passages(passages, "default", cast(Library, store), cast(ReferenceStore, store))
    return [each.anchor for each in found], numbers


BREAK = "12 Break\n\n12.1 The tenant may end this lease on 1 May."


async def test_what_changes_a_clause_comes_last() -> None:
    found, numbers = await changed([passage("6.1 A deposit is paid.", "lease", 1), passage(BREAK, "lease", 2), passage("Minutes", "minutes", 3)])
    assert (found, numbers) == ([1, 2, 3, 21], ["12.1"])


async def test_what_is_there_already_comes_in_once() -> None:
    assert await changed([passage(BREAK, "lease", 2), passage(CHUNKS[1].text, "amendment", 21)]) == ([2, 21], [])


async def test_other_clauses_other_documents_and_mere_mentions_bring_nothing() -> None:
    assert await changed([passage("12.2 Notice is given in writing.", "lease", 2)]) == ([2], [])
    assert await changed([passage(BREAK, "other", 2), passage(BREAK, "gone", 3)]) == ([2, 3], [])
    assert await changed([passage(BREAK, "lease", 2)], Documents(ReferenceKind.CITES)) == ([2], [])


async def test_only_the_best_passages_are_looked_at() -> None:
    passages = [passage("Text", "minutes", number) for number in range(CHECKED_PASSAGES)]
    found, numbers = await changed([*passages, passage(BREAK, "lease", 9)])
    assert (found, numbers) == ([*range(CHECKED_PASSAGES), 9], [])
