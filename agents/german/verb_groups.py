"""The verbs of a German clause in English: "wurde … bezahlt" is "was paid", "muss … bezahlt werden" is "must be paid", "kam … an" is "arrived"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agents.german.verb_forms import VerbForm, english_verb, find_infinitive, find_participle, find_split_infinitive
from agents.german.word_kinds import BECOMING, BEING, HAVING, NON_FINITE_AUXILIARIES

_PAST = frozenset("war waren wurde wurden hatte hatten".split())
_PLURAL = frozenset(
    "sind waren werden wurden haben hatten können konnten könnten dürfen durften müssen mussten sollen sollten wollen wollten möchten würden".split()
)
_MODALS = {
    "can": "kann können", "could": "konnte konnten könnte könnten", "may": "darf dürfen", "might": "durfte durften dürfte dürften",
    "must": "muss müssen", "shall": "soll sollen", "should": "sollte sollten", "would": "würde würden wäre wären hätte hätten",
    "would have to": "müsste müssten",
}  # fmt: skip
_ENGLISH_MODAL = {german: english for english, forms in _MODALS.items() for german in forms.split()}
_OTHER_MODALS = {
    "muss": english_verb("have_to/had_to".replace("_", " ")), "will": english_verb("want to/wanted to"),
}  # fmt: skip
_BE = {(False, False): "is", (True, False): "are", (False, True): "was", (True, True): "were"}


class VerbGroup(NamedTuple):
    """`auxiliary` goes before the subject of a question and `main` behind it; where `auxiliary` is "do" a statement has `main` alone, inflected.
    "be", "have" and "do" take the number of the subject."""

    auxiliary: str
    main: str
    is_past: bool = False
    verb: VerbForm | None = None
    is_passive: bool = False

    def in_question(self, *, is_plural: bool, person: str = "") -> tuple[str, str]:
        return _agree(self.auxiliary, is_plural, self.is_past, person), self.main

    def in_statement(self, *, is_plural: bool, person: str = "") -> tuple[str, str]:
        """Return the auxiliary, "" where none is needed, and the main verb."""
        if self.auxiliary != "do" or self.verb is None:
            return self.in_question(is_plural=is_plural, person=person)
        form = self.verb.past if self.is_past else self.verb.base if is_plural or person == "I" else self.verb.third
        if self.verb.base.partition(" ")[0] == "be" and is_plural:
            form = f"{_BE[True, self.is_past]}{form.removeprefix('was').removeprefix('is')}"
        return "", form


def _agree(auxiliary: str, is_plural: bool, is_past: bool, person: str) -> str:
    if auxiliary == "be":
        return "am" if person == "I" and not is_past else _BE[is_plural, is_past]
    if auxiliary == "have":
        return "had" if is_past else "have" if is_plural or person == "I" else "has"
    if auxiliary == "do":
        return "did" if is_past else "do" if is_plural or person == "I" else "does"
    return auxiliary


def group_verbs(finite: str, verb: VerbForm | None, rest: Sequence[str]) -> VerbGroup | None:
    """Return the verbs of a clause. `finite` and `rest` are German and small, `verb` is what a `finite` that is no auxiliary says."""
    is_past = finite in _PAST
    if finite in BEING or finite in {"war", "waren"}:
        return _group_being(rest, is_past)
    if finite in BECOMING:
        return _group_becoming(rest, is_past)
    if finite in HAVING:
        return _group_having(rest, is_past)
    if finite in _ENGLISH_MODAL:
        return VerbGroup(_ENGLISH_MODAL[finite], _infinitive(rest)[0], verb=_infinitive(rest)[1], is_passive=_is_passive(rest))
    if finite[:3] in {"mus", "wol", "wil", "möc"}:
        return _group_wanting(finite, rest)
    if verb is None:
        return None
    main = verb.base + (f" to {_infinitive(rest)[0]}" if rest else "")
    return _do(verb, main, is_past=verb.kind == "past")


def is_plural_verb(finite: str, verb: VerbForm | None) -> bool:
    return verb.is_plural if verb is not None else finite in _PLURAL


def _do(verb: VerbForm, main: str, *, is_past: bool) -> VerbGroup:
    """The verb with "do", or "be" and what follows it."""
    head, _, tail = main.partition(" ")
    return VerbGroup("be", tail, is_past, verb) if head == "be" else VerbGroup("do", main, is_past, verb)


def _group_being(rest: Sequence[str], is_past: bool) -> VerbGroup:
    split = _split_infinitive(rest)
    if split is not None:
        return VerbGroup("be", f"to be {split.participle}", is_past, split)
    done = find_participle(rest[0]) if rest else None
    if done is None:
        return VerbGroup("have", "been", is_past) if "gewesen" in rest else VerbGroup("be", "", is_past)
    if "worden" in rest:
        return VerbGroup("have", f"been {done.participle}", is_past, done, is_passive=True)
    if done.is_made_with_sein:
        return _do(done, done.base, is_past=True)
    return VerbGroup("be", done.participle, is_past, done, is_passive=True)


def _group_becoming(rest: Sequence[str], is_past: bool) -> VerbGroup:
    done = find_participle(rest[0]) if rest else None
    coming = find_infinitive(rest[0]) if rest else None
    if done is not None and (coming is None or len(rest) > 1 or is_past):
        if rest[-1] == "werden":
            return VerbGroup("will", f"be {done.participle}", verb=done, is_passive=True)
        return VerbGroup("be", done.participle, is_past, done, is_passive=True)
    if rest:
        return VerbGroup("will", _infinitive(rest)[0], verb=coming)
    return _do(english_verb("become/became/become"), "become", is_past=is_past)


def _group_having(rest: Sequence[str], is_past: bool) -> VerbGroup:
    split = _split_infinitive(rest)
    if split is not None:
        return _do(english_verb("have to/had to"), f"have to {split.base}", is_past=is_past)
    done = find_participle(rest[0]) if rest else None
    if done is not None:
        return VerbGroup("have", done.participle, is_past, done)
    return _do(english_verb("have/had"), "have", is_past=is_past)


def _group_wanting(finite: str, rest: Sequence[str]) -> VerbGroup:
    verb = _OTHER_MODALS["muss" if finite.startswith("mus") else "will"]
    main, inner = _infinitive(rest)
    is_past = finite in {"musste", "mussten", "wollte", "wollten"}
    told = VerbForm(
        "base", f"{verb.base} {main}".strip(), f"{verb.third} {main}".strip(), f"{verb.past} {main}".strip(), "", inner.german if inner else ""
    )
    return VerbGroup("do", told.base, is_past, told)


def _split_infinitive(rest: Sequence[str]) -> VerbForm | None:
    """ "zu beachten", "durchzuführen"."""
    if len(rest) > 1 and rest[0] == "zu":
        return find_infinitive(rest[1])
    return find_split_infinitive(rest[0]) if rest else None


def _infinitive(rest: Sequence[str]) -> tuple[str, VerbForm | None]:
    """ "bezahlt werden" is "be paid", "geliefert haben" is "have delivered"."""
    told = [word for word in rest if word != "zu"]
    if not told:
        return "", None
    first = find_infinitive(told[0]) or find_split_infinitive(told[0])
    done = find_participle(told[0])
    if done is not None and len(told) > 1 and told[1] in {"werden", "sein", "haben"}:
        return f"{'have' if told[1] == 'haben' else 'be'} {done.participle}", done
    getting = find_infinitive(told[1]) if done is not None and len(told) > 1 else None
    if first is not None:
        return first.base, first
    if done is not None and getting is not None:  # "zugestellt bekommen"
        return f"{getting.base} {done.participle}", done
    return {"sein": "be", "haben": "have", "werden": "become"}.get(told[0], done.participle if done else ""), done


def _is_passive(rest: Sequence[str]) -> bool:
    return "werden" in rest and len(rest) > 1


def is_verbal(word: str) -> bool:
    """Return whether a word may stand among the verbs at the end of a clause."""
    return word in NON_FINITE_AUXILIARIES or any(find(word) is not None for find in (find_participle, find_infinitive, find_split_infinitive))
