"""The rules by which silver questions are made. Each gives a question with the rule's name and where it comes from, or None where it does not fit."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from core.language.content_words import tokens
from core.language.related_words import similar_words
from evaluation.evaluation_sets import EvaluationQuestion
from evaluation.silver_sources import SourceSpan, WordCounts, copies_phrase

KNOWN_ITEM, FIELD, PARAPHRASE, PAIR, ABSENT_FIELD, ABSENT_NAME = "known_item", "field", "paraphrase", "pair", "absent_field", "absent_name"
_ASKED = 4  # words that a question holds of its sentence
_RARE = 2  # documents that a distinctive word stands in at most
_SYLLABLES = (
    "bra",
    "del",
    "fen",
    "gor",
    "hul",
    "kes",
    "lum",
    "mar",
    "nid",
    "ost",
    "pel",
    "quen",
    "ros",
    "sil",
    "tav",
    "ul",
    "vor",
    "wim",
    "yar",
    "zel",
)

# Questions in the language of the document; others are asked in English words.
_KNOWN = {
    "en": ("What is said about {words}?", "Where do my documents speak of {words}?", "Which document is about {words}?"),
    "de": ("Was steht dort über {words}?", "In welchem Dokument geht es um {words}?"),
    "fr": ("Que dit-on de {words} ?", "Quel document parle de {words} ?"),
}
_REWORDED = {"en": ("Where can I read something on {words}?", "Tell me what we know of {words}.", "I am looking for {words}.")}
_FIELDS = {"en": "What is the {label} in the one about {words}?", "de": "Was ist {label} in dem Dokument über {words}?"}
_PAIRS = {
    "en": "What do the documents on {first} and on {second} say of {name}?",
    "de": "Was sagen die Dokumente über {first} und über {second} zu {name}?",
}
_AND = {"en": "and", "de": "und", "fr": "et"}


def ask_known_item(span: SourceSpan, counts: WordCounts, drawn: random.Random) -> EvaluationQuestion | None:
    """Ask for a sentence by its most distinctive words, in another order."""
    words = _choose_words(span.text, counts, drawn)
    if words is None:
        return None
    text = _fill(_KNOWN, span, drawn, words)
    return None if copies_phrase(text, span.document.text) else _make(text, KNOWN_ITEM, [span])


def ask_paraphrase(span: SourceSpan, counts: WordCounts, drawn: random.Random) -> EvaluationQuestion | None:
    """Ask for a sentence as `ask_known_item` does, with other words for those that have any: words that the document does not use."""
    words = _choose_words(span.text, counts, drawn, _ASKED - 1)
    own = set(tokens(span.document.text))
    others = {word: sorted(similar_words(word) - own) for word in counts.distinctive(span.text)}
    replaced = list(dict.fromkeys(drawn.choice(found) for found in others.values() if found))[:2]
    if words is None or not replaced:
        return None
    kept = [word for word in words if not others.get(word)][: _ASKED - len(replaced)]
    if not kept:
        return None  # nothing of the sentence would be left to find it by
    text = _fill(_REWORDED, span, drawn, [*kept, *replaced])
    return None if copies_phrase(text, span.document.text) else _make(text, PARAPHRASE, [span])


def ask_field(span: SourceSpan, counts: WordCounts, drawn: random.Random) -> EvaluationQuestion | None:
    """Ask for the value of a field, naming its document by what sets it apart."""
    words = _describe_document(span, counts, drawn)
    if words is None:
        return None
    text = _choose(_FIELDS, span).format(label=span.label, words=words)
    return None if copies_phrase(text, span.document.text) else _make(text, FIELD, [span])


def ask_pair(name: str, spans: Sequence[SourceSpan], counts: WordCounts, drawn: random.Random) -> EvaluationQuestion | None:
    """Ask for two documents that a name links, each by a word that it alone has."""
    one, other = spans
    known = {*tokens(name)}
    described = []
    for span in spans:
        rare = [word for word in counts.distinctive(span.text) if counts.words[word] == 1 and word not in known]
        if not rare:
            return None
        described.append(drawn.choice(rare[:3]))
    text = _choose(_PAIRS, one).format(first=described[0], second=described[1], name=name)
    return _make(text, PAIR, [one, other], {"name": name})


def ask_absent_field(span: SourceSpan, label: str, counts: WordCounts, drawn: random.Random) -> EvaluationQuestion | None:
    """Ask a document for a field that only others have."""
    if set(tokens(label)) & set(tokens(span.document.text)):
        return None
    words = _describe_document(span, counts, drawn)
    if words is None:
        return None
    text = _choose(_FIELDS, span).format(label=label, words=words)
    return _make(text, ABSENT_FIELD, [], {"asked_of": _place(span), "label": label})


def ask_absent_name(span: SourceSpan, counts: WordCounts, drawn: random.Random) -> EvaluationQuestion | None:
    """Ask what is said of somebody who stands nowhere, beside a word that stands somewhere."""
    name = " ".join("".join(drawn.sample(_SYLLABLES, 3)).capitalize() for _ in range(2))
    words = [word for word in counts.distinctive(span.text) if counts.words[word] <= _RARE]
    if not words or any(counts.words[part] for part in tokens(name)):
        return None
    text = f"What did {name} decide about {drawn.choice(words[:3])}?"
    return _make(text, ABSENT_NAME, [], {"asked_of": _place(span), "name": name})


def _choose_words(text: str, counts: WordCounts, drawn: random.Random, number: int = _ASKED) -> list[str] | None:
    """Return the most distinctive words in a drawn order; None where the text has too few, or none that stands in few documents."""
    words = counts.distinctive(text)[:number]
    if len(words) < min(number, 3) or counts.words[words[0]] > _RARE:
        return None
    drawn.shuffle(words)
    return words


def _describe_document(span: SourceSpan, counts: WordCounts, drawn: random.Random) -> str | None:
    """Return two words that the document has in its title, or that it has nearly alone; not those of the field."""
    own = {*tokens(span.label), *tokens(span.text)}
    titled = [word for word in counts.distinctive(span.document.title) if word not in own and counts.words[word] <= _RARE]
    rare = [word for word in counts.distinctive(span.document.text[:4000])[:20] if word not in own and counts.words[word] == 1]
    words = (titled or rare)[:2]
    drawn.shuffle(words)
    return f" {_and(span)} ".join(words) if words else None


def _fill(frames: Mapping[str, Sequence[str]], span: SourceSpan, drawn: random.Random, words: Sequence[str]) -> str:
    frame = drawn.choice(frames.get(span.document.language, frames["en"]))
    return frame.format(words=f"{', '.join(words[:-1])} {_and(span)} {words[-1]}" if len(words) > 1 else words[0])


def _choose(frames: Mapping[str, str], span: SourceSpan) -> str:
    return frames.get(span.document.language, frames["en"])


def _and(span: SourceSpan) -> str:
    return _choose(_AND, span)


def _make(text: str, rule: str, spans: Sequence[SourceSpan], more: Mapping[str, Any] | None = None) -> EvaluationQuestion:
    """Return the question; its id is given when the set is complete. Without spans nothing answers it."""
    return EvaluationQuestion(
        id="",
        text=text,
        grades={span.document.id: 1.0 for span in spans},
        passages=tuple(span.text for span in spans),
        answerable=bool(spans),
        rule=rule,
        source={"spans": [_place(span) for span in spans], **(more or {})},
    )


def _place(span: SourceSpan) -> dict[str, Any]:
    return {"document": span.document.id, "filename": span.document.filename, "start": span.start, "end": span.end}
