"""Follow-ups that leave out what the question before them said: "At what price?", "And we?", "And of its battery?", "Who took part?".

    complete_question("After how many minutes?", "When does the alarm go off?", "") -> "After how many minutes does the alarm go off?"

The earlier question lends its clause; what cannot be taken over word for word is left to `agents.query_classifier.followups`.
"""

from __future__ import annotations

import re

from agents.query_classifier.antecedents import CITATION_MARK, subject
from agents.text.question_words import tokens
from core.lazy_patterns import compile_when_used

_MODALS = "can|could|may|might|must|should|will|would"
_CLAUSE = compile_when_used(
    rf"^\W*(?:(?:and|but|so)\s+)?(?P<asked>(?:[a-z]+\s+)?(?:who|whom|whose|what|which|when|where|why|how)\b[^?]*?)\s+"
    rf"(?P<aux>is|are|was|were|do|does|did|has|have|had|{_MODALS})\s+(?P<rest>[^?]+?)\W*$",
    re.IGNORECASE,
)
_WHO_DID = compile_when_used(
    r"^\W*(?:(?:and|but|so)\s+)?who\s+(?P<verb>[a-z]+ed)\s+(?P<object>(?!for\b|to\b|in\b|at\b|on\b|by\b|with\b|up\b)[^?]+?)\W*$", re.IGNORECASE
)
_BARE_QUESTION = compile_when_used(
    r"^\W*(?:and\s+|but\s+)?(?P<bare>(?:(?:since|until|till|by|for|from|to|at|in|with|after|before|within|under|on)\s+)?"
    r"(?:when|where|why|whom?|how\s+(?:long|often|much|many)(?:\s+\w+){0,2}|(?:what|which)\s+\w+(?:\s+\w+)?))\W*$",
    re.IGNORECASE,
)
_FINITE = compile_when_used(rf"\b(?:is|are|was|were|do|does|did|has|have|had|{_MODALS}|about)\b", re.IGNORECASE)
_SUBJECT_BEGINS = compile_when_used(
    r"(?:the|a|an|our|my|your|his|her|its|their|this|that|these|those|we|i|you|he|she|it|they|any|each|every)\b", re.IGNORECASE
)
_WITHOUT_SUBJECT = compile_when_used(r"^(?:who|what|which)\b", re.IGNORECASE)
_PARTICIPLE = compile_when_used(r"\w(?:ed|en|wn|ght|ld|id|ade)$")
_WE = compile_when_used(r"^\W*(?:and|but)\s+(?P<who>we|us|i|me|you|they|them)\W*$", re.IGNORECASE)
_SUBJECT_FORM = {"us": "we", "me": "I", "i": "I", "them": "they"}
_SUBJECT = compile_when_used(
    r"(?:the|our|my|your|this|that)\s+(?:[\w’'-]+)\b|[A-ZÀ-Þ][\w’'.&-]*(?:\s+[A-ZÀ-Þ][\w’'.&-]*)*|(?:we|I|you|he|she|it|they)\b"
)
_OF_ITS = compile_when_used(
    r"^\W*(?:and|but)\s+(?P<preposition>of|for|in|on|at|with|from|to|by)\s+(?:its|his|her|their)\s+(?P<thing>[^?]+?)\W*$", re.IGNORECASE
)
_ASKS_BEFORE = compile_when_used(
    r"^\W*(?:and\s+)?(?:what|how)\s+(?:was|were)\s+(?:it|that|they)\s+(?:before|previously|earlier|originally)\W*$", re.IGNORECASE
)
_PRESENT = compile_when_used(r"\b(?:is|are)\b", re.IGNORECASE)
_PAST = {"is": "was", "are": "were"}
_AND_WHAT = compile_when_used(r"^\W*(?:and|but)\s+(?:what|who|when|where|how|which)\b", re.IGNORECASE)
_SO_FAR = compile_when_used(r"\b(?:so\s+far|to\s+date|until\s+now|up\s+to\s+now|already)\W*$", re.IGNORECASE)
_TAIL = compile_when_used(r"\b(?:for|of|in|at|on)\s+[^?]+$", re.IGNORECASE)
_DEFINITE = compile_when_used(
    r"\b(?:the|our|my|your|his|her|its|their|it|he|she|they|him|them|this|that|these|those|for|of|in|at|on|a|an)\b", re.IGNORECASE
)
_NO_OBJECT = compile_when_used(
    r"^\W*(?:and\s+)?(?P<asks>who\s+(?P<verb>took\s+part|participated|attended|chaired|signed|approved|agreed|wrote|was\s+(?:there|present|absent)))\W*$",
    re.IGNORECASE,
)
# "How much do we pay on account?" does not say for what.
_PAYMENT_QUESTION = compile_when_used(
    r"^\W*(?:(?:and|but|so)\s+)?how\s+much\s+(?:do|does|did|must|should|will|have|has|had)\s+(?:we|i|you|they|he|she|the\s+\w+)\s+(?:have\s+to\s+|to\s+)?"
    r"(?:actually\s+)?(?:pay|paid|owe|owed|spend|spent|charge|charged)"
    r"(?:\s+(?:on\s+account|in\s+(?:advance|total|all|cash)|up\s+front|extra|now|today|then|altogether|at\s+(?:once|first|least|most|present)|so\s+far|"
    r"yearly|monthly|quarterly|(?:a|an|per|each|every)\s+(?:year|month|quarter|week|day)))*\W*$",
    re.IGNORECASE,
)
_MEASURED = r"(?:percentage|per\s+cent|rate|share|amount|price|costs?|figure|sum|budget|fee|size)"
_MEASURE = compile_when_used(rf"\s+{_MEASURED}$|^the\s+(?:\w+\s+)?{_MEASURED}\s+(?:of|for)\s+", re.IGNORECASE)
_MOST_TAIL_WORDS = 7  # words of "And what was actually spent?"
_LONGEST_NAME = 6


