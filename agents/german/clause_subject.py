"""Who does it: which part of a German clause is the subject of its verb, by case, number and, where these are silent, by what the words say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.german.clause_chunks import ClauseChunk
from agents.german.clause_parts import is_asking
from agents.german.noun_phrases import translate_tokens
from agents.german.verb_groups import VerbGroup
from agents.german.word_kinds import PREPOSITIONS, KnownWords, Token
from core.lazy_patterns import compile_when_used

_NOMINATIVES = frozenset({"der", "dieser", "jeder"})
_NOMINATIVES_OR_NOT = frozenset({"unser", "mein", "ein", "kein"})
_DATIVES = frozenset(
    "dem der einem einer keinem keiner diesem dieser jedem jeder unserem unserer meinem meiner ihrem ihrer mir ihm ihr uns dir ihnen".split()
)
_OTHER_CASES = frozenset(
    [f"{stem}e{ending}" for stem in "ein kein unser mein ihr sein dies jed welch all".split() for ending in "nms"]
    + "den dem des mich mir uns dich dir ihn ihm ihnen sich".split()
)
_SUBJECT_PRONOUNS = frozenset("ich wir man sie er es du jemand niemand etwas nichts alles das dies wer was".split())
_SURE_PRONOUNS = frozenset({"ich", "wir", "man", "er", "du", "sie", "es"})
_NOMINATIVE_RELATIVES = frozenset({"der", "die", "das"})
_ASKING_FOR_OTHER = frozenset(
    "wen wem wann wo wohin woher warum wieso weshalb wie wofür wozu womit wodurch worüber wovon woran worauf worin wogegen woraus wonach welchen "
    "welchem".split()
)
_AGENT = compile_when_used(
    r"(?:\b(?:bank|compan(?:y|ie)|firm|insurance|insurer|landlord|tenant|customer|supplier|buyer|seller|state|government|authorit(?:y|ie)|cit(?:y|ie)|department|board|driver|"
    r"manager|employee|employer|owner|contract|policy|report|minutes|law|court|doctor|people|staff|carrier|maker|dealer|one|party|team|union|school|hotel|"
    r"subsidiary|parent company|university|country|king|queen|emperor|customs|tax office|works council|offer|agreement|clause|schedule)s?|[A-Z]\w+)$"
)
_CAUSING = frozenset({"cause", "set off", "lead", "happen", "trigger", "follow", "apply", "be"})
_TAKING = frozenset("have play need contain cover offer grant say mean recommend receive get use cost bear form show require".split())


def asks_for_other(token: Token) -> bool:
    """Return whether a word asks for something else than the subject: "wann", "welchen", "how long"."""
    return token.lower in _ASKING_FOR_OTHER or (token.is_english and not token.lower.startswith(("⟦how many", "⟦how much", "⟦what")))


def is_several(english: str) -> bool:
    head = _head(english)
    return "how many" in english or head.endswith(("people", "men", "children")) or (head.endswith("s") and not head.endswith("ss"))


def has_dative_subject(group: VerbGroup) -> bool:
    """Return whether "stehen einem Mitarbeiter zu" says what he is entitled to."""
    return group.verb is not None and group.verb.german == "zustehen"


@dataclass(frozen=True, slots=True)
class SubjectSearch:
    """A clause without a subject as yet; `is_relative` where `front` is a relative pronoun."""

    front: Sequence[Token]
    chunks: Sequence[ClauseChunk]
    group: VerbGroup
    known: KnownWords
    verb_is_plural: bool
    ends_with_verb: bool
    is_relative: bool

    @property
    def _asks_for_other(self) -> bool:
        return bool(self.front) and (asks_for_other(self.front[0]) or self.front[0].lower in PREPOSITIONS)

    def find(self) -> int | None:
        """Return which chunk is the subject; None where what stands in front is, or the relative pronoun."""
        likely = [at for at, chunk in enumerate(self.chunks) if _may_be_subject(chunk, verb_is_plural=self.verb_is_plural)]
        if not likely or has_dative_subject(self.group):
            return self._find_dative()
        front_may_be = bool(self.front) and is_asking(self.front[0]) and not self._asks_for_other
        sure = next((at for at in likely if _is_surely_subject(self.chunks[at], front_may_be=front_may_be)), None)
        is_asked = not self.ends_with_verb and bool(self.front) and not self._asks_for_other
        if not self.is_relative and not is_asked:
            return sure if sure is not None else likely[0]
        return self._choose(likely[0], sure)

    def _choose(self, likely: int, sure: int | None) -> int | None:
        if self.is_relative:
            return likely if sure is None and self.front[0].lower not in _NOMINATIVE_RELATIVES else sure
        if self.front[0].lower in {"wer", "welcher"}:
            return None
        if sure is not None or not is_asking(self.front[0]):
            return sure
        return None if self._front_is_subject(self.chunks[likely]) else likely

    def _find_dative(self) -> int | None:
        """ "darf einem Arbeitnehmer gekündigt werden": he may be dismissed."""
        is_impersonal = self.group.is_passive and (self._asks_for_other or not self.front)
        if not is_impersonal and not has_dative_subject(self.group):
            return None
        return next((at for at, chunk in enumerate(self.chunks) if chunk.kind in {"noun", "pronoun"} and chunk.first in _DATIVES), None)

    def _front_is_subject(self, other: ClauseChunk) -> bool:
        """Decide by number, else by what the words say: a firm rather than a thing does something."""
        if self.group.is_passive or (self.group.auxiliary == "be" and not self.group.main):
            return self.group.is_passive
        quiet = KnownWords(self.known.own_words, self.known.is_lower_case)
        front, told = (
            translate_tokens(tokens, quiet, is_plural=True if self.verb_is_plural and tokens[0].lower in {"die", "welche"} else None)
            for tokens in (self.front, other.tokens)
        )
        asked = self.front[0].lower
        if is_several(front) != is_several(told) and asked != "was":
            return is_several(front) == self.verb_is_plural
        base = self.group.verb.base if self.group.verb is not None else ""
        if base in _CAUSING or asked == "was" or front.startswith("how much"):
            return base in _CAUSING
        return _is_agent(front) or (base not in _TAKING and not _is_agent(told))


def _is_agent(english: str) -> bool:
    return _AGENT.search(_head(english)) is not None


def _head(english: str) -> str:
    return english.split(" of ", maxsplit=1)[0]


def _may_be_subject(chunk: ClauseChunk, *, verb_is_plural: bool) -> bool:
    if chunk.kind == "pronoun":
        return chunk.first in _SUBJECT_PRONOUNS
    is_one = chunk.first in _NOMINATIVES_OR_NOT and all(token.lower != "und" for token in chunk.tokens)
    return chunk.kind == "noun" and chunk.first not in _OTHER_CASES and not (verb_is_plural and is_one)


def _is_surely_subject(chunk: ClauseChunk, *, front_may_be: bool) -> bool:
    """ "ein" may be the object, too, where what is asked for may be the subject."""
    if chunk.kind == "pronoun":
        return chunk.first in _SURE_PRONOUNS
    return chunk.first in _NOMINATIVES or (not front_may_be and chunk.first in _NOMINATIVES_OR_NOT)
