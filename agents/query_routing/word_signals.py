"""The words of a question that say whether it is about the library as a whole or about one thing in it, in English and German."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.query_routes import ScopeSignal

_MOST_CHARACTERS = 400  # what a person asks stands in the first lines, the rest is pasted text


class _Wording(NamedTuple):
    """A kind of wording; a faint one counts only beside another for the same scope."""

    reason: str
    pattern: re.Pattern[str]
    weight: int = 1
    is_faint: bool = False


def _compile(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_MANY = r"(?:documents|docs|files|papers|texts|records|reports|sources|dokumente[n]?|dateien|unterlagen|texte[n]?|papiere[n]?|berichte[n]?|schreiben)"
_LIBRARY = r"(?:library|collection|archive|corpus|knowledge\s+base|bibliothek|sammlung|archivs?|bestand(?:s|es)?|korpus)"
_OURS = (
    r"(?:the|my|our|your|these|those|this|all|all\s+(?:of\s+)?(?:the|my|our|these)|"
    r"diese[nmrs]?|meine[nmrs]?|unsere[nmrs]?|alle[nmr]?|sämtliche[nmr]?|de[nmrs]|die|das)"
)
_GREAT = (
    r"(?:main|key|major|biggest|greatest|central|important|common|overall|recurring|frequent|"
    r"wichtigsten?|größten?|zentralen?|gemeinsamen?|häufigsten?|wiederkehrenden?)"
)
_ONE_DOCUMENT = (
    r"(?:contract|lease|agreement|report|memo|invoice|offer|quote|policy|minutes|letter|e-?mail|file|document|protocol|amendment|manual|section|clause|"
    r"paragraph|page|chapter|table|figure|meeting|review|budget|study|audit|presentation|spreadsheet|handbook|plan)"
)
_ONE_GERMAN_DOCUMENT = (
    r"\w*(?:vertrag(?:s|es)?|bericht(?:s|es)?|protokolls?|rechnung|angebots?|richtlinie|brief(?:s|es)?|e-?mail|datei|dokument(?:s|es)?|abschnitt(?:s|es)?|kapitels?|seite|"
    r"klausel|tabelle|nachtrags?|besprechung|sitzung|handbuchs?|prüfung)"
)

_GLOBAL = (
    _Wording(
        "it speaks of the documents together",
        _compile(rf"\b{_OURS}\s+(?:\w+\s+)?{_MANY}\b", rf"\b(?:{_OURS}|im|whole|entire|ganzen?|gesamten?)\s+{_LIBRARY}\b"),
    ),
    _Wording(
        "it speaks of everything",
        _compile(
            rf"\b(?:all|across|throughout)\s+(?:of\s+)?(?:the\s+|my\s+|our\s+)?{_MANY}\b",
            r"\b(?:everything|(?:big|overall)\s+picture|high[\s-]level|insgesamt|alles|gesamtbild)\b",
            rf"\b(?:alle[nmr]?|sämtliche[nmr]?)\s+{_MANY}\b",
            r"\bim\s+(?:allgemeinen|großen\s+und\s+ganzen)\b",
        ),
    ),
    _Wording(
        "it asks for themes",
        _compile(
            r"\b(?:themes|topics|patterns|trends)\b|\bwhich\s+subjects\b|\b(?:issues|problems|concerns|complaints)\b.*\bmost\s+(?:often|frequently)\b",
            r"\b(?:haupt)?themen\b|\b(?:muster|trends|schwerpunkte)\b",
            rf"\b{_GREAT}\s+(?:\w+\s+)?(?:issues|problems|challenges|concerns|complaints|findings|takeaways|risks|messages|content)\b",
            r"\bmain\s+takeaways\b",
            rf"\b{_GREAT}\s+(?:probleme|risiken|erkenntnisse|anliegen|aussagen|schwierigkeiten|fragen|punkte)\b",
        ),
    ),
    _Wording(
        "it asks what repeats",
        _compile(
            r"\b(?:recurring|most\s+often|again\s+and\s+again|in\s+common|shared?|common|frequently)\b",
            r"\b(?:wiederkehrende\w*|immer\s+wieder|gemeinsam\w*|am\s+häufigsten|ziehen\s+sich)\b",
        ),
        is_faint=True,
    ),
    _Wording(
        "it speaks of a whole",
        _compile(r"\b(?:whole|entire|overall|broadly|in\s+general|gesamten?|ganzen?)\b"),
        is_faint=True,
    ),
)
_LOCAL = (
    _Wording(
        "it asks for a person, a place, a time or a figure",
        _compile(
            r"^\W*(?:so\s+|and\s+|please\s+)?(?:who|whom|whose|when|where|why)\b",
            r"\bhow\s+(?:much|many|long|often|old|tall|far|fast|high|large|big|heavy|wide|thick)\b",
            r"\b(?:what|which)\s+(?:time|date|day|month|year|price|cost|amount|number|address|name|size|colour|rate|percentage|temperature)\b",
            r"^\W*(?:wer|wem|wen|wessen|wann|wo|wohin|woher|warum|weshalb|wofür)\b",
            r"\bwie\s+(?:viele?n?|hoch|lange|oft|groß|alt|weit|schnell|schwer|dick|breit|teuer|heißt)\b",
            r"\b(?:welche[rnsm]?|in\s+welche[rm])\s+(?:tag|monat|jahr|preis|nummer|adresse|temperatur|uhrzeit|datum|durchwahl|summe)\b",
        ),
    ),
    _Wording(
        "it asks what one thing is or does",
        _compile(
            r"\bwhat(?:'s|\s+is|\s+was|\s+does|\s+did)\s+(?!everything|all\b|the\s+(?:whole|overall|big)|this\s+(?:all|library|collection)|(?:these|my|our)\b)",
            r"\bwas\s+(?:ist|war|bedeutet|kostet|heißt|hat|macht|tut)\b|^\W*(?:explain|define|erkläre)\s+(?:the\s+(?:term|word)|was)\b",
            r"^\W*(?:is|are|was\s+(?:the|there|this|that|it|an?|any|he|she|my|our)|were|does|do|did|has|have|can|must|may|should|ist|sind|darf|muss|hat|gilt|enthält|gibt)\b",
            r"\bwelche[rs]\s+\w+\b(?!\s+(?:gemeinsam|wiederkehr)\w*)|\bwhich\s+\w+[^s\s]\s+(?:was|is|did|has|delivered|signed|made)\b",
        ),
    ),
    _Wording(
        "it speaks of one document",
        _compile(
            rf"\b(?:the|this|that|its|an?)\s+(?:[\w&.-]+\s+){{0,3}}{_ONE_DOCUMENT}\b(?!\s+as\s+a\s+whole)",
            rf"\b(?:der|dem|den|das|des|die|im|am|zum|zur|vom|laut|gemäß)\s+(?:[\w-]+\s+){{0,2}}{_ONE_GERMAN_DOCUMENT}\b",
            rf"\b{_ONE_DOCUMENT}\s+(?:of|from)\s+\d",
        ),
        2,
    ),
    _Wording("it names a file, a code or a date", re.compile(
        r"\b[\w-]+\.(?:py|csv|xlsx?|docx?|pdf|md|txt|json|html?|pptx?|eml)\b|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z]\w*-?\d[\w-]*\b|[\"“„][^\"”“]{2,60}[\"”“]|"
        r"\b\w+\(\)|\b\d{1,2}\.?\s+(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|"
        r"Oktober|Dezember)\b|\b(?:[Ff]unction|[Ff]unktion|[Ss]ection|[Aa]bschnitt|§)\s+[A-Z0-9]")),
)  # fmt: skip


def find_word_signals(question: str) -> list[ScopeSignal]:
    """Return what the words of a question say of its scope, each kind of wording once."""
    plain = " ".join(question[:_MOST_CHARACTERS].split())
    whole, single = ([each for each in wordings if each.pattern.search(plain)] for wordings in (_GLOBAL, _LOCAL))
    if all(each.is_faint for each in whole):
        whole = []
    found = [ScopeSignal(scope="global", reason=each.reason, weight=each.weight) for each in whole]
    return found + [ScopeSignal(scope="local", reason=each.reason, weight=each.weight) for each in single]
