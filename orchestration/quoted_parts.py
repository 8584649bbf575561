"""Questions that stand side by side in one, quoted one by one: "When did the ferry sink, and how many were saved?".

A later question that names nothing of its own is mostly about what the first one named, so it is answered out of the documents that answer that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.planner.agent import refers_back
from agents.text.question_words import find_names
from core.answers import Answer, Evidence
from core.cited_answers import join_answers
from core.ports import Composer
from core.search import Degradation

_NUMBERED = re.compile(r"\d|[\"“”„«]")  # a number or a quotation names something, too
_FAR_SURER = 0.2  # by which the chance of a lead of another document exceeds that of the first one's


class QuotedParts(NamedTuple):
    """The answers to all parts as one, the leads of each where several were answered, and whether any was: else the answer is the last one's."""

    answer: Answer
    leads: tuple[str, ...]
    is_told: bool


@dataclass(frozen=True, slots=True)
class PartQuoter:
    """What quoting needs: `probability` maps the `signals` of the search with those of an answer to the chance that the documents answer; below
    `least` an answer is not told."""

    composer: Composer
    tenant: str
    probability: Callable[[Mapping[str, float]], float]
    least: float
    signals: Mapping[str, float]

    async def quote_all(self, parts: Sequence[str], found_name: str, evidence: Sequence[Evidence]) -> QuotedParts:
        """Answer the parts one by one. `found_name` is the name that later parts speak of, "" where they speak of none."""
        told, silent, lost = list[Answer](), list[str](), list[Degradation]()
        named = found_name
        for place, asked_part in enumerate(parts):
            part = asked_part.replace(found_name, named) if place and named else asked_part
            if place and not told and refers_back(part):
                silent.append(part)  # what it speaks of was not found
                continue
            answer = await self._quote(part, evidence, told[0] if told and not named else None)
            if self._is_likely(answer):
                told.append(answer)
                if not place and named and answer.lead is not None:
                    named = answer.lead.text  # what the answer says is surer than what the search went on with
            else:
                silent.append(part)
                lost += answer.degraded
        return _join_told(told, silent, lost) if told else QuotedParts(answer, (), is_told=False)

    async def _quote(self, part: str, evidence: Sequence[Evidence], first: Answer | None) -> Answer:
        """Answer a part: one that leans on the `first` answer out of its documents, unless others lead by far more surely, or these do not answer and
        others lead; one that speaks of "it" or "these" out of the first one's documents or not at all."""
        if first is None or not _leans_on_first(part):
            return await self.composer.compose(self.tenant, part, evidence)
        own = await self.composer.compose(self.tenant, part, _of_same_documents(first, evidence))
        if refers_back(part):
            return own
        every = await self.composer.compose(self.tenant, part, evidence)
        if self._is_likely(own) and _lead_chance(every) <= _lead_chance(own) + _FAR_SURER:
            return own
        return every if every.lead is not None else own.model_copy(update={"found": False})

    def _is_likely(self, answer: Answer) -> bool:
        return answer.found and self.probability({**self.signals, **answer.signals}) >= self.least


def _leans_on_first(part: str) -> bool:
    """Return whether a part has no name, number or quotation of its own."""
    return not find_names(part) and _NUMBERED.search(part) is None


def _lead_chance(answer: Answer) -> float:
    """Return how likely the lead of an answer is right; 0 where it has none."""
    return answer.lead.chance if answer.found and answer.lead is not None else 0.0


def _of_same_documents(first: Answer, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages of the documents that the lead of an answer is cited from, of all that it cites where nothing leads."""
    cited = [each for each in first.citations if first.lead is None or each.number == first.lead.citation]
    documents = {each.document_id for each in cited}
    return [each for each in evidence if each.passage.document_id in documents]


def _join_told(told: Sequence[Answer], silent: Sequence[str], lost: Sequence[Degradation]) -> QuotedParts:
    """Return the answers as one that names the parts of which nothing was found."""
    notes = [f"Nothing was found about “{part.strip(' ?.')}”." for part in silent]
    answer = join_answers(told) if len(told) > 1 else told[0]
    leads = tuple(each.lead.text for each in told if each.lead is not None) if len(told) > 1 else ()
    degraded = list(dict.fromkeys([*answer.degraded, *lost]))
    return QuotedParts(answer.model_copy(update={"notes": [*answer.notes, *notes], "degraded": degraded}), leads, is_told=True)
