"""Ontologies: read in four formats, with all labels, domains and parents; what grows, fetches or is written otherwise is refused; tenants apart."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import Conflict, InvalidInput, NotFound, TooLarge
from core.ontologies import MAX_BYTES, Ontology, OntologyContent, OntologySummary
from graph.ontologies.ontology_reader import read_ontology
from graph.ontologies.tenant_ontologies import TenantOntologies

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "ontologies"
HARBOUR = """
@prefix : <https://harbour.example/terms#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix s: <https://schema.org/> .
<https://harbour.example/terms> a owl:Ontology ; dcterms:title "Harbour terms"@en ; owl:imports <https://harbour.example/missing.ttl> .
:Vessel a owl:Class ; rdfs:label "Schiff"@de , "vessel"@en ; skos:altLabel "ship"@en ; rdfs:comment "What floats and carries."@en .
:Tug a owl:Class ; rdfs:subClassOf :Vessel , :Tug , [ a owl:Restriction ; owl:onProperty :pulls ; owl:someValuesFrom :Vessel ] ;
  rdfs:label "Schlepper"@de .
:FloatingCrane a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( :Vessel :Crane ) ] .
:Crane a rdfs:Class .
:C0042 rdfs:subClassOf :Crane ; rdfs:label "Brückenkran"@de .
:pulls a owl:ObjectProperty ; rdfs:label "pulls" ; rdfs:domain :Tug ; rdfs:range [ a owl:Class ; owl:unionOf ( :Vessel :Crane ) ] .
:lifts a owl:DatatypeProperty ; s:domainIncludes :Crane , :FloatingCrane .
:oda a :Tug , owl:NamedIndividual .
"""
BASE = "https://harbour.example/terms#"
XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY owl "http://www.w3.org/2002/07/owl#" > <!ENTITY h "https://harbour.example/terms#" > {more} ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<rdf:Description rdf:about="&h;Vessel"><rdf:type rdf:resource="&owl;Class"/><rdfs:label>{label}</rdfs:label></rdf:Description></rdf:RDF>"""


def read(text: str, filename: str = "harbour.ttl") -> OntologyContent:
    return read_ontology(text.encode(), filename)


def test_classes_have_names_labels_parents_and_properties() -> None:
    found = read(HARBOUR)
    assert (found.name, found.format, found.individuals, found.imports) == ("Harbour terms", "turtle", 1, ["https://harbour.example/missing.ttl"])
    classes = {each.uri.removeprefix(BASE): each for each in found.classes}
    assert list(classes) == ["C0042", "Crane", "FloatingCrane", "Tug", "Vessel"]
    vessel, tug = classes["Vessel"], classes["Tug"]
    assert (vessel.name, vessel.labels, vessel.description) == ("vessel", {"de": ["Schiff"], "en": ["vessel", "ship"]}, "What floats and carries.")
    assert (tug.name, tug.parent_uris, tug.properties) == ("Tug", [f"{BASE}Vessel"], [f"{BASE}pulls"])  # no English label: the address says it
    assert classes["C0042"].name == "Brückenkran"
    assert classes["FloatingCrane"].parent_uris == [f"{BASE}Crane", f"{BASE}Vessel"]
    lifts, pulls = found.properties
    assert (lifts.domain, lifts.name) == ([f"{BASE}Crane", f"{BASE}FloatingCrane"], "lifts")
    assert (pulls.domain, pulls.range) == ([f"{BASE}Tug"], [f"{BASE}Crane", f"{BASE}Vessel"])


def test_the_formats_say_the_same() -> None:
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Graph().parse(data=HARBOUR, format="turtle")
    for form, name in (("xml", "a.owl"), ("nt", "a.nt"), ("json-ld", "a.jsonld"), ("turtle", "a.txt"), ("xml", "a"), ("json-ld", "a")):
        again = read(graph.serialize(format=form), name)
        assert (again.classes, again.properties) == (read(HARBOUR).classes, read(HARBOUR).properties)
        assert again.format == form


def test_classes_that_are_each_other_s_subclass_are_named() -> None:
    prefixes = "@prefix r: <http://www.w3.org/2000/01/rdf-schema#> . @prefix : <https://x.example/> . "
    ring = ":A r:subClassOf :B . :B r:subClassOf :C . :C r:subClassOf :A ."
    assert read(prefixes + ring).notes == ["A, B, C are subclasses of each other, so they are taken for the same."]


def test_classes_that_contradict_themselves_are_named() -> None:
    terms = """@prefix o: <http://www.w3.org/2002/07/owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> . @prefix : <https://x.example/> .
    :Ship o:disjointWith :Quay . :Barge r:subClassOf :Ship . :Pier r:subClassOf :Quay . :Floating_Pier r:subClassOf :Barge , :Pier .
    :sails a o:ObjectProperty ; r:domain :Ship ; r:range :Water . :Land o:disjointWith :Water .
    :Landing r:subClassOf :Quay , [ o:onProperty :sails ; o:someValuesFrom :Thing ] .
    :Sledge r:subClassOf [ o:onProperty :sails ; o:someValuesFrom :Land ] .
    :Fleet r:subClassOf [ o:onProperty :has ; o:someValuesFrom :Floating_Pier ] .
    :Lightship r:subClassOf :Ship , [ o:onProperty :sails ; o:allValuesFrom :Land ] ."""
    notes = read(terms).notes
    assert {note.split()[0] for note in notes} == {"Floating_Pier", "Landing", "Sledge", "Fleet"}
    assert "Landing contradicts itself: Quay and Ship exclude each other, so nothing can be one." in notes


