"""Marks in front of a sentence that are not its words: clause numbers, bullets, the ">" of a quoted mail."""

from __future__ import annotations

import re

_MAIL = r"(?:>[ \t]?)+"
_BULLET = r"[-*•◦▪▸‣·–—]\s+"
_WORD_AHEAD = r"(?=[\"'“‘«(]*[^\W\d_])"
# What follows a number and is counted or measured by it, or dated: "8. Februar", "1.5 Million people", "2.4 GHz".
_COUNTED = (
    r"(?!(?:[A-Z]{2,}\w*|\w?Hz|\w?Hz|[kKMGT]?bit|[kKMGT]?[bB]yte?s?|Mi(?:o|ll?ion|lliard)\w*|Mrd|Billi?on\w*|Uhr|Grad|Prozent|Euro|Dollar|Pfund|Liter|Meter|"
    r"Kilo\w*|Tonnen?|Tonnes?|Stunden?|Tagen?|Wochen?|Monaten?|Jahren?|Jahrhundert\w*|Jahrtausend\w*|Punkten?|Jan|Feb|Mär|Mar|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Oct|"
    r"Nov|De[cz])\w*\b)"
)
_CLAUSE = rf"(?:§+[ \t]*)?\d{{1,3}}(?:\.\d{{1,3}}){{1,4}}[.)]?[ \t]+{_COUNTED}(?=[\"'“‘«(]*[A-ZÄÖÜÉ])"
_POINT = rf"\d{{1,3}}[.)][ \t]+{_COUNTED}{_WORD_AHEAD}"
_LETTER = rf"\((?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,5}})\)[ \t]+{_WORD_AHEAD}|[a-z]\)[ \t]+{_WORD_AHEAD}|[ivx]{{2,5}}[.)][ \t]+{_WORD_AHEAD}"
_MARKS = re.compile(rf"(?:{_MAIL})?(?:{_BULLET})?(?:(?P<number>{_CLAUSE}|{_POINT}|{_LETTER}))?")
_FIGURES = re.compile(r"\d+(?:\.\d+)*|[a-z]+")


def mark_length(text: str, question: str = "") -> int:
    """Return how many characters of `text` are marks in front of its words. A clause number that the question names stays: its words begin with
    it."""
    match = _MARKS.match(text)
    if match is None or not text[match.end() :].strip():
        return 0
    number = match["number"]
    if number is not None and _is_asked(number, question):
        return match.start("number")
    return match.end()


def _is_asked(number: str, question: str) -> bool:
    """Return whether a question names this number: "8.4", or "(b)" in its brackets, or "3" behind a word like clause or step."""
    figure = _FIGURES.search(number.lower())
    if figure is None:
        return False
    found = re.escape(figure.group())
    if "." in figure.group():
        return re.search(rf"(?<![\d.]){found}(?!\.?\d)", question) is not None
    return (
        re.search(
            rf"\({found}\)|\b(?:clause|section|article|paragraph|rule|step|item|point|no\.|§|nr\.|absatz|punkt|schritt)\s*{found}\b", question.lower()
        )
        is not None
    )
