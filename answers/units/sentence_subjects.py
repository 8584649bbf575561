"""Sentences that speak of something named elsewhere ("It has four floors"), and what names it: title, heading or the sentence before."""

from __future__ import annotations

import re

from answers.questions.question_parts import normalise_text, title_key
from answers.units.answer_units import Role, Unit
from core.answers import Evidence
from core.language.sentences import split_sentences, word_count

LONGEST_TITLE = 8
_LOOKED_BACK = 3  # sentences, until one names its subject
_SUBJECT_WORDS = 10

_OPENING = r"[\"'“‘«(\[]*"
_PRONOUN = re.compile(
    rf"{_OPENING}(?:He|She|It|They|His|Her|Hers|Its|Their|Theirs|This|These|Those|That|Such|Er|Sie|Es|Dies|Diese[rsmn]?|Ihre?|Seine?|Él|Ella|Ellos|Ellas|"
    r"Esto|Est[ae]s?|Il|Elle|Ils|Elles|Ce|Cette|Ces)\b(?!['’]s\s+Song)"
)
# "This Agreement …", "This paper …", "Those who rent", "It is expected that …", "It was Nash who …" name what they speak of.
_WRITINGS = (
    "paper|article|report|document|study|survey|thesis|chapter|section|book|guide|manual|handbook|policy|letter|memo|notice|module|blog\\s+post|post"
)
_SELF_NAMED = re.compile(
    rf"{_OPENING}(?:(?:This|That|These|Those)\s+[A-Z]|(?:Those|These|They)\s+(?:who|which|that|of\b)|"
    r"It\s+(?:is|was|has\s+been|can\s+be|may\s+be|should\s+be)\s+(?:\w+\s+)?(?:\w{2,}ed|known|thought|shown|found|said|held|clear|likely|possible|true|important|necessary)\s+"
    r"(?:that|to|whether)\b|It\s+(?:is|was)\s+(?:only\s+|not\s+)?(?:the\s+|an?\s+|in\s+|at\s+|on\s+)?[^.,;]{2,60}?\s(?:who|that)\s|This\s+\w+,\s+the\s+[A-Z]|This\s+(?:{_WRITINGS})\b)"
)
_NO_NAME = re.compile(
    r"[\W\d]|(?:In|On|At|When|After|As|For|With|By|From|While|Although|If|Since|During|Before|To|Under|Like|Unlike|Despite|Because|There|However|Though|Even|Yet|But|And|So|Also|Whereas|Given|Both|Here|Such|Thus|Hence|What|Where|That|Im|Am|Nach)\b"
)
_ALSO_THERE = re.compile(
    rf"{_OPENING}(?:There\s+(?:is|are|was|were)\s+also|Other\s+\w+\s+(?:include|are|were)|Both\s+(?:were|are|of\s+them)|Neither\b)\b"
)
_KINDS = (
    "company|firm|corporation|organi[sz]ation|group|club|team|band|duo|film|movie|book|novel|album|song|single|show|series|game|magazine|newspaper|school|"
    "college|university|city|town|village|district|county|building|museum|station|airport|river|lake|island|church|hotel|bridge|ship|patient|author|singer|"
    "actor|actress|director|writer|species|plant|genus|project|programme|program|event|war|battle|festival|award|agency|party|former|latter|couple|family"
)
_KIND = re.compile(
    rf"{_OPENING}The\s+(?:{_KINDS})(?:['’]s)?\s+(?!(?:of|for|that|which|who|known|called|named|in|at|on|from|with|by)\b|[A-Z\d])", re.ASCII
)
# "is a genus of …", "(born 1962) is …": the words that name it stand above, as the heading.
_CONTINUATION = re.compile(
    r"(?:\([^()]{1,120}\)\s*,?\s+)?(?:also\s+known|or\b|is|are|was|were|has|had|ist|sind|war|waren|es|fue|son|est|était)\b|\((?:born|b\.|died|d\.|c\.|formerly|also)\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|shall|should|does|do|did|became|becomes|began|led|made|went|came|took|gave|wrote|won|"
    r"held|lies|stands|runs|ist|sind|war|waren|hat|haben|hatte|wird|werden|wurde|wurden|es|fue|era|est|était|\w{3,}ed)\b"
)


