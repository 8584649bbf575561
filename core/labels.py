"""Values under labels in running text, as forms and receipts have them: "Contact: Michael Chen Billing Contact: accounting@premier.example"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.claim_words import label_words

_WORD = re.compile(r"[^\W_][\w/#&.'’-]*")
_COLON = re.compile(r"(?<=[\w)]):(?=\s+\S)")
_LABEL = 5  # words in front of a colon that can be its label
_VALUE = 12  # words of a value
MIN_LABEL_WORDS = 2  # content words of a label, at least, by which it is known: one is shared by chance


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """The value [start:end] of a text, and the words of its label that are asked for, as `label_words`; `label_start` is where the label begins."""

    start: int
    end: int
    label: frozenset[str]
    label_start: int


def labelled_values(asked: frozenset[str], text: str) -> list[LabelledValue]:
    """Return the values whose label, read back from its colon, holds only words that are asked for, one at least."""
    colons = [match.start() for match in _COLON.finditer(text)]
    found = []
    for place, colon in enumerate(colons):
        begin = max(text.rfind("\n", 0, colon) + 1, colons[place - 1] + 1 if place else 0)
        label, from_ = frozenset[str](), colon
        for word in list(_WORD.finditer(text, begin, colon))[: -_LABEL - 1 : -1]:
            stems = label_words(word.group())
            if not stems <= asked:
                break
            label, from_ = label | stems, word.start()
        if label:
            found.append(LabelledValue(*_value_span(text, colon + 1, colons[place + 1] if place + 1 < len(colons) else None), label, from_))
    return found


def _value_span(text: str, start: int, colon: int | None) -> tuple[int, int]:
    """Return [start, end) of the value behind a colon: up to the end of the line, or to the capitalised words in front of the next colon, which are
    the next label."""
    start += len(text[start:]) - len(text[start:].lstrip())
    line = text.find("\n", start)
    end = min(each for each in (len(text), line if line >= 0 else None, colon) if each is not None)
    words = list(re.finditer(r"\S+", text[start:end]))
    if colon is not None and end == colon:
        while len(words) > 1 and words[-1].group()[0].isupper():
            words.pop()
    words = words[:_VALUE]
    return start, start + (words[-1].end() if words else 0)


# Labels that say to whom something goes or who wrote it, not who that is.
ADDRESS_LABELS = re.compile(
    r"\b(?:to|from|cc|bcc|for|attention|attn|subject|re|by|author|date|via|an|von|betreff|copy|prepared|checked|signed|address|deliver|invoice|bill|"
    r"name|company|firm|organi[sz]ation|title|document)\W*$",
    re.IGNORECASE,
)
