"""Antecedents of the pronouns of a follow-up: the person or thing that the turns before asked about, or that answered them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from agents.text.question_words import content_words, find_names, tokens

Turns = Sequence[tuple[str, str]]  # (question as it was read, answer), oldest first

_ASKS_FOR_ONE = re.compile(r"^\W*(?:and\s+)?(?:who|whom|whose|which|what|wer|welche[rsnm]?)\b", re.IGNORECASE)
_ASKS_WHO_IT_IS = re.compile(r"^\W*(?:who|wer)(?:['’]s|\s+(?:is|was|are|were|ist|war))\s+(?P<name>[^?]+?)\W*$", re.IGNORECASE)
_TITLE = re.compile(r"^(?:Mrs?|Ms|Miss|Herr|Frau)\.?\s+")
CITATION_MARK = re.compile(r"\s*\[\d+\]")
_LONGEST_LEAD = 12  # words of an answer's first line, up to its first mark, that may be a name
_SUBJECT = re.compile(r"\b(?:the|our|my|this|that|these|those|all|his|her|its|their|der|die|das|den)\s+(?P<words>[^?.!,;:]+)", re.IGNORECASE)
# Where the subject of a question ends: at its verb, a relative clause, a time.
_SUBJECT_END = re.compile(
    r"\s+(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|should|will|would|cost|costs|last|lasts|take|takes|who|which|that|"
    r"when|where|until|since|before|after|during|right\s+now|now|today|need|needs|and|or|by)\b.*$",
    re.IGNORECASE,
)
_VERB_LAST = re.compile(r"\b(?:do|does|did|can|could|may|must|should|will|would)\s+(?:the|our|my|this|that)\b", re.IGNORECASE)
_LONGEST_SUBJECT = 8


def antecedent(turns: Turns, *, of_person: bool) -> str:
    """Return the name that the last turns are about, "" for none. Of a person one of two words without figures: whom a question for somebody was
    answered with, else whom it names."""
    for question, answer in reversed(turns):
        known = _ASKS_WHO_IT_IS.match(question)
        of_question = [_strip_title(name) for name in find_names(question)]
        answered = [name for name in _names_in_answer(question, answer) if name not in of_question]
        if of_person:
            people = [name for name in of_question if _is_person(name)]
            persons = [name for name in answered if _is_person(name)]
            found = people[-1:] if known is not None and people else persons[:1] or people[-1:]
        else:
            found = (of_question or answered)[-1:]
        if found:
            return found[0]
    told_of = Counter(_strip_title(name) for _, answer in turns for name in find_names(CITATION_MARK.sub("", answer)))
    likely = [name for name, _ in told_of.most_common() if not of_person or _is_person(name)]
    return likely[0] if likely else ""


def person_in_answer(question: str, answer: str) -> str:
    """Return the person in the first line of an answer whom the question does not name, "" for none."""
    asked = [_strip_title(name) for name in find_names(question)]
    first = CITATION_MARK.sub("", answer.strip().split("\n", maxsplit=1)[0])
    return next((name for each in find_names(f"for {first}") if _is_person(name := _strip_title(each)) and name not in asked), "")


def subject(question: str) -> str:
    """Return what a question is about, with its article: "the deposit for Quay 7" of "How large is the deposit for Quay 7?"; "" where it does not
    say."""
    found = _SUBJECT.search(question)
    if found is None:
        return ""
    words = _SUBJECT_END.sub("", found["words"]).strip().split()
    if _VERB_LAST.search(question[: found.start("words")] + " ") and len(words) > 1 and not _SUBJECT_END.search(f" {found['words']}"):
        words = words[:-1]  # "When does the lease end?"
    if not words or len(words) > _LONGEST_SUBJECT or not content_words(" ".join(words)):
        return ""
    article = question[found.start() : found.start("words")].strip().lower()
    return f"{'the' if article in {'all', 'these', 'those', 'that', 'this'} else article} {' '.join(words)}"


def missing_words(text: str, question: str) -> str:
    """Return the words of the earlier question that a follow-up lacks, in their order."""
    said = set(tokens(text))
    wanted = set(content_words(question)) - said
    return " ".join([word for word in re.findall(r"[\w'’.&-]*\w", question) if word.lower() in wanted][:_LONGEST_SUBJECT])


def _names_in_answer(question: str, answer: str) -> list[str]:
    """Names in the first line of an answer to a question for somebody or something: what stands in front of a colon or bracket."""
    first = CITATION_MARK.sub("", answer.strip().split("\n", maxsplit=1)[0])
    if _ASKS_FOR_ONE.match(question) is None:
        return []
    lead = re.split(r"[:;(]", first, maxsplit=1)[0]
    return [_strip_title(name) for name in find_names(f"for {lead}")] if len(lead.split()) <= _LONGEST_LEAD else []


def _strip_title(name: str) -> str:
    return _TITLE.sub("", name).removesuffix("'s").removesuffix("’s")


def _is_person(name: str) -> bool:
    return " " in name and not any(letter.isdigit() for letter in name) and not any(word.isupper() and len(word) > 1 for word in name.split())