def lacks_subject(text: str) -> bool:
    """Return whether a sentence starts with a pronoun or with a thing that only an earlier sentence names ("The company …", "There is also …")."""
    if _SELF_NAMED.match(text):
        return False
    return any(pattern.match(text) is not None for pattern in (_PRONOUN, _ALSO_THERE, _KIND))


def goes_on_from_heading(text: str) -> bool:
    """Return whether a text begins with the verb whose subject is the heading above it, as pages of an encyclopedia do: "is a genus of …"."""
    return _CONTINUATION.match(text) is not None


def title_of(evidence: Evidence) -> str:
    """Return the document's title where it is one: short, of words, and not a file's name."""
    raw = evidence.title.strip()
    stem = evidence.filename.rpartition(".")[0] or evidence.filename
    title = " ".join(raw.replace("_", " ").split())
    if not any(letter.isalpha() for letter in title) or word_count(title) > LONGEST_TITLE or re.search(r"\.\w{2,4}$", title):
        return ""
    named_by_file = title == " ".join(stem.replace("_", " ").split())
    return "" if named_by_file and (" " not in raw or "_" in raw) else title


def sentence_before(unit: Unit, evidence: Evidence) -> str:
    """Return the sentence in front of a unit in the same paragraph of its passage; "" where it is the first."""
    text, place = evidence.passage.content, unit.start - evidence.passage.start
    begin = text.rfind("\n\n", 0, place) + 1
    spans = split_sentences(text[begin:place])
    return text[begin:place][slice(*spans[-1])] if spans else ""


def subject_before(unit: Unit, evidence: Evidence) -> str:
    """Return the subject of the nearest sentence before that names one: its words up to the verb. "" where three sentences name none."""
    text, place = evidence.passage.content, unit.start - evidence.passage.start
    begin = text.rfind("\n\n", 0, max(place, 0)) + 1
    for start, end in reversed(split_sentences(text[begin:place])[-_LOOKED_BACK:]):
        sentence = text[begin + start : begin + end]
        if not lacks_subject(sentence):
            verb = _VERB.search(sentence)
            return " ".join((sentence[: verb.start()] if verb is not None and verb.start() else "").split()[:_SUBJECT_WORDS])
    return ""


def name_before(unit: Unit, evidence: Evidence) -> str:
    """Return the subject of a sentence before where it can stand in front as a title does: short, and a name or a thing rather than a time or a
    place."""
    subject = subject_before(unit, evidence).strip(" ,;:")
    return "" if word_count(subject) > LONGEST_TITLE or "," in subject or _NO_NAME.match(subject) or not subject[:1].isupper() else subject


def context_of(unit: Unit, evidence: Evidence) -> str:
    """Return the words that name the subject of a unit without one: title, heading, and the subject of a sentence before; "" for a unit that names
    its own.

    For scoring: they may be lent to the unit as its `lead_in` is. Nothing of them is quoted.
    """
    if unit.role not in {Role.SENTENCE, Role.ITEM} or not (lacks_subject(unit.text) or goes_on_from_heading(unit.text)):
        return ""
    heading = unit.lead_in or (evidence.passage.section[-1] if evidence.passage.section else "")
    return " ".join(part for part in (title_of(evidence), heading, subject_before(unit, evidence)) if part)


def title_is_subject(unit: Unit, evidence: Evidence) -> bool:
    """Return whether the title names what the sentences before a unit speak of: it shares a word with their subject, or none of them names one."""
    subject = normalise_text(subject_before(unit, evidence))
    words = [word for word in title_key(title_of(evidence)).split() if len(word) >= 3]
    return not subject.strip() or any(f" {word} " in subject for word in words)
