"""The extractive answer: the documents' own sentences, chosen, mended and cited; no model writes a word of it.

From top to bottom: the passages' units are scored by words and meaning, the reader looks for the answer itself in the best of them, units are
chosen round what it found, what holds now is put in front, and the lines are told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from answers.answerability import READ, TOLD_LONG, not_found_answer
from answers.clauses import with_named_clauses
from answers.crossing import CrossedUnits, Crossing, crossing_bounds
from answers.current import Choice, Current, current_of
from answers.definitions import with_definitions
from answers.document_days import document_day
from answers.lead import LEADS, ChosenLead, choose_lead, only_value
from answers.lists import asked_list
from answers.mending import Mender
from answers.questions import LONG, as_question, asked_part, asks_yes_or_no
from answers.reading import EvidenceReading, FoundSpan, read_evidence, with_reading
from answers.scoring import Question, ScoredUnit, TermIndex, prepare, score_units
from answers.selection import Bounds, LeadUnit, choose, fitting, promising, superseding
from answers.stated_values import stated_doer, stated_value
from answers.telling import tell
from answers.units import split_units
from answers.vectors import UnitVectors
from answers.verdicts import Verdict, verdict_of
from core.answers import Answer, Evidence
from core.ports import AnswerReader, ReferenceStore
from core.sentences import word_count
from core.validity import Relation

PASSAGES = 10
SPANS_ENCODED = 4
NAMED_FOUND = 0.9  # what the reader's signals are where the clause or list is there that is asked for by its number or name
LIST_FOUND = 0.6  # of the question in a list and its document's name
ENCODED = 16  # units a question; the answers are those of encoding all, with 12 or 8 HotpotQA loses three and ten in a hundred


@dataclass(frozen=True, slots=True)
class ReadEvidence:
    """The evidence with its units scored, what the reader found, and the likeliest lead. `bounds` are those of this question; `words_tell` False:
    the question is in another language and its words are not known; `was_read` whether a reader looked at all; `listed` the list that is asked for by
    its name, `verdict` what decides a question for yes or no or for one of two."""

    question: Question
    evidence: list[Evidence]
    units: list[ScoredUnit]
    crossed: CrossedUnits
    reading: EvidenceReading
    lead: ChosenLead | None
    bounds: Bounds
    words_tell: bool
    was_read: bool
    listed: list[ScoredUnit]
    verdict: Verdict | None

    @property
    def sure_lead(self) -> ChosenLead | None:
        """The lead where it is likely enough to be shown; who asks for yes or no gets a verdict or the sentence, no words out of it."""
        if self.lead is None or self.lead.chance < LEADS or asks_yes_or_no(self.question.text):
            return None
        return self.lead

    @property
    def signals(self) -> dict[str, float]:
        """What the reader says of whether this is an answer."""
        if not self.was_read or self.reading.degraded is not None:
            return {}
        if any(unit.in_named_clause for unit in self.units) or self._is_sure_list:
            return dict.fromkeys(READ, NAMED_FOUND)
        chance = max(self.lead.chance if self.lead is not None else 0.0, self.verdict.chance if self.verdict is not None else 0.0)
        found = {"reader_answerable": round(self.reading.answerable, 4), "lead": round(chance, 4)}
        return found | ({TOLD_LONG: 1.0} if word_count(self.question.text) >= LONG else {})

    @property
    def _is_sure_list(self) -> bool:
        """Whether the list and what it stands in hold most of the question."""
        if len(self.listed) < 2:
            return False
        first = self.listed[0]
        held = first.names.union(*(unit.terms for unit in self.listed), *(unit.covers for unit in self.listed))
        return self.question.share(held) >= LIST_FOUND


@dataclass(frozen=True, slots=True)
class OptionalParts:
    """What a composer can do without: sentences in other languages, the reader, and what documents say of each other."""

    crossing: Crossing | None = None
    reader: AnswerReader | None = None
    references: ReferenceStore | None = None
    today: Callable[[], date] = date.today


_NONE = OptionalParts()


def _decided(question: Question, units: Sequence[ScoredUnit]) -> Verdict | None:
    """What needs no reader: a verdict, the day of a document, the value under the very label that is asked for, who is said to do it."""
    return verdict_of(question, units) or document_day(question, units) or stated_value(question, units) or stated_doer(question, units)


def _judged(verdict: Verdict, units: Sequence[ScoredUnit]) -> Current:
    """A verdict with the sentences that it rests on, its words in front."""
    first = verdict.rests_on[0]
    unit = units[first.unit].unit
    span = FoundSpan(unit.source, unit.start + first.start, unit.start + first.end, unit.text[first.start : first.end], first.unit, 0.0)
    told = list(dict.fromkeys(each.unit for each in verdict.rests_on))
    return Current([units[place] for place in told], ChosenLead(span, first.unit, verdict.kind, verdict.chance), verdict.text)


class ExtractiveComposer:
    """core.ports.Composer over the first ten passages of the evidence."""

    def __init__(self, vectors: UnitVectors, index: TermIndex, bounds: Bounds, parts: OptionalParts = _NONE) -> None:
        self._vectors = vectors
        self._index = index
        self._bounds = bounds
        self._crossing, self._reader, self._references, self._today = parts.crossing, parts.reader, parts.references, parts.today

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        """An answer of `quoted` sentences; `found` False where the evidence holds nothing that can be quoted."""
        read = await self.read(tenant, question, evidence)
        if read is None:
            return not_found_answer(question, evidence[:PASSAGES])
        current = await self._choose(tenant, read)
        if current is None:
            return not_found_answer(question, read.evidence)
        span = current.lead.span if current.lead is not None else None
        place = (span.source, span.start, span.end) if span is not None else None
        mender = Mender(read.question, read.evidence, read.units, read.bounds, words_tell=read.words_tell, lead=place)
        answer = tell(read.question, read.evidence, mender.lines(current.chosen), current)
        lost = [each for each in (read.crossed.degraded, read.reading.degraded) if each is not None]
        return answer.model_copy(update={"degraded": [*answer.degraded, *lost], "signals": read.signals})

    async def read(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> ReadEvidence | None:
        """The units of the first passages, scored and read; None where they have none."""
        evidence = list(evidence[:PASSAGES])
        units = split_units(evidence)
        if not units:
            return None
        prepared = await prepare(self._index, tenant, question, question if self._crossing is None else await self._crossing.words(tenant, question))
        crossed = await self._crossed(tenant, question, evidence, score_units(prepared, self._index, evidence, units))
        scored = crossed.scored if crossed.whole else await self._with_cosines(question, crossed)
        scored = with_named_clauses(question, with_definitions(question, scored))
        silent = crossed.whole and not crossed.in_words
        reads = self._reader is not None and not crossed.whole and crossed.degraded is None  # it was trained on English
        if self._reader is not None and reads:
            reading = await read_evidence(self._reader, as_question(asked_part(question)), evidence, scored)
            scored = with_reading(await self._with_cosines_of(question, scored, reading), reading)
        else:
            reading = EvidenceReading()
        return ReadEvidence(
            question=prepared,
            evidence=evidence,
            units=scored,
            crossed=crossed,
            reading=reading,
            lead=choose_lead(prepared, evidence, scored, reading),
            bounds=crossing_bounds(self._bounds) if silent else self._bounds,
            words_tell=not silent,
            was_read=reads,
            listed=fitting(asked_list(prepared, scored), self._bounds),
            verdict=_decided(prepared, scored) if not silent else None,
        )

    async def _choose(self, tenant: str, read: ReadEvidence) -> Current | None:
        """The units of the answer with what holds now in front; None where nothing may be chosen."""
        if len(read.listed) > 1:
            return Current(read.listed, None)
        if read.verdict is not None:
            return _judged(read.verdict, read.units)
        lead = read.sure_lead
        chosen = choose(read.question, read.units, read.bounds, LeadUnit(read.units[lead.unit], lead.chance) if lead is not None else None)
        if not chosen:
            return None

        if lead is None and not read.crossed.whole and not asks_yes_or_no(read.question.text):
            lead = only_value(read.question, read.units, chosen[0])
            chosen = choose(read.question, read.units, read.bounds, LeadUnit(chosen[0], lead.chance)) if lead is not None else chosen

        def lead_in(place: int) -> ChosenLead | None:
            return choose_lead(read.question, read.evidence, read.units, read.reading, within=place)

        choice = Choice(superseding(chosen, read.units, read.bounds), read.units, lead)
        return current_of(choice, read.evidence, await self._relations(tenant, read.evidence), self._today(), lead_in)

    async def _relations(self, tenant: str, evidence: Sequence[Evidence]) -> list[Relation]:
        """What the documents say of each other: which replaces or changes which."""
        ids = sorted({each.passage.document_id for each in evidence})
        return await self._references.between(tenant, ids) if self._references is not None and len(ids) > 1 else []

    async def _crossed(self, tenant: str, question: str, evidence: Sequence[Evidence], scored: list[ScoredUnit]) -> CrossedUnits:
        return CrossedUnits(scored) if self._crossing is None else await self._crossing.score(tenant, question, evidence, scored)

    async def _with_cosines(self, question: str, crossed: CrossedUnits) -> list[ScoredUnit]:
        """Encodes the promising ones of the units that are not crossed."""
        places = [place for place in promising(crossed.scored, ENCODED + len(crossed.crossed)) if place not in crossed.crossed][:ENCODED]
        return await self._encoded(question, crossed.scored, places)

    async def _with_cosines_of(self, question: str, scored: list[ScoredUnit], reading: EvidenceReading) -> list[ScoredUnit]:
        """Encodes what the reader's best spans stand in, where words alone did not promise it."""
        places = dict.fromkeys(span.unit for span in reading.spans[:SPANS_ENCODED] if scored[span.unit].cosine is None)
        return await self._encoded(question, scored, list(places)) if places else scored

    async def _encoded(self, question: str, scored: list[ScoredUnit], places: Sequence[int]) -> list[ScoredUnit]:
        matrix = await self._vectors.of([scored[place].unit.text for place in places])
        cosines = self._vectors.scale.scaled(matrix @ await self._vectors.query(question))
        out = list(scored)
        for place, cosine in zip(places, cosines, strict=True):
            out[place] = scored[place].with_cosine(float(cosine))
        return out
