"""Two levels of an answer (after LightRAG, Guo et al. 2024): passages that the search found, and the communities that they belong to. The synthesis
has a sentence for each theme, and under it the facts of the passages that belong to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agents.lazy_rag.agent import GraphPorts, SummaryQuestion, chance_of, find_question_communities, find_seeds
from agents.lazy_rag.graph_sentences import GraphSentence, RankedSentence, SentenceAnswer, choose_sentences, rank_sentences
from agents.lazy_rag.subject_words import SubjectWords
from core.answers import Answer, Evidence
from core.communities import Community
from core.graph import Entity, GraphEvidence
from core.graph_answers import HighLevelResult, LowLevelResult, SummaryEntity
from core.language.sentences import split_sentences
from core.search import Passage

LEVEL = 1  # of the communities; those of level 0 that are part of none stand for it
_LINES = 10  # sentences of the synthesis, which the weights split
_ENTITIES = 3  # of a passage


@dataclass(frozen=True, slots=True)
class DualLevelOptions:
    """The settings of section `dual_level`: the weights add up to 1, the limits are those of passages and communities."""

    low_weight: float = 0.6
    high_weight: float = 0.4
    low_limit: int = 10
    high_limit: int = 5


@dataclass(frozen=True, slots=True)
class DualLevelAnswer:
    """Both levels and their synthesis in the documents' own sentences. `chance` in 0..1 that it answers."""

    low: list[LowLevelResult]
    high: list[HighLevelResult]
    answer: Answer
    passages: list[Passage]
    chance: float


@dataclass(slots=True)
class _Theme:
    """A community with its sentence and the facts under it; `score` puts the themes in order."""

    name: str
    sentence: RankedSentence | None
    facts: list[RankedSentence]
    score: float


async def answer_on_two_levels(
    question: SummaryQuestion, evidence: Sequence[Evidence], *, ports: GraphPorts, options: DualLevelOptions
) -> DualLevelAnswer | None:
    """Return both levels with their synthesis; None where most words of the question stand in no sentence of either."""
    read, words = evidence[: options.low_limit], SubjectWords.read(question.text)
    mentioned = await ports.graph.chunk_entities(question.tenant, [each.passage.anchor for each in read], _ENTITIES)
    entities = [mentioned.get(each.passage.anchor, []) for each in read]
    seeds, are_named = await find_seeds(question, ports.graph)
    weights = _entity_weights(entities) | dict.fromkeys((each.id for each in seeds), 1.0)
    found = await find_question_communities(question, weights, words.stems, ports.communities, LEVEL, options.high_limit)
    facts = choose_sentences(rank_sentences(_passage_sentences(read), words, question.candidates), round(options.low_weight * _LINES))
    themes = _make_themes(found, _group_facts(facts, read, entities, found), words, options)
    told = [pair for theme in themes for pair in ((theme.sentence,) if theme.sentence else ()) + tuple(theme.facts)]
    asked = words.without_names(each.name for each in seeds if are_named)
    missing = asked.list_missing(" ".join(each.text for _, each in told))
    if not told or 2 * len(missing) > len(asked):
        return None
    answer = _synthesize(themes)
    notes = [f"No sentence that was read has: {', '.join(missing)}."] if missing else []
    return DualLevelAnswer(
        [_low_level(each, named) for each, named in zip(read, entities, strict=True)],
        [_high_level(each) for each in found],
        answer.build(notes),
        answer.passages,
        chance_of(asked, missing),
    )


def _entity_weights(entities: Sequence[Sequence[Entity]]) -> dict[str, float]:
    """Return entity id -> its weight: the sum over the passages that mention it of one over their place, at most 1."""
    weights: defaultdict[str, float] = defaultdict(float)
    for place, named in enumerate(entities, 1):
        for each in named:
            weights[each.id] += 1 / (1 + place)
    return {entity_id: min(1.0, weight) for entity_id, weight in weights.items()}


def _passage_sentences(read: Sequence[Evidence]) -> list[GraphSentence]:
    return [GraphSentence(_said(each, start, end), each.score) for each in read for start, end in split_sentences(each.passage.content)]


