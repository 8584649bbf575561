"""Documents by their names: what kind of document a noun means, which words name a document, and what tells versions of one thing apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.text.question_words import tokens
from core.documents import Document
from core.language.content_words import stems
from core.language.inflections import singularize_english
from core.language.stems import stem
from core.language.stop_words import STOP_WORDS

# What documents are called, by the kind that the library knows them as.
KINDS: dict[str, str] = {
    "offer": "quote", "quote": "quote", "quotation": "quote", "bid": "quote", "proposal": "quote", "tender": "quote",
    "policy": "policy", "lease": "contract", "contract": "contract", "agreement": "contract", "amendment": "contract",
    "report": "report", "invoice": "invoice", "mail": "email", "email": "email", "letter": "letter", "budget": "spreadsheet",
    "presentation": "presentation", "deck": "presentation", "minutes": "minutes", "manual": "manual",
    "document": "", "file": "", "version": "", "paper": "paper", "article": "article", "study": "paper", "note": "note", "plan": "plan",
}  # fmt: skip
_VERSION_NUMBER = re.compile(r"(?:\bv|\bversion|\brev(?:ision)?|\bissue|_v)\.?\s*(\d+(?:\.\d+)?)\b", re.IGNORECASE)
_VERSION_WORDS = re.compile(r"\b(?:version|v|rev|revision|issue|final|draft|copy|old|new)\b\.?\s*\d*(?:\.\d+)?|\b\d+\b")


def singular(noun: str) -> str:
    """Return the singular of an English noun, roughly: "policies" is "policy"."""
    if noun in KINDS:
        return noun
    return singularize_english(noun)


def name_stems(document: Document) -> frozenset[str]:
    """Return the words that name a document: of its title, file name and kind."""
    return stems(f"{document.title} {_strip_ending(document.filename).replace('_', ' ').replace('-', ' ')} {document.doc_type}")


def is_of_kind(document: Document, noun: str) -> bool:
    """True where a document is what the noun says: by the kind that the library knows, or by its own title or file name."""
    known = KINDS.get(noun, "")
    return (bool(known) and document.doc_type == known) or bool(stems(noun) & stems(f"{document.title} {_strip_ending(document.filename)}"))


def is_named_by(topic: str, document: Document) -> bool:
    """True where every word of the topic stands in the document's name or names its kind: the document is meant as a whole."""
    named = name_stems(document)
    words = [word for word in tokens(topic) if word not in STOP_WORDS]
    return bool(words) and all(
        stem(word) in named or any(noun in KINDS and is_of_kind(document, noun) for noun in (word, singular(word))) for word in words
    )


def version_order(document: Document) -> tuple[float, str]:
    """Return the sort key of the versions of one thing: the number that file name or title gives (0 for none), then the date of the last change."""
    number = _VERSION_NUMBER.search(f"{_strip_ending(document.filename)} {document.title}")
    return float(number.group(1)) if number else 0.0, document.modified_at.isoformat() if document.modified_at else ""


def title_without_version(document: Document) -> frozenset[str]:
    """Return the words of a title without what tells versions apart: two versions of one thing have the same."""
    bare = _VERSION_WORDS.sub(" ", (document.title or document.filename).lower())
    return stems(re.sub(r"\bv\d+\b", " ", bare))


def distinct_names(documents: Sequence[Document]) -> list[str]:
    """Return a short name for each: the words of its file name that the others lack, else its title; all file names where two would be the same."""
    found = []
    for document in documents:
        others = frozenset[str]().union(*(name_stems(other) for other in documents if other is not document))
        words = re.split(r"[\s_]+", _strip_ending(document.filename) or document.filename)
        own = [word for word in words if stems(word) and not stems(word) <= others]
        found.append(" ".join(own).strip(" -–,;:") or document.title or document.filename)
    return found if len(set(found)) == len(found) else [document.filename for document in documents]


def _strip_ending(filename: str) -> str:
    return filename.rpartition(".")[0]
