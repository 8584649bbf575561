"""Entities typed by an ontology: by the head of a name, appositions, individuals and properties; never by letters inside a name."""

from __future__ import annotations

import pytest

from core.graph import TypingRule
from core.ontologies import Ontology, OntologyClass, OntologyIndividual, OntologyProperty
from graph.ontologies.class_hierarchy import ClassHierarchy
from graph.ontologies.class_names import ClassNames
from graph.ontologies.entity_typing import type_entities
from tests.support.graphs import THEN, MemoryGraphStore, make_paragraphs

CLASSES = {  # name -> labels, parent
    "Organisation": ({"en": ["organisation"]}, None),
    "Company": ({"en": ["company"], "de": ["Unternehmen"]}, "Organisation"),
    "LimitedCompany": ({"en": ["limited liability company"], "": ["GmbH"]}, "Company"),
    "Person": ({"en": ["person"]}, None),
    "Minister": ({"en": ["minister"]}, "Person"),
    "Place": ({"en": ["place"]}, None),
    "River": ({"en": ["river"], "de": ["Fluss"]}, "Place"),
    "Country": ({"en": ["country"]}, "Place"),
    "Port": ({"en": ["port"]}, "Place"),
    "Car": ({"en": ["car"]}, None),
    "Crane": ({"en": ["crane"]}, None),
}


def make_ontology(
    classes: dict[str, tuple[dict[str, list[str]], str | None]] = CLASSES,
    properties: list[OntologyProperty] | None = None,
    individuals: list[OntologyIndividual] | None = None,
    ontology_id: str = "o",
) -> Ontology:
    made = [
        OntologyClass(uri=f"x:{name}", name=name, labels=labels, parent_uris=[f"x:{parent}"] if parent else [])
        for name, (labels, parent) in classes.items()
    ]
    return Ontology(
        id=ontology_id, uri="x:", name="Terms", filename="terms.ttl", format="turtle", triples=1, class_count=len(made), property_count=0,
        individuals=0, imports=[], notes=[], loaded_at=THEN, classes=made, properties=properties or [], named_individuals=individuals or [],
    )  # fmt: skip


PROPERTIES = [
    OntologyProperty(uri="x:worksFor", name="worksFor", domain=["x:Person"], range=["x:Company"]),
    OntologyProperty(uri="x:founder", name="founder", domain=["x:Company"], range=["x:Person", "x:Company"], labels={"en": ["founder"]}),
]
INDIVIDUALS = [OntologyIndividual(uri="x:it", labels={"en": ["Italy"], "de": ["Italien"]}, class_uris=["x:Country"])]
TERMS = ClassNames(make_ontology(properties=PROPERTIES, individuals=INDIVIDUALS))


def typed(*texts: str, names: ClassNames = TERMS) -> set[tuple[str, str, TypingRule]]:
    """(name's key, class, rule) of each."""
    store, document = MemoryGraphStore(), make_paragraphs(*texts)
    found = type_entities(names, store.put_document("d", document), document)
    for each in found:
        assert document.text[each.start : each.end].strip()
    return {(each.surface[0], each.class_uri.removeprefix("x:"), each.rule) for each in found}


@pytest.mark.parametrize(
    ("text", "key", "name", "rule"),
    [
        ("Yesterday ACME GmbH, a limited liability company, paid the invoice.", "acme", "LimitedCompany", "apposition"),
        ("Yesterday Merrow Chandlers, a small company based in Elver, paid it.", "merrow chandlers", "Company", "apposition"),
        ("In May Merrow Chandlers was a company of forty people.", "merrow chandlers", "Company", "apposition"),
        ("They sailed down the river Thames in May.", "thames", "River", "apposition"),
        ("They wrote to countries such as Norway, Chile and Ghana in May.", "ghana", "Country", "apposition"),
        ("They wrote to Norway, Chile and other countries.", "norway", "Country", "apposition"),
        ("They wrote to Port of Elver in May.", "port of elver", "Port", "head_noun"),
        ("They lived by the Severn River in May.", "severn river", "River", "head_noun"),
        ("They shipped it to Italy in May.", "italy", "Country", "individual"),
        ("In May Mara Ellison works for Merrow Chandlers.", "merrow chandlers", "Company", "property"),
        ("In May Mara Ellison works for Merrow Chandlers.", "mara ellison", "Person", "property"),
        ("They met Mara Ellison, founder of Merrow Chandlers Ltd, in May.", "mara ellison", "Person", "property"),
    ],
)
def test_a_class_is_told_by_words_of_its_own(text: str, key: str, name: str, rule: TypingRule) -> None:
    assert (key, name, rule) in typed(text)


