"""Communities as they are shown: what is kept of them, read together with the graph of this moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.communities import Community, CommunityCitation, CommunityMember, StoredCommunity
from graph.communities.community_graph import CommunityGraph
from graph.normalisation import fold_name

_NAMED = 2  # members in a community's name
_SHOWN = 8  # members that are shown


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
    def documents(self) -> dict[str, set[str]]:
        """Community id -> the documents with a sentence that relates two of its members."""
        holding: defaultdict[int, set[str]] = defaultdict(set)
        for each in self.stored:
            for entity_id in each.entity_ids:
                if (place := self.graph.places.get(entity_id)) is not None:
                    holding[place].add(each.id)
        found: defaultdict[str, set[str]] = defaultdict(set)
        for relation in self.graph.relations:
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
        """Return the communities that are no part of another, those of most documents first."""
        roots = [each for each in self.standing if each.parent_id is None]
        return sorted(roots, key=lambda each: (-len(self.documents.get(each.id, ())), -len(each.entity_ids), each.id))

    def matches(self, community: StoredCommunity, text: str) -> bool:
        """Return whether the words stand in a name of a member or in a keyword."""
        wanted = fold_name(text.strip())
        names = (self.graph.nodes[self.graph.places[each]].name for each in self.members(community))
        return any(wanted in fold_name(each) for each in (*names, *keywords_of(community)))

    def show(self, community: StoredCommunity, citations: Mapping[str, Sequence[CommunityCitation]]) -> Community:
        """Return a community for a person."""
        members = self.members(community)
        present = set(members)
        central = [each for each in (*community.central_ids, *members) if each in present]
        shown = [self._member(each) for each in list(dict.fromkeys(central))[:_SHOWN]]
        cited = list(citations.get(community.id, ()))
        return Community(
            id=community.id,
            name=", ".join(each.name for each in shown[:_NAMED]),
            level=community.level,
            entity_ids=members,
            entity_count=len(members),
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

    def _member(self, entity_id: str) -> CommunityMember:
        node = self.graph.nodes[self.graph.places[entity_id]]
        return CommunityMember(id=node.id, name=" ".join(node.name.split()), entity_type=node.kind)


def keywords_of(community: StoredCommunity) -> list[str]:
    """Return the keywords that a document which is still there holds, in their order."""
    return [word for _, word in sorted({each for share in community.shares for each in share.keywords})]
