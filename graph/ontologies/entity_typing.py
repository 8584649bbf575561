"""The classes of an ontology that a document gives to its entities, each with the rule and the sentence: a pure function of the two.

A class is told by words of its own, never by letters inside a name: the head noun of the name ("Port of Elver"), an apposition ("ACME GmbH, a limited
liability company", "the river Thames", "countries such as France"), an individual that the ontology names, or a phrase that it has as a property.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from core.documents import ExtractedDocument
from core.graph import EntityType, TypingRule
from core.language.stop_words import KEYWORD_STOP_WORDS
from core.ports.graph_store import StoredEntity, StoredGraph
from core.typings import EntityTyping
from graph.extraction import outermost_mentions
from graph.extraction_lines import ExtractionLine, lines_of
from graph.normalisation import key_of, name_tokens, token_of
from graph.ontologies.class_names import DECIDED, LONGEST_LABEL, ClassNames
from graph.relations import LineMention

PERSON, LOCATION = EntityType.PERSON, EntityType.LOCATION
_TYPED = frozenset({PERSON, EntityType.ORGANIZATION, LOCATION, EntityType.CONCEPT, EntityType.IDENTIFIER})
_SENTENCES = 5  # that are kept of one rule for an entity and a class in a document
_NOUN_PHRASE = 90  # characters behind a name that are read for a noun
_BETWEEN = 70  # characters between two names that a property's phrase may take
_LISTED = re.compile(r"\s*(?:,|,?\s*(?:and|or|und|oder|sowie)\b|&|/)\s*(?:the |der |die |das )?", re.I)
_ARTICLE = r"(?:the |der |die |das )?"
_BEFORE_LIST = re.compile(
    rf"([^,.;:()]{{1,60}}?),?\s+(?:such as|like|including|especially|notably|namely|e\.g\.|wie|darunter|etwa)\s+{_ARTICLE}", re.I
)
_BEHIND_LIST = re.compile(r",?\s*(?:and|or|und|oder)\s+(?:other|andere[nr]?|weitere[nr]?)\s+([^,.;:()]{1,60})", re.I)
_DETERMINERS = r"(?:an?|the|one of the|ein|eine|einer|eines|der|die|das)\s+"
_COPULA = r"(?:is|was|are|were|became|remains|ist|war|wurde)"
_APPOSED = re.compile(rf"\s*(?:(?P<mark>,|\(|–|—|\s-)\s*(?P<article>{_DETERMINERS})?|\s{_COPULA}\s+{_DETERMINERS})", re.I)
_WORD = re.compile(r"\w+(?:['’.&-]\w+)*|&")
_PREPOSITIONS = frozenset(
    "of for in at on from by with to under near between over de der des von für vom zu im am an auf bei mit aus und and".split()
)
_HEAD_ENDS = _PREPOSITIONS - {"and", "und", "mit", "with"}
_SUBJECT_BREAKS = _PREPOSITIONS | {"or", "oder", "than", "as"}
_AUXILIARIES = frozenset(
    "is was are were be been has have had which who that also currently now then formerly a an the its his her their ist war".split()
)


def type_entities(names: ClassNames, graph: StoredGraph, document: ExtractedDocument) -> list[EntityTyping]:
    """Return what the document says, in order. Takes about a millisecond for a thousand characters."""
    if names.is_empty():
        return []
    lines = list(lines_of(document, len(document.text)))
    reading = _Reading(names, graph.entities, document.text, lines)
    counts: Counter[tuple[int, str, TypingRule]] = Counter()
    kept = []
    for number, uri, rule, line in dict.fromkeys(reading.find()):
        counts[number, uri, rule] += 1
        if counts[number, uri, rule] <= _SENTENCES:
            entity = graph.entities[number]
            kept.append(EntityTyping((entity.key, entity.entity_type), uri, rule, line.start, line.end))
    return kept


Found = tuple[int, str, TypingRule, ExtractionLine]  # entity's number, class, rule, sentence


class _Reading:
    def __init__(self, names: ClassNames, entities: Sequence[StoredEntity], text: str, lines: Sequence[ExtractionLine]) -> None:
        self._names, self._entities, self._text, self._lines = names, entities, text, lines
        typed = [(number, each) for number, each in enumerate(entities) if each.entity_type in _TYPED and not names.is_label(each.name)]
        self._typed = typed
        self._mentions = sorted(LineMention(start, end, number, each.entity_type) for number, each in typed for _, start, end in each.mentions)
        self._line_starts = [each.start for each in lines]

    def find(self) -> Iterator[Found]:
        for number, entity in self._typed:
            line = self._first_line(entity)
            if line is not None:
                yield from ((number, uri, "individual", line) for uri in self._individual_classes(entity))
                yield from ((number, uri, "head_noun", line) for uri in self._head_classes(entity))
        begins = [each.start for each in self._mentions]
        for line in self._lines:
            inside = outermost_mentions(self._mentions[bisect_right(begins, line.start - 1) : bisect_right(begins, line.end - 1)])
            if inside and not line.cells and not line.is_heading:
                yield from ((mention.entity, uri, "apposition", line) for mention, uri in self._read_appositions(line, inside))
                yield from ((mention.entity, uri, "property", line) for mention, uri in self._read_properties(inside))

    def _first_line(self, entity: StoredEntity) -> ExtractionLine | None:
        for _, start, _ in entity.mentions[:1]:
            place = bisect_right(self._line_starts, start) - 1
            if place >= 0 and start < self._lines[place].end:
                return self._lines[place]
        return None

    # -- the name itself -----------------------------------------------------------------------------------------------------------------

    def _individual_classes(self, entity: StoredEntity) -> Iterable[str]:
        keys = (entity.key, *(key_of(alias) for alias in entity.aliases))
        return dict.fromkeys(uri for key in keys for uri in self._names.individuals.get(key, ()) if self._may_be(uri, entity.entity_type))

    def _head_classes(self, entity: StoredEntity) -> Iterator[str]:
        """Yield the classes by the head of the name: its last word, the last one before "of", or the title of a person and a place ("Lake Ore")."""
        written = [match.group() for match in _WORD.finditer(entity.name)]
        words = [token_of(word) for word in written]
        is_noun = bool(written) and written[-1][0].islower()  # "2015 general elections": the noun behind the name is its head
        found = self._names.find_last(words if is_noun else words[: _head_end(words)], plural=is_noun)
        if found is not None and len(found[0]) < len(words):
            yield from (uri for uri in found[1] if (self._names.kinds.get(uri) is PERSON) == (entity.entity_type is PERSON))
        elif entity.entity_type in (PERSON, LOCATION):
            yield from self._title_classes(words, entity.entity_type)

    def _title_classes(self, words: Sequence[str], kind: EntityType) -> Iterator[str]:
        for length in range(min(LONGEST_LABEL, len(words) - 1), 0, -1):
            uris = self._names.singular.get(tuple(words[:length]), ())
            yield from (uri for uri in uris if self._names.kinds.get(uri) is kind)

    def _may_be(self, uri: str, kind: EntityType) -> bool:
        """Return whether an entity of this type can have the class: a person is no firm and no place, where both are known."""
        known = self._names.kinds.get(uri)
        return known is None or kind not in DECIDED or known is kind or PERSON not in (known, kind)

    # -- appositions ---------------------------------------------------------------------------------------------------------------------

    def _read_appositions(self, line: ExtractionLine, inside: Sequence[LineMention]) -> Iterator[tuple[LineMention, str]]:
        for place, mention in enumerate(inside):
            listed = self._list_from(inside, place)
            yield from self._allowed(listed, self._words_before(line, inside, place))
            yield from self._allowed([mention], self._noun_behind(line, mention))
            behind = _BEHIND_LIST.match(self._text, mention.end, line.end)
            if behind is not None:
                yield from self._allowed(self._list_to(inside, place), self._noun_phrase(behind[1], plural=True))

    def _allowed(self, mentions: Sequence[LineMention], uris: Sequence[str]) -> Iterator[tuple[LineMention, str]]:
        return ((each, uri) for each in mentions for uri in uris if self._may_be(uri, each.kind))

    def _words_before(self, line: ExtractionLine, inside: Sequence[LineMention], place: int) -> Sequence[str]:
        """Return the classes of the noun right before a name, or before a list that "such as" opens."""
        start = max(inside[place - 1].end if place else line.start, inside[place].start - _NOUN_PHRASE)
        before = self._text[start : inside[place].start]
        opening = next((match for match in _BEFORE_LIST.finditer(before) if match.end() == len(before)), None)
        if opening is not None:
            found = self._names.find_last(name_tokens(opening[1]), plural=True, singular=False)
            return found[1] if found is not None else ()
        if not before.endswith((" ", "\u00a0")) or not before.rstrip()[-1:].isalnum():
            return ()
        is_list = len(self._list_from(inside, place)) > 1
        found = self._names.find_last(name_tokens(before), plural=is_list)
        return found[1] if found is not None and (is_list or self._kind_is_right(found[1], inside[place].kind)) else ()

    def _kind_is_right(self, uris: Sequence[str], kind: EntityType) -> bool:
        """Return whether a noun right before a name is likely to be of it: "the river Thames"; a firm in "at the university Smith taught" is not."""
        return all(self._names.kinds.get(uri) in (None, kind) or kind not in DECIDED for uri in uris)

    def _noun_behind(self, line: ExtractionLine, mention: LineMention) -> Sequence[str]:
        """Return the classes of the noun that stands behind a name: ", a shipping company", " is a river", "(politician)"."""
        match = _APPOSED.match(self._text, mention.end, line.end)
        if match is None or (match["mark"] is None and self._follows_preposition(line, mention)):
            return ()
        behind = self._text[match.end() : min(line.end, match.end() + _NOUN_PHRASE)]
        return self._noun_phrase(behind, is_bare=match["mark"] not in (None, "(") and match["article"] is None)

    def _follows_preposition(self, line: ExtractionLine, mention: LineMention) -> bool:
        before = _WORD.findall(self._text[max(line.start, mention.start - 30) : mention.start])
        words = [each.lower() for each in before[-2:] if each.lower() not in ("the", "a", "an")]
        return bool(words) and words[-1] in _SUBJECT_BREAKS

    def _noun_phrase(self, text: str, *, is_bare: bool = False, plural: bool = False) -> Sequence[str]:
        """Return the classes of the head of a noun phrase: the words up to a mark, a function word, or a participle before one. A phrase `is_bare`
        without an article is one only before "of" ("Paris, capital of France")."""
        words: list[str] = []
        end, closing = 0, ""
        for match in _WORD.finditer(text):
            if text[end : match.start()].strip() or len(words) > 8:
                break
            word, end = match.group(), match.end()
            if word.lower() in KEYWORD_STOP_WORDS:
                closing = word.lower()
                break
            words.append(word)
        if closing in _PREPOSITIONS and len(words) > 1 and words[-1].endswith(("ed", "ing", "born", "run", "led")) and words[-1].islower():
            words.pop()  # "a company based in"
        if is_bare and closing not in ("of", "von", "de"):
            return ()
        found = self._names.find_last([token_of(word) for word in words], plural=plural)
        return found[1] if found is not None else ()

    def _list_from(self, inside: Sequence[LineMention], place: int) -> list[LineMention]:
        """Return the names that are listed from this one on: "A, B and C"."""
        found = [inside[place]]
        for each in inside[place + 1 :]:
            if not _LISTED.fullmatch(self._text, found[-1].end, each.start):
                break
            found.append(each)
        return found

    def _list_to(self, inside: Sequence[LineMention], place: int) -> list[LineMention]:
        """Return the names that are listed up to this one."""
        found = [inside[place]]
        for each in reversed(inside[:place]):
            if not _LISTED.fullmatch(self._text, each.end, found[-1].start):
                break
            found.append(each)
        return found

    # -- properties ----------------------------------------------------------------------------------------------------------------------

    def _read_properties(self, inside: Sequence[LineMention]) -> Iterator[tuple[LineMention, str]]:
        for left, right in pairwise(inside):
            between = self._text[left.end : right.start]
            if len(between) > _BETWEEN or any(mark in between.lstrip(" ,") for mark in ".,;:!?()\n"):
                continue
            for phrase in self._names.phrases.get(_core_words(between), ()):
                for mention, candidates in ((left, phrase.before), (right, phrase.after)):
                    uri = self._names.choose(candidates, mention.kind)
                    if uri is not None:
                        yield mention, uri


def _head_end(words: Sequence[str]) -> int:
    """Return where the words end that the head of a name is the last of: before "of"."""
    return next((place for place, word in enumerate(words) if place and word in _HEAD_ENDS), len(words))


def _core_words(between: str) -> tuple[str, ...]:
    """Return the words between two names without the auxiliaries and articles around them."""
    words = [token_of(word) for word in _WORD.findall(between)]
    while words and words[0] in _AUXILIARIES:
        words.pop(0)
    while words and words[-1] in ("the", "a", "an", "its", "his", "her", "their"):
        words.pop()
    return tuple(words)
