"""The files of words: how they are read, and that what refers to another list finds it there."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from core.language.inflections import VerbKind, irregular_forms, irregular_verb_forms
from core.language.translations import WordKind, english_of
from core.language.word_files import parse_groups, parse_pairs, read_word_file

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    (folder.name, file.name.removesuffix(".toml")) for folder in files("core.language").joinpath("data").iterdir() for file in folder.iterdir()
)


@pytest.mark.parametrize(("language", "topic"), FILES)
def test_every_file_is_read(language: str, topic: str) -> None:
    assert len(language) == 2 or language == "mul"
    assert read_word_file(language, topic)
    assert read_word_file(language, topic) is read_word_file(language, topic)


def test_a_language_without_a_file_is_told() -> None:
    with pytest.raises(FileNotFoundError):
        read_word_file("xx", "calendar")


def test_pairs_and_groups() -> None:
    assert parse_pairs("trug=tragen\nlief=laufen denn=") == {"trug": "tragen", "lief": "laufen", "denn": ""}
    assert parse_groups("man men;\nfoot feet; ") == [{"man", "men"}, {"foot", "feet"}]


@pytest.mark.parametrize("kind", ["third", "past", "participles"])
def test_a_strong_form_is_of_a_verb_that_has_a_translation_or_rules(kind: VerbKind) -> None:
    listed = irregular_verb_forms("de", kind)
    assert all(infinitive.endswith("n") for infinitive in listed.values())
    assert len(listed.values() & english_of("de", "verbs").keys()) > 20


@pytest.mark.parametrize("kind", ["function", "verbs", "nouns", "adjectives", "parts", "countries"])
def test_translations_are_of_words_in_lower_case(kind: WordKind) -> None:
    words = english_of("de", kind)
    assert words
    assert all(word == word.lower() for word in words)
    assert kind == "function" or all(words.values())


def test_irregular_forms() -> None:
    assert {"wear", "wore", "worn"} in irregular_forms("en")
    assert english_of("de", "verbs")["schreiben"] == "write/wrote/written"
    assert english_of("de", "nouns")["vorjahr"] == "previous year"


def test_lists_that_few_questions_need_are_not_read_at_import() -> None:
    rare = [("de", "translations"), ("de", "inflections"), ("en", "related_words"), ("en", "inflections")]
    code = (
        "import agents.german.word_forms, core.language.related_words, core.language.language_clues\n"
        "from core.language.word_files import read_word_file\n"
        "before = read_word_file.cache_info().currsize\n"
        f"for language, topic in {rare}: read_word_file(language, topic)\n"
        "assert read_word_file.cache_info().currsize == before + 4"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
