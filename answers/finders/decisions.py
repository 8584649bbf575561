"""Decisions: "Which offer was chosen?" is answered by the sentence of the minutes that says to whom the order goes, and "and why?" by what is said of
it beside."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import AnswerKind, answer_kind_of
from answers.questions.question_parts import word_set
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.language.content_words import stems
from core.language.decision_wording import CHOICE_STATEMENT, NAME, asks_for_choice, is_labelled_decision
from core.language.stems import stem

_ASKS_WHY = re.compile(r"\b(?:why|for\s+what\s+reasons?|warum|weshalb|wieso)\b", re.IGNORECASE)
_FURTHER_QUESTION = re.compile(r",?\s+(?:and|und)\s+(?=(?:at|for|from|with|by|why|when|how|what|zu|für|warum|wann|wie)\b)", re.IGNORECASE)
_WHY_NAMED = re.compile(
    rf"^\W*(?i:why\s+(?:was|were|did\s+(?:we|they|you)\s+(?:choose|select|pick|go\s+for|decide\s+(?:on|for)|take))|warum\s+(?:wurde|wurden))\s+"
    rf"(?P<name>{NAME})(?:\s+(?i:chosen|selected|picked|preferred|given\s+the\s+order|awarded\b.*|gewählt|ausgewählt|genommen))?\W*$"
)
_CHOOSING = r"(?:chosen|selected|picked|preferred|taken|choose|select|pick|take|go\s+for|given\s+the\s+order|awarded|gewählt|ausgewählt|genommen)"
_CHOOSING_WORDS = re.compile(_CHOOSING, re.IGNORECASE)
_KIND_CHOSEN = re.compile(r"\b(?:which|what|welche[rsnm]?)\s+(\w+)", re.IGNORECASE)
_WHY_NOT = re.compile(
    rf"^\W*(?i:why\s+not|why\s+(?:was|were|wasn['’]?t|weren['’]?t|did|didn['’]?t)\s+(?:(?:we|they|you)\s+(?:not\s+)?{_CHOOSING}\s+)?(?:the\s+)?"
    rf"(?:(?:offer|quote|bid)\s+(?:of|from|by)\s+)?|warum\s+(?:wurde|wurden|nicht)\s+)\s*(?P<name>{NAME})(?P<rest>[^?]*?)\W*$"
)
# A choice against it, and not anything else that was not so: "Why was Tern not repaired?".
_NOT_CHOSEN = re.compile(
    rf"(?:\b(?:not|nicht)|n['’]t)\b.*\b{_CHOOSING}\b|\b(?:rejected|refused|declined|turned\s+down|passed\s+over|abgelehnt)\W*$", re.IGNORECASE
)
_ONLY_WHY_NOT = re.compile(r"^\W*(?:why\s+not|warum\s+nicht)\b", re.IGNORECASE)
_PRICE_OF_NAMED = re.compile(
    rf"^\W*(?i:(?:at|for)\s+(?:what|which|how\s+much)(?:\s+(?:price|sum|amount|cost|money))?\s+(?:was|were))\s+(?P<name>{NAME})\s+"
    r"(?i:chosen|selected|picked|awarded|given\s+the\s+order)\W*$"
)
_AMOUNT = re.compile(r"(?:[£€$]\s?\d[\d,.]*\d|\b\d[\d,.]*\d\s?(?:EUR|USD|GBP|CHF|€|£|\$))(?:\s+(?:net|gross))?")
_LEAST_QUESTION_SHARE = 0.3  # of the question's weight
_MOST_UNITS_BEFORE = 8  # units in front of a decision that may say what it is about
_MOST_REASONS = 2  # sentences beside it that begin with what was chosen


def decision(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the sentence that says what was chosen, with the name as the answer; None where the question asks for no choice, or nothing of it is
    said."""
    if (named := _WHY_NAMED.match(question.text)) is not None:
        return _reason_of(named["name"], question, units)
    if (refused := _WHY_NOT.match(question.text)) is not None and _is_of_choice(refused):
        return _reason_against(refused["name"], units)
    if (priced := _PRICE_OF_NAMED.match(question.text)) is not None:
        return _price_of(priced["name"], units)
    first = _FURTHER_QUESTION.split(question.text, maxsplit=1)[0]  # "…, and at what price?" asks for a choice, too: its sentence says both
    if not asks_for_choice(first) or answer_kind_of(first) not in {AnswerKind.NAME, AnswerKind.ANYTHING}:
        return None
    chosen = _chosen_names(question, units)
    about = {place: _question_share(question, units, place) for place in chosen}
    told = _share_of_choice(question, first)
    likely = [place for place, share in about.items() if share >= _LEAST_QUESTION_SHARE * (1 - told * is_labelled_decision(units[place].unit.text))]
    if not likely:
        return None
    place = max(likely, key=lambda each: (is_labelled_decision(units[each].unit.text), about[each], units[each].score))
    span = chosen[place].span("to") if chosen[place]["to"] else chosen[place].span("for")
    name = units[place].unit.text[slice(*span)].rstrip(" .,")
    rests = [UnitSpan(place, span[0], span[0] + len(name))]
    if _ASKS_WHY.search(question.text):
        rests += _reasons(units, place, name)
    return RuleAnswer(name, tuple(rests), SURE_CHANCE, "name")


