"""What a question about the whole library is about: its words, each with those that say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agents.overview.risks import RISK_WORDS
from agents.query_routing.overview_questions import SUBJECTLESS
from agents.text.question_words import content_words
from core.language.content_words import stems
from core.language.related_words import has_related, similar_words
from core.language.stems import stem

# Words that ask for what documents together say, whatever that is.
_ASKING = frozenset(
    "across role play part biggest greatest records reports texts say said mention mentioned describe described together appear appears "
    "touch throughout named name seen see speak terms sagen sagt nennen genannt rolle spielt berichte texte berichten texten kommt vor passt "
    "hängen betreffen".split()
)
_PROBLEMS = frozenset(
    stem(word) for word in "problem issue challenge concern complaint difficulty trouble weakness probleme schwierigkeiten beschwerden mängel".split()
)
_PROBLEM_WORDS = frozenset(stem(word) for group in RISK_WORDS for word in group)


class SubjectWords:
    """Words of a question that say what it is about: their stems -> as they are `written`."""

    def __init__(self, written: Mapping[str, str]) -> None:
        self._written = dict(written)
        self._alike = {key: _alike(key, word) for key, word in self._written.items()}

    @classmethod
    def read(cls, question: str) -> SubjectWords:
        words = [word for word in content_words(question) if word not in SUBJECTLESS and word not in _ASKING]
        return cls({stem(word): word for word in words})

    def __len__(self) -> int:
        return len(self._written)

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(self._written)

    def without_names(self, names: Iterable[str]) -> SubjectWords:
        """Return those that are no part of these names, which each sentence about them has; all where nothing else is asked."""
        named = stems(" ".join(names))
        others = {key: word for key, word in self._written.items() if key not in named}
        return SubjectWords(others) if others else self

    def find_in(self, text: str) -> frozenset[str]:
        """Return the stems of those that a text has, or says in other words."""
        said = stems(text)
        return frozenset(key for key, alike in self._alike.items() if alike & said or has_related(key, said))

    def list_missing(self, text: str) -> list[str]:
        """Return those that a text does not have, as they are written."""
        found = self.find_in(text)
        return [word for key, word in self._written.items() if key not in found]


def _alike(key: str, word: str) -> frozenset[str]:
    return frozenset({key, *(stem(each) for each in similar_words(word)), *(_PROBLEM_WORDS if key in _PROBLEMS else ())})
