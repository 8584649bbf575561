"""The person who does a thing, by the sentence or the label that says so with the verb of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.labelled_values import is_name, speaks_of
from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.names_beside import with_names_beside
from core.claim_words import label_words
from core.language.content_words import stems
from core.language.stems import stem
from core.lazy_patterns import compile_when_used

_NAME = r"(?P<name>(?:[Tt]he\s+)?[A-ZÀ-Þ][\w’'&.-]*(?:\s+[A-ZÀ-Þ&][\w’'.-]*)*)"
_WHO_VERB = compile_when_used(r"^\W*who\s+(?P<verb>\w+)", re.IGNORECASE)
_NAME_WHO_VERB = compile_when_used(rf"{_NAME},?\s+who\s+(?P<verb>\w+)")
_NAME_AND_VERB = compile_when_used(rf"{_NAME}\s+(?P<verb>[a-zß-öø-ÿ]+)")
_VERB_BY_NAME = compile_when_used(rf"\b(?P<verb>[a-zß-öø-ÿ]+)(?:\s+(?:in|for|after|up|out|on|over))?\s+by\s+{_NAME}")
_NAME_AND_ANY_VERB = compile_when_used(rf"{_NAME}\s+[a-zß-öø-ÿ]+\b")
_VERB_AND_PRONOUN = compile_when_used(r"(?:\band|,|[A-ZÀ-Þ][\w’'-]*)\s+(?:(?:then|also|so)\s+)?([a-zß-öø-ÿ]+)\s+(?:it|them|this|these|both)\b")
_AUXILIARY = compile_when_used(r"\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\w+\s+)?$", re.IGNORECASE)
_MOST_NOUN_WORDS = 4  # words
_PASSIVE = compile_when_used(r"\s+by\b")
_PARTICLES = compile_when_used(r"(?:\s+(?:in|for|after|up|out|on|over|to|with|off|at|of|by|from))+\b", re.IGNORECASE)
_AUXILIARIES = frozenset(
    "is are was were be am do does did has have had can could may might must should will would shall ist sind war hat haben kann darf muss".split()
)
_NO_NAMES = frozenset("the a an i he she it we they you this that these those who nobody everybody everyone one none ich er sie es wir".split())
_LABELLED = compile_when_used(r"^[\s>*•-]*(?P<label>[^\W\d_]+(?: by)?)\s*[:|]\s*(?P<value>\S.*)$", re.IGNORECASE | re.DOTALL)
_IN_BRACKETS = compile_when_used(r"(?P<name>[A-ZÀ-Þ][\w’'-]+(?:\s+[A-ZÀ-Þ][\w’'.-]+){1,3})\s*\((?P<role>[^\W\d_]{3,}(?:[\s&,/]+[^\W\d_]+){0,4})\)")
_ROLES_APART = compile_when_used(r"\s*(?:&|,|/|\band\b)\s*")
_RECORDING_VERBS = frozenset("wrote writes write took takes take kept keeps keep recorded records did does makes made".split())
_CLAUSE_ENDS = compile_when_used(r"[;,]|\b(?:and|but|while)\b")  # "Ann wrote the letter and Bob the lease": who wrote the lease is not Ann
_LEAST_QUESTION_SHARE = 0.6  # of the question's weight


def stated_doer(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return who a sentence that holds most of the question says does what is asked: "… to the Agent, who holds it", for "Who holds the deposit?"."""
    for place, unit in sorted(enumerate(units), key=lambda pair: -pair[1].lex):
        if unit.lex < _LEAST_QUESTION_SHARE:
            return None
        speaks = unit.unit.choosable and unit.unit.role is not Role.ROW and not unit.is_for_another
        found = _find_doer(question.text, unit.unit.text) if speaks else None
        if found is not None:
            return RuleAnswer(unit.unit.text[slice(*found)], (UnitSpan(place, *found),), SURE_CHANCE, "name")
    return None


