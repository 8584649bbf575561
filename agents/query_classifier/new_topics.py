"""Follow-ups that name another thing in the place of the one before: "And the rent?", "What about delivery?", "And his boss?"."""

from __future__ import annotations

import re

from agents.query_classifier.antecedents import Turns, person_in_answer
from agents.text.question_words import content_words, find_names, tokens
from core.lazy_patterns import compile_when_used

_PERSONS = compile_when_used(r"^(?:his|her)\s+(?P<what>[^?]+)$", re.IGNORECASE)
_THING = compile_when_used(r"^(?:the|our|its|their)\s+(?P<what>[a-z][a-z’'\s-]*)$", re.IGNORECASE)
_OF_THING = compile_when_used(
    r"^(?P<asks>\W*(?:what(?:['’]?s|\s+(?:is|are|was|were))|how\s+(?:much|high|large|long|big)\s+(?:is|are|was|were)))\s+(?:the|our)\s+[a-z][a-z’'-]*\W*$",
    re.IGNORECASE,
)
_OWNED = r"['’]s?$"
_COMPARES = compile_when_used(r"^\W*(?:(?:please|can\s+you|could\s+you)\s+)*compare\b", re.IGNORECASE)
_LIMITED = compile_when_used(r"\s+(?:on|by|regarding|concerning|with\s+regard\s+to|in\s+terms\s+of)\s+[^?]+$", re.IGNORECASE)
_LATELY = 3  # turns in which a comparison goes on
_LONGEST = 4  # words of a thing


def name_new_topic(rest: str, turns: Turns) -> str:
    """Return the whole question for what follows "and" or "what about", `rest`; "" where the questions before give no such question."""
    if len(tokens(rest)) > _LONGEST or find_names(f"for {rest}"):
        return ""
    for rule in (_of_other_person, _as_compared, _of_other_thing):
        if found := rule(rest, turns):
            return found
    return ""


def _of_other_person(rest: str, turns: Turns) -> str:
    """ "And his boss?" after "Who is Ann's boss?" asks of whom that was answered with."""
    asked, (question, answer) = _PERSONS.match(rest), turns[-1]
    names, person = find_names(question), person_in_answer(question, answer)
    if asked is None or not person or len(names) != 1 or not set(content_words(asked["what"])) <= set(content_words(question)):
        return ""
    return question.replace(re.sub(_OWNED, "", names[0]), person)


def _as_compared(rest: str, turns: Turns) -> str:
    """ "What about delivery?" goes on with "Compare the three quotes"."""
    compared = next((question for question, _ in reversed(turns[-_LATELY:]) if _COMPARES.match(question)), "")
    return f"{_LIMITED.sub('', compared.rstrip(' ?.!'))} on {rest}" if compared else ""


def _of_other_thing(rest: str, turns: Turns) -> str:
    """ "And the rent?" goes on with "What is the deposit?", not with when that is returned."""
    asked = _THING.match(rest)
    like = next((match for question, _ in reversed(turns) if (match := _OF_THING.match(question)) is not None), None)
    return f"{like['asks']} the {asked['what'].strip()}?" if asked is not None and like is not None else ""
