"""The parts of a German clause: what stands in front of its verb, the verbs, and what stands between and behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.german.verb_forms import VerbForm, find_finite, find_participle, separable_prefixes
from agents.german.verb_groups import is_verbal
from agents.german.word_kinds import AUXILIARIES, NON_FINITE_AUXILIARIES, PREPOSITIONS, KnownWords, Token, finite_verb, is_noun

JOINING = frozenset("wenn falls dass ob weil bevor nachdem sobald solange obwohl sofern sodass ehe damit indem".split())
_JOINING_TOO = frozenset({"bis", "während", "seit"})  # prepositions, too
_ASKING = frozenset(
    "wer wen wem wessen was wann wo wohin woher warum wieso weshalb wie wofür wozu womit wodurch worüber wovon woran worauf worin wogegen woraus "
    "wonach".split()
)
_ASKING_BEGINNINGS = ("welch", "⟦how", "⟦since when", "⟦until when", "⟦by when", "⟦from when", "⟦at what", "⟦by how", "⟦up to what", "⟦what")


@dataclass(frozen=True, slots=True)
class ClauseParts:
    """`front` stands before the finite verb, `middle` behind it without the verbs of the end, `ends_with_verb` in "wenn er im Urlaub ist"."""

    front: tuple[Token, ...]
    finite: str
    verb: VerbForm | None
    rest: tuple[str, ...]
    middle: tuple[Token, ...]
    ends_with_verb: bool = False


def is_asking(token: Token) -> bool:
    return token.lower in _ASKING or token.lower.startswith(_ASKING_BEGINNINGS)


def part_clause(tokens: Sequence[Token], known: KnownWords) -> ClauseParts | None:
    """Return the parts of a clause; None where no finite verb is found."""
    places = [at for at in range(len(tokens)) if _is_finite(tokens, at, known)]
    if not places:
        return None
    last = len(tokens) - 1
    joins = tokens[0].lower in JOINING or (tokens[0].lower in _JOINING_TOO and places == [last])
    if joins or (places[0] >= _end_start(tokens, known) and last > 1 and _has_subject_behind(tokens)):
        return _last_verb(tokens, last, known) if places[-1] == last else None
    return None if places == [last] and _is_infinitive_alone(tokens, known) else _second_verb(tokens, places[0], known)


def _end_start(tokens: Sequence[Token], known: KnownWords) -> int:
    """Return where the verbs at the very end begin."""
    start = len(tokens) - 1
    while start > 1 and is_verbal(tokens[start - 1].lower) and tokens[start - 1].text.islower() and not is_noun(tokens[start - 1], known):
        start -= 1
    return start


def _is_infinitive_alone(tokens: Sequence[Token], known: KnownWords) -> bool:
    """Return whether a text is "Kran mieten" and not "Welche Fristen gelten"."""
    if len(tokens) < 2 or is_asking(tokens[0]) or tokens[0].lower in PREPOSITIONS:
        return False
    form = finite_verb(tokens, len(tokens) - 1, known)
    return form is not None and form.is_plural and form.kind == "base" and not _is_plural_front(tokens[:-1])


def _is_plural_front(tokens: Sequence[Token]) -> bool:
    return tokens[0].lower in {"die", "alle", "welche", "viele", "sie", "wir"}


def _is_finite(tokens: Sequence[Token], place: int, known: KnownWords) -> bool:
    token = tokens[place]
    if token.lower in AUXILIARIES and (token.text.islower() or token.at_start):
        return (
            token.lower not in {"werden", "haben"}
            or place < 1
            or find_participle(tokens[place - 1].lower) is None
            or is_noun(tokens[place - 1], known)
        )
    return finite_verb(tokens, place, known) is not None


def _has_subject_behind(tokens: Sequence[Token]) -> bool:
    """Return whether "wann der Vertrag endet" and not "welche Firma liefert": a second phrase stands before the verb."""
    if not is_asking(tokens[0]) or tokens[0].lower.startswith(("welch", "⟦how m")):
        return False
    return any(token.lower in {"der", "die", "das", "er", "sie", "es", "ich", "wir", "man", "ein", "eine"} for token in tokens[1:])


def last_verb_parts(tokens: Sequence[Token], known: KnownWords) -> ClauseParts | None:
    """Return the parts of a relative clause, whose finite verb stands last."""
    last = len(tokens) - 1
    return _last_verb(tokens, last, known) if last > 0 and (_is_finite(tokens, last, known) or tokens[last].lower in AUXILIARIES) else None


def _last_verb(tokens: Sequence[Token], place: int, known: KnownWords) -> ClauseParts:
    start = _end_start(tokens[: place + 1], known)
    finite = tokens[place].lower
    verb = None if finite in AUXILIARIES else find_finite(finite)
    opens = 2 if tokens[0].lower in PREPOSITIONS and start > 1 else 1  # "mit dem …", "wenn …"
    rest = tuple(token.lower for token in tokens[start:place])
    return ClauseParts(tuple(tokens[:opens]), finite, verb, rest, tuple(tokens[opens:start]), ends_with_verb=True)


def _second_verb(tokens: Sequence[Token], place: int, known: KnownWords) -> ClauseParts:
    front, behind = tuple(tokens[:place]), tokens[place + 1 :]
    finite = tokens[place].lower
    if finite in AUXILIARIES:
        start, end = _verbs_at_end(behind, known)
        return ClauseParts(front, finite, None, tuple(token.lower for token in behind[start:end]), (*behind[:start], *behind[end:]))
    prefix = _prefix_place(behind, finite)
    if prefix is not None:
        whole = find_finite(f"{behind[prefix].lower}{finite}")
        return ClauseParts(front, finite, whole, (), (*behind[:prefix], *behind[prefix + 1 :]))
    start, end = (
        _verbs_at_end(behind, known) if len(behind) > 1 and any(token.lower == "zu" for token in behind[-2:-1]) else (len(behind), len(behind))
    )
    return ClauseParts(front, finite, find_finite(finite), tuple(token.lower for token in behind[start:end]), (*behind[:start], *behind[end:]))


def _verbs_at_end(tokens: Sequence[Token], known: KnownWords) -> tuple[int, int]:
    """Return where the verbs of the end stand: last, or before a phrase that trails ("… gestiegen als im Mai")."""
    end = len(tokens)
    while end and not _is_at_end(tokens, end - 1, known):
        end -= 1
    if not end:
        return len(tokens), len(tokens)
    start = end
    while start and _is_at_end(tokens, start - 1, known):
        start -= 1
        if tokens[start].lower not in NON_FINITE_AUXILIARIES:
            break  # one verb, and auxiliaries behind it
    return start - (1 if start and tokens[start - 1].lower == "zu" else 0), end


def _is_at_end(tokens: Sequence[Token], place: int, known: KnownWords) -> bool:
    token = tokens[place]
    if not token.is_word or not token.text.islower() or not is_verbal(token.lower) or is_noun(token, known):
        return False
    behind = tokens[place + 1] if place + 1 < len(tokens) else None
    return behind is None or behind.lower in PREPOSITIONS or is_verbal(behind.lower) or behind.is_english or not behind.is_word


def _prefix_place(tokens: Sequence[Token], finite: str) -> int | None:
    """Return where the separated part of the verb stands: "kam … an"."""
    for place in range(len(tokens) - 1, -1, -1):
        lower = tokens[place].lower
        behind = tokens[place + 1] if place + 1 < len(tokens) else None
        is_last = behind is None or behind.lower in PREPOSITIONS or behind.is_english
        if is_last and lower in separable_prefixes() and find_finite(f"{lower}{finite}") is not None:
            return place
    return None
