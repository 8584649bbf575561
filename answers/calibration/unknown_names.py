"""Names that a question asks about and no document has: "How many shipments went to Rotterdam?" of a library in which nothing says Rotterdam."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from answers.questions.answer_kinds import capitalised_spans
from answers.scoring.unit_scores import ScoredUnit, TermIndex
from core.language.language_clues import known_word, script_share
from core.language.months import MONTHS
from core.language.weekdays import weekdays

_LEAST_LETTERS = 4
_MOST_CAPITALS = 0.6  # of the words: a question in title case names nothing by its capitals
_FIRST_UNITS = 10  # whose letters are looked at
_ALIKE = 0.8  # from which a word is the name, spelt otherwise
_ABSENT = "qzxjvwkqzx"  # stands in no document: what its weight is, words have that none has
_WORD = re.compile(r"[^\W\d_]+")
_BEGINS_SENTENCE = re.compile(r"(?:^|[.?!:;])[\s\"'“(¿]*$")
_CALENDAR = frozenset(MONTHS) | frozenset(weekdays("en", "de"))


async def find_unknown_names(index: TermIndex, tenant: str, question: str, units: Iterable[ScoredUnit]) -> list[str]:
    """Return the names in a question that no document of the tenant has, nor any of these units spelt a little otherwise."""
    units = list(units)
    names = _names_in(question) if _is_english(question) else []
    if not names or _is_of_another_script(units):
        return []
    weights = await index.idf(tenant, " ".join([_ABSENT, *names]))
    highest = max(weights.values(), default=0.0)
    absent = [name for name in names if (terms := index.terms(name)) and all(weights.get(term, highest) >= highest for term in terms)]
    if not absent:
        return []
    said = {_fold(word) for unit in units for word in _WORD.findall(unit.unit.text)}
    return [name for name in absent if not get_close_matches(_fold(name), said, n=1, cutoff=_ALIKE)]


def _is_english(question: str) -> bool:
    """Return whether more of the question's function words are English than are of other languages alone: German writes every noun with a capital,
    and other languages write some names otherwise than a document does."""
    languages = [known.function for word in _WORD.findall(question.lower()) if (known := known_word(word)) is not None and known.function]
    english = sum("en" in each for each in languages)
    return english > len(languages) - english


def _is_of_another_script(units: Sequence[ScoredUnit]) -> bool:
    """Return whether what was found first is written in other letters, and so are its names."""
    share = script_share(" ".join(unit.unit.text for unit in units[:_FIRST_UNITS]))
    return share.letters > share.latin


def _names_in(question: str) -> list[str]:
    """Return the words with a capital that begin neither the question nor a sentence of it: of plain letters, and no month or weekday."""
    spans = capitalised_spans(question)
    if len(spans) > _MOST_CAPITALS * len(_WORD.findall(question)):
        return []
    names = (re.sub(r"['’]s?$", "", question[start:end]) for start, end in spans if _BEGINS_SENTENCE.search(question[:start]) is None)
    return [name for name in names if len(name) >= _LEAST_LETTERS and name.isalpha() and name.casefold() not in _CALENDAR]


def _fold(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(letter))
