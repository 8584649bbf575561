"""What a community is about, without a model: its central members, keywords that are frequent inside and rare outside, and sentences of documents."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from core.graph import EntityType, GraphEvidence
from core.language.stop_words import COMMON_KEYWORDS, KEYWORD_STOP_WORDS
from core.ports.graph_store import StatementPlace
from graph.communities.community_graph import CommunityGraph
from graph.communities.hierarchy import Group
from graph.communities.topics import choose_topics

MOST_KEYWORDS = 8
_CANDIDATES = 48  # sentences of a community that are read
_SENTENCES, _ENOUGH = 5, 3  # of a summary at most; rows and fragments are added only up to so many
_TOLD = 3.0  # times as telling is a sentence with a term of the community's name
_CENTRAL = 12  # members that are kept in order
_KEYWORD_DOCUMENTS = 5  # documents that hold a keyword are noted, the first ones
_SAME, _SHORTEST, _LONGEST = 0.6, 40, 320  # share of words; characters
_DAMPING, _ITERATIONS = 0.85, 50
_PER_DOCUMENT = 2  # sentences of one document, where there are others
_WORD = re.compile(r"[^\W\d_][\w'’-]*[^\W\d_]")
_PERSONAL = frozenset({EntityType.PERSON, EntityType.EMAIL})
_NAMELESS = frozenset({EntityType.DATE, EntityType.AMOUNT, EntityType.EMAIL})


@dataclass(frozen=True, slots=True)
class QuotedSentence:
    """A sentence that relates two members."""

    evidence: GraphEvidence
    members: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CommunityDescription:
    """The terms of the name and the central members, most central first; the keywords, each with documents that hold it; the summary's sentences."""

    central: tuple[int, ...]
    keywords: tuple[tuple[str, tuple[str, ...]], ...]
    sentences: tuple[QuotedSentence, ...]


@dataclass(frozen=True, slots=True)
class SentenceCandidate:
    """A sentence that may be quoted, and how much it says of a community."""

    score: float
    place: StatementPlace
    members: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CommunityOutline:
    """What is known of a community before its sentences are read."""

    central: tuple[int, ...]
    candidates: tuple[SentenceCandidate, ...]
    personal_words: frozenset[str] = frozenset()


def outline_communities(graph: CommunityGraph, groups: Sequence[Group]) -> list[CommunityOutline]:
    """Return the central members of each community and the sentences that may speak for it."""
    inside = _relations_inside(graph, groups)
    topics = choose_topics(graph, groups, inside)
    known = zip(groups, inside, topics, _rank_members(graph, groups, inside), strict=True)
    return [_outline(graph, group, relations, named, ranks) for group, relations, named, ranks in known]


def describe_communities(
    outlines: Sequence[CommunityOutline], evidence: Mapping[StatementPlace, GraphEvidence], roots: int
) -> list[CommunityDescription]:
    """Return the descriptions by the sentences that were read; `roots` are the communities that are no part of another."""
    read = [[each for each in outline.candidates if each.place in evidence] for outline in outlines]
    said = {place: keyword_words(evidence[place].text) for place in {each.place for candidates in read for each in candidates}}
    words = [Counter(chain.from_iterable(said[each.place] for each in candidates)) for candidates in read]
    outside = Counter(chain.from_iterable(said.values()))
    average = outside.total() / max(roots, 1)
    found = []
    for outline, candidates, counts in zip(outlines, read, words, strict=True):
        named = Counter({word: count for word, count in counts.items() if word not in outline.personal_words})
        telling = telling_words(named, outside, average)
        keywords = _find_holders(telling, {each.place: said[each.place] for each in candidates})
        found.append(CommunityDescription(outline.central, keywords, _choose(candidates, evidence, said)))
    return found


