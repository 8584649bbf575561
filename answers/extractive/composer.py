"""The extractive answer: the documents' own sentences, chosen, made readable alone and cited; no model writes a word of it.

From top to bottom: the passages' units are scored by words and meaning, the reader looks for the answer itself in the best of them, units are chosen
around what it found, what holds now is put in front, and the lines are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from answers.calibration.answerability import not_found_answer
from answers.calibration.unknown_names import find_unknown_names
from answers.extractive.answer_sentences import build_answer
from answers.extractive.answer_signals import describe_answer
from answers.extractive.current_statements import CurrentAnswer, UnitChoice, find_current_answer
from answers.extractive.decontextualization import Decontextualizer
from answers.extractive.read_evidence import ReadEvidence
from answers.extractive.second_parts import add_second_part
from answers.finders.all_finders import find_rule_answer
from answers.finders.asked_lists import find_asked_list
from answers.finders.list_members import fit_list
from answers.finders.rule_answer import RuleAnswer
from answers.questions.directed_questions import direct_question, is_another_writers
from answers.questions.question_parts import as_question, asked_part, asks_yes_or_no, move_place_behind
from answers.reading.evidence_reading import EvidenceReading, FoundSpan, read_evidence, with_reading
from answers.reading.lead import LEAST_LEAD, ChosenLead, choose_lead
from answers.reading.row_figures import is_unsure_cell
from answers.reading.stated_values import stated_by_first, value_beside_noun
from answers.scoring.cross_language_units import CrossLanguageScorer, CrossLanguageUnits, WordedQuestion, make_cross_language_bounds
from answers.scoring.definitions import with_definitions
from answers.scoring.mismatched_rows import mark_other_rows
from answers.scoring.named_clauses import with_named_clauses
from answers.scoring.unit_scores import Question, ScoredUnit, TermIndex, prepare_question, score_units
from answers.scoring.unit_selection import Bounds, LeadUnit, choose_units, find_promising, find_superseding
from answers.scoring.unit_vectors import UnitVectors
from answers.units.answer_units import split_units
from core.answers import Answer, Evidence
from core.claim_comparison import OVERRULING_KINDS
from core.claim_precedence import Relation
from core.documents import ReferenceKind
from core.errors import NotFound
from core.ports import AnswerReader, ReferenceStore

PASSAGES = 13  # ten that were found, and at most three that change what they say
SPANS_ENCODED = 4
_CHANGES = {ReferenceKind.SUPERSEDES: "replaces", ReferenceKind.AMENDS: "changes"}
MOST_ENCODED = 16  # units a question; the answers are those of encoding all, with 12 or 8 HotpotQA loses three and ten in a hundred


@dataclass(frozen=True, slots=True)
class OptionalParts:
    """The parts that a composer can do without: sentences in other languages, the reader, and what documents say of each other."""

    cross_language: CrossLanguageScorer | None = None
    reader: AnswerReader | None = None
    references: ReferenceStore | None = None
    today: Callable[[], date] = date.today


_NO_OPTIONAL_PARTS = OptionalParts()
_ASKS_BEFORE = re.compile(
    r"\b(?:before|prior to|until)\s+(?:the\s+|that\s+|this\s+|its?\s+)?(?:amendment|change|revision|new\s+version|version\s+\d|that)\b|"
    r"\b(?:originally|formerly|previously|used\s+to\s+be|in\s+the\s+(?:old|first|original|earlier|previous)\s+version)\b|"
    r"\bvor\s+(?:der|dem)\s+(?:änderung|nachtrag|neufassung)\b|\b(?:ursprünglich|früher|vorher)\b",
    re.IGNORECASE,
)


def _find_lead(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], reading: EvidenceReading) -> ChosenLead | None:
    """Return the reader's likeliest lead; where that is not sure, the figure beside the noun that is asked for."""
    lead = choose_lead(question, evidence, units, reading)
    if lead is not None and (
        lead.chance >= LEAST_LEAD or is_unsure_cell(question.text, units[lead.unit], evidence[lead.span.source], units, lead.span)
    ):
        return lead
    return value_beside_noun(question, units) or lead


