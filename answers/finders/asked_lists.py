"""Sentences, rows or items that are told whole because they are what is asked for: what stands under the heading that is the topic, what was decided
about a thing, what a new version changes, a list by its name, the rows of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from answers.finders.asked_columns import asked_rows
from answers.finders.decided_points import decided_points
from answers.finders.named_lists import asked_list, part_of_section, section_named, section_of_heading, tasks_of_somebody
from answers.finders.said_points import said_points
from answers.questions.named_things import LEAST_NAME, called_documents, document_words, is_of_another_version, without_version
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.answers import Evidence
from core.language.content_words import stems
from core.language.decision_wording import says_decision
from core.language.question_wording import strip_politeness
from core.language.signature_wording import SIGNATURE_LINE, signed_thing
from core.lazy_patterns import compile_when_used

_LEAST_BEGINNING = 8  # words of the first sentence of a part that stands for the whole part
_LONGEST_SECTION = 6  # units of a section that is told whole without being asked for by its document
_COVERS = re.compile(
    r"^\W*what\s+(?:(?:does|do|did)\s+(?P<thing>[^?]{2,60}?)\s+(?:cover|include|contain|consist\s+of|comprise|entail|involve)|"
    r"(?:is|are)\s+(?:covered|included|contained)\s+(?:in|by|with|under)\s+(?P<other>[^?]{2,60}?))\W*$|"
    r"^\W*was\s+(?:umfasst|beinhaltet|enthält|deckt|(?:ist|sind)\s+(?:in|im|bei|von))\s+(?P<ding>[^?]{2,60}?)(?:\s+(?:ab|enthalten|inbegriffen|abgedeckt))?\W*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"^\W*(?:explain|describe|show\s+me|tell\s+me\s+about|what\s+(?:does|is|are|do)|how\s+does)\s+(?:the\s+|our\s+)?(?P<topic>[a-z][a-z\s’'-]{2,40}?)\s+"
    r"(?:clause|section|provision|article|paragraph|rule|option)s?(?:\s+(?:say|state|mean|work|provide|about))?(?:\s+(?:of|in)\s+[^?]{3,40})?\W*$",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"^\W*(?:what|which)\s+(?P<topic>[a-z][a-z\s-]{3,40}?)\s+(?:does|do|did)\s+(?P<document>[^?]{3,60}?)\s+"
    r"(?:offer|ask\s+for|require|give|quote|propose|provide|grant|demand|set|state|specify|have)\W*$",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"^\W*what\s+(?:(?:has\s+|have\s+|was\s+|were\s+|is\s+|are\s+)?(?:changed?|new|different|amended|revised|updated)|(?:is|are|were)\s+the\s+(?:main\s+|key\s+)?changes|"
    r"changes?\s+(?:were|was|are|is|have\s+been|has\s+been)\s+(?:made|introduced|new))\s+(?:in|with|by|through|to|under|since)\s+(?P<thing>[^?]{3,80}?)\W*$|"
    r"^\W*what\s+(?:has\s+|have\s+)?changed\s+(?:between|from)\s+[^?]{2,60}?\s+(?:and|to)\s+(?P<newer>[^?]{3,80}?)\W*$|"
    r"^\W*what\s+(?:changes?\s+)?(?:does|do|did)\s+(?P<other>[^?]{3,80}?)\s+(?:change|amend|introduce|alter|revise)\W*$|"
    r"^\W*was\s+(?:ist\s+neu|(?:hat|wurde|wird)\s+(?:sich\s+)?(?:geändert|ändert)|ändert(?:e)?(?:\s+sich)?)\s*(?:in|im|mit|durch|am|an)?\s+(?P<ding>[^?]{3,80}?)"
    r"(?:\s+(?:geändert|neu))?\W*$",
    re.IGNORECASE,
)
_CHANGES_HEADING = compile_when_used(
    r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:what(?:['’]s|\s+is|\s+has)?\s+(?:new|changes?|changed)|(?:summary|list|overview)\s+of\s+changes|"
    r"(?:main|key|principal)\s+changes|changes?(?:\s+(?:from|since|in|to|made|log|history)\b.*)?|amendments\W*$|revision\s+history)\b|"
    r"(?:was\s+(?:ist\s+neu|sich\s+ändert)|(?:wesentliche\s+)?änderungen|neuerungen)\b)",
    re.IGNORECASE,
)

_NAMED_SIGNER = compile_when_used(
    r"[A-ZÀ-Þ][\w’'-]+\s+(?:[A-ZÀ-Þ]\.?\s+)?[A-ZÀ-Þ][\w’'-]+,\s+[a-z]|"
    r"^\W*[A-ZÀ-Þ][\w’'-]+(?:\s+[A-ZÀ-Þ][\w’'.-]+){1,2}\W*$"
)
_SHARED_NAMES = 2  # words that the names of a contract and its amendment share
_MOST_SIGNERS = 4
_LONGEST_NAME, _MOST_NAMING = 4, 4  # words of a name; sentences that name it


@dataclass(frozen=True, slots=True)
class AskedList:
    """`members` in their order, none where no list is asked for; `is_sure`: that this is what is asked for shows by more than its words."""

    members: list[ScoredUnit]
    is_sure: bool = False


def find_asked_list(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], topic: str) -> AskedList:
    """Return the first of these lists that is there. `topic` is what a document is asked about, "" for any other question."""
    if topic and (section := section_named(topic, evidence, units)):
        return AskedList(section)
    if topic and (named := _naming_sentences(topic, units)):
        return AskedList(named, is_sure=True)
    for find_members in (tasks_of_somebody, _covered_section, _clause_called, _offered_terms, _changes_of, _signatures, said_points):
        if members := find_members(question, evidence, units):
            return AskedList(members, is_sure=True)
    if decided := decided_points(question, evidence, units):
        return AskedList(decided, is_sure=any(says_decision(unit.unit.text) for unit in decided))
    return AskedList(asked_list(question, units) or asked_rows(question, units))


def _naming_sentences(topic: str, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the sentences that name what a document is asked about, where it is a name ("What does the report say about Leviathan?"), the best of
    them in their order."""
    said = topic.strip()
    if not said[:1].isupper() or len(said.split()) > _LONGEST_NAME:
        return []
    found = [unit for unit in units if unit.unit.choosable and unit.unit.role is not Role.ROW and said.casefold() in unit.unit.text.casefold()]
    return sorted(sorted(found, key=lambda unit: -unit.score)[:_MOST_NAMING], key=lambda unit: (unit.document, unit.unit.start))


