"""Spans that a reader takes for an answer by their shape, and their words or those beside them say that they are none: the number of a house for a
year, the first word of what is asked about, a way of handling a thing for what it is made of, a year for a quantity, where something is sent for
where it is."""

from __future__ import annotations

import re

from answers.questions.answer_kinds import NUMBER, AnswerKind
from answers.reading.evidence_reading import FoundSpan
from answers.reading.short_answers import MEASURE_OF_THING
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.language.content_words import stems
from core.language.mail_lines import MAIL_ADDRESS, MAIL_DAY
from core.lazy_patterns import compile_when_used

_STREET_BEHIND = compile_when_used(
    r"\s+(?:[NSEW]\.?\s+)?(?:[A-ZÀ-Þ][\w’'.-]*\s+){1,3}(?:Avenue|Ave|Street|St|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Place|Square|Highway|Parkway)\b"
)
_BARE_YEAR = compile_when_used(r"\W*\d{4}\W*")
_ASKS_SEASON = compile_when_used(
    r"^\W*(?:(?:in|on|during|at)\s+)?(?:which|what)\s+(?:seasons?|months?|quarters?|weekdays?|days?\s+of\s+the\s+week)\b", re.IGNORECASE
)
_ASKS_THING = compile_when_used(
    r"^\W*what(?:['’]?s|\s+(?:is|was|are|were))\s+(?!.*\b(?:kinds?|types?|sorts?|name)\b)[^?]*?(?P<head>[a-z]{4,})(?:\s+(?:of|for|in|at|on|from|during)\s+[^?]*)?\W*$",
    re.IGNORECASE,
)
_PROPERTY_OF = compile_when_used(
    r"^\W*what(?:['’]?s|\s+(?:is|was|are|were))\s+(?:the\s+)?(?P<what>[\w\s-]+?)\s+of\s+(?:the\s+)?(?P<thing>[^?]+?)\W*$", re.IGNORECASE
)
_NOUNS_OF = compile_when_used(r"\W*(?:the\s+)?(?P<what>[\w-]+(?:\s+[\w-]+){0,2})\s+of\s+(?:the\s+)?(?P<thing>.+?)\W*", re.IGNORECASE)
_DESCRIBES = compile_when_used(r"\b(?:is|are|was|were|an?|the)\s+$", re.IGNORECASE)  # "an open tool"
_ASKS_MATERIAL = compile_when_used(r"^\W*what\b[^?]*\b(?:made|built|composed|constructed|manufactured)\s+(?:of|from|out\s+of)\W*$", re.IGNORECASE)
# What a year may be, besides a time: "What is his best-known novel?": "1984".
_MAY_BE_YEAR = compile_when_used(
    r"\b(?:years?|when|since|until|dates?|dated|vers\w+|edition|vintage|model|called|named?|title[sd]?|numbers?|codes?|standard|season|cup|games|"
    r"book|novel|film|movie|song|album|jahr\w*|name|nummer|ausgabe)\b",
    re.IGNORECASE,
)
_WORDS_THAT_ANSWER = frozenset(
    "none no nothing nobody never always both neither either all yes keine keiner nichts nie immer beide alle ja nein".split()
)
_LINKING_STEMS = stems("until while once whether unless except because")
_CLOCK_TIME = compile_when_used(r"\d{1,2}:\d\d")  # behind the day of a mail, not behind that of a form
_ASKS_WRITING = compile_when_used(
    r"\b(?:e-?)?mails?\b|\b(?:sent|send\w*|wrote|written|writ\w+|dated?|repl\w+|answer\w*|respon\w+|tell|told|ask\w*|inform\w*|say|said|announc\w+|"
    r"invit\w+|contact\w*|message\w*|letter\w*|receiv\w+|geschickt|gesendet|geschrieben|datum|nachricht\w*)\b",
    re.IGNORECASE,
)
_MAY_BE_ADDRESS = compile_when_used(
    r"\b(?:who\w*|(?:e-?|g)?mails?|accounts?|contact\w*|reach\w*|send|sent|write|wrote|log\s?in|users?|usernames?|apply|submit\w*|ask|wer|wen|wem|konto|"
    r"erreich\w*|kontakt\w*|schreib\w*|schick\w*)\b",
    re.IGNORECASE,
)
_ASKS_OTHER_ADDRESS = compile_when_used(r"\b(?:ip|web|street|postal|home|mac|business)[- ]address", re.IGNORECASE)
_ASKS_PLACE = compile_when_used(r"^\W*(?:where|wo)\s+(?:is|are|was|were|ist|sind|war|waren|liegt|liegen)\b", re.IGNORECASE)
_SENT_TO = compile_when_used(
    r"\b(?:export|ship|deliver|sell|sold|send|sent|transport|suppl|travel|fly|flew|return|lead|led|liefer|verkauf|exportier)\w*\b[^.;]*"
    r"\b(?:to|into|nach|an)\s+(?:the\s+)?(?:neighbou?ring\s+)?$",
    re.IGNORECASE,
)