def _said(each: Evidence, start: int, end: int) -> GraphEvidence:
    passage = each.passage
    start, end = passage.start + start, passage.start + end
    return GraphEvidence(
        document_id=passage.document_id, generation=each.generation, filename=each.filename, chunk_id=passage.anchor, start=start, end=end,
        page=each.page_at(start), text=passage.content[start - passage.start : end - passage.start],
    )  # fmt: skip


def _group_facts(
    facts: Sequence[RankedSentence], read: Sequence[Evidence], entities: Sequence[Sequence[Entity]], found: Sequence[Community]
) -> dict[str, list[RankedSentence]]:
    """Return the facts by the community that they belong to; "" for those that belong to none."""
    named = {each.passage.anchor: {entity.id for entity in mentioned} for each, mentioned in zip(read, entities, strict=True)}
    under: defaultdict[str, list[RankedSentence]] = defaultdict(list)
    for fact in facts:
        under[_community_of(fact[1], named, found)].append(fact)
    return under


def _make_themes(found: Sequence[Community], under: dict[str, list[RankedSentence]], words: SubjectWords, options: DualLevelOptions) -> list[_Theme]:
    """Return the themes that have something to tell, those of the greatest weight first; facts of no theme stand last, without one."""
    told = {each.place for facts in under.values() for _, each in facts}
    themes = []
    for place, each in enumerate(found[: round(options.high_weight * _LINES)]):
        facts, nearness = under.pop(each.id, []), 1 / (1 + place)
        score = options.high_weight * nearness + options.low_weight * sum(score for score, _ in facts)
        themes.append(_Theme(each.name, _theme_sentence(each, nearness, words, told), facts, score))
    rest = [fact for facts in under.values() for fact in facts]
    telling = [theme for theme in themes if theme.sentence is not None or theme.facts]
    return [*sorted(telling, key=lambda theme: -theme.score), *([_Theme("", None, rest, 0.0)] if rest else [])]


def _theme_sentence(community: Community, nearness: float, words: SubjectWords, told: Collection[tuple[str, int, int]]) -> RankedSentence | None:
    """Return the community's own sentence that speaks most of the question, where none of its facts says the same."""
    own = rank_sentences([GraphSentence(said, nearness) for said in community.citations], words, [])
    return next((pair for pair in own if pair[1].is_whole and pair[1].place not in told), None)


def _community_of(fact: GraphSentence, named: Mapping[int, set[str]], found: Sequence[Community]) -> str:
    """Return the community that holds most entities of the fact's passage, or quotes its document; "" where none does."""
    entities = named.get(fact.chunk_id or 0, set())
    shared = [(len(entities & set(each.entity_ids)), any(said.document_id == fact.said.document_id for said in each.citations)) for each in found]
    best = max(range(len(found)), key=lambda place: (*shared[place], -place), default=None)
    return found[best].id if best is not None and any(shared[best]) else ""


def _synthesize(themes: Sequence[_Theme]) -> SentenceAnswer:
    answer = SentenceAnswer()
    for paragraph, theme in enumerate(themes):
        if theme.sentence is not None:
            answer.quote(*theme.sentence, paragraph, f"{theme.name}: “{theme.sentence[1].text}”")
        else:
            answer.say(f"{theme.name}:" if theme.name else "Of no theme:" if len(themes) > 1 else "From passages:", paragraph)
        for score, each in theme.facts:
            answer.quote(score, each, paragraph)
    return answer


def _low_level(each: Evidence, named: Sequence[Entity]) -> LowLevelResult:
    passage = each.passage
    return LowLevelResult(
        document_id=passage.document_id, filename=each.filename, content=passage.content, start=passage.start, end=passage.end, page=passage.page,
        score=round(each.score, 4), entities=[SummaryEntity(id=entity.id, name=entity.name, entity_type=entity.entity_type) for entity in named],
    )  # fmt: skip


def _high_level(each: Community) -> HighLevelResult:
    return HighLevelResult(id=each.id, name=each.name, summary=each.summary, keywords=each.keywords, entity_count=each.entity_count)
