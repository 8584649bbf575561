"""What it would take to summarise every community of a library with a language model, as GraphRAG does while indexing (Edge et al. 2024), beside a
summary that is made when it is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from core.communities import LevelCost, StoredCommunity, SummaryCosts
from core.ports.graph_store import StatementPlace
from graph.communities.community_view import CommunityView

_CHARACTERS = 4  # of a token, about
_INSTRUCTION, _REPLY = 350, 200  # tokens: of a prompt without its sentences, and of a summary of 150 words
_MOST = 8_000  # tokens of one prompt: GraphRAG's `max_input_length`
_LAZY_SENTENCES = 8  # that a lazy summary is written from


def estimate_costs(view: CommunityView, lengths: Mapping[StatementPlace, int]) -> SummaryCosts:
    """Return the costs. `lengths` are the characters of the sentences that relate entities."""
    spoken = _sentences(view)
    by_level: defaultdict[int, list[int]] = defaultdict(list)
    for each in view.standing:
        characters = sum(lengths.get(place, 0) for place in spoken[each.id])
        by_level[each.level].append(min(_MOST, _INSTRUCTION + characters // _CHARACTERS))
    levels = [
        LevelCost(level=level, communities=len(tokens), prompt_tokens=sum(tokens), completion_tokens=_REPLY * len(tokens))
        for level, tokens in sorted(by_level.items())
    ]
    average = sum(lengths.values()) / max(len(lengths), 1) / _CHARACTERS
    return SummaryCosts(
        levels=levels,
        calls=sum(each.communities for each in levels),
        prompt_tokens=sum(each.prompt_tokens for each in levels),
        completion_tokens=sum(each.completion_tokens for each in levels),
        lazy_calls=1,
        lazy_prompt_tokens=round(_INSTRUCTION + _LAZY_SENTENCES * average),
        lazy_completion_tokens=_REPLY,
    )


def statement_places(view: CommunityView) -> list[StatementPlace]:
    """Return where the sentences stand that relate entities."""
    return list(dict.fromkeys(place for each in view.graph.relations for _, place in each.statements))


def _sentences(view: CommunityView) -> dict[str, set[StatementPlace]]:
    """Return community id -> the sentences that relate two of its members."""
    holding: defaultdict[int, set[str]] = defaultdict(set)
    for each in view.standing:
        for place in _nodes(view, each):
            holding[place].add(each.id)
    found: defaultdict[str, set[StatementPlace]] = defaultdict(set)
    for relation in view.graph.relations:
        for community_id in holding[relation.one] & holding[relation.other]:
            found[community_id].update(place for _, place in relation.statements)
    return found


def _nodes(view: CommunityView, community: StoredCommunity) -> list[int]:
    return [view.graph.places[each] for each in view.members(community)]
