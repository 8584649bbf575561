"""Ontologies: load one from a file, list them, read one, remove one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, UploadFile

from core.errors import Forbidden
from core.ontologies import MAX_BYTES, LoadedOntology, Ontology, OntologyList
from server.auth import AppServices, Caller
from server.request_identity import Identity
from server.uploads import safe_name

router = APIRouter(tags=["ontologies"])

OntologyId = Annotated[str, Path(min_length=1, max_length=64)]


@router.get("/ontologies")
async def list_ontologies(caller: Caller, services: AppServices) -> OntologyList:
    """The tenant's ontologies, the latest first, without their classes."""
    return OntologyList(ontologies=await services.ontologies.list_ontologies(caller.tenant))


@router.get("/ontologies/{ontology_id}")
async def read_ontology(ontology_id: OntologyId, caller: Caller, services: AppServices) -> Ontology:
    """An ontology with its classes and properties."""
    return await services.ontologies.load(caller.tenant, ontology_id)


@router.post("/ontologies", status_code=201)
async def add_ontology(file: UploadFile, caller: Caller, services: AppServices) -> LoadedOntology:
    """Load an ontology: RDF/XML, Turtle, N-Triples or JSON-LD. Imports and contexts by address are never fetched. Where `ontology.auto_type` is on, a
    job (`typing_job`) gives the library's entities its classes. Administrators only."""
    _require_administrator(caller)
    return await services.ontologies.add(caller.tenant, safe_name(file.filename or ""), await file.read(MAX_BYTES + 1))


@router.delete("/ontologies/{ontology_id}", status_code=204)
async def remove_ontology(ontology_id: OntologyId, caller: Caller, services: AppServices) -> None:
    """Remove an ontology. With keys an administrator's is needed."""
    await services.ontologies.load(caller.tenant, ontology_id)  # what is another tenant's is unknown, whoever asks
    _require_administrator(caller)
    await services.ontologies.remove(caller.tenant, ontology_id)


def _require_administrator(caller: Identity) -> None:
    if caller.has_key and caller.role != "admin":
        raise Forbidden("Ontologies are loaded and removed by an administrator of the tenant. Use such a key.")
