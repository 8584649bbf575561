"""The choice of the units of an answer: a greedy one that weighs each unit's score, what it adds and whether it bridges two documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answers.questions.answer_kinds import AnswerKind
from answers.questions.question_parts import COMPARISON_WORDS, asks_yes_or_no, named_documents
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import CONTEXT_ROLES, Role
from core.claim_words import CLAUSE_CHANGE, NUMBERED_CLAUSE
from core.language.dates import DATES

_NOT_MUCH_WORSE = 0.6  # of the best one's score
_LEAST_ACCOUNT_SHARE = 0.45  # of the best one's score, in a sentence that gives the reason or the means that is asked for


@dataclass(frozen=True, slots=True)
class Bounds:
    """The answer's bounds and the choice's thresholds, as measured in benchmarks/answers.py."""

    max_words: int = 120
    max_sentences: int = 6
    stop_gain: float = 0.65
    stop_growth: float = 0.05
    least_score: float = 0.6
    bridge: float = 0.3
    same_stems: float = 0.8
    like_row: float = 0.8
    lead_stop: float = 0.5
    unread_row: float = 0.3
    unwanted: float = 0.3
    also_read: float = 0.1  # what another answer of the reader is worth,
    nearly_read: float = 3.0  # where its logit is this little below that of the best chosen one
    crossed: float = 0.3  # what a unit in another language must add besides, where the first one holds enough of the question in its own words
    own_words: float = 0.4


def find_promising(units: Sequence[ScoredUnit], limit: int) -> list[int]:
    """Return the places of the `limit` units whose score without the cosine is highest, so that only these are encoded."""
    places = [place for place, unit in enumerate(units) if unit.unit.choosable]
    return sorted(places, key=lambda place: -units[place].score)[:limit]


@dataclass(frozen=True, slots=True)
class LeadUnit:
    """The unit that the lead stands in, and the lead's chance to be right."""

    unit: ScoredUnit
    chance: float


def choose_units(question: Question, units: Sequence[ScoredUnit], bounds: Bounds, lead: LeadUnit | None = None) -> list[ScoredUnit]:
    """Return the chosen units, best first, of those whose cosine is known or that the reader found an answer in. Empty only where nothing may be
    chosen.

    `gain = (s - .5 lex) / s1 + new + .3 bridge + .1 read`: s1 the best score, new the query's idf mass that is not covered yet, bridge whether the
    title of the unit's document stands in a sentence already chosen from another document, read whether the reader found an answer in it that is
    nearly as good as in those. The surer the lead, the more a further unit must add. A clause that the question names by its number is shown as it
    stands.
    """
    pool = [unit for unit in units if unit.unit.choosable and (unit.cosine is not None or unit.reader_score is not None)]
    if lead is not None and all(unit is not lead.unit for unit in pool):
        pool.append(lead.unit)
    if not pool:
        return []
    clause = [unit for unit in units if unit.in_named_clause and unit.unit.role not in CONTEXT_ROLES]
    if clause:
        return cut_to_bounds(clause, bounds)
    chosen = _seeds(question, pool, bounds, lead)
    best = max(*(unit.score for unit in chosen), 1e-6)
    stop = bounds.stop_gain + (bounds.lead_stop * lead.chance if lead is not None else 0.0)
    crossed = bounds.crossed * (not chosen[0].is_crossed and chosen[0].lex >= bounds.own_words)
    while len(chosen) < bounds.max_sentences:
        room = bounds.max_words - sum(unit.words for unit in chosen)
        gains = [
            (_gain(question, unit, chosen, best, bounds) - _least_gain_beside(lead, unit, bounds) - crossed * unit.is_crossed, unit)
            for unit in pool
            if unit.words <= room
        ]
        gain, unit = max(gains, key=lambda pair: pair[0], default=(0.0, chosen[0]))
        if gain < stop + bounds.stop_growth * (len(chosen) - 1):
            break
        chosen.append(unit)
    return _add_account(question, pool, chosen, bounds) if lead is None else chosen


