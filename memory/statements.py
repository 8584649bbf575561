"""The statement of a sentence about its subject: the values in it (numbers, dates, names), and the words that are left when these are taken out.

Two statements with the same words and other values tell of a change: "The rent is 48,000 euros." and "The rent is 52,000 euros.". A name is a value
where the sentence ascribes it ("the landlord is Anna Holt"); elsewhere it belongs to the subject: Anna's favourite colour says nothing of Mark's,
and who met Anna may have met Mark too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.language.months import FULL_MONTH_BUT_MAY, MAY
from core.language.numbers import full_scales, number_words
from core.language.sentences import split_sentences
from core.language.weekdays import WEEKDAY
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used

# Of Spanish and French up to ten: "once" is eleven in the one and an adverb in English.
_COUNTS = join_alternatives(
    (*number_words("en"), *number_words("de", least=2), *number_words("es", "fr", least=2, most=10), *full_scales("en"), "half")
)
# "Quay 7" and "Unit 3" are names, so a number right behind a capitalised word is part of it; "May 3" is a date.
_NAME = compile_when_used(r"[^\W\d_a-zà-öø-ÿ][\w&'’-]*(?:[ -][^\W\d_a-zà-öø-ÿ][\w&'’-]*)*(?: \d[\w-]*)?(?![\w])")
_VALUE = compile_when_used(
    rf"[€$£¥]?\s?(?<!\w)\d+(?:[.,:/-]\d+)*\s?[%€$£¥]?(?!\w)|\b(?:{FULL_MONTH_BUT_MAY}|{WEEKDAY}|{_COUNTS})\b|\b{MAY}\b",
    re.IGNORECASE,
)
_ASCRIBED = compile_when_used(
    r"""
        (?:
              \b(?:
                    is|are|was|were|am|becomes?|became|remains?|called|named|prefers?|uses?|at|ist|sind|war|heißt|bleibt
                  | es|son|era|est|sont|était
              )(?:[ ](?:the|a|an|my|our|now|der|die|das|el|la|le))?
            | [:=]
        )\s*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CALENDAR = compile_when_used(rf"(?:{FULL_MONTH_BUT_MAY}|may|{WEEKDAY})\b", re.IGNORECASE)
# That a value holds now is no part of the subject: "my desk is 5.01 now".
_TIMELY = compile_when_used(
    r"\b(?:now|nowadays|currently|presently|meanwhile|instead|any ?more|from now on|jetzt|nun|inzwischen|ahora|ya|maintenant|désormais)\b",
    re.IGNORECASE,
)
_SAME_SUBJECT = 0.6


@dataclass(frozen=True, slots=True)
class NoteStatement:
    """`values` and ascribed `names` in their order, `subject` the stems of everything else, `subject_names` those of the names among them."""

    values: tuple[str, ...]
    names: tuple[str, ...]
    subject: frozenset[str]
    subject_names: frozenset[str]


def parse_statement(text: str, terms: Callable[[str], list[str]]) -> NoteStatement:
    names: list[str] = []
    values: list[str] = []
    rest: list[str] = []
    about: list[str] = []
    for start, end in split_sentences(text):
        sentence = _TIMELY.sub(" ", text[start:end])
        place = 0
        for match in _NAME.finditer(sentence):
            if _CALENDAR.match(match.group()) or not _ASCRIBED.search(sentence[: match.start()]):
                continue
            rest.append(_remove_values(sentence[place : match.start()], (values, about), terms))
            names.append(match.group())
            place = match.end()
        rest.append(_remove_values(sentence[place:], (values, about), terms))
    return NoteStatement(tuple(values), tuple(names), frozenset(terms(" ".join(rest))), frozenset(terms(" ".join(about))))


def _remove_values(text: str, taken: tuple[list[str], list[str]], terms: Callable[[str], list[str]]) -> str:
    """Return the text without its values, which go into the first of `taken`; a name such as "Unit 3" keeps its number and goes into the second. "In
    2021" is none: its word carries nothing.
    """
    values, about = taken
    rest: list[str] = []
    place = 0
    names = (match for match in _NAME.finditer(text) if not _CALENDAR.match(match.group()) and terms(match.group().split()[0]))
    for name in [*names, None]:
        between = text[place : name.start()] if name else text[place:]
        values += [match.group().strip() for match in _VALUE.finditer(between)]
        rest.append(_VALUE.sub(" ", between))
        if name:
            rest.append(name.group())
            about.append(name.group())
            place = name.end()
    return "".join(rest)


def is_same_statement(one: NoteStatement, other: NoteStatement) -> bool:
    """Return whether two statements say the same, in whatever order of words."""
    return set(one.values) == set(other.values) and set(one.names) == set(other.names)


def describe_change(old: NoteStatement, new: NoteStatement) -> str:
    """Return a value's change in words ("48,000 became 52,000"); "" where the two tell of different things or say the same.

    Either the numbers and dates differ or the names do; where both differ it is another subject.
    """
    if not _share_subject(old, new):
        return ""
    numbers, names = set(old.values) != set(new.values), set(old.names) != set(new.names)
    if numbers == names:
        return ""
    before, after = (old.values, new.values) if numbers else (old.names, new.names)
    gone, come = [each for each in before if each not in after], [each for each in after if each not in before]
    if not gone or not come:
        return ""
    return f"{', '.join(gone)} became {', '.join(come)}"


def _share_subject(one: NoteStatement, other: NoteStatement) -> bool:
    """Return whether two statements have most words in common, and no name that the other lacks: Unit 3 is not Unit 4."""
    common = one.subject & other.subject
    return bool(common) and len(common) >= _SAME_SUBJECT * len(one.subject | other.subject) and one.subject_names | other.subject_names <= common
