"""Ids of communities: one that has most of an earlier one's members is that one still."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

_ALIKE = 0.5  # Jaccard: members of both over members of either


def assign_ids(tenant: str, found: Sequence[Sequence[str]], before: Mapping[str, Sequence[str]]) -> list[str]:
    """Return an id for each community (its entity ids): an earlier one's where at least half of the members of both are the same, the closest pair
    first; else one that its members make. `before` are the earlier communities by id.
    """
    kept = _match(found, before)
    taken = set(kept.values())
    ids: list[str] = []
    for place, members in enumerate(found):
        chosen = kept.get(place) or _make_id(tenant, members, taken)
        taken.add(chosen)
        ids.append(chosen)
    return ids


def _match(found: Sequence[Sequence[str]], before: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """Return place of a community -> the earlier id that it keeps."""
    holding: defaultdict[str, list[str]] = defaultdict(list)
    for known, members in before.items():
        for member in members:
            holding[member].append(known)
    pairs: list[tuple[float, str, int]] = []
    for place, members in enumerate(found):
        shared = Counter(known for member in members for known in holding[member])
        for known, count in shared.items():
            alike = count / (len(members) + len(before[known]) - count)
            if alike >= _ALIKE:
                pairs.append((-alike, known, place))
    kept: dict[int, str] = {}
    taken: set[str] = set()
    for _, known, place in sorted(pairs):
        if place not in kept and known not in taken:
            kept[place] = known
            taken.add(known)
    return kept


def _make_id(tenant: str, members: Sequence[str], taken: set[str]) -> str:
    """Return an id that says nothing of the members but that they are these."""
    for attempt in range(len(taken) + 1):
        text = "\0".join([tenant, "community", str(attempt), *sorted(members)])
        made = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
        if made not in taken:
            return made
    raise AssertionError("there are more ids than are taken")
