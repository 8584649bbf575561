"""Communities as they are shown: what is kept of them, read together with the graph of this moment."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.communities import Community, CommunityCitation, CommunityMember, CommunityQuery, StoredCommunity
from core.graph import EntityType
from core.language.content_words import stems
from graph.communities.community_graph import CommunityGraph, RelatedNode
from graph.normalisation import fold_name

_NAMED = 2  # members in a community's name
_SHOWN = 8  # members that are shown
_VARIED = 8  # themes that are put in order by how much each adds


@dataclass(frozen=True)
class CommunityView:
    """The kept communities of a library over its present graph. What only deleted documents named is no longer in it, and so has no name here."""

    graph: CommunityGraph
    stored: tuple[StoredCommunity, ...]
    stale: bool

    @cached_property
    def standing(self) -> list[StoredCommunity]:
        """The communities of which members are left, the largest first."""
        left = [each for each in self.stored if self.members(each)]
        return sorted(left, key=lambda each: (-len(each.entity_ids), each.id))

    @cached_property
    def children(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for each in self.standing:
            if each.parent_id is not None:
                found[each.parent_id].append(each.id)
        return found

    @cached_property
    def parents(self) -> dict[str, str | None]:
        """Community id -> the one that it is part of, None for a theme."""
        return {each.id: each.parent_id for each in self.stored}

    @cached_property
    def documents(self) -> dict[str, set[str]]:
        """Community id -> the documents with a sentence that relates two of its members; rows of tables are none."""
        holding: defaultdict[int, set[str]] = defaultdict(set)
        for each in self.stored:
            for entity_id in each.entity_ids:
                if (place := self.graph.places.get(entity_id)) is not None:
                    holding[place].add(each.id)
        found: defaultdict[str, set[str]] = defaultdict(set)
        for relation in (each for each in self.graph.relations if not each.in_rows):
            for community_id in holding[relation.one] & holding[relation.other]:
                found[community_id] |= relation.documents
        return found

    def collect_documents(self, communities: Sequence[StoredCommunity]) -> set[str]:
        """Return the documents that any of these communities rests on."""
        return {document_id for each in communities for document_id in self.documents.get(each.id, set())}

    def members(self, community: StoredCommunity) -> list[str]:
        """Return the members that are left, by id."""
        return [each for each in community.entity_ids if each in self.graph.places]

    def find_themes(self) -> list[StoredCommunity]:
        """Return the communities that are no part of another and do not rest on rows of tables alone. The first is that of most documents; each of
        the next is the largest, by magnitude, of which those before it left out most; then the rest by documents.
        """
        roots = [each for each in self.standing if each.parent_id is None and self.documents.get(each.id)]
        rest = sorted(roots, key=lambda each: (-len(self.documents[each.id]), -len(each.entity_ids), each.id))
        first: list[StoredCommunity] = []
        covered: set[str] = set()
        while rest and len(first) < _VARIED:
            best = max(rest, key=lambda each: self._gain(each, covered))
            rest.remove(best)
            first.append(best)
            covered |= self.documents[best.id]
        return first + rest

    def _gain(self, community: StoredCommunity, covered: set[str]) -> float:
        """Return what a theme adds to those that rest on `covered`: its size, times the share of its documents that they leave out."""
        documents = self.documents[community.id]
        return math.log(1 + len(documents)) * (1 - len(documents & covered) / len(documents))

    def find_nearest(self, query: CommunityQuery) -> list[StoredCommunity]:
        """Return the communities of the greatest sum of weights of their members, divided by the logarithm of their size, and of words in their name
        and keywords.
        """
        fitting = (each for each in self.standing if query.level in (None, each.level) or (query.level and each.parent_id is None))
        scored = [(self._nearness(each, query), each) for each in fitting]
        near = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].id))
        return [each for _, each in near[: query.limit]]

    def _nearness(self, community: StoredCommunity, query: CommunityQuery) -> float:
        members = sum(query.weights.get(each, 0.0) for each in community.entity_ids) / math.log2(2 + len(community.entity_ids))
        topics = (self._node(each) for each in self.members(community)) if query.words else ()
        named = " ".join(each.name for each in topics if each.is_topic)
        return members + len(query.words & stems(f"{named} {' '.join(keywords_of(community))}"))

    def matches(self, community: StoredCommunity, text: str) -> bool:
        """Return whether the words stand in a name of a member or in a keyword."""
        wanted = fold_name(text.strip())
        names = (self.graph.nodes[self.graph.places[each]].name for each in self.members(community))
        return any(wanted in fold_name(each) for each in (*names, *keywords_of(community)))

    def show(self, community: StoredCommunity, citations: Mapping[str, Sequence[CommunityCitation]]) -> Community:
        """Return a community for a person."""
        ordered = list(dict.fromkeys([each for each in community.central_ids if each in self.graph.places] + self.members(community)))
        topics = [each for each in ordered if self._node(each).is_topic]
        named = [each for each in self.members(community) if self._node(each).kind is not EntityType.TERM]
        shown = [self._member(each) for each in ordered if each in named][:_SHOWN]
        cited = [
            said.model_copy(update={"entity_ids": [each for each in said.entity_ids if each in named]}) for said in citations.get(community.id, ())
        ]
        return Community(
            id=community.id,
            name=self._name(topics, shown),
            level=community.level,
            entity_ids=named,
            entity_count=len(named),
            members=shown,
            summary=" ".join(" ".join(each.text.split()) for each in cited),
            keywords=keywords_of(community),
            parent_id=community.parent_id,
            child_ids=self.children.get(community.id, []),
            citations=cited,
            documents=len(self.documents.get(community.id, ())),
            generated_by=community.generated_by,
            stale=self.stale,
        )

    def _name(self, topics: Sequence[str], shown: Sequence[CommunityMember]) -> str:
        """Return what it is about, by its first terms; where it has none, its most central members."""
        words = [" ".join(self._node(each).name.split()) for each in topics[:_NAMED]]
        name = ", ".join(words or [each.name for each in shown[:_NAMED]])
        return name[:1].upper() + name[1:]

    def _node(self, entity_id: str) -> RelatedNode:
        return self.graph.nodes[self.graph.places[entity_id]]

    def _member(self, entity_id: str) -> CommunityMember:
        node = self._node(entity_id)
        return CommunityMember(id=node.id, name=" ".join(node.name.split()), entity_type=node.kind)


def keywords_of(community: StoredCommunity) -> list[str]:
    """Return the keywords that a document which is still there holds, in their order."""
    return [word for _, word in sorted({each for share in community.shares for each in share.keywords})]
