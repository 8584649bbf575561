"""Ontologies, kept: `core.ports.OntologyStore` over SQL."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from core.errors import NotFound
from core.ontologies import Ontology, OntologySummary
from storage.blobs import pack_json, unpack_json
from storage.database import Database
from storage.ontology_tables import ontologies

_LISTED = [ontologies.c[name] for name in OntologySummary.model_fields]


class SqlOntologies:
    """core.ports.OntologyStore over SQL. Every method filters by tenant."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, tenant: str, ontology: Ontology) -> None:
        listed = ontology.model_dump(include=set(OntologySummary.model_fields))
        content = pack_json(ontology.model_dump(mode="json", exclude=set(OntologySummary.model_fields)))

        def work(connection: Connection) -> None:
            connection.execute(delete(ontologies).where(ontologies.c.tenant == tenant, ontologies.c.id == ontology.id))
            connection.execute(insert(ontologies).values(tenant=tenant, content=content, **listed))

        await self._database.write(work)

    async def list_ontologies(self, tenant: str) -> list[OntologySummary]:
        query = select(*_LISTED).where(ontologies.c.tenant == tenant).order_by(ontologies.c.loaded_at.desc(), ontologies.c.id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [OntologySummary.model_validate(dict(row._mapping)) for row in rows]

    async def load(self, tenant: str, ontology_id: str) -> Ontology:
        query = select(*_LISTED, ontologies.c.content).where(ontologies.c.tenant == tenant, ontologies.c.id == ontology_id)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise NotFound(_UNKNOWN)
        listed = dict(row._mapping)
        return Ontology.model_validate(listed | unpack_json(listed.pop("content")))

    async def remove(self, tenant: str, ontology_id: str) -> None:
        query = delete(ontologies).where(ontologies.c.tenant == tenant, ontologies.c.id == ontology_id)
        if not await self._database.write(lambda connection: connection.execute(query).rowcount):
            raise NotFound(_UNKNOWN)


_UNKNOWN = "There is no such ontology. `vantage ontology list` shows those that are loaded."
