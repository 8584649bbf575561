"""A summary of what the documents together say of a question, made when it is asked: nothing is summarised while indexing (LazyGraphRAG, Edge et al.,
Microsoft Research 2024).

From the question's entities the graph is walked best-first, within a budget of sentences; the communities round what was reached add theirs. The
sentences that speak most of the question are told, each cited. A model only rewrites them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.lazy_rag.graph_sentences import GraphSentence, RankedSentence, SentenceAnswer, choose_sentences, rank_sentences
from agents.lazy_rag.subject_words import SubjectWords
from core.answers import Answer
from core.communities import Community, CommunityQuery
from core.documents import BlockKind, StoredChunk
from core.graph import Entity, EntityType, GraphEvidence, GraphFact
from core.graph_answers import SummaryEntity
from core.language.sentences import split_sentences
from core.ports import Communities, KnowledgeGraph, Library
from core.search import Candidate, Filters, FrozenModel, Passage

PROMPT = "lazy_rag"
MOST_WORDS = 150  # of what a model writes
_BUDGET, _FACTS, _OF_COMMUNITIES = 150, 50, 20  # sentences that are read; of them those of relationships and of communities at most
_PASSAGES = 12  # of the search and of the graph each
_MOST_TOLD, _MOST_COMMUNITIES = 8, 4
_SEEDS, _SEED_PASSAGES = 8, 10
_DECAY = 0.5  # of an entity's weight with each hop
_SUBJECTLESS_CHANCE, _MOST_CHANCE = 0.6, 0.74  # that a summary answers: nobody fitted it, so it is never called high
_NO_PROSE = frozenset({BlockKind.TABLE, BlockKind.CODE})
_LEADING = frozenset({EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.CONCEPT, EntityType.IDENTIFIER})


@dataclass(frozen=True, slots=True)
class LazyOptions:
    """The settings of section `lazy_rag`."""

    max_entities: int = 50
    max_hops: int = 2
    use_communities: bool = True


@dataclass(frozen=True, slots=True)
class GraphPorts:
    """The ports that such answers are made from."""

    graph: KnowledgeGraph
    library: Library
    communities: Communities | None = None


class SummaryQuestion(FrozenModel):
    """What is asked: `names` that it names, and the candidates that a search found for it, best first, in documents that `filters` let through."""

    text: str
    tenant: str
    names: list[str]
    filters: Filters
    candidates: list[Candidate]


@dataclass(frozen=True, slots=True)
class LazySummary:
    """The summary in the documents' own sentences, with what it was found from. `chance` in 0..1 that it answers."""

    entities: list[SummaryEntity]
    facts: list[GraphFact]
    answer: Answer
    passages: list[Passage]
    missing: list[str]
    sentences_read: int
    chance: float


async def summarize_lazily(question: SummaryQuestion, *, ports: GraphPorts, options: LazyOptions) -> LazySummary | None:
    """Return the summary; None where most words of the question stand in no sentence. Raises Unavailable where the graph cannot be asked."""
    seeds, are_named = await find_seeds(question, ports.graph)
    facts = await ports.graph.facts(question.tenant, [each.id for each in seeds], options.max_hops, question.filters, options.max_entities)
    words, weights = SubjectWords.read(question.text), entity_weights(seeds, facts)
    communities = await find_question_communities(question, weights, words.stems, ports.communities) if options.use_communities else []
    read = [GraphSentence(each.evidence, each.reached.score, are_named and each.reached.hops == 1) for each in facts][:_FACTS]
    read += community_sentences(communities)[:_OF_COMMUNITIES]
    read += await read_passage_sentences(question, weights, ports, _BUDGET - len(read))
    chosen = choose_sentences(rank_sentences(read, words, question.candidates), _MOST_TOLD)
    asked = words.without_names(each.name for each in seeds if are_named)
    missing = asked.list_missing(" ".join(each.text for _, each in chosen))
    if not chosen or 2 * len(missing) > len(asked):
        return None
    answer = SentenceAnswer()
    answer.say(_opening(chosen, seeds, communities))
    for score, each in chosen:
        answer.quote(score, each, paragraph=1)
    notes = [f"No sentence that was read has: {', '.join(missing)}."] if missing else []
    return LazySummary(_entities(seeds, facts), facts, answer.build(notes), answer.passages, missing, len(read), chance_of(asked, missing))


def chance_of(words: SubjectWords, missing: Sequence[str]) -> float:
    """Return the chance in 0..1 that sentences answer a question: the share of its words that they have."""
    return min(_MOST_CHANCE, 1 - len(missing) / len(words)) if words else _SUBJECTLESS_CHANCE


