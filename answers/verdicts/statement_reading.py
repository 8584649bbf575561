"""What one statement says to a question for yes or no; nothing where it does not speak of all that is asked, or leaves it open."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from answers.verdicts.asked_statement import AskedStatement, Sense
from answers.verdicts.comparisons import compare_sides
from answers.verdicts.coverage import Coverage, cover_question, fits_context
from answers.verdicts.figure_ranges import Range, compare_ranges, ranges_of, same_kind
from answers.verdicts.statement_sense import clauses_of, count_denials, decide_sense, is_unsure, stance_of
from answers.verdicts.verdict_words import verdict_words
from answers.verdicts.word_match import Match, StatementSurroundings, read_tokens
from core.language.figures import figures_of

_BACK = re.compile(
    r"\W*(?:this|these|those|it|its|they|their|such|both|he|she|diese[rs]?|er|sie|es|il|elle|ils|ce|cette|ese|esta)\b",
    re.IGNORECASE,
)


class Reading(NamedTuple):
    """What a statement says: yes or no, how much of what is asked stands in it (0..1), and the span [start:end] of it that says so."""

    holds: bool
    strength: float
    start: int
    end: int


def refers_back(text: str) -> bool:
    """Return whether a sentence begins with what was spoken of in front of it."""
    return _BACK.match(text) is not None


def read_statement(asked: AskedStatement, text: str, around: StatementSurroundings) -> Reading | None:
    """Return what a statement says to what is asked; None where it does not decide it."""
    tokens = read_tokens(text)
    if not fits_context(asked, tokens, around):
        return None
    if asked.comparison is not None:
        compared = compare_sides(asked, text, tokens, around)
        return Reading(*compared, 0, len(text)) if compared is not None else None
    covered = cover_question(asked, text, around)
    if covered is None:
        return None
    clause = _clauses_with(text, covered)
    if _is_open(asked, text, clause):
        return None
    holds = _decide(asked, text, clause, covered)
    return Reading(holds, covered.strength, *covered.span) if holds is not None else None


_ONLY_SO_MUCH = re.compile(r"\b(?:only|nur)\s+(?=an?\b|few\b|\d|one\b|two\b|three\b)", re.IGNORECASE)


def _clauses_with(text: str, covered: Coverage) -> tuple[int, int]:
    """Return [start:end] of a text from the first to the last clause that holds half as many of the asked words as the fullest one."""
    clauses = clauses_of(text)
    counts = [sum(start <= said.start < end for _, said, _ in covered.found) for start, end in clauses]
    held = [clause for clause, count in zip(clauses, counts, strict=True) if count and 2 * count >= max(counts)]
    return held[0][0], held[-1][1]


def _is_open(asked: AskedStatement, text: str, clause: tuple[int, int]) -> bool:
    """Return whether a statement holds only under a condition that is not asked, is only supposed, or is not about the whole that is asked."""
    lists, said = verdict_words(), text[slice(*clause)]
    words = {token.word for token in read_tokens(text)}
    conditions = [match.group().casefold() for match in lists.conditions.finditer(_ONLY_SO_MUCH.sub(" ", text))]
    if any(condition not in asked.question.casefold() for condition in conditions):
        return True
    if not asked.wholes <= words:
        return True
    return is_unsure(said, asked.sense, is_past=asked.is_past, is_state=asked.is_state)


def _decide(asked: AskedStatement, text: str, clause: tuple[int, int], covered: Coverage) -> bool | None:
    """Return what a statement that covers the question says to it, by what it denies, its stance and its values."""
    said = text[slice(*clause)]
    denials = count_denials(said, covered.span[0] - clause[0])
    opposites = sum(match is Match.OPPOSITE for _, _, match in covered.found)
    value = _compare_values(asked, text, covered)
    if value is _Value.OPEN or denials > 1 or opposites > 1:
        return None
    is_other = value is _Value.OTHER
    if asked.sense is Sense.FACT:
        return _decide_fact(denials + opposites, has_figures=bool(asked.figures), is_other=is_other)
    decided = None if opposites else decide_sense(asked.sense, stance_of(said, denials))
    if decided is None or (is_other and (asked.is_denied or not decided)):
        return None
    return decided != asked.is_denied and not is_other


def _decide_fact(turns: int, *, has_figures: bool, is_other: bool) -> bool | None:
    """Return whether a fact is stated: not where one word denies it or says its opposite; None where two do, or one does beside a figure."""
    if turns > 1 or (turns and (has_figures or is_other)):
        return None
    return not turns and not is_other


class _Value(Enum):
    """What a statement says to the figures of a question."""

    SAME = "same"
    OTHER = "other"
    OPEN = "open"


def _compare_values(asked: AskedStatement, text: str, covered: Coverage) -> _Value:
    """Return whether a statement gives the values that are asked, others in their place, or none that tells."""
    results = [_compare_range(each, text, covered) for each in asked.figures]
    results += [_compare_days(asked.days, text)] if asked.days else []
    numbered = [_compare_numbered(label, number, text) for label, number in asked.numbered]
    results += [_Value.OPEN if asked.begins_with_number and each is not _Value.SAME else each for each in numbered]
    results += [_compare_number(number, text) for number in asked.numbers if not _YEAR.fullmatch(number)]
    if _Value.OPEN in results:
        return _Value.OPEN
    return _Value.OTHER if _Value.OTHER in results else _Value.SAME


_YEAR = re.compile(r"(?:19|20)\d\d(?:[-/–]\d{2,4})?")


def _compare_range(asked: Range, text: str, covered: Coverage) -> _Value:
    """Compare with the only figure of the kind in the statement, or of several the first one behind what is asked about."""
    said = [each for each in ranges_of(text) if same_kind(asked.kind, each.kind)]
    if len(said) > 1 and len({compare_ranges(asked, each) for each in said}) > 1:
        first = covered.found[0][1]
        said = [each for each in said if each.start >= first.end][:1]
    if not said:
        return _Value.OPEN
    inside = compare_ranges(asked, said[0])
    return _Value.OPEN if inside is None else _Value.SAME if inside else _Value.OTHER


def _compare_number(number: str, text: str) -> _Value:
    return _Value.SAME if re.search(rf"(?<![\d.,]){re.escape(number)}(?!\d)", text) else _Value.OPEN


def _compare_days(days: frozenset[str], text: str) -> _Value:
    kind = "time" if all(":" in day for day in days) else "date"
    said = {figure.value for figure in figures_of(text) if figure.kind == kind}
    if any(_same_day(one, other) for one in days for other in said):
        return _Value.SAME
    return _Value.OTHER if len(said) == 1 else _Value.OPEN


def _same_day(one: str, other: str) -> bool:
    """Return whether two days are the same; one of them may have no year ("--06-12")."""
    return one == other or (one[-5:] == other[-5:] and (one.startswith("--") or other.startswith("--")))


def _compare_numbered(label: str, number: str, text: str) -> _Value:
    said = re.findall(rf"\b{re.escape(label)}\s*(\d+)\b", text, re.IGNORECASE)
    if number in said:
        return _Value.SAME
    return _Value.OTHER if len(set(said)) == 1 else _Value.OPEN
