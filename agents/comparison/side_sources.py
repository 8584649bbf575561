"""The sources of a comparison: the document of each side, opened, and where the search finds each attribute in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.comparison.attributes import attributes_of
from agents.comparison.comparison_request import ComparisonRequest
from agents.comparison.sides import Side, SideText, resolve_sides
from agents.sources.source_documents import SourceDocuments
from agents.text.document_names import name_stems
from core.language.content_words import stems
from core.search import Retrieval

_SEARCHED_TOGETHER = 3  # attributes that say which document speaks of a side without one of its own


@dataclass(frozen=True, slots=True)
class ComparisonSources:
    """The sides, in the same order what each is read from, and the attributes to compare ("" for whatever is said of a side); `names_attributes`
    False: nobody asked for these."""

    sides: list[Side]
    texts: list[SideText]
    attributes: list[str]
    names_attributes: bool = True


async def find_sources(request: ComparisonRequest, retrieval: Retrieval, *, documents: SourceDocuments) -> ComparisonSources | None:
    """Open what the sides are read from; None where fewer than two sides are found or nothing can be compared. `retrieval` is what the question's own
    search found."""
    likely, ranked = await documents.find_likely(retrieval, request.names or ((request.topic,) if request.topic else ()))
    sides = await _open_sides(request, resolve_sides(request, likely, ranked, documents.request.filters.document_ids), documents)
    if len(sides) < 2:
        return None
    attributes = attributes_of(request, sides, [documents.units.get(side.document.id, []) if side.document else [] for side in sides])
    if not attributes and any(side.document is None for side in sides):
        attributes = [""]
    texts = [await _read_side(side, attributes, documents) for side in sides]
    named = bool(request.attributes or any(side.other_words for side in sides))
    return ComparisonSources(sides, texts, attributes, named) if attributes else None


async def _open_sides(request: ComparisonRequest, sides: list[Side], documents: SourceDocuments) -> list[Side]:
    """Open the sides' documents; of a superlative those sides stay that speak of what it is asked for."""
    for side in sides:
        if side.document is not None:
            await documents.open(side.document.id)
    wanted = request.topic if request.superlative else ""
    return [side for side in sides if not wanted or _speaks_of(wanted, side, documents)]


def _speaks_of(topic: str, side: Side, documents: SourceDocuments) -> bool:
    """Return whether a side's document has a word of the topic: an offer of insurance is no offer of trucks."""
    if side.document is None:
        return True
    said = " ".join(unit.text for unit in documents.units.get(side.document.id, []))
    return bool(stems(topic) & (name_stems(side.document) | stems(said)))


async def _read_side(side: Side, attributes: Sequence[str], documents: SourceDocuments) -> SideText:
    """The side's own document; for a side without one the document that speaks most of it."""
    document_id = side.document.id if side.document else await _find_document_about(side, attributes, documents)
    content = await documents.open(document_id) if document_id else None
    if content is None:
        return SideText(document_id or "", [])
    found = {}
    for attribute in attributes:
        words = attribute if side.document else f"{side.name} {attribute}"
        found[attribute] = await documents.found_spans(await documents.search(words, [document_id]), document_id)
    return SideText(document_id, documents.units[document_id], found)


async def _find_document_about(side: Side, attributes: Sequence[str], documents: SourceDocuments) -> str:
    found = await documents.search(f"{side.name} {' '.join(attributes[:_SEARCHED_TOGETHER])}".strip())
    return found.candidates[0].document_id if found.candidates else ""
