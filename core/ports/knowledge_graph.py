"""The knowledge graph, read; it is written with the document that it comes from (`NewDocument.graph`), in the same transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from core.documents import Chunk, ExtractedDocument
from core.graph import (
    ChunkEpisodes,
    ChunkLink,
    DocumentEntities,
    DocumentGraph,
    EnrichedGraph,
    Entity,
    EntityEpisode,
    EntityMatch,
    EntityPage,
    EntityType,
    ExpandedEntity,
    GraphCounts,
    GraphDistances,
    GraphFact,
    Neighbourhood,
    QuestionNames,
    WalkLimits,
    WeighedEpisode,
)
from core.search import Filters, GraphHit


class GraphExtractor(Protocol):
    """Entities and relationships of one document. The rules never raise for odd text; a model's failure falls back to them and says so."""

    async def extract(self, document: ExtractedDocument, chunks: Sequence[Chunk], filename: str, title: str) -> DocumentGraph: ...


class GraphEnricher(Protocol):
    """A language model that adds to the rules' graph of a document what it finds in the text, word for word. Never raises for a model that fails:
    the rules' graph stands, and the result says so. Takes seconds to minutes for a document; cancelling it stops the model's call."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    async def enrich(self, document: ExtractedDocument, chunks: Sequence[Chunk], title: str, graph: DocumentGraph) -> EnrichedGraph: ...


class KnowledgeGraph(Protocol):
    """The knowledge graph, read. Every method filters by tenant; unknown ids raise NotFound where one id is asked for and are passed over in
    lists."""

    async def match(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> list[EntityMatch]:
        """Return the entities named by `names` or by phrases of `text`: exact by normalised name, then alias, then fuzzy above .85; the best
        first."""
        ...

    async def walk(self, tenant: str, entity_ids: Sequence[str], hops: int, limit: int = 20) -> list[ExpandedEntity]:
        """Return the entities within `hops` relationships, the strongest way to each, best first; the given ones are left out."""
        ...

    async def facts(self, tenant: str, entity_ids: Sequence[str], hops: int, filters: Filters, limit: int = 50) -> list[GraphFact]:
        """Return the relationships between these entities, and those on the ways from them that `walk` takes, each with a sentence of a document that
        `filters` let through; the strongest first."""
        ...

    async def chunk_entities(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 3) -> dict[int, list[Entity]]:
        """Return the entities that each of these chunks mentions, the rarest first."""
        ...

    async def chunk_distances(self, tenant: str, entity_ids: Sequence[str], chunk_ids: Sequence[int], limits: WalkLimits) -> GraphDistances:
        """Return how many relationships lie between these entities and each of these chunks; one walk for all of them."""
        ...

    async def chunk_episodes(
        self, tenant: str, chunk_ids: Sequence[int], episodes: Sequence[WeighedEpisode], max_mentions: int, hub_share: float
    ) -> ChunkEpisodes:
        """Return for each chunk how often the episodes name its entities: `max_mentions` of full weight give an entity 1, and a chunk has the mean of
        its entities by rarity, hubs (in more than `hub_share` of the documents) left out. Chunks of which no entity is named are left out."""
        ...

    async def hits(self, tenant: str, weights: dict[str, float], filters: Filters, limit: int = 50) -> list[GraphHit]:
        """Return the chunks that mention these entities (entity id -> weight in 0..1): rare entities and several of them in one chunk count more."""
        ...

    async def links(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 30) -> list[ChunkLink]:
        """Return what leads from these chunks to others: shared phrases (rare first) and titles of other documents that they mention."""
        ...

    async def titles(self, tenant: str, text: str) -> dict[str, list[str]]:
        """Return document ids -> their titles that occur in `text` as whole words (titles of one common word do not count)."""
        ...

    async def question_names(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> QuestionNames:
        """Return what a question names of the library: entities as by `match`, and documents whose title or file's name stands in `text`."""
        ...

    async def entities(
        self,
        tenant: str,
        *,
        text: str = "",
        entity_type: EntityType | None = None,
        class_name: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> EntityPage:
        """Return a page of the entities; with `class_name` those of this class or one below it. Raises InvalidInput for an unknown class, Conflict
        where entities get none."""
        ...

    async def neighbourhood(self, tenant: str, entity_id: str, *, hops: int = 1, limit: int = 60) -> Neighbourhood: ...
    async def document_entities(self, tenant: str, document_id: str) -> DocumentEntities: ...
    async def class_documents(self, tenant: str, class_name: str) -> set[str]:
        """Return the documents that mention an entity of this class, or of one below it. Raises as `entities`."""
        ...

    async def counts(self, tenant: str) -> GraphCounts: ...


OwnScores = Callable[[Mapping[int, str]], Awaitable[Mapping[int, float]]]  # chunk id -> document id; the scores of those that have one


class PassageLinks(Protocol):
    """The rescoring by title and phrase links (RETRIEVAL.md, "Multi-hop"): what a question needs beside what it says."""

    async def rescore(
        self, tenant: str, text: str, scores: dict[int, float], owners: dict[int, str], own_scores: OwnScores
    ) -> dict[int, tuple[str, float, str]]:
        """Return chunk id -> (document id, new score, reason) for what the links move or add. {} when no title occurs in the question.

        `own_scores` gives what links alone bring in the score that it would have had without them.
        """
        ...


class EpisodeHistory(Protocol):
    """What happened in a library and what a person did there."""

    async def episodes(self, library: str, user_id: str, since: datetime) -> list[EntityEpisode]:
        """Return the person's latest runs since then ("" for nobody's), and the versions of the tenant's documents that are dated since then."""
        ...
