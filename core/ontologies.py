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


class OntologyIndividual(FrozenModel):
    """A thing that the ontology names itself, with the classes that it says it has."""

    uri: str
    labels: dict[str, list[str]] = Field(default_factory=dict)
    class_uris: list[str]


class OntologyContent(FrozenModel):
    """What a file holds. `imports` are other ontologies that it names: they are never fetched. `notes` say what is odd about it, each a sentence, and
    which classes contradict themselves. `individuals` counts those that are declared, `named_individuals` are those that have a class."""

    uri: str
    name: str
    format: str
    triples: int
    individuals: int
    imports: list[str]
    notes: list[str]
    classes: list[OntologyClass]
    properties: list[OntologyProperty]
    named_individuals: list[OntologyIndividual] = Field(default_factory=list)


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


class LoadedOntology(OntologySummary):
    """POST /ontologies. `typing_job` is the job that types the library's entities, None where `ontology.auto_type` is off."""

    typing_job: str | None = None


class Ontology(OntologySummary):
    """GET /ontologies/{id}."""

    classes: list[OntologyClass]
    properties: list[OntologyProperty]
    named_individuals: list[OntologyIndividual] = Field(default_factory=list)


class OntologyList(FrozenModel):
    """The latest first."""

    ontologies: list[OntologySummary]
