"""Entities typed by an ontology: every public ontology read, and typing F1 on CrossNER politics with and without.

`python -m benchmarks.ontology_typing`. Sentences are documents of a line; a half of them is a library, so a class that one sentence gives to a name
holds for it in the others. A span counts with its type where both are exact. Which type stands for the rules' own types (person, organisation, place,
event) is chosen on the first half for every column, and so were the words of `political_terms.ttl`; the second half judges.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.graph import NameScore, Span, gold_spans, make_page, rows
from benchmarks.machine import data_folder, describe
from core.errors import InvalidInput
from core.graph import EntityType
from core.language.place_names import COUNTRIES
from core.ontologies import Ontology, OntologyIndividual
from core.typings import RULES, SurfaceName
from graph.ontologies.class_names import ClassNames
from graph.ontologies.entity_typing import type_entities
from graph.ontologies.ontology_reader import read_ontology
from tests.support.graphs import THEN, MemoryGraphStore

TERMS = Path(__file__).with_name("political_terms.ttl")
POLITICS, SCHEMA = "https://vantage.example/politics#", "https://schema.org/"
# The class nearest above decides which of the set's types a class stands for.
TYPES = {
    f"{POLITICS}Person": "person", f"{POLITICS}Politician": "politician", f"{POLITICS}Organisation": "organisation",
    f"{POLITICS}PoliticalParty": "politicalparty", f"{POLITICS}Election": "election", f"{POLITICS}Event": "event", f"{POLITICS}Place": "location",
    f"{POLITICS}Country": "country",
    f"{SCHEMA}Person": "person", f"{SCHEMA}Organization": "organisation", f"{SCHEMA}PoliticalParty": "politicalparty", f"{SCHEMA}Event": "event",
    f"{SCHEMA}Place": "location", f"{SCHEMA}Country": "country",
}  # fmt: skip
KINDS = (EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.CONCEPT)


class ReadName(NamedTuple):
    """A name that the rules found: its entity, and whether it is an event."""

    surface: SurfaceName
    is_event: bool

    @property
    def kind(self) -> str:
        return "EVENT" if self.is_event else self.surface[1].value


class ReadSentence(NamedTuple):
    gold: dict[Span, str]
    found: dict[Span, ReadName]


def load_ontology(path: Path) -> Ontology:
    read = read_ontology(path.read_bytes(), path.name)
    return Ontology(
        id=path.stem, filename=path.name, class_count=len(read.classes), property_count=len(read.properties), loaded_at=THEN, **dict(read)
    )


def with_countries(ontology: Ontology) -> Ontology:
    """Return the ontology with the countries that the product knows as individuals."""
    named = [OntologyIndividual(uri=f"{POLITICS}{name}", labels={"en": [name]}, class_uris=[f"{POLITICS}Country"]) for name in sorted(COUNTRIES)]
    return ontology.model_copy(update={"named_individuals": named})


def read_library(sentences: Sequence[dict[str, Any]], names: ClassNames | None) -> tuple[list[ReadSentence], dict[SurfaceName, str]]:
    """Return the sentences with what the rules found, and the type that the ontology gives to each entity."""
    store, read = MemoryGraphStore(), []
    said: defaultdict[SurfaceName, Counter[tuple[int, str]]] = defaultdict(Counter)
    for row in sentences:
        document = make_page("", row["text"])
        graph = store.put_document(row["id"], document)
        found = {
            (start, end): ReadName((each.key, each.entity_type), bool(each.properties.get("event")))
            for each in graph.entities
            if each.entity_type in KINDS
            for _, start, end in each.mentions
        }
        read.append(ReadSentence(gold_spans(row), found))
        for typing in type_entities(names, graph, document) if names is not None else ():
            kind = next((TYPES[uri] for uri in (typing.class_uri, *names.ancestors[typing.class_uri]) if uri in TYPES), None) if names else None
            if kind is not None:
                said[typing.surface][RULES.index(typing.rule), kind] += 1
    return read, {surface: min(kinds, key=lambda each: (each[0], -kinds[each], each[1]))[1] for surface, kinds in said.items()}


def choose_defaults(read: Sequence[ReadSentence], classes: Mapping[SurfaceName, str]) -> dict[str, str]:
    """Return the rules' type -> the set's type that names without a class have most often."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in read:
        for span, name in sentence.found.items():
            if name.surface not in classes:
                counts[name.kind][sentence.gold.get(span, "")] += 1
    return {kind: max(found, key=lambda each: (found[each], each)) for kind, found in counts.items()}


def score(read: Sequence[ReadSentence], classes: Mapping[SurfaceName, str], defaults: Mapping[str, str]) -> tuple[NameScore, NameScore]:
    """Return F1 of spans with their types, and of those alone that a class was given to (their recall is of all spans)."""
    right = found = wanted = typed_right = typed = 0
    for sentence in read:
        wanted += len(sentence.gold)
        for span, name in sentence.found.items():
            kind = classes.get(name.surface, defaults.get(name.kind, ""))
            found += bool(kind)
            right += bool(kind) and sentence.gold.get(span) == kind
            typed += name.surface in classes
            typed_right += name.surface in classes and sentence.gold.get(span) == kind
    return NameScore(right, found, wanted), NameScore(typed_right, typed, wanted)


def print_typing(folder: Path) -> None:
    path, schema = folder / "ner" / "crossner_politics_test.jsonl", folder / "ontologies" / "schemaorg__schemaorg-current-https.nt"
    if not path.is_file() or not schema.is_file():
        print(f"typing skipped: {path} or {schema} is not there (set VANTAGE_DATA)")
        return
    sentences = list(rows(path))
    halves = sentences[::2], sentences[1::2]
    ways: dict[str, ClassNames | None] = {
        "no ontology": None,
        "schema.org": ClassNames(load_ontology(schema)),
        TERMS.name: ClassNames(load_ontology(TERMS)),
        f"{TERMS.name}, countries named": ClassNames(with_countries(load_ontology(TERMS))),
    }
    print(f"{'span and type, nine types':<42}{'precision':>10}{'recall':>8}{'F1':>8}   of names with a class")
    for name, names in ways.items():
        defaults: dict[str, str] = {}
        for half, part in zip(("first", "second"), halves, strict=True):
            read, classes = read_library(part, names)
            defaults = defaults or choose_defaults(read, classes)
            every, typed = score(read, classes, defaults)
            print(f"{f'{name}, {half} half':<44}{every}   {typed}")


def print_ontologies(folder: Path) -> None:
    print(f"{'ontology':<44}{'classes':>8}{'properties':>11}{'individuals':>12}{'s':>6}  notes")
    for path, read in _ontologies(folder / "ontologies"):
        started = time.process_time()
        try:
            found = read()
            counts = f"{len(found.classes):>8}{len(found.properties):>11}{len(found.named_individuals):>12}"
            print(f"{path.name:<44}{counts}{time.process_time() - started:>6.1f}  {' '.join(found.notes)}")
        except InvalidInput as error:
            print(f"{path.name:<44}refused: {error}")


def _ontologies(folder: Path) -> Iterator[tuple[Path, Any]]:
    for path in sorted(folder.glob("*__*")):
        yield path, lambda path=path: read_ontology(path.read_bytes(), path.name)


def main() -> None:
    folder = data_folder()
    print(f"{describe()}; rules alone, no model\n")
    print_ontologies(folder)
    print()
    print_typing(folder)


if __name__ == "__main__":
    main()
