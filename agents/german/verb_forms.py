"""German verb forms in English, worked out over the lists of `core.language`: weak verbs by rule, strong ones by the forms of the verb without its
prefix, separable ones as one word ("ankam"), which is what a clause's verb and its last word make together ("kam … an")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from core.language.inflections import irregular_verb_forms
from core.language.translations import english_of
from core.lazy_patterns import compile_when_used

Kind = Literal["base", "third", "past", "participle"]
_Guess = tuple[str, Kind, bool]
_INSEPARABLE = ("be", "er", "ge", "über", "unter", "um", "miss", "wider", "durch", "hinter", "voll", "wieder", "ver", "ent", "emp", "zer")
_SHORT_VERB = compile_when_used(r"[^aeiou]*[aeiou][bdgmnprt]")
_LEAST_ROOT = 3
_STRONG_AND_WEAK = ("wenden", "senden", "schaffen", "hängen", "reiten", "schleifen", "weichen")
_WEAK_ENDINGS: tuple[tuple[str, Kind, bool], ...] = (
    ("ete", "past", False), ("te", "past", False), ("eten", "past", True), ("ten", "past", True), ("et", "third", False), ("t", "third", False),
    ("e", "base", False),
)  # fmt: skip
# These make their past with "sein" in German and with "did" in English.
_MADE_WITH_SEIN = frozenset(
    "sinken steigen fallen wachsen kommen gehen sterben geschehen scheitern passieren erscheinen entstehen laufen fahren treffen treten ziehen "
    "reisen fliegen fliehen brechen springen stürzen kehren folgen landen verschwinden wandern bleiben werden schrumpfen platzen "
    "explodieren".split()
)


class VerbForm(NamedTuple):
    """`kind` is base, third, past or participle, as the German form is; the others are the English verb's, `german` the infinitive."""

    kind: Kind
    base: str
    third: str
    past: str
    participle: str
    german: str = ""
    is_plural: bool = False

    @property
    def to_english(self) -> str:
        return {"base": self.base, "third": self.third, "past": self.past, "participle": self.participle}[self.kind]

    @property
    def is_made_with_sein(self) -> bool:
        """Whether "ist gesunken" is "did drop" and not "is dropped"."""
        return any(self.german.endswith(verb) for verb in _MADE_WITH_SEIN)


@lru_cache(maxsize=1)
def _verbs() -> dict[str, tuple[str, str]]:
    """Return infinitives, each with its separable part and its English verb as listed."""
    verbs = {}
    for listed, english in english_of("de", "verbs").items():
        split, _, bare = listed.rpartition("|")
        verbs[f"{split}{bare}"] = (split, english)
    return verbs


@lru_cache(maxsize=1)
def separable_prefixes() -> frozenset[str]:
    return frozenset(split for split, _ in _verbs().values() if split)


@lru_cache(maxsize=1)
def _prefixes() -> tuple[str, ...]:
    return ("", *separable_prefixes(), *_INSEPARABLE)


@lru_cache(maxsize=2048)
def _analyse(word: str, *, is_participle: bool) -> VerbForm | None:
    """Return the verb that a word may be a form of: the infinitive, a strong form or a weak one."""
    if not is_participle and word in _verbs():
        return _form(word, "base", is_plural=True)
    guesses = (*_strong_guesses(word, is_participle=is_participle), *(_weak_participles(word) if is_participle else _weak_guesses(word)))
    return next((_form(german, kind, is_plural=is_plural) for german, kind, is_plural in guesses if german in _verbs()), None)


def _form(german: str, kind: Kind, *, is_plural: bool) -> VerbForm:
    return english_verb(_verbs()[german][1], german)._replace(kind=kind, is_plural=is_plural)


def _strong_guesses(word: str, *, is_participle: bool) -> Iterator[_Guess]:
    """ "kam" is of "kommen", "ankamen" of "ankommen", "überschritten" of "überschreiten", "einbehält" of "einbehalten"."""
    for split in ("", *separable_prefixes()):
        rest = word[len(split) :] if word.startswith(split) else ""
        for prefix in ("", *_INSEPARABLE):
            if rest and rest.startswith(prefix):
                root = rest[len(prefix) :]
                guesses = _strong_participle(f"ge{root}" if prefix else root) if is_participle else _strong_finite(root)
                yield from ((f"{split}{prefix}{german}", kind, is_plural) for german, kind, is_plural in guesses)


def _strong_participle(form: str) -> Iterator[_Guess]:
    german = irregular_verb_forms("de", "participles").get(form)
    if german is not None:
        yield german, "participle", False


def _strong_finite(form: str) -> Iterator[_Guess]:
    past, third = irregular_verb_forms("de", "past"), irregular_verb_forms("de", "third")
    for single in dict.fromkeys((form, form.removesuffix("en"), form.removesuffix("n"))):
        if single in past:
            yield past[single], "past", single != form
    if form in third:
        yield third[form], "third", False


def _weak_guesses(word: str) -> Iterator[_Guess]:
    """ "liefert", "arbeitete", "lieferten", "ich lagere"."""
    for ending, kind, is_plural in _WEAK_ENDINGS:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            yield from ((german, kind, is_plural) for german in (f"{stem}en", f"{stem}n") if kind != "past" or not _is_strong(german))


