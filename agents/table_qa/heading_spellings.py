"""What the words of a question may be written as in a heading: "third quarter" as "Q3", "who manages" as "Manager", and
in a table of another language "price" as "Preis"."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache
from itertools import pairwise

from agents.table_qa.heading_words import stems_of_name
from agents.table_qa.table_question import QuestionWord
from agents.table_qa.table_vocabulary import SPANS
from agents.table_qa.time_parser import ORDINALS
from core.language.numbers import number_words
from core.language.related_words import similar_words
from core.language.stems import stem
from core.language.word_files import parse_groups, read_word_file
from core.tables import Column, ColumnType

_QUARTER_WORDS = {f"q{number}": (*(stem(word) for word, place in ORDINALS.items() if place == number), "quarter") for number in range(1, 5)}
_NUMBER_WORDS = number_words("en", "de", least=1, most=20)
_LEAST_VERB_LETTERS = 3
_LEAST_FAMILY_LETTERS = 5


def spell_as_headings(words: Sequence[QuestionWord], columns: Sequence[Column], *, asks_who: bool) -> list[tuple[str, ...]]:
    """Return for each word its stem and the others that it may have in a heading."""
    found = [(word.stem, *_QUARTER_WORDS.get(word.stem, ()), *_other_languages().get(word.stem, ())) for word in words]
    for at, (one, other) in enumerate(pairwise(words)):
        if other.text.casefold() == "quarter" and one.text.casefold() in ORDINALS:
            name = f"q{ORDINALS[one.text.casefold()]}"
            found[at], found[at + 1] = (*found[at], name), (*found[at + 1], name)
    names = frozenset().union(*(stems_of_name(column.name) for column in columns))
    days = frozenset().union(*(stems_of_name(column.name) for column in columns if column.type is ColumnType.DATE))
    for at, word in enumerate(words):
        found[at] = (*found[at], *_family(word, days - set(found[at])))
        found[at] = (*found[at], *_numbers_of_spans(words[at : at + 2], names))
    verb = next((at for at, word in enumerate(words) if not word.is_plain), None) if asks_who else None
    if verb is not None:
        found[verb] = (*found[verb], *_doers(words[verb].stem, columns))
    return found


@cache
def _other_languages() -> dict[str, tuple[str, ...]]:
    """The stems of words of headings with those that say the same in other languages: "price" with "preis"."""
    groups = [frozenset(stem(word) for word in group) for group in parse_groups(read_word_file("mul", "table_headings")["same"])]
    return {one: tuple(sorted(group - {one})) for group in groups for one in group}


def _numbers_of_spans(words: Sequence[QuestionWord], names: Set[str]) -> list[str]:
    """The number in a heading that is written in words before a span of time: "six years" of "Lead time (years) › 6"."""
    number = f"{_NUMBER_WORDS.get(words[0].text.casefold(), '')}"
    return [number] if len(words) > 1 and words[1].stem in SPANS and number in names else []


def _family(word: QuestionWord, names: Set[str]) -> list[str]:
    """The words of headings of days that are the noun of a verb: "subscription" of "subscribe". They begin alike and are of one family of words."""
    begins = word.text.casefold()[:_LEAST_FAMILY_LETTERS]
    alike = [name for name in names if name.startswith(begins)] if len(begins) == _LEAST_FAMILY_LETTERS and word.text.islower() else []
    said = {stem(other) for other in similar_words(word.text)} if alike else set()
    return sorted(name for name in alike if name in said)


def _doers(verb: str, columns: Sequence[Column]) -> list[str]:
    """The words of headings for who does what the verb says: "manager" of "manages"."""
    names = {word for column in columns for word in stems_of_name(column.name)} if len(verb) >= _LEAST_VERB_LETTERS else set()
    return sorted(name for name in names if name.startswith(verb.rstrip("y")) and name.endswith(("er", "or")))
