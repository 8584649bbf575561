"""Clauses among the passages that another document changes: the passage that says so is read, too, though its words are others than the question's.

"When can we end the lease early?" finds clause 12.1 of the lease; that its date was replaced stands under "Clause 12: break option" in an amendment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.claim_comparison import OVERRULING_KINDS
from core.claim_words import CLAUSE_CHANGE, NUMBERED_CLAUSE
from core.documents import StoredChunk
from core.errors import NotFound
from core.ports import Library, ReferenceStore
from core.search import Passage

CHANGES_STAGE = "changes"  # the stage's name in the trace
CHECKED_PASSAGES = 5  # passages, best first
MAX_ADDED = 3  # that come in
_CHUNKS = 4000  # the ordinals of a document that are looked at; amendments are short


@dataclass(frozen=True, slots=True)
class _Clause:
    """A numbered clause in a passage, which stands at that place among the passages."""

    number: str
    document_id: str
    place: int


async def add_changing_passages(
    passages: Sequence[Passage], tenant: str, library: Library, references: ReferenceStore
) -> tuple[list[Passage], list[str]]:
    """Return the passages, followed by those that change a clause of the first ones, and the numbers of these clauses."""
    clauses = _clauses(passages[:CHECKED_PASSAGES])
    if not clauses:
        return list(passages), []
    chunks = await _changing_chunks(list(dict.fromkeys(clause.document_id for clause in clauses)), tenant, library, references)
    shown = {chunk for passage in passages for chunk in passage.chunks}
    out, numbers = list(passages), list[str]()
    for clause in clauses:
        for among in chunks[clause.document_id]:
            found = next((chunk for chunk in among if clause.number in _changed_numbers(chunk.text)), None)
            if found is None or found.id in shown or len(numbers) >= MAX_ADDED:
                continue
            shown.add(found.id)
            numbers.append(clause.number)
            out.append(_passage(found, passages[clause.place]))
    return out, numbers


async def _changing_chunks(
    documents: Collection[str], tenant: str, library: Library, references: ReferenceStore
) -> dict[str, list[list[StoredChunk]]]:
    """Return document id -> the chunks of each document that changes it."""
    changed_by = dict(zip(documents, await asyncio.gather(*(_changing_documents(tenant, each, references) for each in documents)), strict=True))
    others = list(dict.fromkeys(other for found in changed_by.values() for other in found))
    chunks = dict(zip(others, await asyncio.gather(*(library.section_chunks(tenant, each, 0, _CHUNKS) for each in others)), strict=True))
    return {document: [chunks[other] for other in found] for document, found in changed_by.items()}


def _clauses(passages: Sequence[Passage]) -> list[_Clause]:
    found: dict[tuple[str, str], _Clause] = {}
    for place, passage in enumerate(passages):
        for line in passage.content.splitlines():
            if (match := NUMBERED_CLAUSE.match(line)) is not None:
                found.setdefault((passage.document_id, match["number"]), _Clause(match["number"], passage.document_id, place))
    return list(found.values())


async def _changing_documents(tenant: str, document_id: str, references: ReferenceStore) -> list[str]:
    """Return the documents that change or replace this one."""
    try:
        found = await references.references(tenant, document_id)
    except NotFound:
        return []  # deleted since it was found
    return list(dict.fromkeys(each.document_id for each in found.referred_by if each.kind in OVERRULING_KINDS and each.document_id != document_id))


def _changed_numbers(text: str) -> set[str]:
    return {match["number"] for match in CLAUSE_CHANGE.finditer(text)}


def _passage(chunk: StoredChunk, changed: Passage) -> Passage:
    """Return the chunk as a passage that counts as much as what it changes."""
    return Passage(
        content=chunk.text,
        section=chunk.section,
        document_id=chunk.document_id,
        start=chunk.start,
        end=chunk.end,
        chunks=[chunk.id],
        page=chunk.page,
        anchor=chunk.id,
        anchor_score=changed.anchor_score,
        coherence_score=1.0,
    )
