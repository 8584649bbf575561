"""How somebody is reached: the address or number on the line that names the person or firm, for "What is the e-mail address of Ann Low?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import CONTEXT_ROLES, Role
from core.language.content_words import stems
from core.language.mail_lines import MAIL_ADDRESS
from core.language.question_wording import strip_politeness

_ARTICLE = r"(?:(?:the|our|my|der|die|das)\s+)?"
_EMAIL_WORDS, _PHONE_WORDS = r"e-?mails?(?:\s+address(?:es)?)?", r"(?:tele)?phone(?:\s+numbers?)?|telephone|mobile(?:\s+numbers?)?|extension|number"
_CONTACT_WORDS = r"contact(?:\s+(?:details|data|info(?:rmation)?))?"
_ASKED = re.compile(
    rf"^\W*(?:(?:give\s+me|show\s+me|find|send\s+me|i\s+need|what(?:['’]?s|\s+(?:is|are))|which\s+is)\s+)?{_ARTICLE}"
    rf"(?:(?P<email>{_EMAIL_WORDS})|(?P<phone>{_PHONE_WORDS})|{_CONTACT_WORDS})\s+(?:of|for|from)\s+{_ARTICLE}(?P<who>[^?]+?)\W*$|"
    rf"^\W*(?:(?:give\s+me|what(?:['’]?s|\s+(?:is|are)))\s+)?{_ARTICLE}(?P<owner>[^?]+?)(?:['’]s|(?<=s)['’])\s+"
    rf"(?:(?P<email2>{_EMAIL_WORDS})|(?P<phone2>{_PHONE_WORDS})|{_CONTACT_WORDS})\W*$|"
    rf"^\W*(?:what|which)\s+(?:(?P<email3>{_EMAIL_WORDS})|(?P<phone3>{_PHONE_WORDS}))\s+(?:does|do|has|have)\s+{_ARTICLE}(?P<holder>[^?]+?)\s+have\W*$|"
    rf"^\W*how\s+(?:can|do|could)\s+(?:i|we|one)\s+(?:reach|contact|get\s+in\s+touch\s+with|(?P<call>call|phone)|(?P<write>e-?mail))\s+{_ARTICLE}(?P<whom>[^?]+?)\W*$",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"\(\d{3}\)\s?\d{3}[\s-]\d{4}(?:,?\s+ext\.?\s*\d{1,6})?|(?:\+\d{1,3}[\s-]?|(?<![\d.,:/-])\(?0)\(?\d*\)?(?:[\s()/-]{1,2}\d{2,}){1,4}\b"
)
_ADDRESS_ASKED = re.compile(
    r"^\W*(?:(?:to|from|under)\s+)?(?:which|what)\s+(?:[\w-]+\s+){0,2}?(?:e-?mail|g?mail|mail)(?:\s+(?:address|account|adress))?\b", re.IGNORECASE
)
_HEAD_LINES = frozenset({Role.FIELD, Role.TURN})  # "To: ada@marl.example" of a mail
_LEAST_SAID = 0.5  # of the question, in a sentence with an address
_LONGEST_NAME = 4  # words


def contact_details(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the only address or number on lines that name who is asked for; both, where it is asked how somebody is reached. None where no such
    line has one, or several differ."""
    asked = _ASKED.match(strip_politeness(question.text))
    if asked is None:
        return None
    who = stems(asked["who"] or asked["owner"] or asked["holder"] or asked["whom"] or "")
    if not 0 < len(who) <= _LONGEST_NAME:
        return None
    patterns = _patterns(asked)
    found = list(_found_on_lines(units, who, patterns))
    if any(_differ(pattern, found, units) for pattern in patterns) or not found:
        return None
    best = max(found, key=len)
    whole = UnitSpan(best[0].unit, min(span.start for span in best), max(span.end for span in best))
    return RuleAnswer(_text(whole, units), (whole,), SURE_CHANCE, "span")


def stated_address(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the e-mail address in the sentence that holds most of a question for one ("Which mail account was locked?"); None where sentences that
    hold as much have several."""
    if _ADDRESS_ASKED.match(strip_politeness(question.text)) is None:
        return None
    sentences = [(place, unit) for place, unit in enumerate(units) if unit.unit.choosable and unit.unit.role not in _HEAD_LINES]
    places = [place for place, unit in sentences if unit.lex >= _LEAST_SAID and MAIL_ADDRESS.search(unit.unit.text) is not None]
    most = max((units[place].lex for place in places), default=0.0)
    found = {
        match.group(): UnitSpan(place, *match.span())
        for place in places
        if units[place].lex == most
        for match in MAIL_ADDRESS.finditer(units[place].unit.text)
    }
    if len(found) != 1:
        return None
    text, span = next(iter(found.items()))
    return RuleAnswer(text, (span,), LIKELY_CHANCE, "span")


def _found_on_lines(units: Sequence[ScoredUnit], who: frozenset[str], patterns: Sequence[re.Pattern[str]]) -> Iterator[list[UnitSpan]]:
    """Yield what is found on each line that names who is asked for and has any of it."""
    named = ((place, unit) for place, unit in enumerate(units) if unit.unit.role not in CONTEXT_ROLES and who <= stems(unit.unit.text))
    for place, unit in named:
        if spans := [UnitSpan(place, *span) for span in _spans(unit.unit.text, who, patterns)]:
            yield spans


def _differ(pattern: re.Pattern[str], found: Sequence[Sequence[UnitSpan]], units: Sequence[ScoredUnit]) -> bool:
    """Return whether lines tell several addresses, or several numbers."""
    return len({text for spans in found for span in spans if pattern.fullmatch(text := _text(span, units))}) > 1


def _text(span: UnitSpan, units: Sequence[ScoredUnit]) -> str:
    return units[span.unit].unit.text[span.start : span.end]


def _patterns(asked: re.Match[str]) -> list[re.Pattern[str]]:
    """Return what is looked for: addresses, numbers, or both where neither is named."""
    writes = asked["email"] or asked["email2"] or asked["email3"] or asked["write"]
    calls = asked["phone"] or asked["phone2"] or asked["phone3"] or asked["call"]
    return [pattern for pattern, wanted in ((MAIL_ADDRESS, writes or not calls), (_PHONE, calls or not writes)) if wanted]


def _spans(text: str, who: frozenset[str], patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, int]]:
    """Yield of each pattern the first match behind the name, else the first one of all."""
    named = [match.end() for match in re.finditer(r"\w+", text) if stems(match.group()) & who]
    for pattern in patterns:
        if (match := pattern.search(text, named[0] if named else 0) or pattern.search(text)) is not None:
            yield match.span()
