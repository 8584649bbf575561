"""A German clause in English order: the verb beside its subject, "does … have" for "hat", objects before other phrases, "responsible for" for "für …
zuständig"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.german.clause_chunks import ClauseChunk, split_chunks
from agents.german.clause_parts import ClauseParts, is_asking, last_verb_parts, part_clause
from agents.german.clause_subject import SubjectSearch, asks_for_other, has_dative_subject, is_several
from agents.german.noun_phrases import is_plural_in_english, translate_tokens
from agents.german.verb_forms import VerbForm, find_governed, find_infinitive, find_split_infinitive
from agents.german.verb_groups import VerbGroup, group_verbs, is_plural_verb
from agents.german.word_kinds import PREPOSITIONS, KnownWords, Token
from core.lazy_patterns import compile_when_used

_PLAIN_PREPOSITIONS = dict(pair.split("=") for pair in "am=an im=in ins=in zum=zu zur=zu beim=bei vom=von ans=an aufs=auf fürs=für".split())
_ASKED_THING = dict(
    pair.split("=")
    for pair in "wofür=für wozu=zu womit=mit worüber=über wovon=von woran=an worauf=auf worin=in wogegen=gegen woraus=aus wonach=nach".split()
)
_STRANDED = dict(pair.split("=") for pair in "für=for zu=for mit=with über=about von=of an=on auf=on in=in gegen=against aus=of nach=for".split())
_REFLEXIVE = frozenset("wenden bewerben kümmern beschweren erkundigen anmelden halten melden verlassen".split())
_YEAR = compile_when_used(r"(?:1\d|20)\d\d")
_DATIVE_PRONOUNS = {"me": "I", "him": "he", "us": "we", "them": "they", "her": "she"}
_SHORT_ADVERBS = frozenset("noch schon bereits zuletzt auch immer oft selten wieder bisher noch bald gerade".split())


@dataclass(frozen=True, slots=True)
class _Roles:
    """Who does it, and what else is said: chunks behind the subject, in German order."""

    subject: str
    is_plural: bool
    is_front: bool
    others: tuple[ClauseChunk, ...]


def translate_clause(tokens: Sequence[Token], known: KnownWords) -> str:
    """Return a clause in English; in German order where it has no verb that is known."""
    aim = _translate_aim(tokens, known)
    if aim:
        return aim
    parts = part_clause(tokens, known)
    group = group_verbs(parts.finite, parts.verb, parts.rest) if parts is not None else None
    if parts is None or group is None:
        return translate_tokens(tokens, known)
    if parts.verb is not None and parts.verb.german == "geben" and any(token.lower == "es" for token in (*parts.front, *parts.middle)):
        return _translate_existence(parts, group, known)
    if not parts.front and parts.verb is not None and _is_request(parts):
        return _join(parts.verb.base, translate_tokens(parts.middle, known))
    return _Clause(parts, group, known).translate()


def _is_request(parts: ClauseParts) -> bool:
    """Return whether "nenne alle Lieferanten" asks for something to be done."""
    is_bare = parts.verb is not None and parts.verb.kind == "base" and not parts.verb.is_plural
    return is_bare and all(token.lower != "ich" for token in parts.middle)


def translate_relative(tokens: Sequence[Token], known: KnownWords) -> str:
    """ "die die Stapler genehmigt hat" is "that has approved the trucks"; "" where it is no such clause."""
    if tokens[0].lower in PREPOSITIONS:
        tokens = [tokens[0], replace(tokens[1], text="⟦which⟧"), *tokens[2:]]
    parts = last_verb_parts(tokens, known)
    group = group_verbs(parts.finite, parts.verb, parts.rest) if parts is not None else None
    return _Clause(parts, group, known).translate_relative() if parts is not None and group is not None else ""


def _translate_aim(tokens: Sequence[Token], known: KnownWords) -> str:
    """ "um … zu bestehen", "… zu verlängern"; "" for any other clause."""
    if len(tokens) < 2:
        return ""
    last, starts = tokens[-1].lower, tokens[0].lower == "um"
    split = find_split_infinitive(last)
    found = split or (find_infinitive(last) if tokens[-2].lower == "zu" else None)
    between = tokens[1 if starts else 0 : -1 if split else -2]
    if found is None or is_asking(tokens[0]) or (between and part_clause(between, known) is not None):
        return ""
    return f"to {found.base} {translate_tokens(between, known)}".strip()


def _translate_existence(parts: ClauseParts, group: VerbGroup, known: KnownWords) -> str:
    """ "Welche Wege gibt es", "Gab es im Mai Unfälle": which ways are there, were there accidents."""
    chunks = [chunk for chunk in split_chunks(parts.middle, known) if chunk.first != "es"]
    is_front = bool(parts.front) and not asks_for_other(parts.front[0])
    thing = parts.front if is_front else next((chunk.tokens for chunk in chunks if chunk.kind == "noun"), ())
    several = is_plural_in_english(plain := translate_tokens(thing, known), is_plural=is_several(plain))
    told = translate_tokens(thing, known, is_plural=True if several else None)
    be = group._replace(auxiliary="be").in_question(is_plural=several)[0]
    others = " ".join(translate_tokens(chunk.tokens, known) for chunk in chunks if chunk.tokens != thing)
    if is_front:
        return _join(told, be, "there", others)
    return _join(translate_tokens(parts.front, known), be, "there", told, others)


class _Clause:
    """One clause on its way: `translate` puts front, auxiliary, subject, main verb and the rest in order."""

    def __init__(self, parts: ClauseParts, group: VerbGroup, known: KnownWords) -> None:
        self._known, self._parts = known, parts
        von_is_apart = group.is_passive or (group.verb is not None and find_governed(group.verb.german, "von", is_reflexive=False) is not None)
        chunks = split_chunks(parts.middle, known, von_is_apart=von_is_apart)
        self._is_reflexive = any(
            chunk.first == "sich" or (chunk.first in {"mich", "uns", "dich"} and _is_always_reflexive(group)) for chunk in chunks
        )
        self._chunks = [chunk for chunk in chunks if not (self._is_reflexive and chunk.first in {"sich", "mich", "uns", "dich"})]
        self._front, self._stranded = tuple(parts.front), ""
        self._group = self._govern(group)

    def translate(self) -> str:
        roles = self._find_roles()
        if self._parts.ends_with_verb or roles.is_front:
            return self._state(roles)
        return self._ask(roles)

    def translate_relative(self) -> str:
        """The pronoun is who does it, unless another one stands first."""
        roles = self._find_roles(is_relative=True)
        pronoun = translate_tokens(self._front, self._known) if len(self._front) > 1 else "that"
        if roles.subject:
            auxiliary, main = self._group.in_statement(is_plural=roles.is_plural)
            return _join(pronoun, roles.subject, auxiliary, main, self._rest(roles.others))
        auxiliary, main = self._group.in_statement(is_plural=is_plural_verb(self._parts.finite, self._parts.verb))
        return _join(pronoun, auxiliary, main, self._rest(roles.others))

    def _state(self, roles: _Roles) -> str:
        auxiliary, main = self._group.in_statement(is_plural=roles.is_plural, person=roles.subject)
        negation, others = self._negation(roles.others, auxiliary)
        if negation and not auxiliary:
            auxiliary, main = self._group.in_question(is_plural=roles.is_plural, person=roles.subject)
        adverbs, others = self._early_adverbs(others, main)
        front = "" if roles.is_front else translate_tokens(self._front, self._known)
        return _join(front, roles.subject, auxiliary, negation, adverbs, main, self._rest(others), self._stranded)

    def _ask(self, roles: _Roles) -> str:
        auxiliary, main = self._group.in_question(is_plural=roles.is_plural, person=roles.subject)
        negation, others = self._negation(roles.others, auxiliary)
        adverbs, others = self._early_adverbs(others, main)
        front = translate_tokens(self._front, self._known)
        return _join(front, auxiliary, roles.subject, negation, adverbs, main, self._rest(others), self._stranded)

    def _negation(self, chunks: Sequence[ClauseChunk], auxiliary: str) -> tuple[str, tuple[ClauseChunk, ...]]:
        told = " ".join(translate_tokens(chunk.tokens, self._known) for chunk in chunks if chunk.kind == "negation")
        return told, tuple(chunk for chunk in chunks if chunk.kind != "negation")

    def _early_adverbs(self, chunks: Sequence[ClauseChunk], main: str) -> tuple[str, tuple[ClauseChunk, ...]]:
        """ "was last sealed", "does still run": short adverbs before the main verb."""
        early = [chunk for chunk in chunks if chunk.kind == "adverb" and chunk.first in _SHORT_ADVERBS and main]
        return " ".join(translate_tokens(chunk.tokens, self._known) for chunk in early), tuple(chunk for chunk in chunks if chunk not in early)

    def _rest(self, chunks: Sequence[ClauseChunk]) -> str:
        """Adjectives, then objects, then all other phrases."""
        is_predicate = (self._group.auxiliary == "be" and not self._group.main) or self._group.main in {"stay", "be", "become"}
        ranks = {"adjective": 0 if is_predicate else 3, "object": 1, "noun": 2, "pronoun": 2}
        ordered = sorted(chunks, key=lambda chunk: -1 if is_predicate and chunk.first in _SHORT_ADVERBS else ranks.get(chunk.kind, 3))
        return _join(*(self._phrase(chunk) for chunk in ordered))

    def _phrase(self, chunk: ClauseChunk) -> str:
        if self._group.is_passive and chunk.first in {"von", "vom"}:
            return f"by {'the ' if chunk.first == 'vom' else ''}{translate_tokens(chunk.tokens[1:], self._known)}"
        if chunk.kind == "pronoun" and chunk.first == "sie":
            return "it"
        if len(chunk.tokens) == 1 and _YEAR.fullmatch(chunk.first):
            return f"in {chunk.first}"
        return translate_tokens(chunk.tokens, self._known)

    def _govern(self, group: VerbGroup) -> VerbGroup:
        """Take the English verb of "sich wenden an", whose preposition goes away."""
        asked = self._asked_preposition()
        found = self._find_governed(group, asked)
        if found is not None and group.verb is not None:
            return _replace_verb(group, group.verb, found)
        if asked == "von" and group.is_passive:
            self._front = (replace(self._front[0], text="⟦by⟧"), *self._front[1:])
        if has_dative_subject(group):
            self._stranded = "to"
        if asked and self._front[0].lower in _ASKED_THING:
            self._drop_front_preposition()
            self._stranded = _STRANDED.get(asked, "")
        return group

    def _find_governed(self, group: VerbGroup, asked: str) -> VerbForm | None:
        """Return the English verb by the preposition in front, by one in the middle, or by none."""
        if group.verb is None:
            return None
        german, is_reflexive = group.verb.german, self._is_reflexive
        can_drop = asked and (len(self._front) > 1 or self._front[0].lower in _ASKED_THING)
        found = find_governed(german, asked, is_reflexive=is_reflexive) if can_drop else None
        if found is not None:
            self._drop_front_preposition()
            return found
        for place, chunk in enumerate(self._chunks):
            found = find_governed(german, _plain(chunk), is_reflexive=is_reflexive) if chunk.kind == "preposition" else None
            if found is not None:
                self._chunks[place] = _without_preposition(chunk)
                return found
        return find_governed(german, "", is_reflexive=is_reflexive)

    def _asked_preposition(self) -> str:
        """ "worauf" asks with "auf", "an wen" with "an"."""
        first = self._front[0].lower if self._front else ""
        if first in _ASKED_THING:
            return _ASKED_THING[first]
        return _PLAIN_PREPOSITIONS.get(first, first) if first in PREPOSITIONS else ""

    def _drop_front_preposition(self) -> None:
        first = self._front[0]
        if first.lower in _ASKED_THING:
            self._front = (replace(first, text="⟦what⟧"), *self._front[1:])
        else:
            self._front = tuple(replace(token, text="⟦who⟧") if token.lower in {"wen", "wem"} else token for token in self._front[1:])

    def _find_roles(self, *, is_relative: bool = False) -> _Roles:
        verb_is_plural = is_plural_verb(self._parts.finite, self._parts.verb)
        ends_with_verb = self._parts.ends_with_verb
        at = SubjectSearch(self._parts.front, self._chunks, self._group, self._known, verb_is_plural, ends_with_verb, is_relative).find()
        if at is None:
            front = () if is_relative else self._front
            return self._roles(front, verb_is_plural, tuple(self._chunks), is_front=bool(front))
        others = tuple(chunk for place, chunk in enumerate(self._chunks) if place != at)
        return self._roles(self._chunks[at].tokens, verb_is_plural, others, is_front=False)

    def _roles(self, tokens: Sequence[Token], verb_is_plural: bool, others: tuple[ClauseChunk, ...], *, is_front: bool) -> _Roles:
        joined = any(token.lower == "und" for token in tokens)
        if has_dative_subject(self._group) and not is_front:
            verb_is_plural = False
        told = translate_tokens(tokens, self._known, is_plural=True if verb_is_plural and not joined else None)
        told = _DATIVE_PRONOUNS.get(told, told) if has_dative_subject(self._group) else told
        if len(tokens) == 1 and tokens[0].lower == "sie" and not verb_is_plural:
            told = "it"
        is_pronoun = told in {"we", "they", "you"}
        return _Roles(told, is_pronoun or is_plural_in_english(told, is_plural=verb_is_plural), is_front, others)


def _is_always_reflexive(group: VerbGroup) -> bool:
    return group.verb is not None and group.verb.german in _REFLEXIVE


def _plain(chunk: ClauseChunk) -> str:
    return _PLAIN_PREPOSITIONS.get(chunk.first, chunk.first)


def _without_preposition(chunk: ClauseChunk) -> ClauseChunk:
    """ "zum Nachfolger" keeps its article."""
    first = chunk.tokens[0]
    if first.lower in {"am", "im", "ins", "zum", "zur", "beim", "vom"}:
        return ClauseChunk("object", (replace(first, text="⟦the⟧"), *chunk.tokens[1:]))
    return ClauseChunk("object", chunk.tokens[1:])


def _replace_verb(group: VerbGroup, old: VerbForm, found: VerbForm) -> VerbGroup:
    """Put another English verb in the place of one, in the same form."""
    is_participle = group.auxiliary == "have" or group.is_passive or "be " in group.main
    told, wanted = (old.participle, found.participle) if is_participle else (old.base, found.base)
    main = f"{group.main.removesuffix(told)}{wanted}" if group.main.endswith(told) else group.main
    if group.auxiliary == "do" and found.base.partition(" ")[0] == "be":
        return VerbGroup("be", found.base.partition(" ")[2], group.is_past, found)
    return group._replace(main=main, verb=found)


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)