async def find_seeds(question: SummaryQuestion, graph: KnowledgeGraph) -> tuple[list[Entity], bool]:
    """Return the entities that a question names, and whether it does; else those that most of the best passages mention."""
    named = [each.entity for each in await graph.match(question.tenant, question.names, question.text, _SEEDS) if each.how != "fuzzy"]
    if leading := [each for each in named if each.entity_type in _LEADING]:
        return leading, True
    best = [each.chunk_id for each in question.candidates[:_SEED_PASSAGES]]
    mentioned = await graph.chunk_entities(question.tenant, best) if best else {}
    found = [entity for chunk_id in best for entity in mentioned.get(chunk_id, []) if entity.entity_type in _LEADING]
    counts = Counter(each.id for each in found)
    known = {each.id: each for each in reversed(found)}
    return [known[each] for each, _ in counts.most_common(_SEEDS)], False


def entity_weights(seeds: Sequence[Entity], facts: Sequence[GraphFact]) -> dict[str, float]:
    """Return entity id -> what a mention of it is worth, 0..1."""
    reached = {each.reached.entity.id: each.reached.score * _DECAY**each.reached.hops for each in facts}
    return {**reached, **dict.fromkeys((each.id for each in seeds), 1.0)}


async def read_passage_sentences(question: SummaryQuestion, weights: dict[str, float], ports: GraphPorts, budget: int) -> list[GraphSentence]:
    """Return the sentences of passages that the search found, and of those that mention what the graph leads to, best first, within a budget."""
    hits = await ports.graph.hits(question.tenant, weights, question.filters, _PASSAGES)
    strengths = {each.chunk_id: each.score for each in hits}
    ids = list(dict.fromkeys([*(each.chunk_id for each in question.candidates[:_PASSAGES]), *strengths]))
    chunks = await ports.library.chunks(question.tenant, ids)
    documents = await ports.library.documents(question.tenant, list({each.document_id for each in chunks.values()}))
    prose = [chunks[each] for each in ids if each in chunks and chunks[each].kind not in _NO_PROSE and chunks[each].document_id in documents]
    read = [
        GraphSentence(_evidence(chunk, start, end, documents[chunk.document_id].filename), strengths.get(chunk.id, 0.0))
        for chunk in prose
        for start, end in split_sentences(chunk.text)
    ]
    return read[:budget]


def _evidence(chunk: StoredChunk, start: int, end: int, filename: str) -> GraphEvidence:
    return GraphEvidence(
        document_id=chunk.document_id, generation=chunk.generation, filename=filename, chunk_id=chunk.id, start=chunk.start + start,
        end=chunk.start + end, page=chunk.page, text=chunk.text[start:end],
    )  # fmt: skip


async def find_question_communities(
    question: SummaryQuestion,
    weights: Mapping[str, float],
    words: frozenset[str],
    communities: Communities | None,
    level: int | None = None,
    limit: int = _MOST_COMMUNITIES,
) -> list[Community]:
    """Return the communities that a question is about. Where it is limited to some documents there are none: they are of the whole library."""
    if communities is None or not question.filters.is_empty():
        return []
    await communities.ensure_current(question.tenant)
    return await communities.find_communities(question.tenant, CommunityQuery(weights, words, level, limit))


def community_sentences(communities: Sequence[Community]) -> list[GraphSentence]:
    """Return the communities' sentences: the first of each, then the second of each, and so on."""
    placed = [(place, rank, said) for rank, each in enumerate(communities) for place, said in enumerate(each.citations)]
    ordered = sorted(placed, key=lambda item: item[:2])
    return [GraphSentence(said, 1 / (2 + rank)) for _, rank, said in ordered]


def _entities(seeds: Sequence[Entity], facts: Sequence[GraphFact]) -> list[SummaryEntity]:
    """Return the question's entities and what was reached from them, each once."""
    found = {each.id: SummaryEntity(id=each.id, name=each.name, entity_type=each.entity_type) for each in seeds}
    for each in facts:
        entity = each.reached.entity
        reached = SummaryEntity(id=entity.id, name=entity.name, entity_type=entity.entity_type, hops=each.reached.hops, score=each.reached.score)
        found.setdefault(entity.id, reached)
    return list(found.values())


def _opening(chosen: Sequence[RankedSentence], seeds: Sequence[Entity], communities: Sequence[Community]) -> str:
    documents = len({each.said.document_id for _, each in chosen})
    sentences = f"{len(chosen)} {'sentence' if len(chosen) == 1 else 'sentences'} of {documents} {'document' if documents == 1 else 'documents'}"
    names = ", ".join(each.name for each in seeds[:3])
    themes = f"{len(communities)} {'theme' if len(communities) == 1 else 'themes'}" if communities else ""
    way = " and ".join(part for part in (names, themes) if part)
    return f"{sentences}, found from {way}:" if way else f"{sentences}:"
