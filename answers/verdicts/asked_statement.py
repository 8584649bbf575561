"""What a question for yes or no asks, as a statement that holds or does not: its words, its figures, what it compares, and in what sense."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from answers.questions.question_parts import split_yes_or_no
from answers.verdicts.figure_ranges import Range, ranges_of
from answers.verdicts.verdict_words import verdict_words
from answers.verdicts.word_match import SaidWord, holds_word, read_tokens
from core.language.figures import StatedFigure, figures_of
from core.language.stop_words import ENGLISH_KEYWORD_STOP_WORDS, KEYWORD_STOP_WORDS, STOP_WORDS

_ENGLISH_STOP_WORDS = STOP_WORDS | frozenset("such than as via been take takes".split())
_FOREIGN_STOP_WORDS = KEYWORD_STOP_WORDS - ENGLISH_KEYWORD_STOP_WORDS
_TURNING = frozenset("turned turn switched switch set is are".split())  # of a condition: "is turned off" is "off"
_KEPT = frozenset("off without before after during outside inside against between".split())  # of the stop words these tell statements apart
_PERMISSION = re.compile(
    r"^\W*(?:may|can|could|darf|dürfen|kann|können|puede|pueden|peut|peuvent|se\s+permite|se\s+puede\w*)\b|"
    r"\b(?:allowed|permitted|permissible|possible|able|entitled|erlaubt|gestattet|zulässig|möglich|permis|autoris\w+|permit\w+|autorizad\w+|posible|permite)\b",
    re.IGNORECASE,
)
_PROHIBITION = re.compile(r"\b(?:forbidden|prohibited|banned|disallowed|verboten|untersagt|interdite?s?|prohibid\w+)\b", re.IGNORECASE)
_DUTY = re.compile(
    r"^\W*(?:must|muss|müssen|doit|doivent|debe|deben|faut)\b|^\W*(?:do|does)\b.{3,60}\bhave\s+to\b|"
    r"\b(?:required|obligatory|mandatory|compulsory|obliged|necessary|needed|need|verpflichtet|erforderlich|vorgeschrieben|obligatoires?|obligatori[ao]s?|necesari[ao]s?)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(r"^\W*(?:should|sollte[n]?)\b", re.IGNORECASE)
_PAST = re.compile(r"^\W*(?:did|was|were|had|has|have|hat|haben|wurde\w*|war|waren)\b", re.IGNORECASE)
_STATE = re.compile(r"^\W*(?:is|are|ist|sind|est|sont|¿?es|¿?está|¿?son)\b", re.IGNORECASE)
_EXISTS = re.compile(r"\b(?:any|ever|irgend\w+|jemals)\b|^\W*(?:is|are|was|were)\s+there\b|^\W*gibt\s+es\b|^\W*¿?\s*hay\b|y\s+a-t-il", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no|nicht|kein\w*|sans|without|sin)\b|n['’]t\b", re.IGNORECASE)
_LABELLED_NUMBER = re.compile(r"\b(?P<label>[^\W\d_]{2,})\s(?P<number>\d+)\b(?![.,-]\d)")
_CONDITION = re.compile(r"^\W*(?:if|when|where|with|without|wenn|falls|bei|si|cuando)\b", re.IGNORECASE)


_EXAMPLE = re.compile(r",?\s+(?:such\s+as|for\s+example|e\.g\.|like|zum\s+Beispiel|z\.\s?B\.)\s+(?:the\s+)?[A-ZÀ-Þ][^,?]*(?=[,?]|$)")


class Sense(Enum):
    """In what sense something is asked: whether it is so, whether one may, must or should."""

    FACT = "fact"
    PERMISSION = "permission"
    DUTY = "duty"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """ "Did A score higher than B?": the words of both sides without those that they share, and the degree ("higher")."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    degree: str


