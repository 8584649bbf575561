"""The tone of a text: words of praise and of trouble, counted, with negation turned round. English and German; other languages stay neutral.

A lexicon says how often a text speaks well or ill, not what its writer feels; so the measures are shown beside the word.
"""

from __future__ import annotations

from typing import Literal

from agents.text.question_words import tokens

Tone = Literal["positive", "neutral", "negative", "mixed"]

_POSITIVE = frozenset(
    "good great excellent outstanding pleased pleasure happy glad delighted success successful successfully improve improved improves improvement "
    "improvements better best benefit benefits gain gains growth grew strong stronger reliable win won achieve achieved achievement "
    "efficient positive profit profitable recommend recommended satisfied approve approved welcome congratulations thank thanks praise "
    "exceeded exceeds opportunity advantage favourable favorable valuable progress resolved innovative smooth smoothly "
    "gut sehr-gut hervorragend erfreulich erfolgreich erfolg verbessert verbesserung vorteil zuverlässig sicher gewinn danke "
    "zufrieden empfohlen".split()
)
_NEGATIVE = frozenset(
    "bad poor worse worst fail failed fails failure failures problem problems defect defects defective damage damaged damages delay delays delayed "
    "late overdue loss losses lost decline declined decrease dropped risk risks unsafe danger dangerous hazard hazards complaint complaints "
    "complained error errors wrong broken breach breached penalty penalties terminate terminated rejected reject refuse refused deficit shortage "
    "unable concern concerns concerned worried worry unacceptable unfortunately regret disappointed disappointing dispute corroded corrosion crack "
    "cracked leak leaking injury injured accident incident alarm false missed missing weak negative criticism fault faults faulty "
    "schlecht mangel mängel fehler schaden schäden verspätung verlust risiko gefahr leider beschwerde defekt problem probleme unzureichend".split()
)
_NEGATIONS = frozenset(
    "not no never without none nor hardly nicht kein keine keinen ohne nie isn't wasn't aren't weren't don't doesn't didn't won't".split()
)
LANGUAGES = frozenset({"en", "de"})
_LEAST_WORDS = 4  # words of tone below which a text is neutral, and this many in a thousand
_PER_THOUSAND = 8.0


def tone(text: str, language: str) -> tuple[Tone, dict[str, float]]:
    """Return the tone, with the words of praise and of trouble in a thousand."""
    if language not in LANGUAGES:
        return "neutral", {}
    words = tokens(text)
    good = bad = 0
    for place, word in enumerate(words):
        sign = (word in _POSITIVE) - (word in _NEGATIVE)
        if sign and any(before in _NEGATIONS for before in words[max(0, place - 3) : place]):
            sign = -sign
        good, bad = good + (sign > 0), bad + (sign < 0)
    scale = 1000.0 / max(1, len(words))
    measures = {"positive_per_thousand": round(good * scale, 1), "negative_per_thousand": round(bad * scale, 1)}
    return _name_tone(good, bad, (good + bad) * scale), measures


def _name_tone(good: int, bad: int, per_thousand: float) -> Tone:
    if good + bad < _LEAST_WORDS or per_thousand < _PER_THOUSAND:
        return "neutral"
    share = good / (good + bad)
    return "positive" if share >= 0.7 else "negative" if share <= 0.3 else "mixed"
