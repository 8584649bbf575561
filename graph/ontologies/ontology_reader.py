"""Classes and properties of an ontology's file, read with rdflib (BSD), the extra `ontologies`. Nothing is fetched."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

import networkx as nx

from core.errors import ConfigurationError, InvalidInput
from core.ontologies import OntologyClass, OntologyContent, OntologyIndividual, OntologyProperty
from graph.ontologies.contradictions import find_contradictions
from graph.ontologies.ontology_syntax import CONVERT, detect_format

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

_RDF, _RDFS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#"
_OWL, _SKOS = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2004/02/skos/core#"
_SCHEMA = ("https://schema.org/", "http://schema.org/")
_CLASSES = (f"{_OWL}Class", f"{_RDFS}Class", f"{_SKOS}Concept")
_PROPERTIES = (f"{_RDF}Property", f"{_OWL}ObjectProperty", f"{_OWL}DatatypeProperty")
_PARENTS = (f"{_RDFS}subClassOf", f"{_SKOS}broader")
_DOMAINS = (f"{_RDFS}domain", *(f"{each}domainIncludes" for each in _SCHEMA))
_RANGES = (f"{_RDFS}range", *(f"{each}rangeIncludes" for each in _SCHEMA))
_LABELS = (f"{_SKOS}prefLabel", f"{_RDFS}label", f"{_SKOS}altLabel")
_TITLES = ("http://purl.org/dc/terms/title", "http://purl.org/dc/elements/1.1/title")
_DESCRIPTIONS = (f"{_SKOS}definition", f"{_RDFS}comment", "http://purl.org/dc/terms/description")
_SET_OF = (f"{_OWL}unionOf", f"{_OWL}intersectionOf")
_NAMED_IN_NOTE = 5
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

Labels = dict[str, list[str]]


def require_rdflib() -> None:
    """Check that the package is installed. Raises ConfigurationError."""
    try:
        import rdflib  # noqa: F401
    except ImportError as error:
        raise ConfigurationError(
            "ontology.support_enabled is on and the package rdflib is not installed. "
            "Install it (pip install 'vantage[ontologies]'), or set ontology.support_enabled: false."
        ) from error


def read_ontology(data: bytes, filename: str) -> OntologyContent:
    """Read a file. Raises InvalidInput for one that cannot be read, saying what to do. Takes about a second for 20,000 triples."""
    from rdflib import Graph

    found, graph = detect_format(data, filename), Graph()
    try:
        graph.parse(data=data, format=found)
    except Exception as error:  # rdflib's parsers raise whatever their syntax does
        said = " ".join(str(error).split())[:300]
        raise InvalidInput(f"{filename} cannot be read as {found}: {said}. {CONVERT}") from error
    return _Reader(graph).read(filename, found)


class _Reader:
    def __init__(self, graph: Graph) -> None:
        from rdflib import BNode, URIRef

        self._graph, self._uri, self._blank = graph, URIRef, BNode

    def read(self, filename: str, found: str) -> OntologyContent:
        properties = sorted((self._property(uri) for uri in self._of_types(_PROPERTIES)), key=lambda each: each.uri)
        of_class = defaultdict[str, list[str]](list)
        for each in properties:
            for domain in each.domain:
                of_class[domain].append(each.uri)
        classes = [self._class(uri, of_class[uri]) for uri in sorted(self._class_uris())]
        heads = sorted(self._of_types((f"{_OWL}Ontology",)))
        if not (classes or properties or heads):
            raise InvalidInput(f"{filename} has no class and no property: it is no ontology.")
        name = _choose_name(self._labels(heads[0], (*_TITLES, *_LABELS))) if heads else ""
        empty = [] if classes or properties else ["It has no class and no property of its own."]
        names = {each.uri: each.name for each in classes}
        return OntologyContent(
            uri=heads[0] if heads else "",
            name=name or PurePath(filename).stem,
            format=found,
            triples=len(self._graph),
            individuals=len(self._of_types((f"{_OWL}NamedIndividual",))),
            imports=sorted({str(each) for _, _, each in self._graph.triples((None, self._uri(f"{_OWL}imports"), None))}),
            notes=[*empty, *_find_cycles(classes), *_tell_contradictions(find_contradictions(self._graph), names)],
            classes=classes,
            properties=properties,
            named_individuals=sorted(self._individuals(set(names)), key=lambda each: each.uri),
        )

    def _of_types(self, types: Iterable[str]) -> set[str]:
        """Return the named things of these types."""
        subjects = (each for name in types for each in self._graph.subjects(self._uri(f"{_RDF}type"), self._uri(name)))
        return {str(each) for each in subjects if isinstance(each, self._uri)}

    def _class_uris(self) -> set[str]:
        """Return the classes: what is declared as one, and what has a parent or is one."""
        related = (each for name in _PARENTS for one, other in self._graph.subject_objects(self._uri(name)) for each in (one, other))
        return self._of_types(_CLASSES) | {str(each) for each in related if isinstance(each, self._uri)} - {f"{_OWL}Thing"}

    def _class(self, uri: str, properties: list[str]) -> OntologyClass:
        labels = self._labels(uri)
        equal = self._graph.objects(self._uri(uri), self._uri(f"{_OWL}equivalentClass"))
        parts = {part for each in equal for part in self._members(each, (f"{_OWL}intersectionOf",))}  # what is all of these is each of them
        parents = (self._named(uri, _PARENTS, ()) | parts) - {uri, f"{_OWL}Thing"}
        return OntologyClass(
            uri=uri,
            name=_choose_name(labels, _spoken_name(uri)) or _local_name(uri),
            description=self._text(uri),
            parent_uris=sorted(parents),
            properties=properties,
            labels=labels,
        )

    def _property(self, uri: str) -> OntologyProperty:
        labels = self._labels(uri)
        return OntologyProperty(
            uri=uri,
            name=_choose_name(labels, _spoken_name(uri)) or _local_name(uri),
            domain=sorted(self._named(uri, _DOMAINS, _SET_OF)),
            range=sorted(self._named(uri, _RANGES, _SET_OF)),
            description=self._text(uri),
            labels=labels,
        )

    def _individuals(self, classes: set[str]) -> Iterator[OntologyIndividual]:
        """Yield what is said to be of a class and is neither class nor property itself."""
        kinds: defaultdict[str, set[str]] = defaultdict(set)
        for one, kind in self._graph.subject_objects(self._uri(f"{_RDF}type")):
            if isinstance(one, self._uri) and str(kind) in classes and str(one) not in classes:
                kinds[str(one)].add(str(kind))
        for uri in kinds.keys() - self._of_types(_PROPERTIES):
            labels = self._labels(uri) or {"": [_CAMEL.sub(" ", _local_name(uri)).replace("_", " ")]}
            yield OntologyIndividual(uri=uri, labels=labels, class_uris=sorted(kinds[uri]))

    def _named(self, uri: str, predicates: Iterable[str], sets: Iterable[str]) -> set[str]:
        """Return what the predicates name, and the members of unnamed sets."""
        objects = [each for name in predicates for each in self._graph.objects(self._uri(uri), self._uri(name))]
        return {str(each) for each in objects if isinstance(each, self._uri)} | {part for each in objects for part in self._members(each, sets)}

    def _members(self, node: Node, sets: Iterable[str]) -> Iterator[str]:
        if isinstance(node, self._blank):
            for name in sets:
                for items in self._graph.objects(node, self._uri(name)):
                    yield from (str(each) for each in self._graph.items(items) if isinstance(each, self._uri))

    def _labels(self, uri: str, predicates: Iterable[str] = _LABELS) -> Labels:
        """Return labels and aliases by language, those that a name is chosen of first."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for name in predicates:
            for each in sorted(self._graph.objects(self._uri(uri), self._uri(name)), key=str):
                text, language = " ".join(str(each).split()), (getattr(each, "language", None) or "").lower()
                if text and text not in found[language]:
                    found[language].append(text)
        return {language: texts for language, texts in sorted(found.items()) if texts}

    def _text(self, uri: str) -> str:
        return _choose_name(self._labels(uri, _DESCRIPTIONS))