def _relations_inside(graph: CommunityGraph, groups: Sequence[Group]) -> list[list[int]]:
    """Return for each community the numbers of the relationships between its members: in those that hold both ends."""
    holding: defaultdict[int, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        for node in group.nodes:
            holding[node].append(number)
    inside: list[list[int]] = [[] for _ in groups]
    for number, relation in enumerate(graph.relations):
        for group_number in set(holding[relation.one]).intersection(holding[relation.other]):
            inside[group_number].append(number)
    return inside


def _outline(graph: CommunityGraph, group: Group, numbers: Sequence[int], topics: Sequence[int], ranks: Mapping[int, float]) -> CommunityOutline:
    relations, named = [graph.relations[number] for number in numbers], set(topics)
    central = sorted(group.nodes, key=lambda node: (-_centrality(graph, node, ranks[node]), graph.nodes[node].id))
    candidates = [
        SentenceCandidate(
            weight * (ranks[each.one] + ranks[each.other]) * (_TOLD if {each.one, each.other} & named else 1.0), place, (each.one, each.other)
        )
        for each in relations
        for weight, place in each.statements
    ]
    candidates.sort(key=lambda each: (-each.score, each.place))
    return CommunityOutline(
        tuple(dict.fromkeys([*topics, *central[:_CENTRAL]])), tuple(_one_for_each_place(candidates)[:_CANDIDATES]), _personal_words(graph, group)
    )


def _personal_words(graph: CommunityGraph, group: Group) -> frozenset[str]:
    """Return the words of members' own names: who is in it stands in its name, not in its keywords."""
    return frozenset(word for node in group.nodes if graph.nodes[node].kind in _PERSONAL for word in keyword_words(graph.nodes[node].name))


def _one_for_each_place(candidates: Sequence[SentenceCandidate]) -> list[SentenceCandidate]:
    return list({each.place: each for each in reversed(candidates)}.values())[::-1]


def _rank_members(graph: CommunityGraph, groups: Sequence[Group], inside: Sequence[Sequence[int]]) -> list[dict[int, float]]:
    """Return for each community its members' PageRank (Brin and Page 1998) inside it, weighted, without directions, by power iteration: all
    communities at once, each member of each in a row of its own."""
    sizes = np.array([len(group.nodes) for group in groups], np.intp)
    begins, owners, size = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(groups)), sizes), np.repeat(sizes, sizes)
    rows = [dict(zip(group.nodes, range(begin, begin + len(group.nodes)), strict=True)) for group, begin in zip(groups, begins.tolist(), strict=True)]
    told = [(row, graph.relations[number]) for row, numbers in zip(rows, inside, strict=True) for number in numbers]
    ends = np.array([(row[each.one], row[each.other]) for row, each in told], np.intp).reshape(-1, 2)
    one, other, weights = np.append(ends[:, 0], ends[:, 1]), np.append(ends[:, 1], ends[:, 0]), np.array([each.weight for _, each in told] * 2)
    sums = np.bincount(one, weights, len(size))
    shares, ranks = weights / sums[other], 1 / size
    for _ in range(_ITERATIONS):
        lost = np.bincount(owners, np.where(sums == 0, ranks, 0.0), len(groups)) / sizes  # of members without a neighbour inside
        ranks = (1 - _DAMPING) / size + _DAMPING * (lost[owners] + np.bincount(one, ranks[other] * shares, len(size)))
    found = np.round(ranks, 9).tolist()
    return [{node: found[place] for node, place in row.items()} for row in rows]


def _centrality(graph: CommunityGraph, node: int, rank: float) -> float:
    """Return how well a member stands for the community: its PageRank inside, times how rare it is in documents; a date or a sum stands for none."""
    known = graph.nodes[node]
    rarity = math.log(1 + graph.documents / max(known.documents, 1))
    return rank * rarity * (0.01 if known.kind in _NAMELESS else 1.0)


def keyword_words(text: str) -> list[str]:
    """Return the words of a text that may be keywords, as they are compared."""
    folded = (word.casefold() for word in _WORD.findall(text))
    return [word for word in folded if len(word) > 2 and word not in KEYWORD_STOP_WORDS and word not in COMMON_KEYWORDS]


def telling_words(counts: Counter[str], outside: Counter[str], average: float) -> list[str]:
    """Return the words of the greatest class-based tf-idf (Grootendorst 2022), tf * ln(1 + words of a group / all of this word); those that come once
    count only where none comes more often.
    """
    repeated = {word for word, count in counts.items() if count > 1} or set(counts)
    scores = {word: counts[word] * math.log(1 + average / outside[word]) for word in repeated}
    return sorted(scores, key=lambda word: (-scores[word], word))[:MOST_KEYWORDS]


def _find_holders(chosen: Sequence[str], said: Mapping[StatementPlace, Sequence[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the words, each with the first documents that hold it."""
    holding: dict[str, set[str]] = {word: set() for word in chosen}
    for place, words in said.items():
        for word in holding.keys() & words:
            holding[word].add(place[0])
    return tuple((word, tuple(sorted(holding[word])[:_KEYWORD_DOCUMENTS])) for word in chosen)


def _choose(
    candidates: Sequence[SentenceCandidate], evidence: Mapping[StatementPlace, GraphEvidence], said: Mapping[StatementPlace, Sequence[str]]
) -> tuple[QuotedSentence, ...]:
    """Return at most five whole sentences, the most telling first, no two alike, of several documents where there are several; rows and fragments
    only where there are fewer than three.
    """
    chosen: list[SentenceCandidate] = []
    words = {each.place: set(said[each.place]) for each in candidates}
    for most, fits, enough in (
        (_PER_DOCUMENT, is_whole_sentence, _SENTENCES),
        (_SENTENCES, is_whole_sentence, _SENTENCES),
        (_PER_DOCUMENT, _is_short, _ENOUGH),
        (_SENTENCES, _is_short, _ENOUGH),
    ):
        for each in candidates:
            if len(chosen) >= enough:
                break
            held = sum(other.place[0] == each.place[0] for other in chosen)
            if held < most and fits(evidence[each.place].text) and _differs(each, chosen, words):
                chosen.append(each)
    return tuple(QuotedSentence(evidence[each.place], each.members) for each in chosen)


def is_whole_sentence(text: str) -> bool:
    """Return whether a text is a sentence that can stand by itself, no row and no fragment."""
    plain = text.rstrip("\"'”’»)")
    return _is_short(text) and len(text) >= _SHORTEST and plain.endswith((".", "!")) and text[:1].isupper() and len(text.split()) > 5


def _is_short(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and "\n" not in text.strip()


def _differs(candidate: SentenceCandidate, chosen: Sequence[SentenceCandidate], words: Mapping[StatementPlace, set[str]]) -> bool:
    if candidate in chosen:
        return False
    own, others = words[candidate.place], (words[each.place] for each in chosen)
    return all(len(own & other) < _SAME * max(min(len(own), len(other)), 1) for other in others)
