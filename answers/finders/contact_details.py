"""How somebody is reached: the address or number on the line that names the person or firm, for "What is the e-mail address of Ann Low?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import CONTEXT_ROLES, Role
from core.claim_words import label_words
from core.language.content_words import stems
from core.language.mail_lines import MAIL_ADDRESS
from core.language.question_wording import strip_politeness

_ARTICLE = r"(?:(?:the|our|my|der|die|das)\s+)?"
_EMAIL_WORDS, _PHONE_WORDS = (
    r"(?:e-?mails?|mail(?=\s+address))(?:\s+address(?:es)?)?",
    r"(?:tele)?phone(?:\s+numbers?)?|telephone|mobile(?:\s+numbers?)?|extension|number",
)
_CONTACT_WORDS = r"contact(?:\s+(?:details|data|info(?:rmation)?))?"
_ASKED = re.compile(
    rf"^\W*(?:(?:give\s+me|show\s+me|find|send\s+me|i\s+need|what(?:['’]?s|\s+(?:is|are))|which\s+is)\s+)?{_ARTICLE}"
    rf"(?:(?P<email>{_EMAIL_WORDS})|(?P<phone>{_PHONE_WORDS})|{_CONTACT_WORDS})\s+(?:of|for|from)\s+{_ARTICLE}(?P<who>[^?]+?)\W*$|"
    rf"^\W*(?:(?:give\s+me|what(?:['’]?s|\s+(?:is|are)))\s+)?{_ARTICLE}(?P<owner>[^?]+?)(?:['’]s|(?<=s)['’])\s+"
    rf"(?:(?P<email2>{_EMAIL_WORDS})|(?P<phone2>{_PHONE_WORDS})|{_CONTACT_WORDS})\W*$|"
    rf"^\W*(?:what|which)\s+(?:(?P<email3>{_EMAIL_WORDS})|(?P<phone3>{_PHONE_WORDS}))\s+(?:does|do|has|have)\s+{_ARTICLE}(?P<holder>[^?]+?)\s+have\W*$|"
    rf"^\W*how\s+(?:can|do|could)\s+(?:i|we|one)\s+(?:reach|contact|get\s+in\s+touch\s+with|(?P<call>call|phone)|(?P<write>e-?mail))\s+{_ARTICLE}(?P<whom>[^?]+?)\W*$|"
    # typed as into a search box: "Ada Holm mail address"
    rf"^\W*(?P<keyed>(?-i:[A-ZÀ-Þ][\w’'-]+(?:\s+[A-ZÀ-Þ][\w’'-]*[a-zà-þ][\w’'-]*){{1,2}}))\s+(?:[\w-]+\s+)?(?:(?P<email4>{_EMAIL_WORDS})|(?P<phone4>{_PHONE_WORDS}))\W*$",
    re.IGNORECASE,
)
_WHOM_TO_ASK = re.compile(
    r"^\W*(?:to\s+|an\s+)?(?:who|whom|where|wen|wo|wohin)\s+(?:can|could|do|does|should|may|must|to|kann|soll|muss)\s+(?:(?:i|we|one|you|people|users|ich|wir|man)\s+)?"
    r"(?:\w+\s+)?(?:write|e-?mail|contact|ask|call|phone|turn|talk|reach|send|schreib\w*|wenden|fragen|anrufen)\b",
    re.IGNORECASE,
)
_CONTACT_LABEL = re.compile(
    r"\b(?:contacts?|questions?|quer(?:y|ies)|enquir\w+|inquir\w+|help|support|info\w*|feedback|comments?|kontakt\w*|fragen|ansprechpartner\w*|auskunft)\b",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"\(\d{3}\)\s?\d{3}[\s-]\d{4}(?:,?\s+ext\.?\s*\d{1,6})?|(?:\+\d{1,3}[\s-]?|(?<![\d.,:/-])\(?0)\(?\d*\)?(?:[\s()/-]{1,2}\d{2,}){1,4}\b"
)
_ADDRESS_ASKED = re.compile(
    r"^\W*(?:(?:to|from|under)\s+)?(?:which|what)\s+(?:[\w-]+\s+){0,2}?(?:e-?mail|g?mail|mail)(?:\s+(?:address|account|adress))?\b", re.IGNORECASE
)
_HEAD_LINES = frozenset({Role.FIELD, Role.TURN})  # "To: ada@marl.example" of a mail
_LEAST_SAID = 0.5  # of the question, in a sentence with an address, or in a document that says whom to ask
_LONGEST_NAME = 4  # words, of a label too
_IDLE = label_words("question questions query queries problem problems help more information details frage fragen")
_NEAR = 4  # characters between a label's line and its value's


def contact_details(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the only address or number on lines that name who is asked for; both, where it is asked how somebody is reached. None where no such
    line has one, or several differ."""
    asked = _ASKED.match(strip_politeness(question.text))
    if asked is None:
        return None
    who = stems(asked["who"] or asked["owner"] or asked["holder"] or asked["whom"] or asked["keyed"] or "")
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


def address_to_ask(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the address that the document with most of what is asked about gives for questions ("Contact: help@marl.example"), for "Who can I write
    to about the tests?"; None where it gives none or several."""
    asked = strip_politeness(question.text)
    opening = _WHOM_TO_ASK.match(asked)
    about = label_words(asked[opening.end() :]) - _IDLE if opening is not None else frozenset[str]()
    held: dict[str, frozenset[str]] = {}
    for unit in units:
        held[unit.document] = held.get(unit.document, label_words(" ".join(unit.names))) | label_words(unit.unit.text)
    best = max(held, key=lambda document: len(about & held[document]), default="")
    if not about or not best or len(about & held[best]) < _LEAST_SAID * len(about):
        return None
    found = {
        match.group(): UnitSpan(place, *match.span())
        for place, unit in enumerate(units)
        if unit.document == best and unit.unit.role not in _HEAD_LINES and _is_for_questions(place, units)
        for match in MAIL_ADDRESS.finditer(unit.unit.text)
    }
    if len(found) != 1:
        return None
    text, span = next(iter(found.items()))
    return RuleAnswer(text, (span,), LIKELY_CHANCE, "span")


def _is_for_questions(place: int, units: Sequence[ScoredUnit]) -> bool:
    """Return whether a unit, what stands over it or the line before it speaks of contact, help or questions."""
    unit = units[place].unit
    before = units[place - 1].unit if place and units[place - 1].unit.source == unit.source else None
    beside = before.text if before is not None and unit.start - before.end <= _NEAR and len(before.text.split()) <= _LONGEST_NAME else ""
    return _CONTACT_LABEL.search(f"{unit.lead_in} {beside} {MAIL_ADDRESS.sub(' ', unit.text)}") is not None


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
    writes = asked["email"] or asked["email2"] or asked["email3"] or asked["email4"] or asked["write"]
    calls = asked["phone"] or asked["phone2"] or asked["phone3"] or asked["phone4"] or asked["call"]
    return [pattern for pattern, wanted in ((MAIL_ADDRESS, writes or not calls), (_PHONE, calls or not writes)) if wanted]


def _spans(text: str, who: frozenset[str], patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, int]]:
    """Yield of each pattern the first match behind the name, else the first one of all."""
    named = [match.end() for match in re.finditer(r"\w+", text) if stems(match.group()) & who]
    for pattern in patterns:
        if (match := pattern.search(text, named[0] if named else 0) or pattern.search(text)) is not None:
            yield match.span()
