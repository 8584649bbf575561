"""In what sense a statement says something: whether it denies it, permits or forbids it, obliges to it, or leaves it open."""

from __future__ import annotations

import re
from enum import Enum

from answers.verdicts.asked_statement import Sense
from answers.verdicts.verdict_words import verdict_words
from answers.verdicts.word_match import read_tokens
from core.language.stems import stem

_CLAUSE_END = re.compile(
    r"[;:–—](?=\s)|,(?=\s)|\.\s|\s(?=(?:but|whereas|while|although|and|und|aber|sondern|jedoch|während|mais|et|pero|y)\s)", re.IGNORECASE
)
_WITHOUT = re.compile(r"without|ohne|sans|sin|free|instead|rather", re.IGNORECASE)
_FORBIDDING = re.compile(
    r"\b(?:forbid\w*|prohibit\w*|bann?(?:ed|s)?|disallow\w*|verb[oi]et\w*|verboten|untersagt|unzulässig|interdite?s?|prohíb\w*|prohibid\w+|impossible|unmöglich|not\s+possible)\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"^\W*(?:please\s+)?(?:do\s+not|don['’]t|never|avoid|no\s+(?=\w+ing\b))", re.IGNORECASE)
_CAN = re.compile(r"\b\w{4,}[ai]ble\b", re.IGNORECASE)


class Stance(Enum):
    """What a statement says to a permission or duty."""

    PERMITS = "permits"
    FORBIDS = "forbids"
    OBLIGES = "obliges"
    FREES = "frees"
    STATES = "states"


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Return [start:end] of the clauses of a text, in their order."""
    places, start = [], 0
    for match in _CLAUSE_END.finditer(text):
        places.append((start, match.start()))
        start = match.end()
    return [(first, last) for first, last in [*places, (start, len(text))] if text[first:last].strip()]


_OWN_SUBJECT = re.compile(
    r"\W*(?:(?:but|whereas|while|although|and|und|aber|sondern|jedoch|während|mais|et|pero|y|if|when|wenn)\s+)?"
    r"(?:the|an?|this|these|that|it|they|he|she|we|you|each|every|all|no|our|its|their|der|die|das|den|ein|eine|es|sie|er|wir|le|la|les|un|une|il|elle|el|los|las|"
    r"[A-ZÀ-Þ]\w+)\b"
)
VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|may|can|could|must|shall|should|will|would|ist|sind|war|waren|wird|werden|hat|haben|darf|dürfen|"
    r"kann|können|muss|müssen|est|sont|peut|doit|es|son|está|puede|debe|\w{3,}ed|\w{2,}[^s\W]s)\b",
    re.IGNORECASE,
)


def segments_of(text: str) -> list[tuple[int, int]]:
    """Return [start:end] of the parts of a text that speak each of a subject of its own ("… and the garage is insured by the landlord"): clauses that
    go on with the same subject, and items of a list, stay together."""
    clauses = clauses_of(text)
    segments: list[tuple[int, int]] = []
    for start, end in clauses:
        if segments and not (_OWN_SUBJECT.match(text[start:end]) and VERB.search(text[start:end]) and VERB.search(text[slice(*segments[-1])])):
            segments[-1] = (segments[-1][0], end)
        else:
            segments.append((start, end))
    return segments


def count_denials(clause: str, first_match: int) -> int:
    """Return how many words of a clause deny it; "without" does only where what is asked stands behind it (`first_match`: the place of its first word
    in the clause)."""
    lists = verdict_words()
    plain = lists.not_denying.sub(lambda match: " " * len(match.group()), clause)
    return sum(_WITHOUT.match(match.group()) is None or match.start() < first_match for match in lists.denying.finditer(plain))


_FREEING = frozenset(map(stem, "optional voluntary freiwillig facultatif facultative opcional voluntario voluntaria".split()))
_DENIED_PERMISSION = re.compile(r"not\s+possible", re.IGNORECASE)


def stance_of(clause: str, denials: int) -> Stance:
    """Return what a clause says to whether one may or must."""
    if _COMMAND.match(clause):
        return Stance.FORBIDS
    if _FORBIDDING.search(clause):
        return Stance.PERMITS if denials == 1 and not _DENIED_PERMISSION.search(clause) else Stance.FORBIDS
    stance = _affirmed_stance(clause)
    if stance[0] is Stance.STATES:  # a rule without a limit: "is never lent" forbids it, "are worn everywhere" obliges
        lists = verdict_words()
        if (lists.never if denials else lists.everywhere).search(clause) is not None:
            return Stance.FORBIDS if denials else Stance.OBLIGES
    return _DENIED_STANCES[stance] if denials else stance[0]


def _affirmed_stance(clause: str) -> tuple[Stance, bool]:
    """Return the stance of a clause without its negation, and whether a word commands ("must") rather than names a duty ("required")."""
    lists = verdict_words()
    words = {token.word for token in read_tokens(clause)}
    if words & lists.commanding:
        return Stance.OBLIGES, True
    if words & lists.permitting or _CAN.search(clause):
        return Stance.PERMITS, False
    if words & lists.obliging:
        return Stance.OBLIGES, False
    return (Stance.FREES if _FREEING & set(map(stem, words)) else Stance.STATES), False


_DENIED_STANCES = {
    (Stance.OBLIGES, True): Stance.FORBIDS,
    (Stance.PERMITS, False): Stance.FORBIDS,
    (Stance.OBLIGES, False): Stance.FREES,
    (Stance.FREES, False): Stance.STATES,
    (Stance.STATES, False): Stance.STATES,
}


_DECIDED = {
    (Sense.PERMISSION, Stance.PERMITS): True,
    (Sense.PERMISSION, Stance.FORBIDS): False,
    (Sense.DUTY, Stance.OBLIGES): True,
    (Sense.DUTY, Stance.FREES): False,
    (Sense.DUTY, Stance.FORBIDS): False,
    (Sense.ADVICE, Stance.OBLIGES): True,
    (Sense.ADVICE, Stance.FORBIDS): False,
}


def decide_sense(sense: Sense, stance: Stance) -> bool | None:
    """Return what a stance says to a question of permission, duty or advice; None where it says nothing to it."""
    return _DECIDED.get((sense, stance))


def is_unsure(clause: str, sense: Sense, *, is_past: bool, is_state: bool) -> bool:
    """Return whether a clause only supposes, proposes or permits what is asked as a fact; what is to be done has not been done."""
    lists = verdict_words()
    words = {token.word for token in read_tokens(clause)}
    if words & lists.unsure:
        return not (sense is Sense.ADVICE and words & {"should", "recommended", "sollte", "sollten"})
    if sense is not Sense.FACT:
        return False
    return bool(words & frozenset({"may", "can", "darf", "kann", "peut", "puede"})) or (
        is_past and bool(words & (lists.commanding | {"will", "wird"}))
    )
