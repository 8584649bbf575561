"""Ontologies over every database: kept whole, listed the latest first without their classes, tenants apart, gone when they are removed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import NotFound
from core.ontologies import Ontology, OntologyClass, OntologyProperty
from storage.database import Database
from storage.sql_ontologies import SqlOntologies
from tests.support.databases import BACKENDS, open_backend

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as opened:
        yield opened


def make_ontology(ontology_id: str, at: datetime = NOON) -> Ontology:
    return Ontology(
        id=ontology_id, uri="x:terms", name="Terms", filename="terms.ttl", format="turtle", triples=9, class_count=1, property_count=1, individuals=0,
        imports=["x:other"], notes=["A, B are subclasses of each other."], loaded_at=at,
        classes=[OntologyClass(uri="x:Schiff", name="Schiff", labels={"de": ["Schiff", "Kahn\u0000"]}, parent_uris=["x:Ding"])],
        properties=[OntologyProperty(uri="x:pulls", name="pulls", domain=["x:Schiff"])],
    )  # fmt: skip


async def test_an_ontology_comes_back_whole_and_another_takes_its_place(database: Database) -> None:
    store, kept = SqlOntologies(database), make_ontology("a").model_copy(update={"classes": []})
    await store.save("t", make_ontology("a"))
    assert (await store.load("t", "a")).classes[0].parent_uris == ["x:Ding"]
    await store.save("t", kept)
    assert await store.load("t", "a") == kept


async def test_they_are_listed_by_tenant_the_latest_first_and_removed(database: Database) -> None:
    store = SqlOntologies(database)
    await store.save("t", make_ontology("a"))
    await store.save("t", make_ontology("b", NOON + timedelta(seconds=1)))
    await store.save("other", make_ontology("a"))
    assert [(each.id, each.imports, each.class_count) for each in await store.list_ontologies("t")] == [("b", ["x:other"], 1), ("a", ["x:other"], 1)]
    await store.remove("t", "a")
    assert [each.id for each in await store.list_ontologies("t")] == ["b"]
    assert [each.id for each in await store.list_ontologies("other")] == ["a"]
    for forbidden in (store.load("t", "a"), store.remove("t", "a"), store.load("other", "b")):
        with pytest.raises(NotFound):
            await forbidden
