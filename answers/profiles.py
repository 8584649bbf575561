"""Who or what somebody is who is asked about by name alone ("Tell me about Trevanion & Holt", "What does Stannard do?"): what stands under the name
as under a heading, what is said right behind it, and the label in front of it ("Tenant: Merrow Chandlers Ltd").

Sentences that only mention the name share as many words with such a question, and say nothing of who it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.decided import LIKELY, Decided, UnitSpan
from answers.lead import LEADS
from answers.lines import is_short_field
from answers.marks import mark_length
from answers.scoring import Question, ScoredUnit
from answers.units import Role
from core.labels import ADDRESSES
from core.question_wording import name_alone
from core.sentences import word_count

_MOST = 3  # sentences of a profile
_UNDER_HEADING = 2  # of them under one heading
_SHORTEST = 4  # words of a sentence under a heading: fewer are a field of a form
_FORM = r"(?:\s+(?:Ltd|Limited|LLP|LLC|Inc|Corp|GmbH|AG|plc|PLC|Co|SA|BV|KG)\b\.?)?"
# Who holds an office is asked for, not what it is: "Who is Operations Director?".
_OFFICE = re.compile(
    r"\b(?:director|manager|officer|lead|leader|supervisor|coordinator|head|chair\w*|secretary|president|c[efto]o|engineer|agent|tenant|landlord|owner|"
    r"clerk|assistant|deputy|minister|mayor|direktor(?:in)?|leiter(?:in)?)$",
    re.IGNORECASE,
)
_DOES = re.compile(r"\b(?:do|does|macht)\b", re.IGNORECASE)
_ADDRESSED = re.compile(r"^\W*(?:for the attention|attention|attn|dear|to|cc|z\.\s?hd)\b", re.IGNORECASE)


def profile(question: Question, units: Sequence[ScoredUnit]) -> Decided | None:
    """The sentences that say who or what the thing is that a question names alone, the likeliest in front; None where none does, or where a row of a
    directory is about it (its cells say it)."""
    name = name_alone(question.text)
    if not name or _OFFICE.search(name) or any(_is_row_of(unit, name) for unit in units):
        return None
    said = re.compile(
        rf"(?:^|[\s“\"(])(?P<name>{_pattern(name)}){_FORM}(?:\s*\([^()]{{1,60}}\))?(?:\s+(?:is|are|was|were|ist|sind|war|waren)\s+(?:an?|the|our|one|based|eine?|der|die|das)\b|"
        r",\s+(?:an?|our|the|eine?|agents?|owners?|makers?|sellers?|suppliers?|consultants?)\s)"
    )
    labelled = re.compile(rf"^[\W\d]*(?P<label>[^\W\d_][\w'’ /-]{{2,40}}?)(?::|\s\|)\s+{_pattern(name)}{_FORM}\b[^|]*$")
    found: list[UnitSpan] = []
    for kind in (_under_heading, said, labelled):
        for place, unit in enumerate(units):
            if len(found) < _MOST and all(place != each.unit for each in found) and _says(unit, name, kind, units, found):
                found.append(UnitSpan(place, mark_length(unit.unit.text), len(unit.unit.text.rstrip())))
    if not found:
        return None
    first = found[0]
    text = units[first.unit].unit.text[first.start : first.end]
    does = _DOES.search(question.text) is not None and labelled.match(text) is not None  # what somebody does is not said by what he is called
    return Decided(text, tuple(found), LEADS if does else LIKELY, "span")


def _says(unit: ScoredUnit, name: str, kind: object, units: Sequence[ScoredUnit], found: Sequence[UnitSpan]) -> bool:
    if unit.for_another or not unit.unit.choosable:
        return False
    if isinstance(kind, re.Pattern):
        match = kind.search(unit.unit.text)
        return match is not None and ("label" not in kind.groupindex or ADDRESSES.search(match["label"]) is None)
    beside = sum(units[each.unit].unit.lead == unit.unit.lead and units[each.unit].document == unit.document for each in found)
    return beside < _UNDER_HEADING and _under_heading(unit, name)


def _under_heading(unit: ScoredUnit, name: str) -> bool:
    """Whether a sentence stands under the name alone, as under a term of a list or in a letterhead."""
    text = unit.unit.text
    return (
        unit.unit.role in {Role.SENTENCE, Role.ITEM}
        and word_count(text) >= _SHORTEST
        and not is_short_field(text)
        and _ADDRESSED.match(text) is None
        and re.fullmatch(rf"{_pattern(name)}{_FORM}\W*", unit.unit.lead.strip(), re.IGNORECASE) is not None
    )


def _is_row_of(unit: ScoredUnit, name: str) -> bool:
    return unit.unit.role is Role.ROW and re.match(rf"\W*{_pattern(name)}{_FORM}\s*\|", unit.unit.text, re.IGNORECASE) is not None


def _pattern(name: str) -> str:
    return r"\s+".join(re.escape(word) for word in name.split())
