"""Ontologies: classes and properties that a tenant loaded from files of the semantic web."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from core.search import FrozenModel

MAX_BYTES = 20_000_000  # of a file


class OntologyClass(FrozenModel):
    """A class. `name` is its English label, else one without a language, else the end of its address; `labels` are all labels and aliases by language
    ("" for none). `parent_uris` are the classes that it is part of by name; `properties` those whose domain it is."""

    uri: str
    name: str
    description: str = ""
    parent_uris: list[str] = Field(default_factory=list)
    properties: list[str] = Field(default_factory=list)
    labels: dict[str, list[str]] = Field(default_factory=dict)


class OntologyProperty(FrozenModel):
    """A property with all its domains and ranges, also those by `domainIncludes` and unions."""

    uri: str
    name: str
    domain: list[str] = Field(default_factory=list)
    range: list[str] = Field(default_factory=list)
    description: str = ""
    labels: dict[str, list[str]] = Field(default_factory=dict)


class OntologyContent(FrozenModel):
    """What a file holds. `imports` are other ontologies that it names: they are never fetched. `notes` say what is odd about it, each a sentence."""

    uri: str
    name: str
    format: str
    triples: int
    individuals: int
    imports: list[str]
    notes: list[str]
    classes: list[OntologyClass]
    properties: list[OntologyProperty]


class OntologySummary(FrozenModel):
    """GET /ontologies: an ontology without its classes. `id` follows from the file's content: loaded twice it is one."""

    id: str
    uri: str
    name: str
    filename: str
    format: str
    triples: int
    class_count: int
    property_count: int
    individuals: int
    imports: list[str]
    notes: list[str]
    loaded_at: datetime


class Ontology(OntologySummary):
    """GET /ontologies/{id}."""

    classes: list[OntologyClass]
    properties: list[OntologyProperty]


class OntologyList(FrozenModel):
    """The latest first."""

    ontologies: list[OntologySummary]
