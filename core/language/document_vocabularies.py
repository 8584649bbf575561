"""What questions say of each kind of document: the words that speak of it, and the headings under which such questions are answered.

English and German lists are shipped (`data/<language>/document_types.toml`); a file of one's own with the same tables adds to them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.errors import ConfigurationError
from core.language.word_files import read_word_file

VOCABULARY_LANGUAGES = ("en", "de")
TOPIC = "document_types"
_KEYS = frozenset({"types", "words", "sections"})


@dataclass(frozen=True, slots=True)
class DocumentVocabulary:
    """One kind of document in one language: `types` are the types of documents that it means, `words` and `sections` are in lower case."""

    kind: str
    types: tuple[str, ...]
    words: tuple[str, ...]
    sections: tuple[str, ...]


def read_vocabularies(own_file: str = "") -> tuple[DocumentVocabulary, ...]:
    """Return the vocabularies that are shipped and those of a file of one's own. Raises ConfigurationError for one that cannot be read."""
    shipped = [each for language in VOCABULARY_LANGUAGES for each in _parse_tables(read_word_file(language, TOPIC))]
    return (*shipped, *_read_own(Path(own_file))) if own_file else tuple(shipped)


@cache
def usual_sections(doc_type: str, language: str) -> tuple[str, ...]:
    """Return the headings that documents of a type usually have, in the words of a language; those of English where there are none in it."""
    tables = read_word_file(language if language in VOCABULARY_LANGUAGES else "en", TOPIC)
    return tuple(dict.fromkeys(each for vocabulary in _parse_tables(tables) if doc_type in vocabulary.types for each in vocabulary.sections))


def _read_own(path: Path) -> list[DocumentVocabulary]:
    setting = "search.routing.vocabulary_file"
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{setting}: {path} cannot be read as TOML: {error}") from error
    for kind, table in tables.items():
        if not isinstance(table, dict) or not table.keys() <= _KEYS or not all(isinstance(value, str) for value in table.values()):
            raise ConfigurationError(f"{setting}: [{kind}] of {path} may have {', '.join(sorted(_KEYS))}, each a text of words, and nothing else.")
    return list(_parse_tables(tables))


def _parse_tables(tables: Mapping[str, Mapping[str, str]]) -> Iterable[DocumentVocabulary]:
    for kind, table in tables.items():
        yield DocumentVocabulary(kind, _words(table.get("types", kind)), _words(table.get("words", "")), _words(table.get("sections", "")))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ").lower() for word in text.split())
