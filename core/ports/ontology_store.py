"""The ontologies of a tenant, kept and loaded."""

from __future__ import annotations

from typing import Protocol

from core.ontologies import Ontology, OntologySummary


class OntologyStore(Protocol):
    """Every method filters by tenant."""

    async def save(self, tenant: str, ontology: Ontology) -> None:
        """Keep an ontology, in the place of one with the same id."""
        ...

    async def list_ontologies(self, tenant: str) -> list[OntologySummary]:
        """Return them without their classes, the latest first."""
        ...

    async def load(self, tenant: str, ontology_id: str) -> Ontology:
        """Return one with its classes and properties. Raises NotFound."""
        ...

    async def remove(self, tenant: str, ontology_id: str) -> None:
        """Remove one. Raises NotFound."""
        ...


class Ontologies(Protocol):
    """The ontologies as HTTP needs them. Every method raises Conflict where support is switched off."""

    async def add(self, tenant: str, filename: str, data: bytes) -> OntologySummary:
        """Read a file and keep what it holds. Raises InvalidInput for one that cannot be read, and TooLarge."""
        ...

    async def list_ontologies(self, tenant: str) -> list[OntologySummary]: ...
    async def load(self, tenant: str, ontology_id: str) -> Ontology: ...
    async def remove(self, tenant: str, ontology_id: str) -> None: ...