def _chosen_names(question: Question, units: Sequence[ScoredUnit]) -> dict[int, re.Match[str]]:
    """Return the sentences that say what was chosen, with the place of the name, unless the question names it itself."""
    said = ((place, CHOICE_STATEMENT.search(unit.unit.text)) for place, unit in enumerate(units) if unit.unit.choosable)
    return {place: match for place, match in said if match is not None and not _is_asked_of(question, match["to"] or match["for"])}


def _price_of(name: str, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the only amount in the sentence that says that a name was chosen, for "At what price was Pallas chosen?"; else None."""
    place = _place_chosen(name, units)
    amounts = list(_AMOUNT.finditer(units[place].unit.text)) if place is not None else []
    if place is None or len(amounts) != 1:
        return None
    return RuleAnswer(amounts[0].group(), (UnitSpan(place, *amounts[0].span()),), SURE_CHANCE, "span")


def _place_chosen(name: str, units: Sequence[ScoredUnit]) -> int | None:
    """Return the place of the sentence that says best that a name was chosen; None where none does."""
    first = name.split(maxsplit=1)[0]
    chosen = [place for place, unit in enumerate(units) if unit.unit.choosable and any(found == first for found in _names_chosen(unit))]
    return max(chosen, key=lambda each: (is_labelled_decision(units[each].unit.text), units[each].score), default=None)


def _reason_of(name: str, question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return what the document that says so says of a choice beside it, then the decision, for "Why was Pallas chosen?"; None where it says nothing
    more."""
    place = _place_chosen(name, units)
    if place is None:
        return None
    reasons = [UnitSpan(each.unit, 0, len(units[each.unit].unit.text)) for each in _reasons(units, place, name)]
    if not reasons:
        return None
    lead = units[reasons[0].unit].unit.text.rstrip(" .")
    return RuleAnswer(
        lead, (UnitSpan(reasons[0].unit, 0, len(lead)), *reasons[1:], UnitSpan(place, 0, len(units[place].unit.text))), SURE_CHANCE, "span"
    )


def _is_of_choice(asked: re.Match[str]) -> bool:
    """Return whether the question asks why something was not chosen; "why not X?" asks it where nothing follows."""
    return _NOT_CHOSEN.search(asked.string) is not None or (_ONLY_WHY_NOT.match(asked.string) is not None and not asked["rest"])


def _reason_against(name: str, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return what is said of a name beside the decision for another, then that decision, for "Why was Kestrel not chosen?"; None where nothing is."""
    first = re.sub(r"['’]s?$", "", _first_word(name))
    for place in sorted(range(len(units)), key=lambda each: (not is_labelled_decision(units[each].unit.text), -units[each].score)):
        others = _names_chosen(units[place]) if units[place].unit.choosable else []
        if not others or first in others or not (reasons := _reasons(units, place, first)):
            continue
        lead = units[reasons[0].unit].unit.text.rstrip(" .")
        return RuleAnswer(lead, (UnitSpan(reasons[0].unit, 0, len(lead)), UnitSpan(place, 0, len(units[place].unit.text))), LIKELY_CHANCE, "span")
    return None


def _names_chosen(unit: ScoredUnit) -> list[str]:
    """Return the first words of the names that a sentence says were chosen."""
    found = (match["to"] or match["for"] for match in CHOICE_STATEMENT.finditer(unit.unit.text))
    return [_first_word(name) for name in found]


def _first_word(name: str) -> str:
    return name.removeprefix("the ").removeprefix("The ").split()[0]


def _is_asked_of(question: Question, name: str) -> bool:
    """Return whether the question names it itself: "What was awarded to Marie Curie?" does not ask for her."""
    return word_set(name) <= question.words


def _question_share(question: Question, units: Sequence[ScoredUnit], place: int) -> float:
    """Return the question's weight in a sentence; of a labelled decision, which names what it is about before, also in what stands around it."""
    unit = units[place]
    around = units[max(0, place - _MOST_UNITS_BEFORE) : place + 1] if is_labelled_decision(unit.unit.text) else [unit]
    return question.share(frozenset[str]().union(*(each.terms | each.covered_terms for each in around if each.document == unit.document)))


def _share_of_choice(question: Question, first: str) -> float:
    """Return the question's weight in the words for choosing and for what is chosen ("which supplier"), which a labelled decision need not repeat,
    and in what is asked beside `first`."""
    beside = stems(" ".join([question.text.removeprefix(first), *_CHOOSING_WORDS.findall(first), *_KIND_CHOSEN.findall(first)]))
    return sum(weight for term, weight in question.idf.items() if stem(term) in beside or term in beside) / question.total if question.total else 0.0


def _reasons(units: Sequence[ScoredUnit], place: int, name: str) -> list[UnitSpan]:
    """Return sentences of the same document that begin with what was chosen, the nearest ones."""
    first = _first_word(name)
    own = units[place]
    beside = [
        other
        for other, unit in enumerate(units)
        if other != place and unit.document == own.document and unit.unit.role is Role.SENTENCE and unit.unit.text.startswith(f"{first} ")
    ]
    beside.sort(key=lambda other: abs(units[other].unit.start - own.unit.start))
    return [UnitSpan(other, 0, len(first)) for other in beside[:_MOST_REASONS]]
