"""Apollo: what the knowledge graph adds to a question: its entities, what they are related to, and the passages that speak of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from core.graph import EntityMatch, EntityType, ExpandedEntity, GraphExpansion, PathStep, RelatedDocument
from core.ports import KnowledgeGraph
from core.search import Filters, FrozenModel, GraphHit

MOST_ENTITIES = 8  # of the question
MOST_EXPANDED = 20  # reached by walking
MOST_HITS = 50
MOST_DOCUMENTS = 10  # related documents that are named
MOST_SENTENCES = 8  # sentences
MOST_STEPS = 30  # of the path that is shown
DECAY = 0.5  # of an expanded entity's weight with each hop
# A date or an amount stands in many documents that have nothing else in common.
_WEAK_TYPES = frozenset({EntityType.DATE, EntityType.AMOUNT})
_WEAK_WEIGHT = 0.3
_RELATION_WORDS = {
    "RELATED_TO": "is named together with",
    "WORKS_AT": "works at",
    "HAS_ROLE": "is",
    "LOCATED_IN": "is in",
    "PART_OF": "is part of",
    "HAS_EMAIL": "has the address",
    "SUPERSEDES": "supersedes",
    "SIGNED": "signed",
    "OWNS": "owns",
    "REPORTS_TO": "reports to",
}


class GraphQuestion(FrozenModel):
    """The question of Apollo: `names` that Athena saw, phrases of `text`, within `hops` relationships, in documents that `filters` let through."""

    text: str
    tenant: str
    names: list[str] = Field(default_factory=list)
    filters: Filters = Field(default_factory=Filters)
    hops: int = 0


async def expand_graph(question: GraphQuestion, *, graph: KnowledgeGraph) -> GraphExpansion:
    """Return the question's entities and what the graph relates to them. Empty where the question names nothing that the graph knows.

    Without hops the entities' own passages are found all the same. A passage's weight grows with the similarity of the match; an entity that was
    reached by walking counts with the product of the weights on the way, halved with each hop.
    """
    matches = await graph.match(question.tenant, question.names, question.text, MOST_ENTITIES)
    if not matches:
        return GraphExpansion()
    walked = (
        await graph.walk(question.tenant, [match.entity.id for match in matches if _leads(match)], question.hops, MOST_EXPANDED)
        if question.hops
        else []
    )
    hits = await graph.hits(question.tenant, _weights(matches, walked), question.filters, MOST_HITS)
    ways = [way_of(each) for each in walked]
    return GraphExpansion(
        original_entities=matches,
        expanded_entities=walked,
        related_documents=_documents(hits, matches, walked),
        entity_context=_context(walked),
        expansion_path=_steps(walked),
        hits=[hit.model_copy(update={"reason": _reason(hit.reason, matches, walked, ways)}) for hit in hits],
    )


def way_of(reached: ExpandedEntity) -> str:
    """Return the way to an entity in words: "Mara Ellison works at Trevanion & Holt; Elver Docks is in Port Elver"."""
    return "; ".join(describe_step(step) for step in reached.path)


def describe_step(step: PathStep) -> str:
    """Return one relationship in words, in the direction in which its sentence states it."""
    verb = relation_words(step.relationship_type)
    return f"{step.source} {verb} {step.target}" if step.forward else f"{step.target} {verb} {step.source}"


def relation_words(relationship_type: str) -> str:
    """Return what stands between the two names of a relationship."""
    return _RELATION_WORDS.get(relationship_type, relationship_type.replace("_", " ").lower())


def _leads(match: EntityMatch) -> bool:
    return match.entity.entity_type not in _WEAK_TYPES


def _weights(matches: Sequence[EntityMatch], walked: Sequence[ExpandedEntity]) -> dict[str, float]:
    """Entity id -> what a mention of it is worth, 0..1."""
    named = {match.entity.id: match.similarity * (1.0 if _leads(match) else _WEAK_WEIGHT) for match in matches}
    reached = {each.entity.id: each.score * DECAY**each.hops for each in walked}
    return {**reached, **named}


def _reason(reason: str, matches: Sequence[EntityMatch], walked: Sequence[ExpandedEntity], ways: Sequence[str]) -> str:
    """A passage's reason, with the way to what it mentions where it names nothing of the question itself."""
    if any(match.entity.name in reason for match in matches):
        return reason
    way = next((way for each, way in zip(walked, ways, strict=True) if each.entity.name in reason), "")
    return f"{reason} ({way})" if way else reason


def _documents(hits: Sequence[GraphHit], matches: Sequence[EntityMatch], walked: Sequence[ExpandedEntity]) -> list[RelatedDocument]:
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.document_id] = max(best.get(hit.document_id, 0.0), hit.score)
    ordered = sorted(best, key=lambda document_id: (-best[document_id], document_id))[:MOST_DOCUMENTS]
    return [RelatedDocument(document_id=each, score=best[each], reason=_document_reason(each, matches, walked)) for each in ordered]


def _document_reason(document_id: str, matches: Sequence[EntityMatch], walked: Sequence[ExpandedEntity]) -> str:
    named = [match.entity.name for match in matches if document_id in match.entity.document_ids]
    if named:
        return "It mentions " + ", ".join(dict.fromkeys(named)) + "."
    reached = next((each for each in walked if document_id in each.entity.document_ids), None)
    return f"It mentions {reached.entity.name}: {way_of(reached)}." if reached is not None else "It mentions what the question names."


def _context(walked: Sequence[ExpandedEntity]) -> list[str]:
    """The sentences that state the relationships, the strongest first."""
    return _unique((step.because for each in walked for step in each.path if step.because), MOST_SENTENCES)


def _steps(walked: Sequence[ExpandedEntity]) -> list[PathStep]:
    """The relationships walked, each once, nearest first."""
    kept = {(step.source_id, step.relationship_type, step.target_id): step for each in reversed(walked) for step in reversed(each.path)}
    return list(reversed(kept.values()))[:MOST_STEPS]


def _unique(items: Iterable[str], most: int) -> list[str]:
    return list(dict.fromkeys(items))[:most]