def _choose_with_lead(read: ReadEvidence) -> tuple[ChosenLead | None, Sequence[ScoredUnit]]:
    """Return the lead, of the reader or of what the first sentence leaves no doubt of, and the units chosen for it; none where nothing may be
    chosen."""
    lead = read.sure_lead
    chosen = choose_units(read.question, read.units, read.bounds, LeadUnit(read.units[lead.unit], lead.chance) if lead is not None else None)
    if not chosen or lead is not None or read.is_unread or asks_yes_or_no(read.question.text):
        return lead, chosen
    lead = stated_by_first(read.question, read.evidence, read.units, chosen[0])
    return lead, choose_units(read.question, read.units, read.bounds, LeadUnit(chosen[0], lead.chance)) if lead is not None else chosen


def _current_of(decided: RuleAnswer, units: Sequence[ScoredUnit]) -> CurrentAnswer:
    """Return the sentences that a verdict or value rests on, its place in the first one as the lead; of a verdict its words in front."""
    first = decided.rests_on[0]
    unit = units[first.unit].unit
    span = FoundSpan(unit.source, unit.start + first.start, unit.start + first.end, unit.text[first.start : first.end], first.unit, 0.0)
    places = list(dict.fromkeys(each.unit for each in decided.rests_on))
    words = decided.text if decided.kind == "verdict" else ""
    return CurrentAnswer([units[place] for place in places], ChosenLead(span, first.unit, decided.kind, decided.chance), words)


def _leads_with(now: CurrentAnswer, decided: CurrentAnswer) -> bool:
    """Return whether what holds now is the very value that leads the answer."""
    return now.lead is not None and decided.lead is not None and (now.lead.unit, now.lead.span.start) == (decided.lead.unit, decided.lead.span.start)


def _answer_before_changes(read: ReadEvidence, relations: Sequence[Relation]) -> CurrentAnswer | None:
    """Return the answer out of what was replaced, without what replaced it; None where no document replaces or changes another."""
    newer = {each.document_id for each in relations if each.kind in OVERRULING_KINDS}
    documents = [read.evidence[unit.unit.source].passage.document_id for unit in read.units]
    older = [place for place, document in enumerate(documents) if document not in newer]
    if not newer or not older:
        return None
    leads = [
        choose_lead(read.question, read.evidence, read.units, read.reading, within=place) for place in {span.unit for span in read.reading.spans}
    ]
    lead = max(
        (each for each in leads if each is not None and each.unit in older and each.chance >= LEAST_LEAD), key=lambda each: each.chance, default=None
    )
    unit = LeadUnit(read.units[lead.unit], lead.chance) if lead is not None else None
    chosen = choose_units(read.question, [read.units[place] for place in older], read.bounds, unit)
    return CurrentAnswer(chosen, lead) if chosen else None