def test_individuals_are_read_with_their_classes() -> None:
    (oda,) = read(HARBOUR).named_individuals
    assert (oda.uri, oda.labels, oda.class_uris) == (f"{BASE}oda", {"": ["oda"]}, [f"{BASE}Tug"])


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"{SHARED} is not there")
def test_the_two_classes_of_pizza_that_contradict_themselves_are_found() -> None:
    path = SHARED / "pizza-ontology__pizza.owl"
    assert [note.split()[0] for note in read_ontology(path.read_bytes(), path.name).notes] == ["CheeseyVegetableTopping", "IceCream"]


def test_small_entities_are_read() -> None:
    (only,) = read(XML.format(more="", label="vessel"), "a.rdf").classes
    assert (only.uri, only.name) == (f"{BASE}Vessel", "vessel")


@pytest.mark.parametrize(
    ("text", "filename", "said"),
    [
        (XML.format(more='<!ENTITY a "aaaa"> <!ENTITY b "&a;&a;&a;">', label="&b;"), "a.rdf", "grow without end"),
        (XML.format(more=f'<!ENTITY a "{"a" * 5000}">', label="&a;" * 9), "a.rdf", "grow without end"),
        (XML.format(more='<!ENTITY a SYSTEM "file:///etc/passwd">', label="&a;"), "a.rdf", "not fetched"),
        (XML.format(more='<!ENTITY % a SYSTEM "http://127.0.0.1/x"> %a;', label="v"), "a.rdf", "not fetched"),
        (XML.format(more="", label="vessel")[:-9], "a.rdf", "not well-formed"),
        ('<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>', "a.owl", "OWL/XML.*robot convert"),
        ("Prefix(:=<https://x.example/>)\nOntology(<https://x.example>)", "a.ofn", "functional or Manchester.*Protégé"),
        ("<html/>", "a.xml", "no|not"),
        (json.dumps({"@context": "https://schema.org", "@id": "x:a"}), "a.jsonld", "not fetched"),
        (json.dumps({"@context": [{"@vocab": "x:"}, "http://127.0.0.1/c"]}), "a.json", "not fetched"),
        (json.dumps({"a": {"@context": {"@import": "http://127.0.0.1/c"}}}), "a.json", "not fetched"),
        ("[" * 5000 + "]" * 5000, "a.json", "JSON"),
        ("@prefix : <https://x.example/> . :a :b :c .", "a.ttl", "no class"),
        ("this is a letter.", "a.ttl", "cannot be read as turtle"),
        ("", "a.ttl", "no class"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_do_and_nothing_is_fetched(
    text: str, filename: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(InvalidInput, match=said):
        read(text, filename)


class KeptOntologies:
    """core.ports.OntologyStore in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Ontology] = {}

    async def save(self, tenant: str, ontology: Ontology) -> None:
        self.kept[tenant, ontology.id] = ontology

    async def list_ontologies(self, tenant: str) -> list[OntologySummary]:
        return [each for (owner, _), each in self.kept.items() if owner == tenant]

    async def load(self, tenant: str, ontology_id: str) -> Ontology:
        if (tenant, ontology_id) not in self.kept:
            raise NotFound("There is no such ontology.")
        return self.kept[tenant, ontology_id]

    async def remove(self, tenant: str, ontology_id: str) -> None:
        await self.load(tenant, ontology_id)
        del self.kept[tenant, ontology_id]


async def test_a_file_that_is_loaded_twice_is_one_ontology_and_a_tenant_s_own() -> None:
    store = KeptOntologies()
    known = TenantOntologies(store, enabled=True, now=lambda: NOW)
    first = await known.add("acme:ann", "harbour.ttl", HARBOUR.encode())
    assert (await known.add("acme", "again.ttl", HARBOUR.encode())).id == first.id
    assert (first.class_count, first.property_count, first.loaded_at) == (5, 2, NOW)
    assert [each.filename for each in await known.list_ontologies("acme:ben")] == ["again.ttl"]
    with pytest.raises(NotFound):
        await known.load("other", first.id)
    assert (await known.load("acme", first.id)).classes[0].name == "Brückenkran"
    with pytest.raises(TooLarge):
        await known.add("acme", "large.ttl", b" " * (MAX_BYTES + 1))
    await known.remove("acme", first.id)
    assert store.kept == {}


async def test_without_support_nothing_is_loaded_and_it_is_said_what_to_set() -> None:
    known = TenantOntologies(KeptOntologies(), enabled=False)
    with pytest.raises(Conflict, match="support_enabled"):
        await known.add("acme", "harbour.ttl", HARBOUR.encode())
    with pytest.raises(Conflict):
        await known.list_ontologies("acme")


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data/ontologies is not there")
def test_every_public_file_is_read_or_told_how_to_convert() -> None:
    refused: dict[str, str] = {}
    classes: dict[str, set[str]] = {}
    for path in sorted(each for each in SHARED.iterdir() if each.suffix not in {".md", ".csv"}):
        try:
            classes[path.name] = {each.name for each in read_ontology(path.read_bytes(), path.name).classes}
        except InvalidInput as error:
            refused[path.name] = str(error)
    assert (len(classes), len(refused)) == (20, 2)
    assert all("robot convert" in said for said in refused.values())
    assert {"CheeseyVegetableTopping", "IceCream"} <= next(found for name, found in classes.items() if "pizza" in name)
