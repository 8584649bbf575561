"""Title and phrase links: what a question needs beside what it says.

`B(d) = H(d) + .2 [d's title stands in the question]`; seeds are the first three by B with `v(p) = B(p) / max B`; `own(d)` is the best v of a seed of
another document whose text mentions d's title, `any(d)` the best `v / sqrt(df)` over the phrases that both mention;
`F(d) = B(d) + max(.6 own, .4 any)`. B's first keeps its place, and so does the second where its document is named; the rest is ordered by F.
Documents are passages there; here they are chunks that carry their document's title. Nothing is moved unless the question or a seed names a document:
shared phrases hurt libraries whose documents are not linked by titles, and in these hardly a text names another. Parameters were chosen on other sets
than those it is measured on (benchmarks/multihop.py), but for the second place and for what a seed names (docs/benchmarks.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.graph import ChunkLink
from core.language.stop_words import NAMELESS_WORDS
from core.ports import KnowledgeGraph, OwnScores
from graph.gazetteer import GENERIC_HEADINGS

TITLE_BONUS = 0.2
OWN_TITLE_WEIGHT = 0.6
SHARED_PHRASE_WEIGHT = 0.4
SEEDS = 3
KEPT_PLACES = 2  # places that the links leave alone: the first, and the second of a document that the question names
PER_DOCUMENT = 3  # chunks of a named document that its title lifts; the others of a long one would fill the list
_STEP = 1e-6  # between scores that the kept places cut: their order stays readable from the score


@dataclass(frozen=True, slots=True)
class TitleLinks:
    """core.ports.PassageLinks over a KnowledgeGraph."""

    graph: KnowledgeGraph

    async def rescore(
        self, tenant: str, text: str, scores: dict[int, float], owners: dict[int, str], own_scores: OwnScores
    ) -> dict[int, tuple[str, float, str]]:
        """Return chunk id -> (document id, new score, reason) of what the links move or add; new scores lie in 0..1 and give the new order.

        {} when nothing was found at all, or the question names no document and no seed does.
        """
        if not scores:
            return {}
        rescoring = _LinkRescoring(scores, owners, await self.graph.titles(tenant, text))
        links = await self.graph.links(tenant, rescoring.seeds)
        if not rescoring.named:
            links = [link for link in links if not link.is_title or _names_document(link)]
            if not any(link.is_title for link in links):
                return {}
        rescoring.follow_links(links)
        rescoring.add_own_scores(await own_scores(rescoring.linked_only))
        return rescoring.changed_scores()


def _names_document(link: ChunkLink) -> bool:
    """Return whether the title is one of several words that say something: "Lease" and "Methods and Results" may mean anything."""
    words = link.phrase.split()
    return len(words) > 1 and not all(word in GENERIC_HEADINGS or word in NAMELESS_WORDS or word.isdigit() for word in words)


@dataclass(slots=True)
class _LinkBonus:
    """The strongest link that leads to a chunk or a document."""

    value: float = 0.0
    reason: str = ""

    def offer(self, value: float, reason: str) -> None:
        if value > self.value:
            self.value, self.reason = value, reason


@dataclass(slots=True)
class _LinkRescoring:
    scores: Mapping[int, float]
    owners: dict[int, str]
    named: Mapping[str, Sequence[str]]
    base: dict[int, float] = field(init=False)
    order: list[int] = field(init=False)
    bonuses: dict[int, _LinkBonus] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.owners = dict(self.owners)
        self.base = {number: score + (TITLE_BONUS if self.owners[number] in self.named else 0.0) for number, score in self.scores.items()}
        places = {number: place for place, number in enumerate(self.base)}
        self.order = sorted(self.base, key=lambda number: (-self.base[number], places[number]))

    @property
    def seeds(self) -> list[int]:
        return self.order[:SEEDS]

    @property
    def linked_only(self) -> dict[int, str]:
        """chunk id -> document id of what only links lead to."""
        return {number: self.owners[number] for number in self.bonuses if number not in self.base}

    def add_own_scores(self, own: Mapping[int, float]) -> None:
        """Add the H of what links bring in: from 0 it would stand below weaker passages that the search itself found."""
        self.base |= {
            number: own[number] + (TITLE_BONUS if self.owners[number] in self.named else 0.0) for number in self.linked_only if number in own
        }

    def follow_links(self, links: Sequence[ChunkLink]) -> None:
        """Offer each link to the chunks that it leads to; a link within one document leads nowhere new."""
        best = self.base[self.order[0]] or 1.0
        titles: dict[str, tuple[_LinkBonus, int]] = {}
        for link in links:
            if link.from_chunk not in self.base or link.to_document == self.owners[link.from_chunk]:
                continue
            strength = max(self.base[link.from_chunk], 0.0) / best
            if link.is_title:
                lift, _ = titles.setdefault(link.to_document, (_LinkBonus(), link.to_chunk))
                lift.offer(OWN_TITLE_WEIGHT * strength, f"a passage found for the question names it: “{link.phrase}”")
            else:
                value = SHARED_PHRASE_WEIGHT * strength / math.sqrt(max(link.frequency, 1))
                self._offer_bonus(link.to_chunk, link.to_document, value, f"it shares “{link.phrase}” with a passage found for the question")
        for document, (lift, first) in titles.items():
            for number in self._chunks_of(document) or [first]:
                self._offer_bonus(number, document, lift.value, lift.reason)

    def _chunks_of(self, document: str) -> list[int]:
        return [number for number in self.order if self.owners[number] == document][:PER_DOCUMENT]

    def _offer_bonus(self, number: int, document: str, value: float, reason: str) -> None:
        self.owners.setdefault(number, document)
        self.bonuses.setdefault(number, _LinkBonus()).offer(value, reason)

    def changed_scores(self) -> dict[int, tuple[str, float, str]]:
        """Return the kept places, then the rest by F, none above the one before it."""
        kept = [number for place, number in enumerate(self.order[:KEPT_PLACES]) if place == 0 or self.owners[number] in self.named]
        full = self.base | {number: self.base.get(number, 0.0) + lift.value for number, lift in self.bonuses.items()}
        places = {number: place for place, number in enumerate(dict.fromkeys([*self.order, *self.bonuses]))}
        rest = sorted((number for number in full if number not in kept), key=lambda number: (-full[number], places[number]))
        found: dict[int, tuple[str, float, str]] = {}
        ceiling = 1.0
        for number in [*kept, *rest]:
            wanted = self.base[number] if number in kept else full[number]
            ceiling = max(0.0, min(wanted, ceiling - (_STEP if found else 0.0)))
            found[number] = (self.owners[number], ceiling, self._explain(number, lifted=number not in kept))
        return {number: each for number, each in found.items() if each[1] != self.scores.get(number)}

    def _explain(self, number: int, *, lifted: bool) -> str:
        lift = self.bonuses.get(number)
        if lifted and lift is not None and lift.value > 0:
            return lift.reason
        titles = self.named.get(self.owners[number])
        return f"its title stands in the question: “{titles[0]}”" if titles else "others are linked more strongly"
