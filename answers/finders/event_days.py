"""The day of an event whose invitation says no more than the day: "October 6 | Online" for "When does the summit take place?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from core.claim_words import label_words
from core.language.dates import DATES
from core.language.mail_lines import MAIL_DAY
from core.language.question_wording import strip_politeness
from core.language.sentences import word_count

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:when|on\s+(?:what|which)\s+(?:day|date))\s+(?:does|do|did|will|is|was)\s+(?P<event>.+?)\s+"
    r"(?:take\s+place|taking\s+place|be\s+held|held|happen(?:ing)?|scheduled)\W*$|"
    r"^\W*(?:wann|an\s+welchem\s+tag)\s+(?:findet|fand|ist|war)\s+(?P<anlass>.+?)(?:\s+(?:statt|geplant))?\W*$",
    re.IGNORECASE,
)
_LEAST_NAMED = 0.6  # of the event's words in a document's names and one line of it
_FEW_WORDS = 12  # of the line that says the day


def event_day(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the only day that stands in a short line of the documents that speak of the event; None where they tell several, or none.

    The day on which a mail was sent is none of its own."""
    asked = _QUESTION_PATTERN.match(strip_politeness(question.text))
    event = label_words(asked["event"] or asked["anlass"]) if asked is not None else frozenset[str]()
    about = {unit.document for unit in units if event and len(event & (unit.names | label_words(unit.unit.text))) >= _LEAST_NAMED * len(event)}
    found = [
        (place, day)
        for place, unit in enumerate(units)
        if unit.document in about and MAIL_DAY.match(unit.unit.text) is None
        for day in DATES.finditer(unit.unit.text)
    ]
    if len({" ".join(day.group().split()) for _, day in found}) != 1:
        return None
    place, day = found[0]
    text = units[place].unit.text
    line = text[text.rfind("\n", 0, day.start()) + 1 :].split("\n", maxsplit=1)[0]
    if word_count(line) > _FEW_WORDS:
        return None  # a sentence says what happens on that day, which the reader reads
    return RuleAnswer(day.group(), (UnitSpan(place, *day.span()),), LIKELY_CHANCE, "span")
