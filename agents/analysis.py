"""Aristotle: a comparison of documents as a table, a cited cell for each side and each attribute, "not found" where there is nothing.

Nothing is concluded that the documents do not say: a cell quotes the statement of its side that speaks best of the attribute, and two cells
differ where their figures, or else their words, do.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agents.sides import MOST, Asked, family, is_of_kind, name_stems, telling_names, version_of
from agents.statements import Statement, stem, stems
from agents.wording import STOP_WORDS, tokens
from core.answers import Answer, Citation
from core.documents import BlockKind, Document
from core.insights import Comparison, ComparisonCell

PROMPT = "analysis"
ROWS = 8
ENOUGH = 0.5  # of an attribute's words in the statement that answers it
_NAMED = 0.34
_FIGURE, _NEAR, _HEADING, _LONG = 0.15, 0.25, 0.6, 0.004
_AGREE = 0.12
_SAME = 0.6  # of the words of two cells that say the same
_LABEL = re.compile(r"^(?P<label>[^\W\d_][\w /&'’().,%-]{2,48}?)\s*(?::\s+|\s{2,}|\s+(?=[£$€¥]?\d[\d.,]*\s*$))")
# Words that ask for a figure of a kind: such a figure stands for the word, and a statement without one says little.
_MONEY = re.compile(r"[£$€¥]\s?\d|\b\d{1,3}(?:,\d{3})+\b|\b\d{3,}(?:\.\d\d)?\b(?!\s*(?:kg|km|mm|cm|m|hours?|days?|%)\b)")
_DATE = re.compile(
    r"\b\d{1,2}\s+(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
)
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d\d\b")
_FIGURED = re.compile(r"\d")
_MEANT: dict[str, re.Pattern[str]] = {stem(word): pattern for words, pattern in (
    ("price prices cost costs amount sum charge fee", _MONEY), ("date deadline expiry", _DATE), ("hours opening access", _CLOCK),
    ("limit maximum minimum threshold ceiling percentage", _FIGURED),
) for word in words.split()}  # fmt: skip
_TOTAL = re.compile(r"^\W*(?:grand\s+|sub)?total\b", re.IGNORECASE)
_STANDS_FOR = 0.8
_ASIDE = frozenset("differ cheap better best expensive long fast large high low big small compare comparison difference between".split())


@dataclass(frozen=True, slots=True)
class Side:
    """A side with the document that speaks for it (None: any document may) and its words that are no name of the document."""

    name: str
    document: Document | None
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """The statement chosen for a cell and where it stands; `strength`, about 0..1.4: the attribute's words in it and what else speaks for it."""

    document_id: str
    statement: Statement
    strength: float


@dataclass(frozen=True, slots=True)
class Text:
    """What a side is read from: the statements of a document, and the spans that the search found in it for an attribute, best first."""

    document_id: str
    statements: Sequence[Statement]
    near: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)


def resolve_sides(asked: Asked, documents: Sequence[Document], ranked: Mapping[str, Sequence[str]], given: Sequence[str] = ()) -> list[Side]:
    """A document for each side, out of `documents`, the likeliest first. `ranked` are the ids that a search for a side's name found, best first;
    where two and more are `given` these are the sides, in their order. Versions are ordered old to new.

    A name that no document bears stays without one: it may be spoken of anywhere. Fewer than two sides: [].
    """
    chosen = [document for each in given for document in documents if document.id == each][:MOST]
    if len(chosen) > 1:
        return [Side(name, document) for name, document in zip(telling_names(chosen), chosen, strict=True)]
    if asked.versions is not None:
        return _version_sides(asked.versions, stems(asked.topic), documents)
    if asked.group:
        return _group_sides(asked, documents)
    taken: list[str] = []
    sides = []
    for name in asked.names:
        document = _document_of(name, documents, ranked.get(name, ()), taken)
        taken += [document.id] if document else []
        sides.append(Side(name, document, _rest(name, document) if document else ()))
    return sides if len(sides) > 1 else []


def _version_sides(versions: tuple[str, str], wanted: frozenset[str], documents: Sequence[Document]) -> list[Side]:
    """The two that share a title and differ in version; the words of the question choose between families, then the search's order."""
    families: dict[frozenset[str], list[Document]] = {}
    for document in documents:
        if family(document):
            families.setdefault(family(document), []).append(document)
    pairs = [group for group in families.values() if len(group) > 1]
    if not pairs:
        return []
    best = max(pairs, key=lambda group: (len(wanted & (name_stems(group[0]) | name_stems(group[-1]))), -documents.index(group[0])))
    ordered = sorted(best, key=version_of)
    numbered = {f"{version_of(each)[0]:g}": each for each in ordered}
    if all(label in numbered for label in versions):
        return [Side(f"Version {label}", numbered[label]) for label in versions]
    return [Side(_version_name(each), each) for each in (ordered[0], ordered[-1])]


