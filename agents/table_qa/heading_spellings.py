"""What the words of a question may be written as in a heading: "third quarter" as "Q3", "who manages" as "Manager", and
in a table of another language "price" as "Preis"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from agents.table_qa.heading_words import stems_of_name
from agents.table_qa.table_question import QuestionWord
from agents.table_qa.time_parser import ORDINALS
from core.language.stems import stem
from core.language.word_files import parse_groups, read_word_file
from core.tables import Column

_QUARTER_WORDS = {f"q{number}": (*(stem(word) for word, place in ORDINALS.items() if place == number), "quarter") for number in range(1, 5)}
_LEAST_VERB_LETTERS = 3


def spell_as_headings(words: Sequence[QuestionWord], columns: Sequence[Column], *, asks_who: bool) -> list[tuple[str, ...]]:
    """Return for each word its stem and the others that it may have in a heading."""
    found = [(word.stem, *_QUARTER_WORDS.get(word.stem, ()), *_other_languages().get(word.stem, ())) for word in words]
    for at, (one, other) in enumerate(pairwise(words)):
        if other.text.casefold() == "quarter" and one.text.casefold() in ORDINALS:
            name = f"q{ORDINALS[one.text.casefold()]}"
            found[at], found[at + 1] = (*found[at], name), (*found[at + 1], name)
    verb = next((at for at, word in enumerate(words) if not word.is_plain), None) if asks_who else None
    if verb is not None:
        found[verb] = (*found[verb], *_doers(words[verb].stem, columns))
    return found


@cache
def _other_languages() -> dict[str, tuple[str, ...]]:
    """The stems of words of headings with those that say the same in other languages: "price" with "preis"."""
    groups = [frozenset(stem(word) for word in group) for group in parse_groups(read_word_file("mul", "table_headings")["same"])]
    return {one: tuple(sorted(group - {one})) for group in groups for one in group}


def _doers(verb: str, columns: Sequence[Column]) -> list[str]:
    """The words of headings for who does what the verb says: "manager" of "manages"."""
    names = {word for column in columns for word in stems_of_name(column.name)} if len(verb) >= _LEAST_VERB_LETTERS else set()
    return sorted(name for name in names if name.startswith(verb.rstrip("y")) and name.endswith(("er", "or")))
