"""What a community is about, without a model: its central members, keywords that are frequent inside and rare outside, and sentences of documents."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.graph import EntityType, GraphEvidence
from core.language.stop_words import COMMON_KEYWORDS, KEYWORD_STOP_WORDS
from core.ports.graph_store import StatementPlace
from graph.communities.community_graph import CommunityGraph
from graph.communities.group_members import GroupMembers, Real, first_of_each, gather_members, spread
from graph.communities.hierarchy import Group
from graph.communities.topics import choose_topics

MOST_KEYWORDS = 8
_CANDIDATES = 48  # sentences of a community that are read
_SENTENCES, _ENOUGH = 5, 3  # of a summary at most; rows and fragments are added only up to so many
_TOLD = 3.0  # times as telling is a sentence with a term of the community's name
_CENTRAL = 12  # members that are kept in order
_KEYWORD_DOCUMENTS = 5  # documents that hold a keyword are noted, the first ones
_SAME, _SHORTEST, _LONGEST = 0.6, 40, 320  # share of words; characters
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


class SentenceCandidate(NamedTuple):
    """A sentence that may be quoted, and how much it says of a community."""

    score: float
    place: StatementPlace
    members: tuple[int, int]


class _ReadSentence(NamedTuple):
    """A sentence as it was read: the words that may be keywords, in their order and as a set, and whether it can be quoted."""

    evidence: GraphEvidence
    keywords: list[str]
    words: frozenset[str]
    is_short: bool
    is_whole: bool


@dataclass(frozen=True, slots=True)
class CommunityOutline:
    """What is known of a community before its sentences are read."""

    central: tuple[int, ...]
    candidates: tuple[SentenceCandidate, ...]
    personal_words: frozenset[str] = frozenset()


def outline_communities(graph: CommunityGraph, groups: Sequence[Group]) -> list[CommunityOutline]:
    """Return the central members of each community and the sentences that may speak for it."""
    members = gather_members(graph, groups)
    topics, ranks = choose_topics(graph, groups, members), members.rank(graph.weights)
    central, candidates = _find_central(graph, members, ranks), _find_candidates(graph, members, ranks, topics)
    words = _personal_words(graph)
    return [
        CommunityOutline(
            tuple(dict.fromkeys([*topics[number], *central[number]])),
            tuple(candidates[number]),
            frozenset(word for node in words.keys() & set(group.nodes) for word in words[node]) if words else frozenset(),
        )
        for number, group in enumerate(groups)
    ]


def describe_communities(
    outlines: Sequence[CommunityOutline], evidence: Mapping[StatementPlace, GraphEvidence], roots: int
) -> list[CommunityDescription]:
    """Return the descriptions by the sentences that were read; `roots` are the communities that are no part of another."""
    read = [[each for each in outline.candidates if each.place in evidence] for outline in outlines]
    forms = KeywordForms()
    said = {place: _read_sentence(evidence[place], forms) for place in {each.place for candidates in read for each in candidates}}
    words = [Counter(chain.from_iterable(said[each.place].keywords for each in candidates)) for candidates in read]
    outside = Counter(chain.from_iterable(each.keywords for each in said.values()))
    average = outside.total() / max(roots, 1)
    found = []
    for outline, candidates, counts in zip(outlines, read, words, strict=True):
        named = Counter({word: count for word, count in counts.items() if word not in outline.personal_words})
        telling = telling_words(named, outside, average)
        keywords = _find_holders(telling, [said[each.place] for each in candidates])
        found.append(CommunityDescription(outline.central, keywords, _choose(candidates, said)))
    return found


def _find_central(graph: CommunityGraph, members: GroupMembers, ranks: Real) -> list[list[int]]:
    """Return the members that best stand for each community, the best first: by PageRank inside, times how rare a member is in documents; a date or
    a sum stands for none. Nodes are in the order of their ids, which decides where all else is equal.
    """
    rarity = np.array([math.log(1 + graph.documents / max(each.documents, 1)) for each in graph.nodes])
    telling = np.array([0.01 if each.kind in _NAMELESS else 1.0 for each in graph.nodes])
    centrality = ranks * rarity[members.nodes] * telling[members.nodes]
    order = np.lexsort((members.nodes, -centrality, members.owners))
    first = order[first_of_each(members.owners, members.count, _CENTRAL)]
    found: list[list[int]] = [[] for _ in range(members.count)]
    for owner, node in zip(members.owners[first].tolist(), members.nodes[first].tolist(), strict=True):
        found[owner].append(node)
    return found


def _find_candidates(graph: CommunityGraph, members: GroupMembers, ranks: Real, topics: Sequence[Sequence[int]]) -> list[list[SentenceCandidate]]:
    """Return the sentences of each community that say most of it, those first: each states one relationship, and so stands once in a community."""
    counts = np.array([len(each.statements) for each in graph.relations], np.int64)
    places = [place for each in graph.relations for _, place in each.statements]
    weights = np.array([weight for each in graph.relations for weight, _ in each.statements], np.float64)
    names = {document_id: number for number, document_id in enumerate(sorted({place[0] for place in places}))}
    in_order = np.array([names[document_id] << 32 | ordinal for document_id, _, ordinal in places], np.int64)
    told, lines = spread((np.cumsum(counts) - counts)[members.relations], counts[members.relations])
    named = _find_named(members, topics)[members.ends].any(axis=1)
    importance = ranks[members.ends[:, 0]] + ranks[members.ends[:, 1]]
    scores = weights[told] * importance[lines] * np.where(named, _TOLD, 1.0)[lines]
    holders = members.holders[lines]
    order = np.lexsort((in_order[told], -scores, holders))
    best = order[first_of_each(holders, members.count, _CANDIDATES)]
    ends = members.nodes[members.ends[lines[best]]]
    found: list[list[SentenceCandidate]] = [[] for _ in range(members.count)]
    for holder, score, place, (one, other) in zip(*(each.tolist() for each in (holders[best], scores[best], told[best], ends)), strict=True):
        found[holder].append(SentenceCandidate(score, places[place], (one, other)))
    return found


def _find_named(members: GroupMembers, topics: Sequence[Sequence[int]]) -> npt.NDArray[np.bool_]:
    """Return for each row whether its member is a term of its community's name."""
    found = np.zeros(len(members.nodes), np.bool_)
    for number, named in enumerate(topics):
        begin, end = members.row_begins[number], members.row_begins[number + 1]
        if named:
            found[begin:end] = np.isin(members.nodes[begin:end], named)
    return found


