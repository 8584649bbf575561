"""Analysis of text into the terms of the lexical index, the same for documents and for questions.

Fold (NFKC, case, combining accents) and cut scripts that are written without spaces into character pairs, then tantivy's analyser: words of
letters and digits, lower case, accents off, English stop words out, Porter2 stems (https://snowballstem.org/algorithms/english/stemmer.html).
Pairs of characters for Chinese, Japanese and Korean follow Lucene's CJKBigramFilter (outputUnigrams for documents).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import tantivy

from core.language.stop_words import SEARCH_STOP_WORDS as STOP_WORDS

ANALYSER = "vantage_1"  # a part of the schema: whoever changes the analysis raises the number, and every index is rebuilt
LONGEST_TERM = 200  # bytes of UTF-8; longer "words" are base64 and the like

# Han, kana, Hangul and the scripts of South-East Asia that put no space between words.
_RUN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_ACCENTS = re.compile("[\u0300-\u036f]")


def text_analyser() -> tantivy.TextAnalyzer:
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(LONGEST_TERM))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.custom_stopword(sorted(STOP_WORDS)))
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def prepare_document_text(text: str) -> str:
    """Return text of a document, ready for the analyser: runs without spaces become their characters and their pairs of neighbours."""
    return _prepare_text(text, _characters_and_pairs)


def prepare_question_text(text: str) -> str:
    """Return text of a question, ready for the analyser: runs without spaces become pairs, or the one character that they are."""
    return _prepare_text(text, _pairs)


def fold(text: str) -> str:
    """Return the text without compatibility forms, case and accents; ASCII comes back untouched (the analyser lowers it)."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8")).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def _prepare_text(text: str, split: Callable[[str], str]) -> str:
    if text.isascii():
        return text
    return _RUN.sub(lambda match: f" {split(match.group())} ", fold(text))


def _pairs(run: str) -> str:
    return " ".join(run[place : place + 2] for place in range(len(run) - 1)) or run


def _characters_and_pairs(run: str) -> str:
    return f"{' '.join(run)} {_pairs(run)}" if len(run) > 1 else run
