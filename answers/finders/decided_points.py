"""What was decided about a thing, for "What was decided about the cold store alarms?": the sentences of the minutes that say so."""

from __future__ import annotations

from collections.abc import Sequence

from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.answers import Evidence
from core.language.content_words import stems
from core.language.decision_wording import decision_topic, is_record, says_decision, says_plan

_LEAST_TOPIC_SHARE = 0.5  # of the topic's words in a sentence and the heading that it stands under
_MOST_PLANNED = 3  # sentences


def decided_points(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the sentences of a meeting's record that say what was decided about what is asked, in their order: those that are called a decision or
    say so with its verb, else what they say is to be done. None where the question asks for none of it, or no record speaks of it."""
    topic = decision_topic(question.text)
    if topic is None:
        return []
    about = [unit for unit in units if unit.unit.choosable and _is_recorded(unit, evidence) and _speaks_of(topic, unit, evidence)]
    said = [unit for unit in about if unit.unit.role is not Role.ROW and says_decision(unit.unit.text)]
    planned = [unit for unit in about if unit.unit.role is not Role.ROW and says_plan(unit.unit.text)] if topic else []
    chosen = said or sorted(planned, key=lambda unit: -unit.score)[:_MOST_PLANNED]
    return sorted(chosen, key=lambda unit: (unit.document, unit.unit.start))


def _is_recorded(unit: ScoredUnit, evidence: Sequence[Evidence]) -> bool:
    source = evidence[unit.unit.source]
    return is_record(f"{source.title} {source.filename}")


def _speaks_of(topic: frozenset[str], unit: ScoredUnit, evidence: Sequence[Evidence]) -> bool:
    """Return whether a unit and the heading that it stands under have most of the topic's words; any has where there is none."""
    section = evidence[unit.unit.source].passage.section
    held = stems(f"{unit.unit.text} {unit.unit.lead_in} {section[-1] if section else ''}")
    return len(topic & held) >= _LEAST_TOPIC_SHARE * len(topic)