def is_of_other_words(question: Question, unit: ScoredUnit, span: FoundSpan) -> bool:
    """Return whether the words beside a span say that it is no answer to this question."""
    at, end = span.start - unit.unit.start, span.end - unit.unit.start
    if _is_no_answer(question, unit, span.text):
        return True
    if unit.unit.role is Role.ROW or at < 0:
        return False
    before, behind = unit.unit.text[:at], unit.unit.text[end:]
    if question.answer_kind is AnswerKind.TIME and _BARE_YEAR.fullmatch(span.text) is not None:
        return _STREET_BEHIND.match(behind) is not None or _ASKS_SEASON.match(question.text) is not None  # "1309 S. Mary Avenue"
    if question.answer_kind is AnswerKind.NAME:
        return _ASKS_PLACE.match(question.text) is not None and _SENT_TO.search(before) is not None
    if question.answer_kind is AnswerKind.NUMBER:
        return MEASURE_OF_THING.match(f"{span.text}{behind}") is not None
    if question.answer_kind is not AnswerKind.ANYTHING:
        return False
    if _is_other_property(question.text, span.text):
        return True
    return (_is_first_word_of_thing(question.text, span.text, behind) and _DESCRIBES.search(before) is None) or _tells_no_material(
        question.text, span.text
    )


def _is_no_answer(question: Question, unit: ScoredUnit, said: str) -> bool:
    """Return whether the span alone, or what kind of line it stands in, says that it is none."""
    return _says_nothing(said) or _is_year_of_something(question, said) or _is_of_mail(question, unit, said)


def _says_nothing(said: str) -> bool:
    """Return whether a span is only words like "until"."""
    telling = stems(said) - _LINKING_STEMS
    return said.islower() and not telling and NUMBER.search(said) is None and _WORDS_THAT_ANSWER.isdisjoint(re.findall(r"[^\W\d_]+", said))


def _is_year_of_something(question: Question, said: str) -> bool:
    """Return whether a span is a year, and neither a time nor the name of something is asked for: "2022" for "What is the intensity?"."""
    return question.answer_kind is AnswerKind.ANYTHING and _BARE_YEAR.fullmatch(said) is not None and _MAY_BE_YEAR.search(question.text) is None


def _is_of_mail(question: Question, unit: ScoredUnit, said: str) -> bool:
    """Return whether a span stands in a mail's line of its day, and nothing is asked that was written, sent or dated, but when an event is; or is the
    address of somebody, and none is asked for: "From which IP address …?"."""
    if MAIL_ADDRESS.fullmatch(said.strip()) is not None:
        return _MAY_BE_ADDRESS.search(question.text) is None or _ASKS_OTHER_ADDRESS.search(question.text) is not None
    return (
        MAIL_DAY.match(unit.unit.text) is not None and _CLOCK_TIME.search(unit.unit.text) is not None and _ASKS_WRITING.search(question.text) is None
    )


def _is_other_property(question: str, said: str) -> bool:
    """Return whether a span is only what else the thing has: "density of KR-7" for "What is the strength of KR-7?"."""
    asked, told = _PROPERTY_OF.match(question), _NOUNS_OF.fullmatch(said)
    return asked is not None and told is not None and told["thing"].casefold() == asked["thing"].casefold() and told["what"] != asked["what"]


def _is_first_word_of_thing(question: str, said: str, behind: str) -> bool:
    """Return whether one word stands right in front of what is asked about: "LDL" of "LDL cholesterol" for "What is the cholesterol?"."""
    asked = _ASKS_THING.match(question)
    return asked is not None and " " not in said.strip() and re.match(rf"\s+{re.escape(asked['head'])}\b", behind, re.IGNORECASE) is not None


def _tells_no_material(question: str, said: str) -> bool:
    """Return whether it is asked what a thing is made of, and the span goes on with what is done to it: "spun on by hand as …"."""
    return _ASKS_MATERIAL.match(question) is not None and re.match(r"\s*\w+\s+(?:on|off|up|down|by|into|onto|over)\b", said) is not None
