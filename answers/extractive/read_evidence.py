"""The evidence of a question once it is scored and read, and what the reader says of whether this is an answer."""

from __future__ import annotations

from dataclasses import dataclass

from answers.calibration.answerability import COVERAGE_SIGNALS, LONG_QUESTION, READER_SIGNALS, UNSAID, WITHOUT_LEAD, WORDED
from answers.calibration.question_coverage import question_coverage
from answers.finders.rule_answer import RuleAnswer
from answers.questions.answer_kinds import AnswerKind
from answers.questions.question_parts import LONG_QUESTION_WORDS, asks_yes_or_no
from answers.reading.evidence_reading import EvidenceReading
from answers.reading.lead import LEAST_LEAD, ChosenLead
from answers.reading.value_choice import is_of_another_sum
from answers.scoring.cross_language_units import CrossLanguageUnits
from answers.scoring.definitions import may_describe
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.scoring.unit_selection import Bounds
from core.answers import Evidence
from core.language.sentences import word_count

SAID, SURE_OF_UNSAID = 0.15, 0.3  # part of what is asked that one sentence must have; the chance of a lead from which other words may say it, too
LEAST_NAME_SHARE = 0.5  # of a name that is asked about in one sentence
NAMED_SIGNAL = 0.9  # what the reader's signals are where the clause or list is there that is asked for by its number or name
LEAST_LIST_SHARE = 0.6  # of the question in a list and its document's name


@dataclass(frozen=True, slots=True)
class ReadEvidence:
    """The evidence with its units scored, what the reader found, and the likeliest lead. `bounds` are those of this question; `has_known_words`
    False: the question is in another language and its words are not known; `was_read` whether a reader looked at all; `list_members` the list that is
    asked for, `rule_answer` what decides the question without a reader, `topic` what a document is asked about."""

    question: Question
    evidence: list[Evidence]
    units: list[ScoredUnit]
    cross_language: CrossLanguageUnits
    reading: EvidenceReading
    lead: ChosenLead | None
    bounds: Bounds
    has_known_words: bool
    was_read: bool
    list_members: list[ScoredUnit]
    list_is_sure: bool
    rule_answer: RuleAnswer | None
    topic: str = ""

    @property
    def sure_lead(self) -> ChosenLead | None:
        """The lead where it is likely enough to be shown; who asks for yes or no gets a verdict or the sentence, no words out of it, and who asks
        of a name alone, or what is said about a topic, what is said of it."""
        if self.lead is None or self.lead.chance < LEAST_LEAD or self.topic or asks_yes_or_no(self.question.text):
            return None
        unit = self.units[self.lead.unit].unit
        return self.lead if may_describe(self.question.text, unit.text, self.lead.span.start - unit.start) else None

    @property
    def is_decided(self) -> bool:
        """Whether a rule, a list or a likely lead answers."""
        return self.rule_answer is not None or self.has_list or (self.lead is not None and self.lead.chance >= LEAST_LEAD)

    @property
    def signals(self) -> dict[str, float]:
        """What the reader says of whether this is an answer."""
        if not self.was_read or self.reading.degraded is not None:
            return {WITHOUT_LEAD: 1.0} if self.is_unread else {}
        if self.names_clause or self._is_sure_list:
            return dict.fromkeys((*READER_SIGNALS, *COVERAGE_SIGNALS), NAMED_SIGNAL)
        decided = self.rule_answer.chance if self.rule_answer is not None else 0.0
        chance = max(self.lead.chance if self.lead is not None else 0.0, decided)
        # What decides it is an answer, in words that the reader may not have met: "rejected" for "the order goes to another".
        found = {"reader_answerable": round(max(self.reading.answerable, decided), 4), "lead": round(chance, 4)}
        found |= question_coverage(self.question, self.units, self.lead.unit if self.lead is not None else None, decided)
        if self.cross_language.covers_all:
            return found | {WORDED: 1.0, WITHOUT_LEAD: float(self.sure_lead is None or self.has_list)}  # what rough words lack tells little
        if word_count(self.question.text) >= LONG_QUESTION_WORDS:
            return found | {LONG_QUESTION: 1.0}  # most of its words are not asked for
        return found | ({UNSAID: 1.0} if chance < SURE_OF_UNSAID and self._lacks_asked_words else {})

    @property
    def names_clause(self) -> bool:
        """Whether a clause is there that the question asks for by its number."""
        return any(unit.in_named_clause for unit in self.units)

    @property
    def is_unread(self) -> bool:
        """Whether the question is in another language and no reader was asked it in English."""
        return self.cross_language.covers_all and not self.was_read

    @property
    def _lacks_asked_words(self) -> bool:
        """Whether no sentence that was found has a word of what is asked, only the names (Hanna Lindqvist's row, and no salary in it), or none of
        those that have one holds anything of the particular kind that is asked for, or the sum that is asked for by its name is nowhere spoken of."""
        if all(is_of_another_sum(self.question.text, unit, self.evidence[unit.unit.source]) for unit in self.units):
            return True
        if self.question.answer_kind is AnswerKind.REASON or not (self.question.asked_terms or self.question.answer_kind.is_particular):
            return False  # a reason is given in other words than it is asked for
        if self.question.asked_terms:
            saying = [unit for unit in self.units if self.question.share_of_asked(unit.terms | unit.covered_terms) >= SAID]
        else:  # "How old is Ada Holm?": whatever is said of her
            saying = [unit for unit in self.units if self.question.share(unit.terms | unit.covered_terms) >= LEAST_NAME_SHARE]
        return not any(unit.holds_wanted or not self.question.answer_kind.is_particular for unit in saying)

    @property
    def has_list(self) -> bool:
        """Whether a list is shown whole: of a table's rows the question may name one, a section of one sentence is none."""
        return len(self.list_members) > 1 or (bool(self.list_members) and not self.topic)

    @property
    def _is_sure_list(self) -> bool:
        """Whether the list and its document hold most of the question: whose list it is may stand on its first page."""
        if not self.has_list or self.list_is_sure:
            return self.has_list
        first = self.list_members[0]
        held = first.names.union(*(unit.terms | unit.covered_terms for unit in self.units if unit.document == first.document))
        return self.question.share(held) >= LEAST_LIST_SHARE