@dataclass(frozen=True, slots=True)
class AskedStatement:
    """`text` is what asks in the `question`; `terms` are the words that a statement must speak of, in order; `context` those that say where it stands
    ("In the survey, did …").

    `figures` are the figures with their limits, `days` those of the calendar and times of day, `numbers` those that stand alone, `numbered` words
    with a number behind ("room 204"). `is_past`: it asks what happened, `is_state` how something is; `is_denied`: a ban is asked for ("Is smoking
    forbidden?"); `wholes` words like "all" and "only"; `exists`: it asks for any at all.
    """

    text: str
    question: str
    language: str
    terms: tuple[SaidWord, ...]
    context: tuple[SaidWord, ...]
    figures: tuple[Range, ...]
    days: frozenset[str]
    numbers: tuple[str, ...]
    sense: Sense
    comparison: AskedComparison | None
    wholes: frozenset[str]
    is_denied: bool
    is_past: bool
    is_state: bool
    exists: bool
    numbered: tuple[tuple[str, str], ...]

    @property
    def begins_with_number(self) -> bool:
        """Whether a numbered thing is what it asks about ("Is crane 2 inspected?")."""
        return bool(self.numbered) and self.terms[0].word == self.numbered[0][0]


def read_asked_statement(question: str) -> AskedStatement | None:
    """Return what a question asks; None where it is none for yes or no, asks for a negation ("Is it not covered?"), or says too little."""
    context, asked = split_yes_or_no(question)
    asked, behind = _part_document(_EXAMPLE.sub("", asked))
    if not asked or _DENIED.search(asked):
        return None
    language, figures, sense = _language_of(question), tuple(ranges_of(asked)), _sense_of(asked)
    days = _days_of(asked)
    taken = _places(figures, days)
    numbered = _numbered(asked, taken)
    comparison = None if any(each.is_bounded for each in figures) else _read_comparison(asked, language)
    said = _asked_words(asked, language, sense, comparison, taken)
    terms = tuple(word for word in said if not word.is_number)
    if _CONDITION.match(context):
        terms, context = (*_condition_words(context, language), *terms), ""
    exists = _EXISTS.search(asked) is not None
    if not terms or (sense is Sense.FACT and len(terms) == 1 and not any((exists, figures, days))):
        return None  # of one thing nothing is asked that could be compared
    return AskedStatement(
        text=asked,
        question=question,
        language=language,
        terms=terms,
        context=_context_words(f"{context} {behind}", language),
        figures=figures,
        days=frozenset(day.value for day in days),
        numbers=_plain_numbers(said, numbered),
        sense=sense,
        comparison=comparison,
        wholes=frozenset(word.word for word in read_tokens(asked)) & verdict_words().wholes,
        is_denied=_PROHIBITION.search(asked) is not None,
        is_past=_PAST.match(asked) is not None,
        is_state=_STATE.match(asked) is not None,
        exists=exists,
        numbered=numbered,
    )


def _context_words(text: str, language: str) -> tuple[SaidWord, ...]:
    """Return the words that say where a statement stands, without those that nearly every document has."""
    return tuple(word for word in _content_words(text, language) if word.word not in general_words())


def _days_of(asked: str) -> list[StatedFigure]:
    return [figure for figure in figures_of(asked) if figure.kind in {"date", "time"}]


def _places(figures: Sequence[Range], days: Sequence[StatedFigure]) -> list[tuple[int, int]]:
    """Return where the figures and days stand: start and end."""
    return [*((each.start, each.end) for each in figures), *((each.start, each.end) for each in days)]


def _content_words(text: str, language: str) -> list[SaidWord]:
    return [word for word in read_tokens(text) if _carries(word, language)]


def _numbered(asked: str, taken: Sequence[tuple[int, int]]) -> tuple[tuple[str, str], ...]:
    """Return the words with a number behind ("room 204") that are no figures or days."""
    found = [match for match in _LABELLED_NUMBER.finditer(asked) if not _is_in(match.start("number"), taken)]
    pairs = [(match["label"].casefold(), match["number"]) for match in found]
    return tuple(pair for pair in pairs if pair[0] not in _ENGLISH_STOP_WORDS)


