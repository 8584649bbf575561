"""Whole questions for an overview of a library: its themes, or the risks or deadlines that its documents state."""

from __future__ import annotations

import re

from agents.text.question_words import content_words
from core.query_routes import Aspect

_MOST_CHARACTERS = 200
_THINGS = (
    r"(?:(?:the|my|our|your|these|those|this|all|of|diese[rmns]?|meine[nrm]?|unsere[nrm]?|den|die|allen|alle|in|here)\s+)*"
    r"(?:documents?|docs|files|papers|library|collection|folders?|archive|dokumente?n?|dateien|unterlagen|bibliothek|sammlung)"
)
_END = r"(?:\s+(?:here|all|hier|about|roughly|in\s+general|at\s+a\s+glance|please|bitte))*\W*$"
_THEMES = r"(?:(?:main|key|overall|common|general|major|important|central|wichtigsten|zentralen)\s+)*(?:themes?|topics?|subjects?|themen)"
_MAIN_THEMES = r"(?:(?:main|key|overall|major|most\s+important|central|wichtigsten|zentralen)\s+(?:themes?|topics?|subjects?|themen)|hauptthemen)"
_OVERVIEW_QUESTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_THEMES}\s+(?:(?:of|in|across|among|covered|discussed|treated|are|do|by|behandelt|haben|aus)\s+)+{_THINGS}(?:\s+(?:cover|treat|deal\s+with))?{_END}",
        rf"\bwhat\s+(?:are|is|do|does)\s+{_THINGS}(?:\s+(?:all\s+)?(?:about|cover|contain|hold|deal\s+with)){_END}",
        rf"\bwhat\s+(?:kinds?|sorts?|types?)\s+of\s+{_THINGS}\s+(?:are\s+(?:there|these|those|in\s+\w+(?:\s+\w+)?)|do\s+(?:i|we|you)\s+have){_END}",
        rf"\boverview\s+(?:of|over)\s+{_THINGS}{_END}",
        rf"\bworum\s+geht\s+(?:es|'s)\s+in\s+{_THINGS}{_END}",
        rf"\b(?:überblick|übersicht)\s+über\s+{_THINGS}{_END}",
        rf"^\W*(?:what\s+are|which\s+are|name|list|tell\s+me|was\s+sind|welche\s+sind|nenne(?:\s+mir)?)\s+(?:the|our|my|die|unsere|meine)\s+{_MAIN_THEMES}{_END}",
        rf"^\W*(?:(?:please|bitte|can\s+you|could\s+you)\s+)*(?:(?:summari[sz]e|sum\s+up|fasse?)|(?:give\s+me\s+)?an?\s+summary\s+of)\s+"
        rf"(?:all|every|alle)\s+{_THINGS}(?:\s+zusammen)?{_END}",
        rf"\b(?:describe|summari[sz]e)\s+{_THINGS.replace('library', 'whole library|library')}\s+(?:as\s+a\s+whole|altogether|in\s+general)\W*$",
    )
)
_RISKS_END = r"(?:\s+(?:here|at\s+present|right\s+now))?\W*$"
_RISKY_THINGS = r"(?:documents?|files|papers|library|collection|dokumenten?|unterlagen)"
_OF_THESE = rf"(?:\s+(?:in|of|from|across|aus)\s+(?:(?:the|my|our|these|all|den|meinen|unseren|diesen|allen)\s+)*{_RISKY_THINGS})?"
_RISKS_QUESTION = re.compile(
    r"^\W*(?:what|which|was|welche)\s+(?:are|sind)\s+(?:the|our|my|die|unsere|meine)\s+"
    rf"(?:(?:(?:main|key|biggest|major|most\s+important|wichtigsten|größten)\s+)?(?:risks?|risiken)|hauptrisiken){_OF_THESE}{_RISKS_END}",
    re.IGNORECASE,
)
_DEADLINES_QUESTION = re.compile(
    r"^\W*(?:please\s+|bitte\s+)?(?:what|which|list|show(?:\s+me)?|give\s+me|tell\s+me|name|are\s+there|was|welche|nenne?(?:\s+mir)?|zeige?(?:\s+mir)?)\s+"
    r"(?:are\s+|sind\s+)?(?:(?:a\s+list\s+of|all|any|of|the|our|my|every|open|upcoming|coming|next|important|alle|die|unsere|meine|offenen|nächsten|kommenden)\s+)*"
    r"(?:deadlines|due\s+dates|fristen)"
    rf"(?:\s+(?:(?:do|must)\s+(?:we|i)\s+(?:have|meet|keep)|are\s+(?:there|coming\s+up|ahead|next|due)|(?:we|i)\s+(?:have|must\s+(?:meet|keep))|gibt\s+es|stehen\s+an|"
    rf"haben\s+wir|are\s+(?:named|stated|mentioned)|there\s+are))?{_OF_THESE}{_RISKS_END}",
    re.IGNORECASE,
)

_THEME = re.compile(r"\b(?:themes?|topics?|subjects?|(?:haupt)?themen|schwerpunkte)\b", re.IGNORECASE)
_TELLING = re.compile(r"\b(?:about|summ?ar\w+|sum\s+up|describe|overview|fasse|beschreibe|überblick|übersicht|handeln|geht)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:all|every|everything|whole|entire|overall|alle[nsmr]?|sämtliche[nmr]?|ganzen?|gesamten?|insgesamt)\b", re.IGNORECASE)
_PLACE = re.compile(rf"\b{_THINGS}\b|\bcorpus\b|\bkorpus\b|\barchivs?\b", re.IGNORECASE)
# Words of such a question that name no subject of their own.
SUBJECTLESS = frozenset(
    "theme themes topic topics subject subjects main key common recurring important documents document files file papers docs library collection "
    "archive corpus whole entire everything overall broadly general covered cover come again often most deal summarise summarize summary sum "
    "describe overview content contents high level please themen hauptthemen schwerpunkte wichtigsten zentralen dokumente dokumenten dateien "
    "unterlagen papiere bibliothek sammlung archiv korpus ganzen gesamten insgesamt alles alle allen aller sämtliche sämtlichen fasse zusammen "
    "beschreibe überblick inhalt kurz was sind welche über die der das den dem des in im aus von haben unsere meine diese diesen diesem dieser "
    "unseren meinen es geht worum wovon handeln tauchen immer wieder auf für behandelt werden mir gib bitte einen nenne zeigen".split()
)


def asks_for_all_themes(question: str) -> bool:
    """Return whether a question that is about the library as a whole names no subject of its own ("Which topics come up again and again?")."""
    tells = _THEME.search(question) or (_TELLING.search(question) and _WHOLE.search(question) and _PLACE.search(question))
    return bool(tells) and set(content_words(question)) <= SUBJECTLESS


def overview_aspect(question: str) -> Aspect:
    """Return what of the library as a whole a question asks for; "" where it asks for something else."""
    plain = " ".join(question.split())
    if len(plain) > _MOST_CHARACTERS:
        return ""
    if any(pattern.search(plain) for pattern in _OVERVIEW_QUESTIONS):
        return "themes"
    if _DEADLINES_QUESTION.match(plain):
        return "deadlines"
    return "risks" if _RISKS_QUESTION.match(plain) else ""