def complete_question(text: str, previous: str, answer: str) -> str | None:
    """Return the follow-up as a whole question; None where it says what it asks, or the earlier question has no clause to lend. `answer` is that to
    the earlier question."""
    if _ASKS_BEFORE.match(text):
        return f"{_PRESENT.sub(lambda match: _PAST[match.group().lower()], previous.rstrip(' ?.!'), count=1)} before?"
    for rule in (_add_object, _resolve_possessive, _replace_subject, _add_paid_thing):
        if (found := rule(text, previous)) is not None:
            return found
    bare = _BARE_QUESTION.match(text)
    if bare is not None and _FINITE.search(bare["bare"]) is None:
        return _add_clause(bare["bare"], previous, answer)
    return _add_tail(text, previous)


def _add_clause(bare: str, previous: str, answer: str) -> str | None:
    """ "At what price" before the clause of "Which offer was chosen?", the one that was the answer as its subject."""
    asked = f"{bare[0].upper()}{bare[1:]}"
    did = _WHO_DID.match(previous)
    if did is not None:
        return f"{asked} was {did['object']} {did['verb'].lower()}?"
    clause = _CLAUSE.match(previous)
    if clause is None:
        return None
    aux, rest = clause["aux"].lower(), clause["rest"]
    has_subject = _SUBJECT_BEGINS.match(rest) is not None or rest[0].isupper()
    if aux in {"do", "does", "did"} or (has_subject and aux in _MODALS.split("|")):
        return f"{asked} {aux} {rest}?"
    if aux in {"was", "were"} and has_subject and not _WITHOUT_SUBJECT.match(clause["asked"]) and _PARTICIPLE.search(rest):
        return f"{asked} {aux} {rest}?"
    if aux in {"was", "were"} and not has_subject and _WITHOUT_SUBJECT.match(clause["asked"]):
        who = _name_in_answer(answer) or _described_thing(clause["asked"])
        return f"{asked} {aux} {who} {rest}?" if who else None
    return None


def _name_in_answer(answer: str) -> str:
    """The name that an answer's first line is, "" where it is a sentence."""
    first = CITATION_MARK.sub("", answer.strip().split("\n", maxsplit=1)[0]).strip(" .")
    return first if first[:1].isupper() and len(first.split()) <= _LONGEST_NAME and _FINITE.search(first) is None else ""


def _described_thing(asked: str) -> str:
    """ "the offer for the reach trucks" of "Which offer for the reach trucks"."""
    words = re.sub(r"^(?:which|what)\s+(?:of\s+)?", "", asked, flags=re.IGNORECASE)
    return f"the {words}" if words != asked and not words.lower().startswith("the ") else words if words != asked else ""


def _replace_subject(text: str, previous: str) -> str | None:
    """ "And we?" after "How much does the landlord pay?"."""
    who, clause = _WE.match(text), _CLAUSE.match(previous)
    said = _SUBJECT.match(clause["rest"]) if clause is not None else None
    if who is None or clause is None or said is None:
        return None
    pronoun = _SUBJECT_FORM.get(who["who"].lower(), who["who"].lower())
    aux = {"does": "do", "is": "are", "was": "were", "has": "have"}.get(clause["aux"].lower(), clause["aux"])
    return f"{clause['asked']} {aux} {pronoun}{clause['rest'][said.end() :]}?"


def _resolve_possessive(text: str, previous: str) -> str | None:
    """ "And of its battery?" after "How long is the warranty of the Pallas truck?"."""
    found = _OF_ITS.match(text)
    head, preposition, owner = previous.rstrip(" ?.!").rpartition(f" {found['preposition'].lower()} ") if found is not None else ("", "", "")
    return f"{head}{preposition}{owner}'s {found['thing']}?" if found is not None and head else None


def _add_object(text: str, previous: str) -> str | None:
    """ "Who took part?" after a question or request about one thing."""
    found, about = _NO_OBJECT.match(text), subject(previous)
    if found is None or not about:
        return None
    joined = " in" if found["verb"].lower() in {"took part", "participated"} else " at" if found["verb"].lower().startswith("was") else ""
    return f"{found['asks']}{joined} {about}?"


def _add_paid_thing(text: str, previous: str) -> str | None:
    """ "How much do we pay on account?" after "What is the service charge percentage?" asks it of the service charge."""
    about = subject(previous) if _PAYMENT_QUESTION.match(text) is not None else ""
    return f"{text.rstrip(' ?.!')} for {_MEASURE.sub('', about)}?" if about else None


def _add_tail(text: str, previous: str) -> str | None:
    """ "And what was actually spent?" of what the earlier question was put for: "for sea freight in July 2026"."""
    tail = _TAIL.search(previous.rstrip(" ?.!"))
    if (
        tail is None
        or not (_AND_WHAT.match(text) or _SO_FAR.search(text))
        or len(tokens(text)) > _MOST_TAIL_WORDS
        or _DEFINITE.search(text)
        or any(c.isdigit() for c in text)
    ):
        return None
    capital = re.search(r"(?<=\s)[A-ZÀ-Þ]", text)
    return None if capital is not None else f"{text.rstrip(' ?.!')} {tail.group()}?"