def _add_account(question: Question, pool: Sequence[ScoredUnit], chosen: list[ScoredUnit], bounds: Bounds) -> list[ScoredUnit]:
    """Return the chosen units; where a reason or a means is asked for and none of them gives one, behind the best sentence of their documents that
    does, and that speaks of what is asked. These are worded otherwise than they are asked for, so its score may be lower."""
    if question.answer_kind not in {AnswerKind.REASON, AnswerKind.MEANS} or any(unit.holds_wanted for unit in chosen):
        return chosen
    documents, least = {unit.document for unit in chosen}, _LEAST_ACCOUNT_SHARE * max(unit.score for unit in chosen)
    room = bounds.max_words - sum(unit.words for unit in chosen)
    accounts = [
        unit
        for unit in pool
        if unit.holds_wanted
        and not unit.is_for_another
        and unit.document in documents
        and unit.score >= least
        and unit.words <= room
        and question.share_of_asked(unit.terms) > 0
    ]
    return [max(accounts, key=lambda unit: unit.score), *chosen] if accounts else chosen


def find_superseding(question: Question, chosen: Sequence[ScoredUnit], units: Sequence[ScoredUnit], bounds: Bounds) -> list[ScoredUnit]:
    """Return what another document says of the numbered clauses that were chosen: "Clause 7.3 is replaced by …" stands before the 7.3 that it
    replaces; behind it where only a day in it is replaced, and no day is asked for. Where that makes the answer too long, the least of the others are
    dropped."""
    numbers: dict[str, ScoredUnit] = {}
    for unit in chosen:
        if (match := NUMBERED_CLAUSE.match(unit.unit.text)) is not None:
            numbers.setdefault(match["number"], unit)
    newer: list[ScoredUnit] = []
    beside: list[ScoredUnit] = []
    for unit in units:
        match = CLAUSE_CHANGE.search(unit.unit.text) if unit.unit.choosable else None
        old = numbers.get(match["number"]) if match is not None else None
        if old is not None and _changes(unit, old) and all(unit is not other for other in chosen):
            (beside if _changes_another_day(question, unit, old) else newer).append(unit)
    kept = list(chosen)
    while (newer or beside) and len(kept) > 1 and sum(unit.words for unit in [*newer, *kept, *beside]) > bounds.max_words:
        kept.pop()
    return [*newer, *kept, *beside]


def _changes_another_day(question: Question, unit: ScoredUnit, old: ScoredUnit) -> bool:
    """Return whether a change replaces a day of the clause alone, where a figure is asked for that stands as it was: "How much notice …?"."""
    replaced = {match.group() for match in DATES.finditer(old.unit.text)} & {match.group() for match in DATES.finditer(unit.unit.text)}
    return bool(replaced) and question.answer_kind.is_figure


def _changes(unit: ScoredUnit, old: ScoredUnit) -> bool:
    """Return whether a unit's document is about that of the older one: their titles and file names share two words and more."""
    shared = [word for word in unit.names & old.names if len(word) >= 3]
    return unit.document != old.document and len(shared) >= 2


def cut_to_bounds(units: Sequence[ScoredUnit], bounds: Bounds) -> list[ScoredUnit]:
    """Return the first of them, in their order, that fit the answer; one at least."""
    out: list[ScoredUnit] = []
    for unit in units[: bounds.max_sentences]:
        if out and sum(other.words for other in out) + unit.words > bounds.max_words:
            break
        out.append(unit)
    return out