def _plain_numbers(said: Sequence[SaidWord], numbered: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    behind = {number for _, number in numbered}
    return tuple(word.word for word in said if word.is_number and word.word not in behind)


def _condition_words(context: str, language: str) -> list[SaidWord]:
    """Return what a condition in front of a question says ("if Privacy Mode is turned off, …"): a statement must speak of it."""
    return [word for word in _content_words(context, language) if word.word not in _TURNING]


def _sense_of(asked: str) -> Sense:
    if _PROHIBITION.search(asked) or _PERMISSION.search(asked):
        return Sense.PERMISSION
    if _DUTY.search(asked):
        return Sense.DUTY
    return Sense.ADVICE if _ADVICE.match(asked) else Sense.FACT


def _part_document(asked: str) -> tuple[str, str]:
    """Return a question without the document that it names last ("in the offence table"), and that."""
    kinds = "|".join(sorted(verdict_words().documents))
    found = re.search(
        rf"\s+(?:in|according\s+to|as\s+per|under|within|on|laut|gemäß)\s+(?:the|its|this|that|our|my|dem|der)\s+(?:[\w’'/-]+\s+){{0,5}}(?:{kinds})\b[^?,]*\??$",
        asked,
        re.IGNORECASE,
    )
    return (asked[: found.start()], found.group()) if found is not None else (asked, "")


def _asked_words(asked: str, language: str, sense: Sense, comparison: AskedComparison | None, taken: Sequence[tuple[int, int]]) -> list[SaidWord]:
    """Return the words that a statement must speak of: those that carry content and are no part of a figure, of its sense or of a degree."""
    lists, skipped = verdict_words(), set[str]()
    if sense in {Sense.PERMISSION, Sense.DUTY}:
        skipped |= lists.permitting | lists.obliging | lists.commanding
    if comparison is not None:
        skipped.add(comparison.degree)
    words = [word for word in read_tokens(asked)[1:] if word.word not in skipped and not _is_in(word.start, taken)]
    if sense is Sense.PERMISSION:
        words = [word for word in words if _PROHIBITION.fullmatch(word.word) is None]
    return [word for word in words if _carries(word, language)]


def _carries(token: SaidWord, language: str) -> bool:
    lists = verdict_words()
    if token.word in _KEPT:
        return True
    empty = token.word in (_ENGLISH_STOP_WORDS if language == "en" else _FOREIGN_STOP_WORDS) or token.word in lists.idle or token.word in lists.wholes
    return not empty and (len(token.word) > 1 or token.word.isdigit())


def _is_in(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _read_comparison(asked: str, language: str) -> AskedComparison | None:
    """Return the two sides of "A … higher than B": the words in front of "than" and those behind it that the other side lacks."""
    words = read_tokens(asked)
    than = next((place for place, word in enumerate(words) if word.word in THAN), len(words))
    degrees = [place for place in range(than) if words[place].word in verdict_words().degrees]
    if than == len(words) or not degrees:
        return None
    end = next((place for place in range(than + 2, len(words)) if words[place].word in _SIDE_ENDS), len(words))
    front = [word.word for word in words[1 : degrees[-1]] if _carries(word, language)]
    behind = [word.word for word in words[than + 1 : end] if _carries(word, language)]
    first, second = _without(front, behind), _without(behind, front)
    return AskedComparison(first, second, words[degrees[-1]].word) if first and second else None


def _without(words: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if not holds_word(word, others))


THAN = frozenset({"than", "als"})
_SIDE_ENDS = frozenset("on in at during for when if by from over bei auf im am".split())


_ENGLISH_MARKS = frozenset("the is are was were does do did of a an in to for can may has any".split())
_MARKS = {
    "de": frozenset("ist sind der das den dem ein eine im darf dürfen kann können muss werden wird hat haben auf für nicht".split()),
    "fr": frozenset("est sont le la les un une du des dans il elle pour avec que peut".split()),
    "es": frozenset("es son el los las una del está están para con puede hay".split()),
}


def _language_of(question: str) -> str:
    """Return the language of a question by its commonest words; English where nothing tells."""
    if "¿" in question:
        return "es"
    words = {word.word for word in read_tokens(question)}
    best = max(_MARKS, key=lambda language: len(words & _MARKS[language]))
    return best if len(words & _MARKS[best]) > len(words & _ENGLISH_MARKS) else "en"


def general_words() -> frozenset[str]:
    """Return the words of a question that its document need not repeat: those for anybody, and those for the document itself."""
    lists = verdict_words()
    return lists.general_doers | lists.documents
