"""The knowledge graph: entities, relationships with their provenance, and what Apollo finds by walking it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from core.search import FrozenModel, GraphHit


class EntityType(StrEnum):
    """SPEC's types and those that the rules can tell apart. CONCEPT is a defined term, a heading, a title or a capitalised phrase; TERM
    is a phrase that says what a document is about: it forms communities and is listed nowhere else."""

    PERSON = "PERSON"
    ORGANIZATION = "ORGANIZATION"
    LOCATION = "LOCATION"
    CONCEPT = "CONCEPT"
    DATE = "DATE"
    AMOUNT = "AMOUNT"
    IDENTIFIER = "IDENTIFIER"
    EMAIL = "EMAIL"
    TERM = "TERM"


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity as one document names it. `key` is its normalised name; `mentions` are (start, end) in the document's text, in order;
    `properties` are facts from the words themselves ("value": 7900, "unit": "GBP", "iso": "2026-10-06", "title_of": true …)."""

    key: str
    name: str
    entity_type: EntityType
    mentions: tuple[tuple[int, int], ...]
    aliases: tuple[str, ...] = ()
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundRelationship:
    """A relationship that a sentence [start, end) states. `source` and `target` index `DocumentGraph.entities`; `weight` in 0..1."""

    source: int
    target: int
    relationship_type: str
    weight: float
    start: int
    end: int
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentGraph:
    """The entities and relationships of one generation of a document. `generated_by` is "rules" or the model's name."""

    entities: tuple[FoundEntity, ...] = ()
    relationships: tuple[FoundRelationship, ...] = ()
    generated_by: str = "rules"


@dataclass(frozen=True, slots=True)
class EnrichedGraph:
    """A document's graph after a language model read the text, too. `unread_reason` says in a sentence what the model could not read, and why; where
    it
    read nothing, the graph is the rules' own. `is_cut` tells that the document is longer than a model is given."""

    graph: DocumentGraph
    unread_reason: str = ""
    is_cut: bool = False


class GraphEvidence(FrozenModel):
    """The sentence that states a relationship: `text` is exactly [start, end) of the document's text at `generation`."""

    document_id: str
    generation: int
    filename: str
    chunk_id: int | None
    start: int
    end: int
    page: int | None
    text: str


TypingRule = Literal["individual", "apposition", "head_noun", "property"]


class EntityClass(FrozenModel):
    """A class of an entity. `rule` is the surest of those that gave it: individual (the ontology names the entity), head_noun ("Port of Elver"),
    apposition ("ACME, a company"), property (a phrase that the ontology has as a property, by its domain or range). `evidence` is a sentence that
    says so, one of `sentences`."""

    uri: str
    name: str
    ontology_id: str
    rule: TypingRule
    sentences: int
    evidence: GraphEvidence


class Entity(FrozenModel):
    """A resolved entity of the library. `mentions` counts over all its documents; ids are stable while one document supports it. `classes` are those
    of the tenant's ontologies, the surest first, where the graph itself is asked for (not in answers) and `ontology.auto_type` is on."""

    id: str
    name: str
    entity_type: EntityType
    aliases: list[str] = Field(default_factory=list)
    document_ids: list[str] = Field(default_factory=list)
    mentions: int = 0
    properties: dict[str, Any] = Field(default_factory=dict)
    classes: list[EntityClass] = Field(default_factory=list)
    created_at: datetime


class Relationship(FrozenModel):
    """`weight` in 0..1: how strongly the sentences speak for it. `source_id` of MENTIONS is a document's id, of all others an entity's."""

    id: str
    source_id: str
    target_id: str
    relationship_type: str
    weight: float
    properties: dict[str, Any] = Field(default_factory=dict)
    document_ids: list[str] = Field(default_factory=list)
    evidence: list[GraphEvidence] = Field(default_factory=list)
    created_at: datetime


class EntityPage(FrozenModel):
    """GET /graph/entities: most mentioned first."""

    entities: list[Entity]
    total: int
    next_cursor: str | None


class GraphDocument(FrozenModel):
    """A document that mentions an entity of a neighbourhood."""

    id: str
    filename: str
    title: str
    mentions: int


