"""The rules' knowledge graph of one document: no model, no network, a few milliseconds for each passage.

The capitals decide first what is a name at all (`case_rules`), patterns find what has a form of its own (`pattern_entities`), and what the document
already names is then found wherever it stands, at the start of a sentence and in headings too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.documents import BlockKind, Chunk, ExtractedDocument
from core.graph import DocumentGraph, EntityType, FoundEntity, FoundRelationship
from core.language.stop_words import ARTICLES, NAMELESS_WORDS
from graph.case_rules import NAME_COLUMNS, CapitalisedRun, Casing, Token, find_runs, is_typography, tokens_of, type_votes
from graph.extraction_lines import ExtractionLine, lines_of
from graph.gazetteer import GENERIC_FIRST, GENERIC_HEADINGS, ROLE_HEADS
from graph.normalisation import key_from, key_of, title_forms, token_of, tokens_in
from graph.pattern_entities import PatternMatch, find_events, find_patterns
from graph.relations import CoOccurrence, LineMention, merge_relationships, relate_terms, row_relationships, stated_relationships
from graph.terms import TermLimits, find_terms

_READ = 2_000_000  # characters; what a document names it names before that
_ENTITIES = 10_000
_MENTIONS = 1_000
_LONGEST_NAME = 200
_INSIDE = 0.3  # a vote is 0.5 for each "in X": most mentions have to stand like that
_GERMAN = frozenset("der die das und ist nicht ein eine mit von den dem für auf werden wird".split())
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|article|part|kapitel|abschnitt|artikel)\s+)?(?:\d{1,3}(?:\.\d{1,3}){0,5}\.?|[A-Z]\.|[IVXLC]{1,6}\.|§\s?\d+)\s+", re.I
)
_ACRONYM = re.compile(r"\s?\(\s?([A-Z][A-Za-z]{1,9})\s?\)")

_UNMASKED = frozenset({EntityType.CONCEPT, EntityType.IDENTIFIER})
_NAMED = frozenset({EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.EMAIL, EntityType.DATE, EntityType.AMOUNT})

Name = tuple[str, EntityType]  # key and type: what an entity is within a document


class RuleExtractor:
    """core.ports.GraphExtractor by rules alone; `extract` costs milliseconds, so a caller with large documents runs `extract_graph` in a thread."""

    async def extract(self, document: ExtractedDocument, chunks: Sequence[Chunk], filename: str, title: str) -> DocumentGraph:
        return extract_graph(document, filename, title)


def extract_graph(document: ExtractedDocument, filename: str, title: str) -> DocumentGraph:
    """Return entities with their mentions and relationships with their sentences. Never raises for odd text."""
    extraction = _DocumentExtraction(document)
    if document.parser != "code":
        extraction.read_lines()
    extraction.add_patterns()
    extraction.decide_types()
    extraction.add_headings()
    extraction.add_title(title)
    return extraction.build_graph(title)


@dataclass(slots=True)
class _TokenizedLine:
    """A line with its tokens; `parts` are the token ranges that stand for themselves (a row's cells)."""

    line: ExtractionLine
    parts: list[tuple[list[Token], list[bool], str]]
    is_typography: bool


@dataclass(slots=True)
class _EntityDraft:
    """An entity as far as it is known while the document is read."""

    names: Counter[str] = field(default_factory=Counter)
    spans: set[tuple[int, int]] = field(default_factory=set)
    properties: dict[str, Any] = field(default_factory=dict)
    aliases: dict[str, None] = field(default_factory=dict)


class _DocumentExtraction:
    def __init__(self, document: ExtractedDocument) -> None:
        self._document, self._text = document, document.text[:_READ]
        self._sentences: list[_TokenizedLine] = []
        self._casing = Casing()
        self._found = list(find_patterns(self._text)) if document.parser != "code" else []
        events = list(find_events(self._text)) if document.parser != "code" else []
        self._masks = sorted((each.start, each.end) for each in [*events, *(one for one in self._found if one.kind not in _UNMASKED)])
        self._found += events
        self._mask_starts = [start for start, _ in self._masks]
        self._codes = {(each.start, each.end) for each in self._found if each.kind is EntityType.IDENTIFIER}
        self._runs: list[CapitalisedRun] = []
        self._votes: defaultdict[str, defaultdict[EntityType, float]] = defaultdict(lambda: defaultdict(float))
        self._entities: dict[Name, _EntityDraft] = {}
        self._kind: dict[str, EntityType] = {}
        self._alias: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._german = False

    # -- reading -------------------------------------------------------------------------------------------------------------------------

    def read_lines(self) -> None:
        """Collect tokens, casing and capitalised phrases of every line."""
        for line in lines_of(self._document, len(self._text)):
            parts = [self._tokenize_part(start, end, name) for start, end, name in _line_parts(line)]
            tokens = [token for found, _, _ in parts for token in found]
            sentence = _TokenizedLine(line, parts, line.is_heading or is_typography(tokens, sentence=bool(line.cells) or self._ends_sentence(line)))
            self._sentences.append(sentence)
            if not sentence.is_typography:
                self._count_casing(sentence)
        words = self._casing.lower.total() or 1
        self._german = sum(self._casing.lower[word] for word in _GERMAN) > 0.06 * words
        for sentence in self._sentences:
            if not sentence.is_typography:
                for tokens, masked, header in sentence.parts:
                    self._collect_runs(sentence.line, tokens, masked, header)

    def _ends_sentence(self, line: ExtractionLine) -> bool:
        """Return whether the line ends like a sentence."""
        return self._text[line.start : line.end].rstrip("\"'”’») ").endswith((".", "!", "?", ":", ";", ","))

    def _tokenize_part(self, start: int, end: int, header: str) -> tuple[list[Token], list[bool], str]:
        tokens = tokens_of(self._text, start, end)
        return tokens, self._masked_tokens(tokens, start, end), header

    def _masked_tokens(self, tokens: Sequence[Token], start: int, end: int) -> list[bool]:
        first = max(0, bisect_right(self._mask_starts, start) - 1)
        spans = []
        for place in range(first, len(self._masks)):
            if self._masks[place][0] >= end:
                break
            if self._masks[place][1] > start:
                spans.append(self._masks[place])
        if not spans:
            return [False] * len(tokens)
        return [any(a < last and begin < b for a, b in spans) for begin, last, _ in tokens]

    def _count_casing(self, sentence: _TokenizedLine) -> None:
        upper, lower = self._casing.upper, self._casing.lower
        for tokens, masked, _ in sentence.parts:
            for place, (_, _, word) in enumerate(tokens):
                if place and not masked[place]:
                    (upper if word[0].isupper() else lower)[token_of(word)] += 1

    def _collect_runs(self, line: ExtractionLine, tokens: Sequence[Token], masked: Sequence[bool], header: str) -> None:
        for run in find_runs(self._text, tokens, masked):
            if run.is_single_word and run.opens_sentence and not line.cells:
                continue  # the start of a sentence proves nothing; the gazetteer pass finds it if it is a name
            if run.is_single_word and ((run.start, run.end) in self._codes or not self._is_name_alone(run)):
                continue
            key = key_from(run.words)
            if not key or key.isdigit():
                continue
            self._runs.append(run)
            before, after = self._text[max(line.start, run.start - 40) : run.start], self._text[run.end : min(line.end, run.end + 40)]
            for kind, strength in type_votes(run, before, after):
                self._votes[key][kind] += strength
            if header and 1 < len(run.words) < 6:
                self._votes[key].update({kind: 1.5 for kind, names in NAME_COLUMNS if header.split(" ", maxsplit=1)[0] in names})
            self._note_acronym(run, key, line.end)

    def _is_name_alone(self, run: CapitalisedRun) -> bool:
        word = "".join(run.words)
        if run.is_acronym:
            return word not in NAMELESS_WORDS or "." in self._text[run.start : run.end]
        return self._casing.is_name(word) and word not in NAMELESS_WORDS and not self._german

    def _note_acronym(self, run: CapitalisedRun, key: str, end: int) -> None:
        """Note an acronym: in "Rally for the Republic (RPR)" the letters name the same."""
        match = _ACRONYM.match(self._text, run.end, min(end, run.end + 14))
        if match is None or len(run.words) < 2:
            return
        letters = match[1].lower()
        if letters.startswith(run.words[0][0]) and _is_spelt(letters, "".join(run.words)):
            self._alias.setdefault(letters, key)

    # -- deciding ------------------------------------------------------------------------------------------------------------------------

    def add_patterns(self) -> None:
        for each in self._found:
            self._add_entity(each.key, each.kind, (each.start, each.end), each.name, each.properties)

    def decide_types(self) -> None:
        """Decide the type of every name by the votes of all its mentions, short forms, and then every mention."""
        self._counts = Counter(key_from(run.words) for run in self._runs)
        self._kind = {key_from(run.words): self._best_type(key_from(run.words)) for run in self._runs}
        self._find_short_forms()
        for run in self._runs:
            key = key_from(run.words)
            self._add_mention(key, (run.start, run.end))
        for sentence in self._sentences:
            for tokens, masked, _ in sentence.parts:
                self._mention_known_names(tokens, masked, everywhere=sentence.is_typography)

    def _best_type(self, key: str) -> EntityType:
        said = self._votes.get(key)
        if not said:
            return EntityType.CONCEPT
        kind, strength = max(said.items(), key=lambda item: (item[1], item[0].value))
        if kind is EntityType.LOCATION and strength < _INSIDE * self._counts[key]:
            return EntityType.CONCEPT  # "in JavaScript", once in a while
        return kind if strength >= 0.5 else EntityType.CONCEPT

    def _find_short_forms(self) -> None:
        """Find short forms: "Ellison" is "Mara Ellison" where the document names one person like that; "Kestrel" is "Kestrel Handling"."""
        owners: defaultdict[str, set[str]] = defaultdict(set)
        for key, kind in self._kind.items():
            words = key.split()
            if len(words) > 1 and kind is EntityType.PERSON:
                owners[words[-1]].add(key)
                owners[words[0]].add(key)
            elif len(words) > 1 and words[0] not in GENERIC_FIRST:
                owners[words[0]].add(key)
        for key, kind in list(self._kind.items()):
            names = owners.get(key, set())
            if (
                len(names) == 1
                and " " not in key
                and self._is_short_form(next(iter(names)))
                and kind in (EntityType.CONCEPT, EntityType.PERSON, EntityType.ORGANIZATION)
            ):
                self._alias.setdefault(key, next(iter(names)))
        for word, names in owners.items():
            if word not in self._kind and len(names) == 1 and len(word) > 2 and word not in NAMELESS_WORDS and self._is_short_form(next(iter(names))):
                self._alias.setdefault(word, next(iter(names)))

    def _is_short_form(self, key: str) -> bool:
        return self._kind[key] in (EntityType.PERSON, EntityType.ORGANIZATION)

    def _add_mention(self, key: str, span: tuple[int, int]) -> None:
        name = self._text[span[0] : span[1]]
        target = self._alias.get(key, key)
        if target != key and target in self._kind:
            self._add_entity(target, self._kind[target], span, "", {}).aliases.setdefault(name)
        else:
            self._add_entity(key, self._kind[key], span, name, {})

    def _mention_known_names(self, tokens: Sequence[Token], masked: Sequence[bool], *, everywhere: bool) -> None:
        """Mention the document's names where capitals say nothing: at the start of a sentence, and in headings and lines of capitals."""
        opening = 1 if len(tokens) > 1 and tokens[0][2].lower() in ARTICLES else 0
        starts = range(len(tokens)) if everywhere else range(opening, min(opening + 1, len(tokens)))
        place = 0
        for first in starts:
            if first < place or masked[first] or not tokens[first][2][0].isupper() or tokens[first][2].lower() in ARTICLES:
                continue
            for length in range(min(6, len(tokens) - first), 0, -1):
                key = key_from([token for _, _, word in tokens[first : first + length] for token in tokens_in(word)])
                if (key in self._kind or key in self._alias) and not (length == 1 and key in NAMELESS_WORDS):
                    self._add_mention(key, (tokens[first][0], tokens[first + length - 1][1]))
                    place = first + length
                    break

    def add_headings(self) -> None:
        """Add each heading as a concept of its own, without its number; such as stand in every document are left out."""
        for block in self._document.blocks:
            if block.kind is not BlockKind.HEADING or block.start >= len(self._text) or block.end - block.start > _LONGEST_NAME:
                continue
            written = self._text[block.start : block.end]
            start = block.start + (match.end() if (match := _NUMBERING.match(written)) else 0)
            name = self._text[start : block.end].rstrip(" .:")
            key = key_of(name)
            words = key.split()
            if words and not all(word in GENERIC_HEADINGS or word in NAMELESS_WORDS or word.isdigit() for word in words) and len(words) <= 12:
                self._add_entity(key, self._kind.get(key, EntityType.CONCEPT), (start, start + len(name)), name, {"heading": True})

    def add_title(self, title: str) -> None:
        """Add the document's title: on the entity of that name if the text has one, else a concept; mentioned where the text says it."""
        name = " ".join(title.split())[:_LONGEST_NAME]
        key = key_of(name)
        if not key:
            return
        kind = self._kind.get(key, EntityType.CONCEPT)
        entity = self._entities.setdefault((key, kind), _EntityDraft())
        entity.names[name] += 1
        entity.properties["title_of"] = True
        forms = title_forms(name)
        for bare in forms[1:]:
            entity.aliases.setdefault(bare)
        if not entity.spans and len(key) > 3:
            for match in list(re.finditer(rf"(?<!\w){re.escape(forms[-1])}(?!\w)", self._text, re.I))[:50]:
                entity.spans.add(match.span())

    def _add_entity(self, key: str, kind: EntityType, span: tuple[int, int], name: str, properties: dict[str, Any]) -> _EntityDraft:
        entity = self._entities.get((key, kind))
        if entity is None:
            entity = self._entities[key, kind] = _EntityDraft()
        entity.spans.add(span)
        if name:
            entity.names[name] += 1
        if properties:
            entity.properties.update(properties)
        return entity

    # -- the graph -----------------------------------------------------------------------------------------------------------------------

    def build_graph(self, title: str) -> DocumentGraph:
        kept = sorted(self._entities.items(), key=lambda item: (-len(item[1].spans), min(item[1].spans, default=(0, 0)), item[0]))[:_ENTITIES]
        kept.sort(key=lambda item: (min(item[1].spans, default=(-1, -1)), item[0]))
        entities = tuple(_build_entity(key, kind, named) for (key, kind), named in kept)
        lines = [each.line for each in self._sentences]
        named = frozenset(span for each in entities if each.entity_type in _NAMED for span in each.mentions)
        named |= {(run.start, run.end) for run in self._runs if not run.is_single_word}
        terms = find_terms(self._text, lines, title, TermLimits(named, self._german))
        related = [*self._find_relationships(entities), *relate_terms(lines, entities, terms)]
        return DocumentGraph((*entities, *(FoundEntity(each.key, each.name, EntityType.TERM, each.spans) for each in terms)), tuple(related))

    def _find_relationships(self, entities: Sequence[FoundEntity]) -> list[FoundRelationship]:
        mentions = sorted(
            LineMention(start, end, number, entity.entity_type)
            for number, entity in enumerate(entities)
            for start, end in entity.mentions[:_MENTIONS]
        )
        begins = [each.start for each in mentions]
        roles = frozenset(number for number, entity in enumerate(entities) if _is_role(entity))
        found: list[FoundRelationship] = []
        together = CoOccurrence()
        for sentence in self._sentences:
            line = sentence.line
            inside = outermost_mentions(mentions[bisect_right(begins, line.start - 1) : bisect_right(begins, line.end - 1)])
            if line.is_heading or len(inside) < 2:
                together.add(inside, line)
                continue
            found += [_clip_to_line(each, line) for each in stated_relationships(self._text, inside, roles)]
            if line.cells:
                found += [_clip_to_line(each, line) for each in row_relationships(_cells_of(line, inside), line.start, line.end)]
            together.add(inside, line)
        explained = {(min(each.source, each.target), max(each.source, each.target)) for each in found}
        return [*merge_relationships(found), *together.related_pairs(explained)]


def _line_parts(line: ExtractionLine) -> list[tuple[int, int, str]]:
    if not line.cells:
        return [(line.start, line.end, "")]
    return [(start, end, header) for (start, end), header in zip(line.cells, line.header, strict=True)]


def _cells_of(line: ExtractionLine, mentions: Sequence[LineMention]) -> list[tuple[str, list[LineMention]]]:
    """Return the cells of a row: the column's name, and what stands in it."""
    return [(name, [each for each in mentions if start <= each.start < end]) for start, end, name in _line_parts(line)]


def _is_spelt(letters: str, name: str) -> bool:
    """Return whether the letters occur in the name in this order."""
    rest = iter(name)
    return all(letter in rest for letter in letters)


def _is_role(entity: FoundEntity) -> bool:
    return entity.entity_type is EntityType.CONCEPT and any(word in ROLE_HEADS for word in entity.key.split())


def outermost_mentions(mentions: Sequence[LineMention]) -> list[LineMention]:
    """Return the mentions in order, without those that lie inside another one."""
    kept: list[LineMention] = []
    for each in sorted(mentions, key=lambda one: (one.start, -one.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _clip_to_line(found: FoundRelationship, line: ExtractionLine) -> FoundRelationship:
    rows = {"rows": True} if line.cells else {}
    return FoundRelationship(found.source, found.target, found.relationship_type, found.weight, line.start, line.end, {**found.properties, **rows})


def _disjoint_spans(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans in order, without those that reach into the one before them."""
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _build_entity(key: str, kind: EntityType, named: _EntityDraft) -> FoundEntity:
    name = max(named.names.items(), key=lambda item: (item[1], -len(item[0]), item[0]))[0] if named.names else key
    mentions = tuple(_disjoint_spans(sorted(named.spans))[:_MENTIONS])
    return FoundEntity(key, " ".join(name.split()), kind, mentions, tuple(alias for alias in named.aliases if alias != name)[:20], named.properties)


__all__ = ["PatternMatch", "RuleExtractor", "extract_graph"]
