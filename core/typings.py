"""Classes of ontologies that entities have, with the rule and the sentence that say so."""

from __future__ import annotations

from dataclasses import dataclass

from core.graph import EntityType, GraphEvidence, TypingRule

SurfaceName = tuple[str, EntityType]  # an entity as one document writes it: its key and type


@dataclass(frozen=True, slots=True)
class EntityTyping:
    """A class that the sentence [start, end) of a document gives to the entity that it writes as `surface`."""

    surface: SurfaceName
    class_uri: str
    rule: TypingRule
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class UntypedDocument:
    """A document that was not read for the classes of an ontology yet; `sequence` is that of its graph."""

    document_id: str
    ontology_id: str
    sequence: int


@dataclass(frozen=True, slots=True)
class StatedClass:
    """What the documents say of one surface and one class: the surest rule, how many sentences, and the first of that rule."""

    surface: SurfaceName
    ontology_id: str
    class_uri: str
    rule: TypingRule
    sentences: int
    evidence: GraphEvidence


RULES: tuple[TypingRule, ...] = ("individual", "head_noun", "apposition", "property")  # the surest first
