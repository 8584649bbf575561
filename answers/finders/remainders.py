"""How many are left: 38 less 31 of "complete for 31 of 38 drivers", for "How many drivers still need the training?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from core.language.content_words import stems
from core.language.numbers import number_words
from core.language.stems import stem
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used

_WORDS = number_words("en")
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d+|{join_alternatives(_WORDS)})"
_ASKED = compile_when_used(r"^\W*how\s+many\s+(?:of\s+(?:the|our|these|those|all)\s+)?(?:more\s+)?(?P<thing>[a-z]+(?:\s+[a-z]+)?)\b", re.IGNORECASE)
_ASKS_REST = compile_when_used(
    r"\b(?:still\s+(?:need|have\s+to|lack|await|wait|miss|open|outstanding|missing|to\s+be|must|due|not)|remain(?:s|ing)?|left|outstanding|not\s+yet|yet\s+to|"
    r"(?:have|has|are|were|is|was|do|did)(?:\s+not|n['’]t)\s+(?:yet\s+)?(?:been\s+)?(?P<verb>\w+))\b",
    re.IGNORECASE,
)
# "31 of 38 drivers", "31 out of the 38 drivers"; "of the nine actions six".
_PART = compile_when_used(
    rf"\b(?P<part>{_NUMBER})\s+(?:out\s+)?of\s+(?:the\s+|our\s+|all\s+)?(?P<all>{_NUMBER})\s+(?P<thing>[a-z]+(?:\s+[a-z]+)?)|"
    rf"\bof\s+(?:the\s+|our\s+|all\s+)?(?P<all_first>{_NUMBER})\s+(?P<thing_first>[a-z]+)\s+(?P<part_behind>{_NUMBER})\b",
    re.IGNORECASE,
)
_DONE = compile_when_used(
    r"\b(?:completed?|done|finished|closed|trained|paid|passed|received|delivered|returned|signed|approved|installed|repaired|replaced|tested|"
    r"inspected|vaccinated|migrated|shipped|filled|sold|attended|answered|reviewed|resolved|settled)\b",
    re.IGNORECASE,
)
_NOT_DONE = compile_when_used(
    r"\b(?:not|no|never|without|still|open|outstanding|missing|pending|unpaid|overdue|remain\w*|left|yet)\b|n['’]t\b", re.IGNORECASE
)
_LEAST_SHARE = 0.6  # of the question's other words in the sentence
_CLAUSE_END = compile_when_used(r"[.;]\s")


def remainder(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return how many are left where a sentence says of how many of them it is done; None where several sentences say different numbers."""
    asked = _ASKED.match(question.text)
    rest = _ASKS_REST.search(question.text, asked.start("thing")) if asked is not None else None
    if asked is None or rest is None:
        return None
    things = {stem(asked["thing"].split()[0].lower())}
    others = stems(f"{question.text[asked.start('thing') : rest.start()]} {question.text[rest.end() :]}") - things
    found: dict[tuple[int, int], UnitSpan] = {}
    for place, unit in enumerate(units):
        if not unit.unit.choosable or unit.is_for_another or len(others & _words_of(unit)) < _LEAST_SHARE * len(others):
            continue
        for said in _PART.finditer(unit.unit.text):
            told = _read_part(said, things)
            if told is not None and _says_done(unit.unit.text, said, rest["verb"] or ""):
                found.setdefault(told, UnitSpan(place, *said.span()))
    if len(found) != 1:
        return None
    (part, whole), span = next(iter(found.items()))
    return RuleAnswer(f"{whole - part:,} ({whole:,} less {part:,})", (span,), LIKELY_CHANCE)


def _words_of(unit: ScoredUnit) -> frozenset[str]:
    """Return the words of a sentence, of what leads to it and of its document's name."""
    return stems(" ".join((unit.unit.text, unit.unit.lead_in, unit.title, *unit.names)))


def _read_part(said: re.Match[str], things: set[str]) -> tuple[int, int] | None:
    """Return of how many of how many a sentence speaks; None where it is of other things."""
    named = said["thing"] or said["thing_first"]
    if not things & stems(named):
        return None
    part, whole = (_value(said[one] or said[other]) for one, other in (("part", "part_behind"), ("all", "all_first")))
    return (part, whole) if part < whole else None


def _value(text: str) -> int:
    bare = text.replace(",", "").lower()
    return int(bare) if bare.isdigit() else _WORDS[bare]


def _says_done(text: str, said: re.Match[str], verb: str) -> bool:
    """Return whether the clause round a count says that it is done, by the verb that is asked for if there is one, and nothing to the contrary."""
    begin = max((found.end() for found in _CLAUSE_END.finditer(text, 0, said.start())), default=0)
    end = next((found.start() for found in _CLAUSE_END.finditer(text, said.end())), len(text))
    clause = text[begin:end]
    done = stem(verb.lower()) in stems(clause) if verb else _DONE.search(clause) is not None
    return done and _NOT_DONE.search(clause) is None
