"""The sides of a comparison: for each name, version or member of a group the document that speaks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agents.comparison.comparison_request import MOST_SIDES, ComparisonRequest
from agents.sources.quotable_units import QuotableUnit
from agents.text.document_names import distinct_names, is_of_kind, name_stems, title_without_version, version_order
from agents.text.question_words import tokens
from core.documents import Document
from core.language.content_words import stems
from core.language.stems import stem
from core.language.stop_words import STOP_WORDS

_LEAST_RARITY = 0.34  # a word that two documents bear counts a half, one that three bear a third: that is not enough by itself


@dataclass(frozen=True, slots=True)
class Side:
    """A side with the document that speaks for it (None: any document may). `other_words` are those of its name that do not name the document:
    they are asked of it ("pallas warranty")."""

    name: str
    document: Document | None
    other_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SideText:
    """The units that a side is read from, and for an attribute the spans that the search found among them, best first."""

    document_id: str
    units: Sequence[QuotableUnit]
    search_spans: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)


def resolve_sides(
    request: ComparisonRequest, documents: Sequence[Document], ranked: Mapping[str, Sequence[str]], given: Sequence[str] = ()
) -> list[Side]:
    """Return a document for each side, out of `documents`, the likeliest first. `ranked` are the ids that a search for a side's name found, best
    first; where two and more are `given` these are the sides, in their order. Versions are ordered old to new.

    A name that no document bears stays without one: it may be spoken of anywhere. Fewer than two sides: [].
    """
    chosen = [document for each in given for document in documents if document.id == each][:MOST_SIDES]
    if len(chosen) > 1:
        return _make_sides(chosen)
    if request.versions is not None:
        return _version_sides(request.versions, stems(request.topic), documents)
    if request.group:
        return _group_sides(request, documents)
    return _named_sides(request.names, documents, ranked)


def _make_sides(documents: Sequence[Document]) -> list[Side]:
    return [Side(name, document) for name, document in zip(distinct_names(documents), documents, strict=True)]


def _version_sides(versions: tuple[str, str], topic: frozenset[str], documents: Sequence[Document]) -> list[Side]:
    """The two that share a title and differ in version; the words of the topic choose between titles, then the search's order."""
    by_title: dict[frozenset[str], list[Document]] = {}
    for document in documents:
        if title_without_version(document):
            by_title.setdefault(title_without_version(document), []).append(document)
    several = [group for group in by_title.values() if len(group) > 1]
    if not several:
        return []
    best = max(several, key=lambda group: (len(topic & (name_stems(group[0]) | name_stems(group[-1]))), -documents.index(group[0])))
    ordered = sorted(best, key=version_order)
    numbered = {f"{version_order(each)[0]:g}": each for each in ordered}
    if all(label in numbered for label in versions):
        return [Side(f"Version {label}", numbered[label]) for label in versions]
    return [Side(_version_name(each), each) for each in (ordered[0], ordered[-1])]


def _version_name(document: Document) -> str:
    number = version_order(document)[0]
    return f"Version {number:g}" if number else document.title or document.filename


def _group_sides(request: ComparisonRequest, documents: Sequence[Document]) -> list[Side]:
    """The documents that are what the noun says, those that the topic speaks of first in the order of the search. None for a superlative of more
    than can be set side by side: the one that is asked for may be among the others."""
    of_kind = [document for document in documents if not request.group or is_of_kind(document, request.group)]
    if request.superlative and not request.count and len(of_kind) > MOST_SIDES:
        return []
    typed = [document for document in of_kind if document.doc_type == _commonest_type(of_kind)]
    chosen = typed if request.count and len(typed) >= request.count else of_kind
    chosen = chosen[: request.count or MOST_SIDES]
    return _make_sides(chosen) if len(chosen) > 1 else []


def _commonest_type(documents: Sequence[Document]) -> str:
    counts = Counter(document.doc_type for document in documents)
    return counts.most_common(1)[0][0] if counts else ""


def _named_sides(names: Sequence[str], documents: Sequence[Document], ranked: Mapping[str, Sequence[str]]) -> list[Side]:
    """Each document speaks for one side only."""
    sides: list[Side] = []
    for name in names:
        taken = [side.document.id for side in sides if side.document]
        document = _document_named(name, [each for each in documents if each.id not in taken], documents, ranked.get(name, ()))
        sides.append(Side(name, document, _other_words(name, document) if document else ()))
    return sides if len(sides) > 1 else []


def _document_named(name: str, free: Sequence[Document], documents: Sequence[Document], ranked: Sequence[str]) -> Document | None:
    """The `free` document whose title or file name holds the most telling words of the name, those that few of `documents` bear; among equals the
    one that the search prefers."""
    wanted = stems(name)
    bearers = Counter(word for document in documents for word in name_stems(document))
    place = {document_id: rank for rank, document_id in enumerate(ranked)}

    def score(document: Document) -> float:
        return sum(1.0 / bearers[word] for word in wanted & name_stems(document))

    best = max(free, key=lambda document: (score(document), -place.get(document.id, len(place) + documents.index(document))), default=None)
    if best is None or not wanted & name_stems(best):
        return None
    return best if score(best) >= _LEAST_RARITY or len(wanted & name_stems(best)) >= 0.6 * len(wanted) else None


def _other_words(name: str, document: Document) -> tuple[str, ...]:
    known = name_stems(document)
    return tuple(word for word in tokens(name) if word not in STOP_WORDS and stem(word) not in known and len(word) > 1)
