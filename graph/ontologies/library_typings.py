"""`LibraryTypings`: the entities of a library typed by its ontologies, as a job when one is loaded and by itself for documents that come later.

What is typed follows from pairs of a document's graph and an ontology alone, and which pairs are left from the store: whichever of the two comes
first, and wherever a process ends, the result is the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import anyio
import anyio.to_thread

from core.documents import ExtractedDocument
from core.errors import Cancelled, InvalidInput, NotFound, VantageError
from core.graph import EntityClass
from core.ontologies import Ontology
from core.ports import TYPING_JOB, ClaimableJobStore, DocumentContent, JobRecord, OntologyStore, TypingStore
from core.ports.graph_store import GraphStore, StoredGraph
from core.typings import RULES, EntityTyping, SurfaceName, UntypedDocument
from graph.derived_jobs import DerivedJobs, RunningJob
from graph.ontologies.class_hierarchy import ClassHierarchy
from graph.ontologies.class_names import ClassNames
from graph.ontologies.entity_typing import type_entities

log = logging.getLogger(__name__)
_LOOK = 4.0  # seconds between two looks at whether documents came
_BATCH = 20  # documents that are read at a time
_CLASSES = 20  # that an entity is shown with

ReadDocuments = Callable[[str, Sequence[str]], Awaitable[Mapping[str, DocumentContent]]]


class TypingSources(NamedTuple):
    """What typing reads, and where it is kept."""

    typings: TypingStore
    ontologies: OntologyStore
    graphs: GraphStore
    read_documents: ReadDocuments


class LibraryTypings:
    """core.ports.EntityClasses. Call `open` once in the running event loop and `close` at the end."""

    def __init__(self, sources: TypingSources, jobs: ClaimableJobStore) -> None:
        self._sources = sources
        self._jobs = DerivedJobs(TYPING_JOB, "Typing entities", jobs, self._work)
        self._names: dict[tuple[str, str], ClassNames] = {}
        self._hierarchies: dict[str, tuple[tuple[str, ...], ClassHierarchy]] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._watch: asyncio.Task[None] | None = None

    async def open(self, *, resume: bool = True) -> None:
        """Go on with what an earlier process left unfinished, and look for new documents from now on."""
        if resume:
            await self._jobs.open()
            self._watch = asyncio.create_task(self._follow(), name="entity classes")

    async def close(self) -> None:
        """Stop; what is not finished is done after the next start."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait([self._watch])
        await self._jobs.close()

    async def queue(self, library: str) -> JobRecord:
        """Begin a job that types what is left of the library."""
        return await self._jobs.queue(library)

    # -- reading -------------------------------------------------------------------------------------------------------------------------

    async def find_classes(self, tenant: str, surfaces: Mapping[str, Sequence[SurfaceName]]) -> dict[str, list[EntityClass]]:
        owners: defaultdict[SurfaceName, list[str]] = defaultdict(list)
        for entity_id, names in surfaces.items():
            for name in names:
                owners[name].append(entity_id)
        found: defaultdict[str, dict[tuple[str, str], EntityClass]] = defaultdict(dict)
        stated = await self._sources.typings.find_classes(tenant, list(owners))
        hierarchy = await self._hierarchy(tenant)
        for each in stated:
            shown = EntityClass(
                uri=each.class_uri,
                name=hierarchy.name(each.class_uri),
                ontology_id=each.ontology_id,
                rule=each.rule,
                sentences=each.sentences,
                evidence=each.evidence,
            )
            for entity_id in owners[each.surface]:
                place = (each.ontology_id, each.class_uri)
                found[entity_id][place] = _joined(found[entity_id].get(place), shown)
        return {entity_id: _most_special(classes.values(), hierarchy) for entity_id, classes in found.items()}

    async def find_surfaces(self, tenant: str, class_name: str) -> set[SurfaceName]:
        classes = (await self._hierarchy(tenant)).find(class_name)
        if not classes:
            raise InvalidInput(f"No ontology of this library has a class {class_name[:80]!r}. `vantage ontology list` shows what is loaded.")
        return await self._sources.typings.find_surfaces(tenant, classes)

    async def _hierarchy(self, tenant: str) -> ClassHierarchy:
        """Return the classes of all of the tenant's ontologies, made again where these changed."""
        store = self._sources.ontologies
        ids = tuple(each.id for each in await store.list_ontologies(tenant))
        held = self._hierarchies.get(tenant)
        if held is None or held[0] != ids:
            held = self._hierarchies[tenant] = (ids, ClassHierarchy(await _load_all(store, tenant, ids)))
        return held[1]

    # -- typing --------------------------------------------------------------------------------------------------------------------------

    async def _work(self, library: str, running: RunningJob) -> str:
        total = await self._sources.typings.count_untyped(library)
        running.progress = {"files_total": total, "files_done": 0}

        def note(done: int) -> None:
            if running.stop.is_set():
                raise Cancelled("Typing was stopped; documents that come later are typed with what is left.")
            running.progress = {"files_total": max(total, done), "files_done": done}

        failed = await self.type_library(library, note)
        return f"{failed} documents could not be read for their classes; the log says why." if failed else ""

    async def type_library(self, library: str, note: Callable[[int], None] = lambda done: None) -> int:
        """Type what is left of a library, telling `note` how many pairs are done; return how many could not be read. What was removed or written
        anew meanwhile is passed over."""
        done = failed = 0
        async with self._locks[library]:
            while left := await self._sources.typings.list_untyped(library, _BATCH):
                note(done)
                failed += await self._type_batch(library, left)
                done += len(left)
            note(done)
        return failed

    async def _type_batch(self, library: str, left: Sequence[UntypedDocument]) -> int:
        ids = list(dict.fromkeys(each.document_id for each in left))
        graphs = {each.document_id: each for each in await self._sources.graphs.load(library, ids)}
        contents = await self._sources.read_documents(library, ids)
        failed = 0
        for each in left:
            graph, content = graphs.get(each.document_id), contents.get(each.document_id)
            names = await self._class_names(library, each.ontology_id)
            if graph is None or graph.sequence != each.sequence or names is None:
                continue  # removed or written anew since: the next look finds it as it is then
            is_same = content is not None and content.generation == graph.generation
            found = await anyio.to_thread.run_sync(_read_classes, names, graph, content.document) if content is not None and is_same else []
            failed += found is None
            await self._sources.typings.save(library, each, found or [])
        return failed

    async def _class_names(self, library: str, ontology_id: str) -> ClassNames | None:
        """Return an ontology's names, made once; None for one that is removed."""
        if (library, ontology_id) not in self._names:
            try:
                ontology = await self._sources.ontologies.load(library, ontology_id)
            except NotFound:
                return None
            self._names[library, ontology_id] = await anyio.to_thread.run_sync(ClassNames, ontology)
        return self._names[library, ontology_id]

    # -- by itself -----------------------------------------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        while True:
            try:
                for library in await self._sources.typings.tenants():
                    await self.type_library(library)
            except VantageError as error:  # the next look tries again
                log.warning("Entities could not be typed: %s", error)
            except Exception:  # the loop must outlive a defect: without it nothing would be typed until the next start
                log.exception("Typing entities failed; the next look tries again.")
            await asyncio.sleep(_LOOK)


