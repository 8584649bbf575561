"""`TenantOntologies`: the ontologies that each tenant loaded, several side by side."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

import anyio
import anyio.to_thread

from core.errors import Conflict, TooLarge
from core.ontologies import MAX_BYTES, LoadedOntology, Ontology, OntologySummary
from core.ownership import shared_library
from core.ports.ontology_store import OntologyStore
from graph.ontologies.library_typings import LibraryTypings
from graph.ontologies.ontology_reader import read_ontology, require_rdflib


class TenantOntologies:
    """core.ports.Ontologies: everybody's in a tenant. Raises ConfigurationError at once where they are `enabled` and the package is missing. Without
    `typings` no entity gets a class."""

    def __init__(
        self, store: OntologyStore, *, enabled: bool, typings: LibraryTypings | None = None, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        if enabled:
            require_rdflib()
        self._store, self._enabled, self._typings, self._now = store, enabled, typings, now
        self._readers = anyio.CapacityLimiter(1)  # one file at a time: a large one takes seconds and memory

    async def add(self, tenant: str, filename: str, data: bytes) -> LoadedOntology:
        self._require_support()
        if len(data) > MAX_BYTES:
            raise TooLarge(f"{filename} has more than {MAX_BYTES:,} bytes, which an ontology may have.")
        read = await anyio.to_thread.run_sync(read_ontology, data, filename, limiter=self._readers)
        made = Ontology(
            id=hashlib.sha256(data).hexdigest()[:16],
            filename=filename,
            class_count=len(read.classes),
            property_count=len(read.properties),
            loaded_at=self._now(),
            **dict(read),
        )
        await self._store.save(shared_library(tenant), made)
        job = await self._typings.queue(shared_library(tenant)) if self._typings is not None else None
        listed = made.model_dump(include=set(OntologySummary.model_fields))
        return LoadedOntology(**listed, typing_job=job.id if job is not None else None)

    async def list_ontologies(self, tenant: str) -> list[OntologySummary]:
        self._require_support()
        return await self._store.list_ontologies(shared_library(tenant))

    async def load(self, tenant: str, ontology_id: str) -> Ontology:
        self._require_support()
        return await self._store.load(shared_library(tenant), ontology_id)

    async def remove(self, tenant: str, ontology_id: str) -> None:
        self._require_support()
        await self._store.remove(shared_library(tenant), ontology_id)

    def _require_support(self) -> None:
        if not self._enabled:
            raise Conflict("Ontologies are switched off. Set ontology.support_enabled: true and start Vantage anew.")
