"""English words that say the same though no stem shows it: irregular forms, words of one family, everyday synonyms.

A question and the sentence that answers it seldom use one word: people "get" what was "handed over" and trucks "come" where they "arrive". The lists
hold everyday words alone, whose other meanings are rare in what people write and file.
"""

from __future__ import annotations

from functools import lru_cache

from core.language.inflections import irregular_forms
from core.language.stems import stem
from core.language.word_files import parse_groups, read_word_file


@lru_cache(maxsize=1)
def _word_tables() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return for the stem of each word its other forms, and the words that mean nearly the same."""
    forms: dict[str, frozenset[str]] = {}
    for group in irregular_forms("en"):
        for word in group:
            forms[stem(word)] = forms.get(stem(word), frozenset()) | group - {word}
    related = read_word_file("en", "related_words")
    alike: dict[str, frozenset[str]] = {}
    for group in [*parse_groups(related["families"]), *parse_groups(related["synonyms"])]:
        whole = group.union(*(forms.get(stem(word), frozenset()) for word in group))
        for word in whole:
            alike[stem(word)] = alike.get(stem(word), frozenset()) | whole - {word} - forms.get(stem(word), frozenset())
    return forms, alike


def other_forms(word: str) -> frozenset[str]:
    """Return the irregular forms of a word in lower case: "wore" and "worn" of "wear"."""
    return _word_tables()[0].get(stem(word), frozenset())


def similar_words(word: str) -> frozenset[str]:
    """Return the words that mean nearly the same as one in lower case, in all their forms: "paid" and "payment" of "pays", "arrive" of "coming"."""
    return _word_tables()[1].get(stem(word), frozenset())


LEAST_STEM, LONGEST_ENDING = 5, 3  # letters


def has_related(term: str, terms: frozenset[str]) -> bool:
    """Return whether one of the stems begins with the whole of this one, or this one with the whole of it ("deliver", "delivery"): the shorter one
    has LEAST_STEM letters, and the longer one goes on with no more than LONGEST_ENDING."""
    if len(term) < LEAST_STEM:
        return False
    longest = len(term) + LONGEST_ENDING
    if any(len(other) <= longest and other.startswith(term) for other in terms):
        return True
    return any(term[:end] in terms for end in range(max(LEAST_STEM, len(term) - LONGEST_ENDING), len(term)))