def _seeds(question: Question, pool: Sequence[ScoredUnit], bounds: Bounds, lead: LeadUnit | None) -> list[ScoredUnit]:
    """Return the lead's unit, else the best one; in a comparison the best one of each document that the question names."""
    meant = asks_yes_or_no(question.text)  # one rare word of such a question may be in any sentence: its sense counts twice

    def fits(unit: ScoredUnit) -> float:
        return unit.score - bounds.unwanted * (not unit.holds_wanted) + (unit.cosine or 0.0) * meant

    best = lead.unit if lead is not None else _choose_first(pool, fits)
    named = _named_documents(question, pool) if COMPARISON_WORDS.search(question.text) else frozenset[str]()
    if len(named) < 2:
        return [best]
    tops = [max((unit for unit in pool if unit.document == document), key=lambda unit: unit.score) for document in named]
    tops.sort(key=lambda unit: -unit.score)
    return tops[: bounds.max_sentences]


def _choose_first(pool: Sequence[ScoredUnit], fits: Callable[[ScoredUnit], float]) -> ScoredUnit:
    """Return the best one; rather one that speaks of what is asked, where it is not much worse than one that speaks of another thing."""
    best = max(pool, key=fits)
    own = max((unit for unit in pool if not unit.is_for_another), key=fits, default=best)
    return own if fits(own) >= _NOT_MUCH_WORSE * fits(best) else best


def _named_documents(question: Question, pool: Sequence[ScoredUnit]) -> frozenset[str]:
    """Return the documents that the question names."""
    return named_documents(question.normalised_text, {unit.document: (unit.title, unit.names) for unit in pool})


def _gain(question: Question, unit: ScoredUnit, chosen: Sequence[ScoredUnit], best: float, bounds: Bounds) -> float:
    if unit.is_for_another or any(unit is other or _repeats(unit, other, bounds) for other in chosen):
        return -1.0
    bridged = is_bridge(unit, chosen)
    if unit.score < bounds.least_score * best and not bridged:
        return -1.0
    covered = frozenset[str]().union(*(other.covered_terms for other in chosen))
    new = question.share(unit.covered_terms - covered)
    if new == 0 and unit.unit.role is Role.ROW and _is_lesser_row(unit, chosen, bounds):
        return -1.0
    also = bounds.also_read * _reads_nearly_as_well(unit, chosen, bounds)
    return (unit.score - 0.5 * unit.lex) / best + new + bounds.bridge * bridged + also


def _reads_nearly_as_well(unit: ScoredUnit, chosen: Sequence[ScoredUnit], bounds: Bounds) -> bool:
    """Return whether the reader thinks that a unit answers, about as much as the chosen ones: which of them does it cannot say then."""
    best = max((other.reader_score for other in chosen if other.reader_score is not None), default=-math.inf)
    return unit.reader_score is not None and unit.reader_score >= max(0.0, best - bounds.nearly_read)


def _least_gain_beside(lead: LeadUnit | None, unit: ScoredUnit, bounds: Bounds) -> float:
    """Return what a unit must add beyond others beside a lead: a row where the reader found nothing in it (rows share words with any question), and
    one without the figure, time or reason that is asked for."""
    if lead is None:
        return 0.0
    return bounds.unread_row * (unit.reader_score is None and unit.unit.role is Role.ROW) + bounds.unwanted * (not unit.holds_wanted)


def _is_lesser_row(unit: ScoredUnit, chosen: Sequence[ScoredUnit], bounds: Bounds) -> bool:
    """Return whether a chosen row of the document holds clearly more of the question: then its neighbours only look alike."""
    rows = [other.lex for other in chosen if other.unit.role is Role.ROW and other.document == unit.document]
    return bool(rows) and unit.lex < bounds.like_row * max(rows)


def is_bridge(unit: ScoredUnit, chosen: Sequence[ScoredUnit]) -> bool:
    """Return whether the title of the unit's document stands in a chosen sentence of another document."""
    return bool(unit.title) and any(unit.title in other.normalised_text for other in chosen if other.document != unit.document)


def _repeats(unit: ScoredUnit, other: ScoredUnit, bounds: Bounds) -> bool:
    """Return whether a unit says what `other` says: it shares .8 of its stems and all of its numbers."""
    if not unit.terms or not unit.numbers <= other.numbers:
        return False
    return len(unit.terms & other.terms) >= bounds.same_stems * len(unit.terms)
