"""Who was at a meeting and who was not: the names behind "Present:" and "Apologies:" of its record."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.claim_words import label_words

_MEETING = r"(?:meeting|session|assembly|conference|workshop|hearing|call|sitzung|besprechung|versammlung|tagung)"
_WAS_THERE = re.compile(
    r"^\W*(?:who|which\s+(?:people|persons|members|colleagues|staff))\s+(?:all\s+)?(?:"
    r"(?:attended|joined)\b|(?:was|were)\s+(?:all\s+)?(?:present|there|in\s+attendance|at|in)\b|(?:took|takes)\s+part\b|(?:participated|participates)\b|"
    r"came\s+to\b)",
    re.IGNORECASE,
)
_WAS_NOT_THERE = re.compile(
    r"^\W*who\s+(?:(?:was|were)\s+(?:absent|missing|excused|not\s+(?:present|there|at|in))\b|did\s+not\s+(?:attend|come|join|take\s+part)\b|didn['’]?t\s+(?:attend|come|join)\b|"
    r"missed\b|(?:sent|gave|made)\s+(?:(?:his|her|their)\s+)?apologies\b|apologi[sz]ed\b)",
    re.IGNORECASE,
)
_LABELS_PRESENT = (
    r"(?:members\s+|also\s+)?(?:present|attendees|attendance|in\s+attendance|attended(?:\s+by)?|participants|"
    r"anwesend(?:e)?|teilnehmer(?:innen)?|teilnehmende)"
)
_LABELS_ABSENT = r"(?:apologies(?:\s+for\s+absence)?|absent|absentees|excused|regrets|not\s+present|entschuldigt|abwesend|fehlend)"
_LABELLED = r"(?:^|(?<=[\n|])|(?<=\s))(?:{labels})\s*[:|]\s*(?P<names>[^\n]+)"
_NEXT_LABEL = re.compile(r"\s+(?=[A-ZÄÖÜ][a-zäöüß]+(?:\s+[a-zäöüß]+)?:\s)|\s*\|")


_WAS_SOMEBODY_THERE = re.compile(
    rf"^\W*(?i:did|was|were|has|have|does|war|hat)\s+(?P<name>[A-ZÄÖÜ][\w’'-]+(?:\s+[A-ZÄÖÜ][\w’'-]+){{0,2}})\s+(?:(?:also\s+)?(?:attend(?:ed)?|join(?:ed)?|come\s+to|"
    rf"take\s+part|participate|present|there|in\s+attendance)\b|(?:at|in|bei|auf)\s+(?:the\s+|der\s+)?[^?]*{_MEETING}\b|(?P<absent>absent|missing|excused|miss)\b)",
)


def was_there(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return yes or no to whether somebody was at a meeting, by the names behind the labels of its record; None where it has neither of the labels,
    or the name behind none."""
    asked = _WAS_SOMEBODY_THERE.match(question.text)
    if asked is None or not (asked["absent"] or re.search(_MEETING, question.text, re.IGNORECASE)):
        return None
    for labels, was_absent in ((_LABELS_PRESENT, False), (_LABELS_ABSENT, True)):
        span = _find_names(labels, question, units)
        if span is not None and asked["name"].casefold() in units[span.unit].unit.text[span.start : span.end].casefold():
            return RuleAnswer("Yes" if was_absent == bool(asked["absent"]) else "No", (span,), SURE_CHANCE)
    return None


def attendance(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the names behind the label of those who were there, or of those who were not, of the meeting that the question names best; None where
    it asks for neither, or nothing of the kind is written."""
    absent = _WAS_NOT_THERE.match(question.text) is not None
    if not absent and (_WAS_THERE.match(question.text) is None or re.search(_MEETING, question.text, re.IGNORECASE) is None):
        return None
    best = _find_names(_LABELS_ABSENT if absent else _LABELS_PRESENT, question, units)
    return RuleAnswer(units[best.unit].unit.text[best.start : best.end], (best,), SURE_CHANCE, "name") if best is not None else None


def _find_names(labels: str, question: Question, units: Sequence[ScoredUnit]) -> UnitSpan | None:
    """Return the names behind one of the labels in the record that the question names best; None where there is none."""
    pattern = re.compile(_LABELLED.format(labels=labels), re.IGNORECASE)
    asked = label_words(question.text)
    found: list[tuple[int, float, UnitSpan]] = []
    for place, unit in enumerate(units):
        said = pattern.search(unit.unit.text) if unit.unit.choosable and not (unit.is_for_another or unit.unit.role is Role.TURN) else None
        if said is not None:
            names = _NEXT_LABEL.split(said["names"], maxsplit=1)[0].rstrip(" .")
            span = UnitSpan(place, said.start("names"), said.start("names") + len(names))
            found.append((len(asked & _words_of_document(unit, units)), unit.score, span))
    return max(found, key=lambda each: each[:2])[2] if found else None


def _words_of_document(unit: ScoredUnit, units: Sequence[ScoredUnit]) -> frozenset[str]:
    """Return the words of the document's title and file name and of the passage: its day may stand in the heading alone."""
    said = " ".join(other.unit.text for other in units if other.unit.source == unit.unit.source)
    return label_words(f"{' '.join(unit.names)} {said}")