@pytest.mark.parametrize(
    "text",
    [
        "They met Oscar in Cardiff and drove to Carlisle.",  # letters inside a name
        "Yesterday Carmen Reyes, a car dealer, paid the invoice.",  # "car" is no head of "car dealer"
        "Yesterday Merrow Chandlers, not a company, paid the invoice.",
        "The owner of Merrow Chandlers is a minister.",  # the owner is
        "Yesterday Mara Ellison, a company, paid.",  # a person is no firm
        "They bought Country in May.",  # the class's own name names no thing of it
        "In London, the company decided that it would pay.",  # a new clause
    ],
)
def test_what_only_looks_like_a_class_types_nothing(text: str) -> None:
    assert typed(text) == set()


def test_a_domain_of_several_classes_types_only_what_can_be_one_of_them() -> None:
    either = [OntologyProperty(uri="x:advises", name="advises", domain=["x:Person", "x:Company"], range=["x:Company", "x:Organisation"])]
    found = typed("In May Mara Ellison advises Merrow Chandlers Ltd.", names=ClassNames(make_ontology(properties=either)))
    assert ("mara ellison", "Person", "property") in found
    assert not any(key.startswith("merrow") for key, _, _ in found)  # a company or an organisation: nobody said which


def test_labels_of_other_languages_and_of_addresses_are_read() -> None:
    assert ("merrow chandlers", "Company", "apposition") in typed("Gestern hat Merrow Chandlers, ein Unternehmen aus Elver, gezahlt.")
    camel = ClassNames(make_ontology({"LocalBusiness": ({}, None)}))
    assert ("merrow chandlers", "LocalBusiness", "apposition") in typed("They paid Merrow Chandlers, a local business.", names=camel)


def test_no_ontology_and_no_text_type_nothing() -> None:
    assert typed("They sailed down the river Thames.", names=ClassNames(make_ontology({}))) == set()
    assert typed("") == set()


def test_classes_in_a_ring_are_all_above_and_below_each_other() -> None:
    ring = make_ontology({"A": ({}, "B"), "B": ({}, "C"), "C": ({}, "A"), "D": ({"en": ["dock"]}, "A")})
    assert ClassNames(ring).ancestors["x:D"] == ("x:A", "x:B", "x:C")
    hierarchy = ClassHierarchy([ring])
    assert hierarchy.find("C") == {"x:A", "x:B", "x:C", "x:D"}
    assert hierarchy.find("Dock") == {"x:D"}
    assert hierarchy.ancestors("x:D") == {"x:A", "x:B", "x:C"}
    assert hierarchy.ancestors("x:A") == set()
    assert hierarchy.find("nothing") == set()


def test_a_class_of_one_file_has_its_parent_in_another() -> None:
    base, more = make_ontology({"Vessel": ({"en": ["vessel"]}, None)}), make_ontology({"Tug": ({"de": ["Schlepper"]}, "Vessel")}, ontology_id="p")
    hierarchy = ClassHierarchy([base, more])
    assert hierarchy.find("x:Vessel") == hierarchy.find("VESSEL") == {"x:Vessel", "x:Tug"}
    assert hierarchy.find("schlepper") == {"x:Tug"}