def _is_strong(german: str) -> bool:
    """Return whether a verb of the list has a strong past alone: "gebeten" is not of "geben"."""
    strong = irregular_verb_forms("de", "past").values()
    return german in _verbs() and not german.endswith(_STRONG_AND_WEAK) and any(german.endswith(root) for root in strong)


def _weak_participles(word: str) -> Iterator[_Guess]:
    """ "geliefert", "abgerechnet", "bezahlt", "montiert"."""
    stems = [word.removesuffix("t"), word.removesuffix("et")] if word.endswith("t") else []
    for stem in stems:
        for prefix in _prefixes():
            if stem.startswith(f"{prefix}ge") and (not prefix or prefix in separable_prefixes()):
                bare = f"{prefix}{stem[len(prefix) + 2 :]}"
                yield from ((f"{bare}{ending}", "participle", False) for ending in ("en", "n") if not _has_no_ge(bare, prefix))
        yield from ((f"{stem}{ending}", "participle", False) for ending in ("en", "n") if _has_no_ge(stem, ""))


def _has_no_ge(stem: str, split: str) -> bool:
    """Return whether a verb makes its participle without "ge": "bezahlt", "montiert", "vorbereitet"."""
    split = split or next((_verbs()[verb][0] for verb in (f"{stem}en", f"{stem}n") if verb in _verbs()), "")
    bare = stem.removeprefix(split)
    return bare.endswith("ier") or any(bare.startswith(prefix) and len(bare) - len(prefix) >= _LEAST_ROOT for prefix in _INSEPARABLE)


def english_verb(listed: str, german: str = "") -> VerbForm:
    """ "choose/chose/chosen", "pay/paid", "order"."""
    base, _, rest = listed.partition("/")
    past = rest.split("/")[0] or _add_ending(base, "ed")
    if base.split()[0] == "be" and not rest:
        tail = base.removeprefix("be")
        return VerbForm("base", base, f"is{tail}", f"was{tail}", f"been{tail}", german)
    return VerbForm("base", base, _add_ending(base, "s"), past, rest.rpartition("/")[2] or past, german)


def translate_verb(word: str, *, after_auxiliary: bool = False) -> VerbForm | None:
    """Return a verb's form (lower case). "vertreten", "genehmigt" are participles behind an auxiliary; before a noun participles have endings."""
    found = find_participle(word) if after_auxiliary else find_finite(word)
    return found or find_finite(word) or find_participle(word) or _attribute(word)


def find_participle(word: str) -> VerbForm | None:
    return _analyse(word, is_participle=True)


def find_finite(word: str) -> VerbForm | None:
    """Return a form that may stand as the verb of a clause; that of the plural is the infinitive, too."""
    return _analyse(word, is_participle=False)


def find_infinitive(word: str) -> VerbForm | None:
    return _form(word, "base", is_plural=False) if word in _verbs() else None


def find_split_infinitive(word: str) -> VerbForm | None:
    """ "abzugeben" is "abgeben"."""
    for prefix in separable_prefixes():
        if word.startswith(f"{prefix}zu"):
            return find_infinitive(f"{prefix}{word.removeprefix(f'{prefix}zu')}")
    return None


def _attribute(word: str) -> VerbForm | None:
    """ "bestellten", "geladene": a participle with the ending of an adjective."""
    stem = next((word.removesuffix(each) for each in ("en", "er", "es", "em", "e") if word.endswith(each)), "")
    return find_participle(stem) if stem else None


def find_governed(german: str, preposition: str, *, is_reflexive: bool) -> VerbForm | None:
    """Return the English verb of "sich wenden an", whose object has no preposition; `preposition` is "" where none stands by it."""
    key = f"{'sich ' if is_reflexive else ''}{german}{f' {preposition}' if preposition else ''}"
    found = english_of("de", "governed").get(key.replace(" ", "_"))
    return english_verb(found, german) if found is not None else None


def gerund(found: VerbForm) -> str:
    """Return the English noun of an infinitive: "das Heben" is "the lifting"."""
    head, _, tail = found.base.partition(" ")
    return f"{head if head.endswith('ee') else _double(head).removesuffix('e')}ing {tail}".strip()


def _double(head: str) -> str:
    """ "ship" makes "shipped"."""
    return f"{head}{head[-1]}" if _SHORT_VERB.fullmatch(head) else head


def _add_ending(base: str, ending: str) -> str:
    """ "approves", "carries", "looks after"; "approved", "carried"."""
    head, _, tail = base.partition(" ")
    if re.search(r"[^aeiou]y$", head):
        made = f"{head[:-1]}ie{ending[-1]}"
    elif ending == "s":
        made = f"{head}es" if head.endswith(("s", "x", "ch", "sh", "o", "z")) else f"{head}s"
    else:
        made = f"{head}d" if head.endswith("e") else f"{_double(head)}ed"
    if head == "have":
        made = "has" if ending == "s" else "had"
    return f"{made} {tail}".strip()
