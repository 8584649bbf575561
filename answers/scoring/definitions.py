"""Definitions: sentences that say what the thing is that a question names, or who somebody was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answers.scoring.unit_scores import ScoredUnit
from core.language.firm_names import LEGAL_FORM
from core.language.question_wording import name_alone
from core.language.sentences import word_count

DEFINITION_BONUS = 0.4  # on the score of a sentence that defines the thing
_LONGEST = 6  # words of a thing's name
_QUESTION_PATTERN = re.compile(
    r"^\W*(?:(?:what|who)(?:['’]s|\s+(?:is|are|was|were)(?:\s+meant\s+by)?)|define|(?:was|wer)\s+(?:ist|sind|war|waren)|was\s+bedeutet|qué\s+es|quién\s+es|"
    r"qu['’]est-ce\s+que?)\s+(?:(?:the|an?|der|die|das|eine?|el|la|une?|le)\s+)?(?P<thing>[^?]+?)\s*\??\W*$|"
    r"^\W*what\s+does\s+(?:the\s+|an?\s+)?(?P<meant>[^?]+?)\s+(?:mean|stand\s+for)\s*\??\W*$",
    re.IGNORECASE,
)
# "What is the rent of Quay 7?", "What is being built?" ask for something else than what a thing is.
_RELATED = re.compile(
    r"\b(?:of|for|in|on|at|by|from|to|with|between|about|under|per|than|that|which|who|used|called|known|made|being|and|or|our|my|your|its|their|von|für|im|"
    r"der|des|de|del|du)\b|['’]s?\b|\d",
    re.IGNORECASE,
)
_COPULA = (
    r"(?:\s*\([^()]{1,80}\))?(?:,[^,]{1,80},)?\s+(?:is|are|was|were|means|refers\s+to|denotes|stands\s+for|describes|ist|sind|war|waren|bezeichnet|bedeutet|"
    r"heißt|es|fue|son|est|était|sont)\s"
)


_PERSON = re.compile(r"(?:Ms|Mr|Mrs|Miss|Dr|Prof|Herrn?|Frau)\b")
# What may stand between a name and what it is: a form of firm, brackets, a comma, a colon, a table's line, "is the".
_NAME_JOINT = re.compile(
    rf"{LEGAL_FORM}(?:\s*\([^()]{{1,60}}\))?\s*(?:[,:|–—-]|,?\s*(?i:is|are|was|were|ist|sind|war))\s*"
    r"(?:(?i:the|an?|our|their|der|die|das|eine?)\s+)?",
)


def defined_thing(question: str) -> str:
    """Return the name of the thing whose definition is asked for; "" where something else is asked."""
    match = _QUESTION_PATTERN.match(question)
    thing = " ".join((match["thing"] or match["meant"] or "").split()) if match is not None else ""
    return "" if word_count(thing) > _LONGEST or _RELATED.search(thing) else thing


def may_describe(question: str, text: str, start: int) -> bool:
    """Return whether what stands at `start` of a text says who or what the thing is that a question names alone ("Who is Ada Holm?", "Tell me about
    Ada Holm"): right behind its name, or behind the label in front of it. True for every other question."""
    named = name_alone(question)
    if not named:
        return True
    name = r"\s+".join(re.escape(word) for word in named.split())
    if _PERSON.match(text[start:]):
        return False  # "Merrow Chandlers Ltd, Ms Priya Raman": whom to write to
    before = [found.end() for found in re.finditer(rf"\b{name}", text[:start])]
    return bool(before) and _NAME_JOINT.fullmatch(text[before[-1] : start]) is not None


def with_definitions(question: str, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the units, the score of those raised that say what the thing is: "X is a …", "X, a …", "X means …"."""
    thing = defined_thing(question)
    if not thing:
        return list(units)
    name = r"\s+".join(re.escape(word) for word in thing.split())
    first = rf"^[\W\d]*(?:(?:the|an?|der|die|das|eine?)\s+)?{name}s?(?:{_COPULA}|\s*:\s|,?\s+(?:an?|eine?)\s)"
    said = re.compile(rf"{first}|\b{name},\s+(?:an?|our|the|eine?)\s", re.IGNORECASE)
    return [replace(unit, score=unit.score + DEFINITION_BONUS) if unit.unit.choosable and said.search(unit.unit.text) else unit for unit in units]