def doer_in_passage(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the name with which a sentence begins that goes on "… and approved it", in a passage that names what is asked about: for "Who approved
    the reach trucks?". None where several names do."""
    asked = _WHO_VERB.match(question.text)
    thing = stems(_PARTICLES.sub("", question.text[asked.end() :])) if asked is not None else frozenset[str]()
    if asked is None or asked["verb"].lower() in _AUXILIARIES or not thing:
        return None
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        said = _NAME_AND_ANY_VERB.match(unit.unit.text) if unit.unit.choosable and not unit.is_for_another else None
        if said is None or said["name"].lower() in _NO_NAMES or not thing <= _words_around(unit, units):
            continue
        if any(stem(verb.lower()) == stem(asked["verb"].lower()) for verb in _VERB_AND_PRONOUN.findall(unit.unit.text)):
            found.setdefault(said["name"], UnitSpan(place, *said.span("name")))
    return RuleAnswer(*(next((name, (span,)) for name, span in found.items())), SURE_CHANCE, "name") if len(found) == 1 else None


def _words_around(unit: ScoredUnit, units: Sequence[ScoredUnit]) -> frozenset[str]:
    return stems(" ".join(other.unit.text for other in units if other.unit.source == unit.unit.source))


def labelled_doer(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return who stands under the label that is made of the verb that is asked for: "Examiner | Callum Ferris", "Approved by: Ann Low", for "Who
    examined the crane?", "Who approved the policy?"; in a document that speaks of the thing. None where several are named."""
    asked = _WHO_VERB.match(question.text)
    if asked is None or asked["verb"].lower() in _AUXILIARIES:
        return None
    verb, thing = stem(asked["verb"].lower()), label_words(_PARTICLES.sub("", question.text[asked.end() :].rstrip(" ?.!")))
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        label = _LABELLED.match(unit.unit.text) if unit.unit.choosable and not unit.is_for_another else None
        if label is None or not _is_doer(label["label"].lower(), verb):
            continue
        if thing and not speaks_of(thing, unit, units):
            continue
        name = re.split(r"[,;(|]|\son\s", label["value"])[0].strip(" .")
        if is_name(name):
            found.setdefault(name, UnitSpan(place, label.start("value"), label.start("value") + len(name)))
    return RuleAnswer(*(next((name, (span,)) for name, span in found.items())), SURE_CHANCE, "name") if len(found) == 1 else None


def role_holder(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the name that stands before a role in brackets: "Ann Low (chair), Bo Berg (minutes)", for "Who chaired the meeting?", "Who wrote the
    minutes?". None where several names do."""
    asked = _WHO_VERB.match(question.text)
    if asked is None:
        return None
    verb = stem(asked["verb"].lower())
    rest = question.text[asked.end() :]
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        for said in _IN_BRACKETS.finditer(unit.unit.text) if unit.unit.choosable and not unit.is_for_another else ():
            roles = [stems(each) for each in _ROLES_APART.split(said["role"].lower())]
            holds = asked["verb"].lower() in _AUXILIARIES | _RECORDING_VERBS and any(role and role <= stems(rest) for role in roles)
            if holds or frozenset({verb}) in roles:
                found.setdefault(said["name"], UnitSpan(place, *said.span("name")))
    return RuleAnswer(*(next((name, (span,)) for name, span in found.items())), SURE_CHANCE, "name") if len(found) == 1 else None


def _is_doer(label: str, verb: str) -> bool:
    """Return whether a label is the one who does it ("Examiner") or by whom it was done ("Examined by", "Examined")."""
    first, _, rest = label.partition(" ")
    return first.startswith(verb) and ((not rest and first.endswith(("er", "or", "ed"))) or (rest == "by" and stem(first) == verb))


def _find_doer(question: str, text: str) -> tuple[int, int] | None:
    """Return [start:end] of whom a sentence says to do what is asked: "to the Agent, who holds it", for "Who holds the deposit?", "Lucia Brandt
    stands in for him" for "Who stands in for Tobias Renn?", "is looked after by Ann Low" for "Who looks after the contract?"."""
    asked = _WHO_VERB.match(question)
    if asked is None or asked["verb"].lower() in _AUXILIARIES:
        return None
    object_ = stems(question[asked.end() :])
    for pattern in (_NAME_WHO_VERB, _NAME_AND_VERB, _VERB_BY_NAME):
        for said in pattern.finditer(text):
            same = stem(said["verb"].lower()) == stem(asked["verb"].lower()) and said["name"].lower() not in _NO_NAMES
            if pattern is _NAME_AND_VERB and _PASSIVE.match(text, said.end("verb")):
                continue  # "the theory proposed by Ajzen"
            follows = pattern is _NAME_WHO_VERB or _follows(question[asked.end() :], text[said.end("verb") :])
            clause = _CLAUSE_ENDS.split(text[said.end("verb") :], maxsplit=1)[0]
            before = text[: said.start()]
            if pattern is _VERB_BY_NAME and _AUXILIARY.search(before) is None:
                before, clause = (
                    " ".join(before.split()[-_MOST_NOUN_WORDS:]),
                    "",
                )  # "of the theory proposed by Ajzen": said of what stands right before
            if same and follows and (not object_ or object_ & stems(f"{before} {clause}")):
                start, end = said.span("name")
                return with_names_beside(text, start, end - said["name"].endswith("."))
    return None


def _follows(asked: str, said: str) -> bool:
    """Return whether a particle behind the verb of the question ("stands in for") stands behind that of the sentence, too."""
    particles = _PARTICLES.match(asked)
    return particles is None or re.match(re.escape(particles.group()), said, re.IGNORECASE) is not None
