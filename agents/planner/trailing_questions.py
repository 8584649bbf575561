"""Questions whose question word stands at the end, about a thing that is only described: the thing is looked up first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.planner.descriptions import KIND_OF_NOUN
from agents.text.question_words import content_words, find_names

_NOUN = rf"(?:{'|'.join(sorted(KIND_OF_NOUN, key=len, reverse=True))})"
_BEFORE_NOUN = r"(?:[\w'’-]+\s+){0,4}?"
# "… in a university located in what city?": the thing that is only described, and behind it the clause that asks about it.
_THING_ASKED_ABOUT = re.compile(
    rf"\b(?P<article>an?|the)\s+(?P<thing>{_BEFORE_NOUN}(?:{_NOUN}(?:-\w+)?(?=\s)|[a-z][\w-]+(?=\s+(?:who|that|whose|which)\s)))\s*,?\s+"
    r"(?=[^\W_A-Z\d])(?P<clause>[^?]*)\??$",
)
_ASKS_IN_PLACE = re.compile(
    r"(?:\bwhat\b.*|\b(?:by|of|with|for|to|from|is|was|are|were)\s+whom?|"
    r"\b(?:by|of|with|for|to|from|in|at|on|after|is|was|are|were)\s+which\s+(?!(?:he|she|it|they|we|you|the|an?)\b|[A-Z])(?:[\w'’-]+\s*){1,4}|"
    r"\b(?:where|when|how\s+(?:many|much|long|old|far)\b.*))\W*$"
)
QUESTION_WORD = re.compile(r"\b(?:who|whom|whose|what|which|where|when|why|how)\b", re.IGNORECASE)
_RELATIVE_PRONOUN = re.compile(r"^(?:that|who|which)\s+", re.IGNORECASE)
_CONTINUED_CLAUSE = re.compile(r"(?:that|who|which|whose|where|in|of|on|at)\b[^,]*,\s+(?:is|was|are|were|has|had)\b", re.IGNORECASE)
_ENDS_IN_COPULA = re.compile(r"\b(?:is|was|are|were|been|be|as|became|become|becomes)\s*$", re.IGNORECASE)


def asks_in_place(text: str) -> bool:
    """Return whether a question word stands where its answer would: "located in what city", "founded by whom"."""
    return _ASKS_IN_PLACE.search(text) is not None


def split_trailing_question(text: str) -> tuple[str, str, str] | None:
    """Return what is asked about a thing that a statement describes: "Marl House is a hall in a university located in what city?" asks which
    university it is, and then where that one is located."""
    things = [match for match in _things(text) if _asks_about(text, match)]
    if not things:
        return None
    nearest = things[-1]  # of "a game by a company founded by who" the company
    before, thing, clause = text[: nearest.start()].strip(" ,"), nearest["thing"], nearest["clause"].strip(" ,.?")
    owned = re.match(r"whose\s+", clause, re.IGNORECASE)
    rest = f"'s {clause[owned.end() :]}" if owned else f" {_RELATIVE_PRONOUN.sub('', clause)}"
    described = f"{nearest['article']} {thing}"
    return described, f"Which {thing} is meant: {before} {described}?", f"{{sq1}}{rest}?"


def _things(text: str) -> Iterator[re.Match[str]]:
    place = 0
    while (match := _THING_ASKED_ABOUT.search(text, place)) is not None:
        yield match
        place = match.start() + 1


def _asks_about(text: str, match: re.Match[str]) -> bool:
    """Return whether the question is in the clause behind the thing, and what stands in front names something and leaves the thing open."""
    before, clause = text[: match.start()], match["clause"]
    if _CONTINUED_CLAUSE.match(clause) or not asks_in_place(clause) or QUESTION_WORD.search(before) or _ENDS_IN_COPULA.search(before):
        return False
    return bool(find_names(before) and content_words(clause))