def _personal_words(graph: CommunityGraph) -> dict[int, list[str]]:
    """Return node -> the words of its own name, for persons: who is in a community stands in its name, not in its keywords."""
    return {place: keyword_words(node.name) for place, node in enumerate(graph.nodes) if node.kind in _PERSONAL}


class KeywordForms(dict[str, str]):
    """A word as it is written -> as it is compared; "" for one that may be no keyword. Each is looked at once."""

    def __missing__(self, word: str) -> str:
        folded = word.casefold()
        is_keyword = len(folded) > 2 and folded not in KEYWORD_STOP_WORDS and folded not in COMMON_KEYWORDS
        self[word] = form = folded if is_keyword else ""
        return form


def keyword_words(text: str, forms: KeywordForms | None = None) -> list[str]:
    """Return the words of a text that may be keywords, as they are compared; `forms` are those known of other texts."""
    known = KeywordForms() if forms is None else forms
    return [form for word in _WORD.findall(text) if (form := known[word])]


def telling_words(counts: Counter[str], outside: Counter[str], average: float) -> list[str]:
    """Return the words of the greatest class-based tf-idf (Grootendorst 2022), tf * ln(1 + words of a group / all of this word); those that come once
    count only where none comes more often.
    """
    repeated = {word for word, count in counts.items() if count > 1} or set(counts)
    scores = {word: counts[word] * math.log(1 + average / outside[word]) for word in repeated}
    return sorted(scores, key=lambda word: (-scores[word], word))[:MOST_KEYWORDS]


def _read_sentence(evidence: GraphEvidence, forms: KeywordForms) -> _ReadSentence:
    keywords = keyword_words(evidence.text, forms)
    return _ReadSentence(evidence, keywords, frozenset(keywords), _is_short(evidence.text), is_whole_sentence(evidence.text))


def _find_holders(chosen: Sequence[str], said: Sequence[_ReadSentence]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the words, each with the first documents that hold it."""
    holding: dict[str, set[str]] = {word: set() for word in chosen}
    for each in said:
        for word in holding.keys() & each.words:
            holding[word].add(each.evidence.document_id)
    return tuple((word, tuple(sorted(holding[word])[:_KEYWORD_DOCUMENTS])) for word in chosen)


def _choose(candidates: Sequence[SentenceCandidate], read: Mapping[StatementPlace, _ReadSentence]) -> tuple[QuotedSentence, ...]:
    """Return at most five whole sentences, the most telling first, no two alike, of several documents where there are several; rows and fragments
    only where there are fewer than three.
    """
    chosen: list[int] = []
    said = [read[each.place] for each in candidates]
    held = Counter[str]()
    left = list(range(len(candidates)))  # what is like a chosen one is never looked at again
    for most, whole, enough in (
        (_PER_DOCUMENT, True, _SENTENCES),
        (_SENTENCES, True, _SENTENCES),
        (_PER_DOCUMENT, False, _ENOUGH),
        (_SENTENCES, False, _ENOUGH),
    ):
        waiting = []
        for place in left:
            each = said[place]
            if len(chosen) >= enough or held[each.evidence.document_id] >= most or not (each.is_whole if whole else each.is_short):
                waiting.append(place)
            elif _differs(each.words, [said[other].words for other in chosen]):
                chosen.append(place)
                held[each.evidence.document_id] += 1
        left = waiting
    return tuple(QuotedSentence(said[place].evidence, candidates[place].members) for place in chosen)


def is_whole_sentence(text: str) -> bool:
    """Return whether a text is a sentence that can stand by itself, no row and no fragment."""
    plain = text.rstrip("\"'”’»)")
    return _is_short(text) and len(text) >= _SHORTEST and plain.endswith((".", "!")) and text[:1].isupper() and len(text.split()) > 5


def _is_short(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and "\n" not in text.strip()


def _differs(own: Set[str], others: Sequence[Set[str]]) -> bool:
    return all(len(own & other) < _SAME * max(min(len(own), len(other)), 1) for other in others)
