"""The ontologies of a tenant, kept and loaded, and the classes that entities have by them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from core.graph import EntityClass
from core.ontologies import LoadedOntology, Ontology, OntologySummary
from core.typings import EntityTyping, StatedClass, SurfaceName, UntypedDocument

TYPING_JOB = "ontology"  # the kind of a job that types a library's entities


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


class TypingStore(Protocol):
    """The classes that documents give to entities, kept for each document and ontology. Every method filters by tenant. What a document gave goes
    when it is removed or written anew, what an ontology gave when it is removed."""

    async def tenants(self) -> list[str]:
        """Return the tenants that have an ontology."""
        ...

    async def count_untyped(self, tenant: str) -> int:
        """Return how many pairs of a document with a graph and an ontology were not read together yet."""
        ...

    async def list_untyped(self, tenant: str, limit: int) -> list[UntypedDocument]:
        """Return the first of them, by ontology."""
        ...

    async def save(self, tenant: str, of: UntypedDocument, found: Sequence[EntityTyping]) -> bool:
        """Keep what a document gives by an ontology; False where its graph was written anew since, or one of the two is gone: nothing is kept
        then."""
        ...

    async def find_classes(self, tenant: str, surfaces: Collection[SurfaceName]) -> list[StatedClass]:
        """Return the classes of these surfaces, each with a sentence."""
        ...

    async def find_surfaces(self, tenant: str, class_uris: Collection[str]) -> set[SurfaceName]:
        """Return the surfaces that have one of these classes."""
        ...


class EntityClasses(Protocol):
    """The classes of entities as the graph shows and filters by them."""

    async def find_classes(self, tenant: str, surfaces: Mapping[str, Sequence[SurfaceName]]) -> dict[str, list[EntityClass]]:
        """Return entity id -> its classes, the surest first, by the surfaces that each is made of; a class above another one is left out."""
        ...

    async def find_surfaces(self, tenant: str, class_name: str) -> set[SurfaceName]:
        """Return the surfaces that have the class of this name, label or address, or one below it. Raises InvalidInput for an unknown one."""
        ...


class Ontologies(Protocol):
    """The ontologies as HTTP needs them. Every method raises Conflict where support is switched off."""

    async def add(self, tenant: str, filename: str, data: bytes) -> LoadedOntology:
        """Read a file and keep what it holds, and begin to type the library's entities where that is on. Raises InvalidInput for one that cannot be
        read, and TooLarge."""
        ...

    async def list_ontologies(self, tenant: str) -> list[OntologySummary]: ...
    async def load(self, tenant: str, ontology_id: str) -> Ontology: ...
    async def remove(self, tenant: str, ontology_id: str) -> None: ...