class Neighbourhood(FrozenModel):
    """GET /graph/entities/{id}/neighbourhood: `entities` includes the centre; `truncated` says that there is more than `limit`."""

    centre: Entity
    entities: list[Entity]
    relationships: list[Relationship]
    documents: list[GraphDocument]
    truncated: bool = False


class EntityMention(FrozenModel):
    start: int
    end: int
    page: int | None = None


class DocumentEntity(FrozenModel):
    """An entity as one document mentions it; `mentions` are the first 50 spans, `count` all of them."""

    entity: Entity
    count: int
    mentions: list[EntityMention]


class DocumentEntities(FrozenModel):
    """GET /documents/{id}/entities: most mentioned first, with the relationships that this document supports."""

    document_id: str
    generation: int
    generated_by: str
    entities: list[DocumentEntity]
    relationships: list[Relationship]


class EntityMatch(FrozenModel):
    """An entity of the question found in the graph. `how` is exact, alias or fuzzy; `similarity` in 0..1 (1 for exact)."""

    entity: Entity
    matched: str
    how: str
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class QuestionNames:
    """What a question names of the library: entities, the surest first, and documents by their titles or files' names."""

    entities: list[EntityMatch]
    documents: list[str]


class PathStep(FrozenModel):
    """One relationship walked: from a known entity to a new one. `because` is the evidence sentence, cut at 200 characters; `forward` False where
    the sentence states it the other way round (walked from the firm to the person that WORKS_AT it)."""

    source_id: str
    source: str
    relationship_type: str
    target_id: str
    target: str
    weight: float
    document_id: str | None = None
    because: str = ""
    forward: bool = True


class ExpandedEntity(FrozenModel):
    """An entity reached by walking: `hops` from the nearest original one, `score` the product of the weights on the way, `path` the way."""

    entity: Entity
    hops: int
    score: float
    path: list[PathStep]


@dataclass(frozen=True, slots=True)
class GraphFact:
    """A relationship found by walking, the last one on the way to `reached`, with a sentence that states it."""

    reached: ExpandedEntity
    evidence: GraphEvidence


class RelatedDocument(FrozenModel):
    """A document that the walk led to, with the path in words as the reason."""

    document_id: str
    score: float
    reason: str


class GraphExpansion(FrozenModel):
    """Apollo's result (SPEC). `hits` are the chunks of the related documents that mention what was found: the graph leg."""

    original_entities: list[EntityMatch] = Field(default_factory=list)
    expanded_entities: list[ExpandedEntity] = Field(default_factory=list)
    related_documents: list[RelatedDocument] = Field(default_factory=list)
    entity_context: list[str] = Field(default_factory=list)
    expansion_path: list[PathStep] = Field(default_factory=list)
    hits: list[GraphHit] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ChunkLink:
    """A phrase that two chunks share, or the title of `to_document` that stands in the text of `from_chunk` (`is_title`).

    `frequency` is the number of chunks of the tenant that mention the phrase.
    """

    from_chunk: int
    to_chunk: int
    to_document: str
    phrase: str
    frequency: int
    is_title: bool


@dataclass(frozen=True, slots=True)
class EntityEpisode:
    """Something that happened with entities: a run, whose question and cited answer are `text` and whose opened documents are `document_ids`, or a
    version of a document, which is its only id."""

    at: datetime
    text: str = ""
    document_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WeighedEpisode:
    """`weight` in 0..1: how much it still counts."""

    episode: EntityEpisode
    weight: float


@dataclass(frozen=True, slots=True)
class EpisodeScore:
    """`mentions` are the distinct episodes that name one of a passage's entities; `score` in 0..1."""

    mentions: int
    score: float


@dataclass(frozen=True, slots=True)
class ChunkEpisodes:
    """The scores of the chunks of which an entity is named; the `silent` ones mention none that could be: nothing at all, or hubs, dates, amounts and
    addresses alone."""

    scores: dict[int, EpisodeScore]
    silent: set[int]


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """How far a walk for distances goes, and the share of the documents from which an entity is a hub, which nothing is reached through."""

    max_distance: int
    hub_share: float


@dataclass(frozen=True, slots=True)
class GraphDistances:
    """The relationships between given entities and the nearest entity of each chunk; what is not reached is left out. `is_cut` says that the walk
    ended at its limit of entities before it had gone as far as it might."""

    chunks: dict[int, int]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class GraphCounts:
    entities: int
    relationships: int
    documents: int
