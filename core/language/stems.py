"""Words without their endings, so that forms of one word compare: three ways of different strength, since what is near enough to compare labels
of two languages would make different words of a question one. The search index has its own, Porter's (`retrieval.analysis`)."""

from __future__ import annotations

import re

from core.language.word_files import join_alternatives, read_word_file

_ENDINGS = tuple(read_word_file("en", "stems")["endings"].split())
_GERMAN_ENDING = re.compile(rf"(?:{join_alternatives(read_word_file('de', 'stems')['endings'].split())})$")
_LEAST_STEM = 3  # letters
_LEAST_GERMAN_WORD = 5


def stem(word: str) -> str:
    """Return a word, in lower case, without its commonest English ending."""
    word = word.removesuffix("'s")
    if word.endswith("ees"):  # "fees", "employees": the "e" is the word's own
        word = word.removesuffix("s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM and not word.endswith("ss"):
            base = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            return base.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


def stem_of_either(word: str) -> str:
    """Return a word, in lower case, without its ending of English and then of German, for words that may be of both."""
    bare = stem(word)
    return _GERMAN_ENDING.sub("", bare) if len(bare) >= _LEAST_GERMAN_WORD else bare


def word_beginning(word: str) -> str:
    """Return what a word shares with others of its family, roughly: enough that "approved" meets "approval" and "works" meets "work"."""
    plain = word.removesuffix("'s")
    return plain[:5] if len(plain) > 6 else plain.removesuffix("s") if len(plain) > 3 else plain
