"""The wording of decisions: questions that ask what was decided about something, or what was chosen, and sentences that say it."""

from __future__ import annotations

import re

from core.language.content_words import stems
from core.language.question_wording import strip_politeness
from core.lazy_patterns import compile_when_used

_QUESTION = re.compile(
    r"^\W*what\s+(?:(?:was|were|has\s+been|have\s+been|got)\s+(?:decided|agreed|resolved)(?:\s+(?:up)?on)?|"
    r"(?:did|have|has)\s+(?:we|they|you|the\s+\w+(?:\s+\w+)?)\s+(?:decided?|agreed?|resolved?)(?:\s+(?:up)?on)?|"
    r"(?:is|was|are|were)\s+the\s+(?:decisions?|resolutions?|outcomes?)|"
    r"(?:decisions?|resolutions?)\s+(?:was|were|has\s+been|have\s+been|did\s+(?:we|they|you|the\s+\w+))\s+(?:made|taken|reached|passed|make|take|reach|pass))\b"
    r"(?P<rest>[^?]*?)\W*$|"
    r"^\W*which\s+(?:decisions?|resolutions?)\s+(?:was|were|has\s+been|have\s+been|did\s+(?:we|they|you|the\s+\w+))\s+"
    r"(?:made|taken|reached|passed|make|take|reach|pass)\b(?P<others>[^?]*?)\W*$|"
    r"^\W*(?:was|welche\s+(?:beschlüsse|entscheidungen))\s+(?:wurden?|haben\s+wir|gab\s+es|hat\s+\w+(?:\s+\w+)?)\s+(?P<deutsch>[^?]*?)\s*"
    r"(?:beschlossen|entschieden|vereinbart|festgelegt|gefasst|getroffen)\W*$",
    re.IGNORECASE,
)
# Where it was decided is not what was decided about: "at the meeting of 6 October".
_WHERE_DECIDED = compile_when_used(
    r"\b(?:at|in|during|by)\s+(?:the|our|that|this|last|its)?\s*(?:[\w-]+\s+){0,3}?(?:meeting|session|board|committee|conference|call|assembly|council)\b"
    r"(?:\s+(?:of|on|in|from)\s+[\w ,.-]+)?",
    re.IGNORECASE,
)
_RECORD = compile_when_used(
    r"\b(?:minutes|meeting|session|protocol\s+of|resolutions?|protokoll|sitzung|besprechung|niederschrift|beschlüsse)\b", re.IGNORECASE
)
_LABELLED = compile_when_used(
    r"^\W*(?:(?:decision|resolution|outcome|beschluss|entscheidung)\b\W*[:–—]|(?:decided|resolved|agreed|beschlossen|vereinbart)\b)", re.IGNORECASE
)
_DECIDED = compile_when_used(
    r"\b(?:it\s+(?:was|has\s+been)|(?:was|were|has\s+been|have\s+been))\s+(?:\w+ly\s+)?(?:agreed|decided|resolved|approved|adopted|rejected|accepted|"
    r"postponed|deferred|granted|declined|passed)\b|"
    r"\b(?:we|they|the\s+\w+(?:\s+\w+)?|[A-ZÀ-Þ][\w’'-]+)\s+(?:have\s+|has\s+)?(?:\w+ly\s+)?(?:agreed|decided|resolved|approved|voted|rejected)\b|"
    r"\b(?:order|contract|job|work|tender|award|mandate|lot)\s+(?:goes|go|went|is\s+awarded|is\s+given)\s+to\s+[A-ZÀ-Þ]|\b(?:beschlossen|vereinbart|genehmigt|abgelehnt|vertagt|zugestimmt|einigten\s+sich|beschließt|beschloss)\b",
)
# What is to be done or holds from now on: how minutes say it that use no word for deciding.
_PLANNED = compile_when_used(
    r"\b(?:will|shall|must|is\s+to|are\s+to|has\s+to|have\s+to|may)\s+(?:not\s+)?(?:be\s+)?[a-z]+|\b(?:wird|werden|soll|sollen|muss|müssen)\b|"
    r"\b(?:is|are|was|were)\s+(?:ordered|commissioned|scheduled|planned|booked)\b",
    re.IGNORECASE,
)
NAME = r"(?:[Tt]he\s+)?[A-ZÀ-Þ][\w’'&.-]*(?:\s+(?:(?:of|and|&|de|von)\s+)?[A-ZÀ-Þ][\w’'&.-]*)*"
CHOICE_STATEMENT = compile_when_used(
    rf"\b(?:goes|went|go|awarded|given|geht|ging)\s+(?:to|an)\s+(?P<to>{NAME})|"
    rf"\b(?:chose|chosen|selected|picked|opted\s+for|decided\s+(?:for|on)|in\s+favou?r\s+of|settled\s+on|entschieden\s+(?:für|wir\s+uns\s+für))\s+(?P<for>{NAME})"
)
_CHOICE_QUESTION = re.compile(
    r"\b(?:which|what|who|whom|wer|welche[rsnm]?)\b.*\b(?:chosen|selected|picked|decided\s+(?:on|for)|awarded|won|gewählt|ausgewählt|genommen)\b|"
    r"\b(?:which|what|who|whom)\b.*\b(?:did|do|have)\s+(?:we|they|you)\s+(?:choose|chosen|select|selected|pick|picked|decide\s+on|decided\s+on|go\s+for)\b",
    re.IGNORECASE,
)


def decision_topic(question: str) -> frozenset[str] | None:
    """Return the stems of what a question asks the decisions about, none where it asks for all of a meeting: "the alarms" of "What was decided about
    the alarms?". None where it asks for no decision."""
    asked = _QUESTION.match(strip_politeness(question))
    return stems(_WHERE_DECIDED.sub(" ", asked["rest"] or asked["others"] or asked["deutsch"] or "")) if asked is not None else None


def asks_for_choice(question: str) -> bool:
    """Return whether a question asks what was chosen: "Which offer was chosen?"."""
    return _CHOICE_QUESTION.search(question) is not None


def is_record(title: str) -> bool:
    """Return whether a title or file name is that of the record of a meeting."""
    return _RECORD.search(title.replace("_", " ")) is not None


def is_labelled_decision(text: str) -> bool:
    """Return whether a sentence is called a decision: "Decision: …", "Agreed to …"."""
    return _LABELLED.match(text) is not None


def says_decision(text: str) -> bool:
    """Return whether a sentence is called a decision, or says one by its verb."""
    return is_labelled_decision(text) or _DECIDED.search(text) is not None


def says_plan(text: str) -> bool:
    """Return whether a sentence says what is to be done, or holds from now on."""
    return _PLANNED.search(text) is not None