def _choose_name(texts: Labels, instead: str = "") -> str:
    """Return the English one, else one without a language, else `instead`, else the first."""
    named = [texts[language][0] for language in ("en", "en-us", "en-gb", "") if language in texts]
    return next(iter([*named, *([instead] if instead else []), *(each[0] for each in texts.values())]), "")


def _spoken_name(uri: str) -> str:
    """Return the last part of an address where it is made of words, "" for a number or code."""
    name = _local_name(uri)
    return name if name.replace("_", "").replace("-", "").isalpha() else ""


def _local_name(uri: str) -> str:
    return uri.rstrip("/#").replace("#", "/").rpartition("/")[2] or uri


def _find_cycles(classes: Iterable[OntologyClass]) -> list[str]:
    """Return a sentence for classes that are each other's subclass."""
    names = {each.uri: each.name for each in classes}
    tree = nx.DiGraph((each.uri, parent) for each in classes for parent in each.parent_uris)
    rings = sorted(sorted(names.get(uri, uri) for uri in ring) for ring in nx.strongly_connected_components(tree) if len(ring) > 1)
    return [f"{', '.join(ring[:_NAMED_IN_NOTE])} are subclasses of each other, so they are taken for the same." for ring in rings]


def _tell_contradictions(found: Mapping[str, tuple[str, str]], names: Mapping[str, str]) -> list[str]:
    """Return a sentence for each of the first classes that nothing can belong to, and one that counts the others."""
    told = sorted((names.get(uri, uri), *(names.get(each, each) for each in pair)) for uri, pair in found.items())
    more = [f"{len(told) - _NAMED_IN_NOTE} more classes contradict themselves."] if len(told) > _NAMED_IN_NOTE else []
    sentences = (f"{name} contradicts itself: {one} and {other} exclude each other, so nothing can be one." for name, one, other in told)
    return [*list(sentences)[:_NAMED_IN_NOTE], *more]
