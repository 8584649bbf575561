"""What an answer shows of how likely it is one: the reader's signals, and what the sentences lack that were chosen."""

from __future__ import annotations

from answers.calibration.answerability import SENTENCES_ONLY
from answers.extractive.current_statements import CurrentAnswer
from answers.extractive.read_evidence import ReadEvidence
from answers.questions.question_parts import asks_yes_or_no
from answers.reading.counted_things import names_no_counted_thing
from answers.reading.row_figures import has_twin_row, is_named_figure, tells_no_asked_figure
from answers.units.answer_units import Role
from core.answers import OTHER_KIND


def describe_answer(read: ReadEvidence, now: CurrentAnswer) -> dict[str, float]:
    """Return the signals of the answer `now` out of the evidence `read` (names of answers/calibration/answerability.py)."""
    return read.signals | _other_kind_signal(read, now) | _sentences_only_signal(read, now)


def _sentences_only_signal(read: ReadEvidence, now: CurrentAnswer) -> dict[str, float]:
    """Return SENTENCES_ONLY where passages were read and nothing leads the answer: no words, no verdict, no list that is asked for, no clause that is
    named. Such sentences are near the question; whether they answer it the reader could not tell. Of a question in another language WITHOUT_LEAD
    says so."""
    led = now.lead is not None or read.rule_answer is not None or read.has_list or read.names_clause
    told = read.was_read and read.reading.degraded is None  # a reader that failed told nothing, so it speaks against nothing
    return {SENTENCES_ONLY: 1.0} if told and not led and not read.cross_language.covers_all else {}


def _other_kind_signal(read: ReadEvidence, now: CurrentAnswer) -> dict[str, float]:
    """Return OTHER_KIND where a figure is asked for and no sentence of the answer holds one of its kind, or has a word for what is counted; else
    nothing. What was decided and a list that is asked for have shown already what they are, and figures in another language's words are not known."""
    wanted = read.question.answer_kind
    if now.lead is None and _tells_unnamed_figures(read, now):
        return {OTHER_KIND: 1.0}
    asks = (wanted.is_figure or wanted.is_particular) and not asks_yes_or_no(read.question.text)
    if not asks or read.rule_answer is not None or read.has_list or read.is_unread or _leads_under_named_column(read, now):
        return {}
    uncounted = now.lead is None and names_no_counted_thing(read.question.text, [unit.unit.text for unit in now.chosen])
    return {OTHER_KIND: 1.0} if uncounted or not any(unit.holds_wanted for unit in now.chosen) else {}


def _leads_under_named_column(read: ReadEvidence, now: CurrentAnswer) -> bool:
    lead = now.lead
    return lead is not None and is_named_figure(read.question.text, read.units[lead.unit], read.evidence[lead.span.source], lead.span)


def _tells_unnamed_figures(read: ReadEvidence, now: CurrentAnswer) -> bool:
    """Return whether a figure is asked for, or was read, and the first that is told is a row of which no column with a figure is asked for, or of
    which the table has two."""
    asks = read.question.answer_kind.is_figure or (read.lead is not None and any(map(str.isdigit, read.lead.span.text)))
    if not asks or read.rule_answer is not None or read.has_list:
        return False
    if any(unit.holds_wanted and unit.unit.role is not Role.ROW for unit in now.chosen):
        return False
    text, first = read.question.text, now.chosen[:1]
    return tells_no_asked_figure(text, first, read.evidence) or any(has_twin_row(text, unit, read.units) for unit in first)