def _version_name(document: Document) -> str:
    number = version_of(document)[0]
    return f"Version {number:g}" if number else document.title or document.filename


def _group_sides(asked: Asked, documents: Sequence[Document]) -> list[Side]:
    """The documents that are what the noun says, those that the topic speaks of first in the order of the search."""
    of_kind = [document for document in documents if not asked.group or is_of_kind(document, asked.group)]
    typed = [document for document in of_kind if document.doc_type == _commonest(of_kind)]
    chosen = typed if asked.count and len(typed) >= asked.count else of_kind
    chosen = chosen[: asked.count or 6]
    return [Side(name, document) for name, document in zip(telling_names(chosen), chosen, strict=True)] if len(chosen) > 1 else []


def _commonest(documents: Sequence[Document]) -> str:
    counts = Counter(document.doc_type for document in documents)
    return counts.most_common(1)[0][0] if counts else ""


def _document_of(name: str, documents: Sequence[Document], ranked: Sequence[str], taken: Sequence[str]) -> Document | None:
    """The document whose title or file name holds the most telling words of the name; among equals the one that the search prefers."""
    wanted = stems(name)
    owners = Counter(word for document in documents for word in name_stems(document))
    place = {document_id: rank for rank, document_id in enumerate(ranked)}

    def score(document: Document) -> float:
        return sum(1.0 / owners[word] for word in wanted & name_stems(document))

    free = [document for document in documents if document.id not in taken]
    best = max(free, key=lambda document: (score(document), -place.get(document.id, len(place) + documents.index(document))), default=None)
    if best is None or not wanted & name_stems(best):
        return None
    return best if score(best) >= _NAMED or len(wanted & name_stems(best)) >= 0.6 * len(wanted) else None


def _rest(name: str, document: Document) -> tuple[str, ...]:
    """The words of a side's name that do not name its document: what is asked of it ("pallas warranty")."""
    known = name_stems(document)
    return tuple(word for word in tokens(name) if word not in STOP_WORDS and stem(word) not in known and len(word) > 1)


def attributes_of(asked: Asked, sides: Sequence[Side], texts: Sequence[Sequence[Statement]]) -> list[str]:
    """What is compared: what the question names, else the words that stand beside a side's name, else the labels that the sides share."""
    named = list(asked.attributes)
    if not named:
        named = list(dict.fromkeys(" ".join(side.rest) for side in sides if side.rest))[:1]
    telling = [attribute for attribute in named if stems(attribute) - _ASIDE]
    return (telling or named or shared_labels(texts))[:ROWS]


def shared_labels(texts: Sequence[Sequence[Statement]]) -> list[str]:
    """Labels that two and more sides have, those of most sides first: first cells of rows, "label: value", "label 1,200", headings."""
    seen: dict[frozenset[str], tuple[str, set[int], int]] = {}
    for side, statements in enumerate(texts):
        for order, label in enumerate(_labels(statements)):
            key = stems(label)
            if not key or len(key) > 6:
                continue
            first, sides, place = seen.get(key, (label, set(), order))
            seen[key] = (first, sides | {side}, place)
    shared = sorted((entry for entry in seen.values() if len(entry[1]) > 1), key=lambda entry: (-len(entry[1]), entry[2]))
    return [label for label, _, _ in shared][:ROWS]


def _labels(statements: Sequence[Statement]) -> Iterable[str]:
    headings: set[str] = set()
    titled = any(len(statement.section) > 1 for statement in statements)  # then the outermost heading is the document's title
    for statement in statements:
        if statement.cells:
            yield statement.cells[0]
        elif (match := _LABEL.match(statement.text)) and len(statement.text) <= 160:
            yield match["label"].strip()
        heading = statement.section[-1] if statement.section else ""
        if heading and heading not in headings and len(statement.section) > titled:
            headings.add(heading)
            yield re.sub(r"^(?:clause|section|§)?\s*\d[\d.]*[.):]?\s*", "", heading, flags=re.IGNORECASE)


def fill_row(attribute: str, sides: Sequence[Side], texts: Sequence[Text]) -> list[Told | None]:
    """For each side the statement that speaks best of the attribute, None where none holds half of its words. Of statements that are about as
    good, those are taken that the sides word alike: they answer the same question."""
    likely = [_ranked(attribute, side, text) for side, text in zip(sides, texts, strict=True)]
    chosen: list[Told | None] = [found[0] if found else None for found in likely]
    for place, found in enumerate(likely):
        others = [told.statement for at, told in enumerate(chosen) if told is not None and at != place]
        near = [told for told in found if told.strength >= found[0].strength - _AGREE]
        if len(near) > 1 and others:
            chosen[place] = max(near, key=lambda told: (sum(_alike(told.statement, other) for other in others), told.strength))
    return chosen


