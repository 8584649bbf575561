"""The words by which claims are compared: labels without what says nothing about the thing, and marks that tell things of one kind apart."""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.content_words import tokens
from core.language.months import MONTHS
from core.language.stems import stem, stem_of_either
from core.language.stop_words import STOP_WORDS
from core.language.telling_words import function_words_of
from core.language.units import periods
from core.language.weekdays import weekdays

_GERMAN = frozenset(f"{function_words_of('de')} der die das dem den des von vom am im zum und in an".split())
_PERIOD_WORDS = periods("en", "de")


@lru_cache(maxsize=16384)
def _stem(word: str) -> str:
    """Return a word without the endings of English and of German, so that words of both compare; a period in one form."""
    bare = stem_of_either(word)
    return _PERIOD_WORDS.get(word) or _PERIOD_WORDS.get(stem(word)) or _PERIOD_WORDS.get(bare) or bare


# They are in a label because a sentence needs a verb, or because something changed: which thing is meant does not hang on them.
_UNINFORMATIVE = frozenset(
    map(
        _stem,
        """now new newly currently current presently actual actually valid effect effective instead previously formerly amended replaced
        reduced raised increased lowered changed cut extended postponed moved since until till before after inside under during
        only alone already still longer more most less least than up down approximately approx around roughly nearly almost
        exactly just other amount amounts amounted cost costs costing charge charged charges charging payable pay pays paid paying
        take takes place held hold applies apply allowed permitted set sets fixed agreed made make given fall falls due set run
        runs last lasts go goes come comes equal equals total jetzt neu neue neuer neuen nun künftig nunmehr derzeit aktuell
        bisher erhöht gesenkt geändert angehoben verlängert verkürzt kostet kosten beträgt betragen ab seit bis gilt gelten
        höchstens mindestens maximal liegt lautet zurzeit ersetzt clause section article paragraph rule ziffer absatz however
        accordingly therefore according respectively namely together alternatively statt sofort fällig zahlen gezahlt bezahlt""".split(),
    )
) - {"total"}
# One of these in one label alone makes it another thing: a net price is no price.
DISTINGUISHING_WORDS = frozenset(
    map(
        _stem,
        """net gross total subtotal list minimum maximum min max average mean month week day quarter hour night minute second first third
        last next interim final estimate estimated budget budgeted planned forecast target offer offered insured discount
        discounted child children adult adults senior seniors student students member members guest guests visitor visitors
        weekend spare additional extra optional instalment instalments advance return half former proposed holiday holidays without except
        not no never deputy vice acting assistant brutto
        netto gesamt summe kinder erwachsene ermäßigt schüler studenten mitglieder gäste wochenende feiertag stellvertretend
        stellvertretende stellvertretender ohne nicht kein keine
        winter summer sommer autumn spring reserve minimal maximal""".split(),
    )
) | frozenset(map(_stem, weekdays("en", "de")))
NUMBERED_CLAUSE = re.compile(
    r"^\W{0,2}(?:(?:clause|section|article|paragraph|rule|§)\s*)?(?P<number>\d{1,3}(?:\.\d{1,3})+)[.)]?\s+(?=[^\W\d])", re.IGNORECASE
)
CLAUSE_CHANGE = re.compile(
    r"""
        (?:\b(?:clause|section|article|paragraph|rule|ziffer|artikel)|§)\s*(?P<number>\d{1,3}(?:\.\d{1,3})*)\b.{0,80}?\b
        (?:is|are|shall\s+be|was|wird|werden)\s+(?:hereby\s+|hiermit\s+|wie\s+folgt\s+)?
        (?:replaced|amended|deleted|changed|substituted|varied|cancelled|superseded|ersetzt|geändert|gestrichen|durch)\b
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
CLAUSE_HEADING = re.compile(
    r"^\W*(?:(?:clause|section|article|paragraph|rule|ziffer|artikel)|§)\s*(?P<number>\d{1,3}(?:\.\d{1,3})*)\b", re.IGNORECASE
)
RENEWAL = re.compile(
    r"""
        \b(?:
              now|instead|no\s+longer|with\s+effect\s+from
            | (?:is|are|was|shall\s+be|has\s+been|have\s+been)\s+(?:hereby\s+)?
              (?:replaced|amended|changed|varied|raised|increased|reduced|lowered|extended|postponed)
            | superseded|new|rises?|increases?|from\s+now\s+on|nunmehr|künftig|ab\s+sofort|statt(?:\s+dessen)?
            | stattdessen|anstelle|nicht\s+mehr|neue[rns]?|jetzt|nun|erhöht|gesenkt|geändert|ersetzt
        )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
BOUND_PATTERNS = (
    (
        "most",
        re.compile(r"(?:not\s+more\s+than|no\s+more\s+than|at\s+most|up\s+to|not\s+exceed|maximum(?:\s+of)?|höchstens|maximal|bis\s+zu)\s+$", re.I),
    ),
    ("least", re.compile(r"(?:at\s+least|not\s+less\s+than|no\s+less\s+than|minimum(?:\s+of)?|mindestens)\s+(?:\w+\s+)?$", re.I)),
)
APPROXIMATION = re.compile(
    r"\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|over|more\s+than|circa|ca\.|rund|etwa|ungefähr|knapp|über)\s+$", re.I
)
_NUMBERED_THING = re.compile(r"\b(?P<noun>[^\W\d_]{3,})\s+(?P<id>[A-Z]?\d{1,4}[a-zA-Z]?|[A-Z])\b(?![’'.]\w)")
_CODE = re.compile(r"(?<![\w-])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*(?![\w-])")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_QUARTER = re.compile(r"\bQ([1-4])\b|\b(first|second|third|fourth)\s+quarter\b", re.I)
_NO_THINGS = frozenset(
    """clause section article paragraph rule version page number no nr schedule table figure annex appendix chapter item part grade class
    edition revision ziffer absatz artikel seite anlage fassung ausgabe auflage stand vom von bis zum zur than the and for with
    about plus amendment draft is are was only not""".split()
) | frozenset(MONTHS)


def label_words(text: str) -> frozenset[str]:
    """Return the stems that say what a figure is of: without function words, verbs of every label, words of change and the names of periods'
    forms."""
    words = (word for word in tokens(_YEAR.sub(" ", text)) if word not in STOP_WORDS and word not in _GERMAN)
    return frozenset({_stem(word) for word in words if len(word) > 1 and not word[0].isdigit()} - _UNINFORMATIVE)


def marks_of(text: str) -> frozenset[tuple[str, str]]:
    """Return what tells one thing from its like: ("room", "12"), ("year", "2026"), ("code", "C2")."""
    named = ((match["noun"].casefold(), match["id"].casefold()) for match in _NUMBERED_THING.finditer(text))
    found = {(noun, name) for noun, name in named if noun not in _NO_THINGS and not _YEAR.fullmatch(name)}
    found |= {("code", match.group().casefold()) for match in _CODE.finditer(text)}
    found |= {("year", match.group()) for match in _YEAR.finditer(text)}
    found |= {("quarter", (match[1] or match[2]).casefold()) for match in _QUARTER.finditer(text)}
    return frozenset(found | {("month", str(MONTHS[word])) for word in tokens(text) if word in MONTHS and len(word) > 3})