def _read_classes(names: ClassNames, graph: StoredGraph, document: ExtractedDocument) -> list[EntityTyping] | None:
    try:
        return type_entities(names, graph, document)
    except Exception:  # a defect that one text brings out must not keep the others from being typed
        log.exception("The classes of the entities in %s could not be read.", graph.filename)
        return None


async def _load_all(store: OntologyStore, tenant: str, ids: Sequence[str]) -> list[Ontology]:
    found = []
    for each in ids:
        try:
            found.append(await store.load(tenant, each))
        except NotFound:  # removed meanwhile
            continue
    return found


def _joined(known: EntityClass | None, other: EntityClass) -> EntityClass:
    """Return a class that two names of an entity have, with the surer rule and all sentences."""
    if known is None:
        return other
    surer = min(known, other, key=lambda each: (RULES.index(each.rule), each.evidence.document_id, each.evidence.start))
    return surer.model_copy(update={"sentences": known.sentences + other.sentences})


def _most_special(classes: Iterable[EntityClass], hierarchy: ClassHierarchy) -> list[EntityClass]:
    """Return the classes that are not above another one, the surest first, then those that most sentences say."""
    found = list(classes)
    above = {uri for each in found for uri in hierarchy.ancestors(each.uri)}
    kept = [each for each in found if each.uri not in above]
    return sorted(kept, key=lambda each: (RULES.index(each.rule), -each.sentences, each.name, each.uri, each.ontology_id))[:_CLASSES]