def _covered_section(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what stands under the heading that a thing has, for "What does the service charge cover?"; of the document with the most of it."""
    thing = _thing_of(_COVERS, question)
    found = section_named(thing, evidence, units) if thing else []
    documents = {unit.document for unit in found}
    return found if len(documents) == 1 and 2 <= len(found) <= _LONGEST_SECTION else []


def _clause_called(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what stands under the heading with the words of a clause's name, for "Explain the break clause": what changes it, and the clause."""
    asked = _CLAUSE.match(strip_politeness(question.text))
    topic = stems(asked["topic"]) if asked is not None else frozenset[str]()
    found = section_of_heading(lambda heading: topic <= stems(heading), evidence, units) if topic else []
    of_documents: dict[str, list[ScoredUnit]] = {}
    for unit in found:
        of_documents.setdefault(unit.document, []).append(unit)
    first, *others = sorted(of_documents.values(), key=len, reverse=True) or [[]]
    if any(len({word for word in other[0].names & first[0].names if len(word) >= LEAST_NAME}) < _SHARED_NAMES for other in others):
        return []  # two documents that have nothing to do with each other
    return [unit for members in (*others, first) for unit in members[:_LONGEST_SECTION]]  # what changes it stands in front


def _offered_terms(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what stands of a topic under its heading in the document that is named, for "What payment terms does Norland ask for?"."""
    asked = _OFFERED.match(strip_politeness(question.text))
    meant = called_documents(asked["document"].replace("'s", "").replace("’s", ""), evidence) if asked is not None else frozenset[str]()
    if asked is None or not meant:
        return []
    return part_of_section(asked["topic"], evidence, [unit for unit in units if unit.document in meant])


def _thing_of(pattern: re.Pattern[str], question: Question) -> str:
    """Return what is asked about, "" where the question is not asked so."""
    asked = pattern.match(strip_politeness(question.text))
    return next((words for words in asked.groupdict().values() if words), "") if asked is not None else ""


def _signatures(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the lines with names below the line that a document is signed, for "Who signed the lease?"; of the first document that is called so."""
    thing = signed_thing(question.text)
    signing = None
    found: list[ScoredUnit] = []
    for unit in units if thing else ():
        if SIGNATURE_LINE.match(unit.unit.text) is not None and thing <= stems(" ".join(unit.names)):
            signing = unit
        elif signing is not None and unit.unit.source == signing.unit.source and unit.unit.choosable and _NAMED_SIGNER.search(unit.unit.text):
            found.append(unit)
    return [unit for unit in found if unit.document == found[0].document][:_MOST_SIGNERS]


def _changes_of(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what stands under a document's heading for its changes, for "What changed in version 2 of the policy?": of a section in parts the first
    sentence of each. None where no document is named that has such a heading, or several are."""
    thing = _thing_of(_CHANGED, question)
    if not thing:
        return []
    meant = _documents_meant(thing, evidence)
    found = [unit for unit in section_of_heading(_CHANGES_HEADING.match, evidence, units) if unit.document in meant]
    return _told_changes(found, evidence) if len({unit.document for unit in found}) == 1 else []


def _told_changes(found: Sequence[ScoredUnit], evidence: Sequence[Evidence]) -> list[ScoredUnit]:
    """Return the list of a section of changes with what announces it, all of it where it has none, of a section in parts the beginning of each."""
    parts: dict[str, list[ScoredUnit]] = {}
    for unit in found:
        parts.setdefault(" ".join(evidence[unit.unit.source].passage.section), []).append(unit)
    if len(parts) == 1:
        listed = [unit for unit in found if unit.unit.role is Role.ITEM or unit.unit.text.rstrip().endswith(":")]
        return listed if any(unit.unit.role is Role.ITEM for unit in listed) else list(found)
    return [unit for members in parts.values() for unit in _beginning(members)]


def _beginning(members: Sequence[ScoredUnit]) -> Sequence[ScoredUnit]:
    """Return the first sentence of a part, with the next one where it says too little: "Clause 4 is replaced."."""
    return members[: 1 + (members[0].words < _LEAST_BEGINNING)]


def _documents_meant(thing: str, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the documents called so, of several versions the one whose number is said: "version 2" is "v2" in a file's name."""
    named = called_documents(without_version(thing) or thing, evidence)
    others = {each.passage.document_id for each in evidence if is_of_another_version(thing, "", document_words(each))}
    return named - others or named