def _ranked(attribute: str, side: Side, text: Text) -> list[Told]:
    wanted = stems(attribute) - (name_stems(side.document) if side.document else frozenset())
    wanted = wanted or stems(attribute)
    if side.document is None:
        wanted |= stems(side.name)
    spread = Counter(word for statement in text.statements for word in wanted & (stems(statement.text) | _context(statement)))
    weights = {word: 1.0 / math.log(2.0 + spread[word]) for word in wanted}
    near = {span: 1.0 - place / 6.0 for place, span in enumerate(text.near.get(attribute, ())[:4])}
    scored = [Told(text.document_id, statement, _strength(statement, weights, near)) for statement in text.statements]
    return sorted((told for told in scored if told.strength >= ENOUGH), key=lambda told: (-told.strength, told.statement.start))[:12]


def _context(statement: Statement) -> frozenset[str]:
    return stems(" ".join([*statement.section[-1:], *statement.header]))


def _strength(statement: Statement, weights: Mapping[str, float], near: Mapping[tuple[int, int], float]) -> float:
    """The weight of the attribute's words in the statement, those of its heading and columns at a discount, more where it has a figure and where
    the search found it, less for a long one; 0 where it holds too few of the words itself."""
    total = sum(weights.values())
    own = stems(statement.text)
    if len(own) < 2 or sum(letter.isalpha() for letter in statement.text) < 0.3 * len(statement.text.replace(" ", "")):
        return 0.0
    meant = {word: bool(_MEANT[word].search(statement.text)) for word in weights if word in _MEANT}
    held = sum(_held(weight, word in own, meant.get(word)) for word, weight in weights.items())
    lent = sum(weight for word, weight in weights.items() if word not in own and not meant.get(word) and word in _context(statement))
    found = max((value for (start, end), value in near.items() if start <= statement.start < end), default=0.0)
    share = (held + _HEADING * lent) / total if total else 0.0
    if share < ENOUGH - _NEAR * found or held == 0:
        return 0.0
    total_row = 0.1 * (any(meant.values()) and bool(_TOTAL.match(statement.text)))
    return share + total_row + _FIGURE * bool(statement.numbers) + _NEAR * found - _LONG * max(0, len(statement.text.split()) - 15)


def _held(weight: float, named: bool, meant: bool | None) -> float:
    """A word that asks for a figure is held by the figure; its name alone, without one, is half of it."""
    if meant is None:
        return weight * named
    return weight * (1.0 if meant and named else _STANDS_FOR if meant else 0.5 * named)


def _alike(one: Statement, other: Statement) -> float:
    left, right = stems(one.text), stems(other.text)
    return len(left & right) / max(1, len(left | right)) + 0.2 * (one.section[-1:] == other.section[-1:] != ())


def differs(cells: Sequence[Told | None]) -> bool | None:
    """Whether the figures differ, or clearly the words; None where a side says nothing."""
    told = [cell.statement for cell in cells if cell is not None]
    if len(told) < 2 or len(told) < len(cells):
        return None
    first = stems(told[0].text)
    apart = any(len(first & stems(other.text)) < _SAME * len(first | stems(other.text)) for other in told[1:])
    return apart or len({each.numbers for each in told}) > 1


def task_of(question: str, comparison: Comparison) -> str:
    """The question as a model gets it, with the sides and what they are compared on; a cell names its citations as numbers of passages."""
    sides = [side.name for side in comparison.sides]
    lines = [
        f"- {row.attribute or 'what is said of them'}{' (they differ)' if row.differs else ''}: "
        + "; ".join(f"{name}: {_passages(cell)}" for name, cell in zip(sides, row.cells, strict=True))
        for row in comparison.rows
    ]
    return "\n".join([question, f"Sides: {', '.join(sides)}.", "Attributes, with the passages of each side:", *lines])


def _passages(cell: ComparisonCell) -> str:
    return f"passage {' and '.join(str(number) for number in cell.citations)}" if cell.found else "nothing found"


def renumbered(comparison: Comparison, citations: Sequence[Citation], answer: Answer) -> tuple[Comparison, Answer]:
    """A table that cites `citations` beside an answer with citations of its own: the cells' are appended, and the same span has one number."""
    listed = list(answer.citations)
    numbers = {(each.document_id, each.start, each.end): each.number for each in listed}
    moved: dict[int, int] = {}
    for citation in citations:
        key = (citation.document_id, citation.start, citation.end)
        if key not in numbers:
            numbers[key] = len(listed) + 1
            listed.append(citation.model_copy(update={"number": numbers[key]}))
        moved[citation.number] = numbers[key]
    rows = [
        row.model_copy(update={"cells": [cell.model_copy(update={"citations": [moved[each] for each in cell.citations]}) for cell in row.cells]})
        for row in comparison.rows
    ]
    return comparison.model_copy(update={"rows": rows}), answer.model_copy(update={"citations": listed})


def line_kind(statement: Statement) -> BlockKind:
    """A line of its own in the answer, whatever it was in the document."""
    return BlockKind.TABLE if statement.cells else BlockKind.LIST_ITEM
