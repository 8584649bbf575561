"""Statements that hold now among the chosen units: the valid one stands in front of the one that it replaced, and where nobody can tell which holds,
both stand in front and nothing leads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from answers.extractive.statement_versions import ClaimVersions, StatedClaim, versions_of
from answers.questions.answer_kinds import AnswerKind
from answers.reading.evidence_reading import FoundSpan
from answers.reading.lead import ChosenLead
from answers.reading.value_choice import make_statement
from answers.scoring.unit_scores import ScoredUnit
from answers.units.answer_units import Role
from core.answers import Evidence
from core.claim_precedence import Relation
from core.claims import DocumentStatement
from core.documents import ReferenceKind
from core.language.sentences import word_count

LEAST_RELATIVE_SHARE = 0.9  # of what the replaced document's sentence holds of the question, in that of the one that replaces it
MOST_COMPARED = 24  # units: the most promising and the chosen ones

_MORE_WORDS = 3  # of a lead than of the value in it, from which it says more than that


@dataclass(frozen=True, slots=True)
class CurrentAnswer:
    """`chosen` in their new order, the lead on the valid value, and `words` that say since when it holds and what was before ("" where nothing
    changed). `conflict` are the values of statements of which nobody can tell which holds."""

    chosen: list[ScoredUnit]
    lead: ChosenLead | None
    words: str = ""
    conflict: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """The chosen units, best first, of all scored `units`, and the lead where one is sure enough to be shown. `kind` is what is asked for: where that
    is a figure, a day that was changed beside it is not."""

    chosen: list[ScoredUnit]
    units: list[ScoredUnit]
    lead: ChosenLead | None
    kind: AnswerKind = AnswerKind.ANYTHING


def find_current_answer(
    choice: UnitChoice, evidence: Sequence[Evidence], relations: Collection[Relation], today: date, lead_in: Callable[[int], ChosenLead | None]
) -> CurrentAnswer:
    """Return the chosen units with what holds now in front; unchanged where no statement about the same thing says otherwise. `lead_in` is the lead
    within one unit (its place)."""
    chosen, units, lead = choice.chosen, choice.units, choice.lead
    stated = {make_statement(units[place], evidence[units[place].unit.source]): place for place in reversed(_find_compared(chosen, units))}
    first = lead.unit if lead is not None else next(place for place, unit in enumerate(units) if unit is chosen[0])
    for version in versions_of(stated, relations, today):
        if not _is_about(version, stated, units[first], first, lead) or (lead is None and choice.kind.is_figure and _is_of_days(version)):
            continue
        if version.valid is None:
            return CurrentAnswer(
                _move_to_front([units[stated[each.statement]] for each in version.sides], chosen), None, conflict=tuple(_shown_values(version))
            )
        place = stated[version.valid.statement]
        moved = _move_to_front([units[place]], chosen)
        if lead is None or version.valid.claim.kind == "clause" or _says_more(choice, lead, version.valid):
            return CurrentAnswer(moved, lead_in(place) if lead is not None else None)
        language = "de" if evidence[units[place].unit.source].language == "de" else "en"
        return CurrentAnswer(moved, replace(_lead_at(version.valid, units[place], place), chance=lead.chance), version.describe(language))
    return _prefer_newer_document(choice, first, evidence, relations, lead_in) or CurrentAnswer(list(chosen), lead)


def _says_more(choice: UnitChoice, lead: ChosenLead, told: StatedClaim) -> bool:
    """Return whether the lead says what is done with a value, and the value alone is not asked for: "stop when a pedestrian is within three
    metres"."""
    return not choice.kind.is_value and word_count(lead.span.text) >= word_count(told.claim.text) + _MORE_WORDS


def _prefer_newer_document(
    choice: UnitChoice, first: int, evidence: Sequence[Evidence], relations: Collection[Relation], lead_in: Callable[[int], ChosenLead | None]
) -> CurrentAnswer | None:
    """Return the answer with the replacing document's sentence in front, where the first unit is of a document that another replaces as a whole, and
    that sentence says as much of what is asked, though the two are worded too differently to be claims about one thing ("on the yellow form within 48
    hours"); else None."""
    units, lead, old = choice.units, choice.lead, choice.units[first]
    document = evidence[old.unit.source].passage.document_id
    newer = {each.document_id for each in relations if each.other_id == document and each.kind is ReferenceKind.SUPERSEDES}
    saying = [
        (place, found)
        for place, unit in enumerate(units)
        if evidence[unit.unit.source].passage.document_id in newer
        and unit.unit.choosable
        and unit.lex >= LEAST_RELATIVE_SHARE * old.lex
        and ((found := lead_in(place)) is not None or lead is None)
        and unit.holds_wanted >= old.holds_wanted
    ]
    if not saying:
        return None
    place, found = max(saying, key=lambda each: units[each[0]].score)
    moved = _move_to_front([units[place]], choice.chosen)
    if lead is None or found is None:
        return CurrentAnswer(moved, None)
    language = "de" if evidence[units[place].unit.source].language == "de" else "en"
    is_figure = choice.kind.is_figure and any(letter.isdigit() for letter in found.span.text + lead.span.text)
    before = f"{'vorher' if language == 'de' else 'before'}: {lead.span.text}"
    words = f"{found.span.text} ({before})" if is_figure and found.span.text != lead.span.text else ""
    return CurrentAnswer(moved, replace(found, chance=max(found.chance, lead.chance)), words)


def _find_compared(chosen: Sequence[ScoredUnit], units: Sequence[ScoredUnit]) -> list[int]:
    may_speak = (place for place, unit in enumerate(units) if unit.unit.choosable and not (unit.is_for_another and unit.unit.role is Role.ROW))
    order = sorted(may_speak, key=lambda place: -units[place].score)[:MOST_COMPARED]
    own = [place for place, unit in enumerate(units) if any(unit is each for each in chosen)]
    return list(dict.fromkeys([*own, *order]))


def _is_about(version: ClaimVersions, stated: dict[DocumentStatement, int], unit: ScoredUnit, first: int, lead: ChosenLead | None) -> bool:
    """Return whether the unit that comes first makes one of the claims; with a lead, whether that is the value of one."""
    claims: tuple[StatedClaim, ...] = (*((version.valid,) if version.valid else ()), *version.sides, *version.earlier)
    for each in claims:
        if stated.get(each.statement) != first:
            continue
        start, end = unit.unit.start + each.claim.start, unit.unit.start + each.claim.end
        if lead is None or each.claim.kind == "clause" or (start < lead.span.end and lead.span.start < end):
            return True
    return False


def _is_of_days(version: ClaimVersions) -> bool:
    return all(told.claim.kind == "date" for told in (*((version.valid,) if version.valid else ()), *version.sides, *version.earlier))


def _move_to_front(front: Sequence[ScoredUnit], chosen: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    return [*front, *(unit for unit in chosen if all(unit is not each for each in front))]


def _lead_at(stated: StatedClaim, unit: ScoredUnit, place: int) -> ChosenLead:
    start = unit.unit.start + stated.claim.start
    text = stated.statement.text[stated.claim.start : stated.claim.end]
    return ChosenLead(FoundSpan(unit.unit.source, start, start + len(text), text, place, 0.0), place, "span", 0.0)


def _shown_values(version: ClaimVersions) -> list[str]:
    return [each.claim.text for each in version.sides]
