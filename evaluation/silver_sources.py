"""What silver questions are made from: the sentences and fields of documents, and which words set a document apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.language.content_words import tokens
from core.language.sentences import split_sentences
from core.language.stop_words import STOP_WORDS

_WORDS = (7, 40)  # of a sentence that says something, and can be told in a question
_READ_CHARACTERS = 60_000  # of a document
_FIELD = re.compile(r"^[ \t>*•-]*(?P<label>[^\W\d][^:\n|]{1,40}?)[ \t]*:[ \t]+(?P<value>[^\n]{1,120})$", re.MULTILINE)
_NAME = re.compile(r"\b[A-Z][\w&'’-]+(?:[ ](?:(?:of|&|de|van|von|der)[ ])?[A-Z0-9][\w&'’-]*)+")
_LETTERS = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document with its text, and what it is called."""

    id: str
    filename: str
    title: str
    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A sentence or the value of a field: text[start:end] of a document. `label` is the field's."""

    document: SourceDocument
    start: int
    end: int
    label: str = ""

    @property
    def text(self) -> str:
        return self.document.text[self.start : self.end]


@dataclass(frozen=True)
class WordCounts:
    """In how many documents each word and each name stands."""

    words: Counter[str] = field(default_factory=Counter)
    names: dict[str, list[str]] = field(default_factory=dict)

    def distinctive(self, text: str) -> list[str]:
        """Return the words of a text that carry content, those in fewest documents first, at equal counts in their order."""
        found = dict.fromkeys(word for word in tokens(text) if word not in STOP_WORDS and _LETTERS.fullmatch(word))
        return sorted(found, key=lambda word: self.words[word])


def count_words(documents: Sequence[SourceDocument]) -> WordCounts:
    """Count over all of these documents."""
    counts = WordCounts()
    for document in documents:
        counts.words.update(set(tokens(f"{document.title}\n{document.text}")))
        for name in sorted({" ".join(match.group().split()) for match in _NAME.finditer(document.text[:_READ_CHARACTERS])}):
            counts.names.setdefault(name, []).append(document.id)
    return counts


def find_sentences(document: SourceDocument) -> Iterator[SourceSpan]:
    """Yield the sentences that stand on one line, end as sentences do, and are neither short nor long."""
    text = document.text[:_READ_CHARACTERS]
    for start, end in split_sentences(text):
        said = text[start:end]
        if said.endswith((".", "!")) and "\n" not in said and _WORDS[0] <= len(said.split()) <= _WORDS[1]:
            yield SourceSpan(document, start, end)


def find_fields(document: SourceDocument) -> Iterator[SourceSpan]:
    """Yield the values of lines such as `Monthly rent: EUR 4,200`, with their labels of at most three words."""
    for match in _FIELD.finditer(document.text[:_READ_CHARACTERS]):
        label = " ".join(match["label"].split())
        if len(label.split()) <= 3 and len(match["value"].split()) <= 12 and not label.startswith(("http", "www")):
            yield SourceSpan(document, match.start("value"), match.end("value"), label)


def copies_phrase(question: str, text: str, words: int = 4) -> bool:
    """Return whether so many words of the question follow one another in the text, too."""
    asked, told = tokens(question), f" {' '.join(tokens(text))} "
    return any(f" {' '.join(asked[place : place + words])} " in told for place in range(len(asked) - words + 1))
