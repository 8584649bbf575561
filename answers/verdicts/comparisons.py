"""What a sentence says to "Did A score higher than B?" in words: "The mean score for A is significantly higher than for B"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.verdicts.asked_statement import THAN, AskedComparison, AskedStatement
from answers.verdicts.statement_sense import clauses_of, count_denials
from answers.verdicts.verdict_words import verdict_words
from answers.verdicts.word_match import Match, SaidWord, StatementSurroundings, find_word, holds_word, read_tokens

_SIDE_END = re.compile(r"[,;.()–—]|\b(?:and|but|while|whereas|suggesting|und|aber)\b", re.IGNORECASE)
_ALIKE = re.compile(
    r"\b(?:no|not|nor)\b[^.;]{0,40}\b(?:differ\w*|difference)|\b(?:did|does|do)\s+not\s+differ|\bas\s+\w+\s+as\b|\bthe\s+same\b|\bequal\w*",
    re.IGNORECASE,
)
_MORE, _LESS = frozenset({"more", "higher", "larger", "greater"}), frozenset({"less", "fewer", "lower", "smaller"})
_LEAST_AROUND = 0.6  # of what is compared, in the sentence or around it


def compare_sides(asked: AskedStatement, text: str, tokens: Sequence[SaidWord], around: StatementSurroundings) -> tuple[bool, float] | None:
    """Return whether a sentence with a degree between both sides says what is asked, and how much of what is compared it says (0..1); None where it
    does not compare these two by this."""
    if asked.comparison is None:
        return None
    strength = _strength(asked, tokens, around)
    if strength < _LEAST_AROUND:
        return None
    degree = _find_degree(tokens)
    if degree is None:
        return (False, strength) if _says_alike(asked, text) else None
    place, than = degree
    end = _SIDE_END.search(text, tokens[than].end)
    before = frozenset(token.word for token in tokens[:place])
    behind = frozenset(token.word for token in tokens[than + 1 :] if end is None or token.start < end.start())
    order, direction = _order_of(asked.comparison, before, behind), _direction(asked.comparison.degree, tokens[place].word)
    if order is None or direction is None:
        return None
    if count_denials(text[: tokens[than].end], tokens[place].start):
        return (False, strength) if order == direction else None
    return order == direction, strength


def _strength(asked: AskedStatement, tokens: Sequence[SaidWord], around: StatementSurroundings) -> float:
    """Return how much of what is asked beside the two that are compared a sentence says, words around it counted in part; 0 where it says the
    opposite of one."""
    shared = [term.word for term in asked.terms if asked.comparison is None or term.word not in asked.comparison.second]
    total = 0.0
    for word in shared:
        found = find_word(word, tokens)
        if found is not None and found[1] is Match.OPPOSITE:
            return 0.0
        total += 1.0 if found is not None else 0.8 * holds_word(word, around.near) or 0.5 * holds_word(word, around.far)
    return total / len(shared) if shared else 1.0


def _find_degree(tokens: Sequence[SaidWord]) -> tuple[int, int] | None:
    """Return the places of a degree and of its "than"; None where there is none, or several."""
    lists = verdict_words()
    thans = [place for place, token in enumerate(tokens) if token.word in THAN]
    if len(thans) != 1:
        return None
    degrees = [place for place in range(max(0, thans[0] - 4), thans[0]) if tokens[place].word in lists.degrees]
    return (degrees[-1], thans[0]) if degrees else None


def _order_of(comparison: AskedComparison, before: frozenset[str], behind: frozenset[str]) -> bool | None:
    """Return True where the sides stand in the order of the question, False where they are exchanged; None where they are not both there."""
    first = [word for word in comparison.first if holds_word(word, before) != holds_word(word, behind)]
    second = [word for word in comparison.second if holds_word(word, before) != holds_word(word, behind)]
    if not second:
        return None
    ahead = all(holds_word(word, behind) for word in second) and any(holds_word(word, before) for word in first)
    back = all(holds_word(word, before) for word in second) and any(holds_word(word, behind) for word in first)
    return ahead if ahead != back else None


def _direction(asked: str, said: str) -> bool | None:
    """Return whether two degrees go the same way, False where they go opposite ways; None where they are degrees of different things."""
    lists = verdict_words()
    if asked == said or said in lists.same_degrees.get(asked, ()):
        return True
    if said in lists.degrees.get(asked, ()):
        return False
    if {asked, said} <= _MORE | _LESS:
        return (asked in _MORE) == (said in _MORE)
    return None


def _says_alike(asked: AskedStatement, text: str) -> bool:
    """Return whether a clause says of both sides that they do not differ."""
    if asked.comparison is None:
        return False
    for start, end in clauses_of(text):
        words = {token.word for token in read_tokens(text[start:end])}
        first, second = asked.comparison.first, asked.comparison.second
        if _ALIKE.search(text[start:end]) and all(holds_word(word, words) for word in second) and any(holds_word(word, words) for word in first):
            return True
    return False
