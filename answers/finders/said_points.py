"""What somebody said about a thing, for "What did Ada Holm report about the ferry?": the sentences that begin so, and what follows them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.answers import Evidence
from core.language.content_words import stems
from core.language.question_wording import document_and_topic
from core.lazy_patterns import compile_when_used

_PERSON = compile_when_used(r"(?:(?:[Mm]rs?|[Mm]s|[Dd]r)\.?\s+)?(?P<first>[A-ZÀ-Þ][\w’-]+)(?:\s+(?:[A-ZÀ-Þ]\.?\s+)?(?P<last>[A-ZÀ-Þ][\w’-]+))?")
_SAYS = compile_when_used(
    r"\s+(?:(?:also|then|again|briefly)\s+)?(?:report(?:s|ed)|sa(?:ys|id)|explain(?:s|ed)|t(?:ells|old)|not(?:es|ed)|present(?:s|ed)|propos(?:es|ed)|ask(?:s|ed)|"
    r"show(?:s|ed)|remind(?:s|ed)|mention(?:s|ed)|wr(?:ites|ote)|answer(?:s|ed)|repl(?:ies|ied)|stat(?:es|ed)|suggest(?:s|ed)|recommend(?:s|ed)|"
    r"announc(?:es|ed)|warn(?:s|ed)|confirm(?:s|ed)|add(?:s|ed)|argu(?:es|ed)|insist(?:s|ed)|berichtet(?:e)?|erklärt(?:e)?|sagt(?:e)?|erläutert(?:e)?)\b",
    re.IGNORECASE,
)
_MOST_SENTENCES = 3
_LEAST_TOLD = 14  # words from which what is said is told in the first sentence


def said_points(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the sentences that begin with the person and a verb of saying and speak of the topic, in them or in the heading above; of a short one
    also what follows in its paragraph. None where the question asks nothing of the kind, or no sentence says so."""
    who, topic = document_and_topic(question.text)
    person = _PERSON.fullmatch(who.strip())
    if person is None:
        return []
    names = [name for name in (who.strip(), person["last"], person["first"]) if name]
    about = stems(topic)
    found: list[ScoredUnit] = []
    for place, unit in enumerate(units):
        if unit.unit.role is Role.SENTENCE and unit.unit.choosable and _says(unit.unit.text, names) and about <= _words_of(unit, evidence):
            found += _with_following(units, place, names)
    return sorted(dict.fromkeys(found[:_MOST_SENTENCES]), key=lambda unit: (unit.document, unit.unit.start)) if found else []


def _says(text: str, names: Sequence[str]) -> bool:
    return any(text.startswith(name) and _SAYS.match(text, len(name)) is not None for name in names)


def _words_of(unit: ScoredUnit, evidence: Sequence[Evidence]) -> frozenset[str]:
    section = evidence[unit.unit.source].passage.section
    return stems(f"{unit.unit.text} {unit.unit.lead_in} {section[-1] if section else ''}")


def _with_following(units: Sequence[ScoredUnit], place: int, names: Sequence[str]) -> list[ScoredUnit]:
    """Return a sentence that says something with those of its paragraph that tell what, where it tells little itself."""
    first = units[place]
    told = [first]
    for unit in units[place + 1 : place + _MOST_SENTENCES] if first.words < _LEAST_TOLD else ():
        if (unit.unit.source, unit.unit.block) != (first.unit.source, first.unit.block) or _says(unit.unit.text, names):
            break
        told.append(unit)
    return told