class ExtractiveComposer:
    """core.ports.Composer over the first PASSAGES passages of the evidence."""

    def __init__(self, vectors: UnitVectors, index: TermIndex, bounds: Bounds, parts: OptionalParts = _NO_OPTIONAL_PARTS) -> None:
        self._vectors = vectors
        self._index = index
        self._bounds = bounds
        self._crossing, self._reader, self._references, self._today = parts.cross_language, parts.reader, parts.references, parts.today

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        """Return an answer of `quoted` sentences; `found` False where the evidence holds nothing that can be quoted."""
        directed = direct_question(move_place_behind(question), evidence[:PASSAGES])
        read = await self.score_and_read(tenant, directed.question, directed.evidence, topic=directed.topic, skips_quoted=directed.is_letter)
        if read is None:
            return not_found_answer(question, evidence[:PASSAGES])
        if not read.is_decided and (unknown := await self._unknown_names(tenant, read)):
            return not_found_answer(question, read.evidence, unknown)
        current = await self._choose(tenant, read)
        if current is None:
            return not_found_answer(question, read.evidence)
        current = replace(current, chosen=add_second_part(read.question, current.chosen, read.units, read.bounds))
        if asks_yes_or_no(read.question.text) and current.lead is not None and current.lead.kind != "verdict":
            current = replace(current, lead=None)  # some words of a sentence are no yes and no no
        span = current.lead.span if current.lead is not None else None
        place = (span.source, span.start, span.end) if span is not None else None
        mender = Decontextualizer(read.question, read.evidence, read.units, read.bounds, words_tell=read.has_known_words, lead=place)
        answer = build_answer(read.question, read.evidence, mender.make_lines(current.chosen), current)
        lost = [each for each in (read.cross_language.degraded, read.reading.degraded) if each is not None]
        notes = [*answer.notes, *(await self._describe_changes(tenant, directed.evidence) if directed.topic else [])]
        return answer.model_copy(update={"degraded": [*answer.degraded, *lost], "signals": describe_answer(read, current), "notes": notes})

    async def _unknown_names(self, tenant: str, read: ReadEvidence) -> list[str]:
        """Return the names of the question that no document has; none where it may be in another language, which writes names otherwise."""
        crossed = read.cross_language
        if crossed.covers_all or crossed.is_translated or crossed.degraded is not None or read.reading.degraded is not None:
            return []
        return await find_unknown_names(self._index, tenant, read.question.text, read.units)

    async def _describe_changes(self, tenant: str, own: Sequence[Evidence]) -> list[str]:
        """Return a sentence for each document that replaces or changes the only one that is asked."""
        asked = {each.passage.document_id for each in own}
        if self._references is None or len(asked) != 1:
            return []
        try:
            references = await self._references.references(tenant, asked.pop())
        except NotFound:
            return []  # deleted since it was found
        kinds = {each.filename: each.kind for each in references.referred_by if each.kind in _CHANGES}
        return [
            f"{name} {_CHANGES[kind]} this document: asked without its name, the question is answered by what holds now."
            for name, kind in kinds.items()
        ]

    async def score_and_read(
        self, tenant: str, question: str, evidence: Sequence[Evidence], *, topic: str = "", skips_quoted: bool = False
    ) -> ReadEvidence | None:
        """Return the units of the first passages, scored and read; None where they have none. What stands under a heading that is the `topic` is
        listed, a mail's head and what it quotes of another are left out where it `skips_quoted`."""
        evidence = list(evidence[:PASSAGES])
        units = [unit for unit in split_units(evidence) if not (skips_quoted and is_another_writers(unit, evidence[unit.source]))]
        if not units:
            return None
        worded = await self._word_question(tenant, question, evidence)
        english = worded.english or question
        prepared = replace(await prepare_question(self._index, tenant, english, worded.words), is_worded=bool(worded.english))
        crossed = await self._score_cross_language(tenant, question, evidence, score_units(prepared, self._index, evidence, units))
        scored = crossed.units if crossed.covers_all else await self._add_cosines(question, crossed)
        scored = mark_other_rows(english, with_named_clauses(english, with_definitions(english, scored)))
        silent = crossed.covers_all and not crossed.is_translated
        reads = self._reader is not None and crossed.degraded is None and (not crossed.covers_all or bool(worded.english))  # it knows English
        reader = self._reader if reads else None
        reading = await read_evidence(reader, as_question(asked_part(english)), evidence, scored, worded.unreadable(evidence))
        scored = with_reading(scored if crossed.covers_all else await self._add_cosines_of_spans(question, scored, reading), reading)
        asked = find_asked_list(prepared, evidence, scored, topic)
        return ReadEvidence(
            question=prepared,
            evidence=evidence,
            units=scored,
            cross_language=crossed,
            reading=reading,
            lead=_find_lead(prepared, evidence, scored, reading),
            bounds=make_cross_language_bounds(self._bounds) if silent else self._bounds,
            has_known_words=not silent,
            was_read=reads,
            list_members=fit_list(asked.members, self._bounds),
            list_is_sure=asked.is_sure,
            rule_answer=find_rule_answer(prepared, scored, self._today(), evidence) if not silent else None,
            topic=topic,
        )

    async def _choose(self, tenant: str, read: ReadEvidence) -> CurrentAnswer | None:
        """Return the units of the answer with what holds now in front; None where nothing may be chosen."""
        if read.has_list and read.rule_answer is None:
            return CurrentAnswer(find_superseding(read.question, read.list_members, read.units, read.bounds), None)
        relations = await self._find_relations(tenant, read.evidence)
        if read.rule_answer is not None:
            decided = _current_of(read.rule_answer, read.units)
            if read.rule_answer.kind != "verdict":
                now = self._find_current(read, decided.chosen, decided.lead, relations)
                return decided if read.rule_answer.is_dated and not _leads_with(now, decided) else now
            if self._still_holds(read, decided, relations):
                return decided
        if _ASKS_BEFORE.search(read.question.text) and (before := _answer_before_changes(read, relations)) is not None:
            return before
        lead, chosen = _choose_with_lead(read)
        return self._find_current(read, chosen, lead, relations) if chosen else None

    def _find_current(
        self, read: ReadEvidence, chosen: Sequence[ScoredUnit], lead: ChosenLead | None, relations: Sequence[Relation]
    ) -> CurrentAnswer:
        """Return what holds now of the chosen units, with the lead on it."""

        def lead_in(place: int) -> ChosenLead | None:
            return choose_lead(read.question, read.evidence, read.units, read.reading, within=place)

        choice = UnitChoice(find_superseding(read.question, chosen, read.units, read.bounds), read.units, lead, read.question.answer_kind)
        return find_current_answer(choice, read.evidence, relations, self._today(), lead_in)

    def _still_holds(self, read: ReadEvidence, decided: CurrentAnswer, relations: Sequence[Relation]) -> bool:
        """Return whether no other statement says otherwise of what a verdict rests on, since later or in conflict with it."""
        now = [self._find_current(read, [unit], None, relations) for unit in decided.chosen]
        return all(not each.conflict and each.chosen[0] is unit for each, unit in zip(now, decided.chosen, strict=True))

    async def _find_relations(self, tenant: str, evidence: Sequence[Evidence]) -> list[Relation]:
        """Return what the documents say of each other: which replaces or changes which."""
        ids = sorted({each.passage.document_id for each in evidence})
        return await self._references.relations_between(tenant, ids) if self._references is not None and len(ids) > 1 else []

    async def _word_question(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> WordedQuestion:
        return WordedQuestion(question) if self._crossing is None else await self._crossing.word_question(tenant, question, evidence)

    async def _score_cross_language(self, tenant: str, question: str, evidence: Sequence[Evidence], scored: list[ScoredUnit]) -> CrossLanguageUnits:
        return CrossLanguageUnits(scored) if self._crossing is None else await self._crossing.score(tenant, question, evidence, scored)

    async def _add_cosines(self, question: str, crossed: CrossLanguageUnits) -> list[ScoredUnit]:
        """Encode the promising ones of the units that have no cosine from the search across languages."""
        places = [place for place in find_promising(crossed.units, MOST_ENCODED + len(crossed.places)) if place not in crossed.places][:MOST_ENCODED]
        return await self._encode(question, crossed.units, places)

    async def _add_cosines_of_spans(self, question: str, scored: list[ScoredUnit], reading: EvidenceReading) -> list[ScoredUnit]:
        """Encode the units that hold the reader's best spans, where words alone did not promise them."""
        places = dict.fromkeys(span.unit for span in reading.spans[:SPANS_ENCODED] if scored[span.unit].cosine is None)
        return await self._encode(question, scored, list(places)) if places else scored

    async def _encode(self, question: str, scored: list[ScoredUnit], places: Sequence[int]) -> list[ScoredUnit]:
        matrix = await self._vectors.encode([scored[place].full_text for place in places])
        cosines = self._vectors.scale.rescale(matrix @ await self._vectors.encode_question(question))
        out = list(scored)
        for place, cosine in zip(places, cosines, strict=True):
            out[place] = scored[place].with_cosine(float(cosine))
        return out
