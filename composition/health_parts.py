"""The report of /health on each part."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from composition.active_search import ActiveSearch
from composition.answer_reader import ReaderService, reader_part
from composition.embedder_health import embedder_part
from composition.image_describer import image_describer_part
from composition.multilingual_service import PART as MULTILINGUAL
from composition.multilingual_service import MultilingualService, multilingual_part
from composition.search_engine import SearchEngine
from composition.shared_servers import SharedServers
from composition.worker_queue import workers_part
from core.errors import Unavailable, VantageError
from core.ports import ChatModel, ImageDescriber, SearchIndex, SessionMemory
from memory.in_process_session import InProcessSessionMemory
from server.schemas import Part
from server.services import PartsReport
from settings import Settings
from storage.database import Database

if TYPE_CHECKING:
    from storage.job_queue import PostgresQueue


@dataclass(frozen=True, slots=True)
class OptionalServices:
    """Models beside the embedder and the language model, the workers' queue and the other servers; all but the reader are None where the settings
    leave them out."""

    describer: ImageDescriber | None
    multilingual: MultilingualService | None
    reader: ReaderService
    queue: PostgresQueue | None = None
    servers: SharedServers | None = None


def make_parts(
    settings_now: Callable[[], Settings], database: Database, serving: ActiveSearch, sessions: SessionMemory, optional: OptionalServices
) -> PartsReport:
    """Return the function that reports the state of each part for /health."""

    async def parts(*, thorough: bool = False) -> list[Part]:
        engine, settings = serving.engine, settings_now()
        return [
            await _store_part(database, thorough=thorough),
            await _part_of_store("embedder", embedder_part(settings, database, serving)),
            await _index_part(engine.index),
            _rerank_part(settings, engine),
            await _model_part(settings, engine.model),
            await image_describer_part(optional.describer),
            await _sessions_part(sessions),
            await _part_of_store(MULTILINGUAL, multilingual_part(optional.multilingual)),
            reader_part(optional.reader, enabled=settings.answers.reader_enabled),
            await workers_part(optional.queue),
            *([optional.servers.part()] if optional.servers is not None else []),
        ]

    return parts


async def _part_of_store(name: str, part: Awaitable[Part]) -> Part:
    """Report a part that reads what it says from the store: without that nobody knows how it fares."""
    try:
        return await part
    except VantageError as error:
        return Part(name=name, state="down", detail=str(error))


async def _store_part(database: Database, *, thorough: bool) -> Part:
    """Report whether the store answers; `thorough` reads all of it, which takes seconds in a large library."""
    try:
        found = (
            await database.check_integrity()
            if thorough
            else await database.read(lambda connection: [] if connection.scalar(select(1)) else ["no answer"])
        )
    except VantageError as error:
        return Part(name="store", state="down", detail=str(error))
    return Part(name="store", state="degraded" if found else "ok", detail="; ".join(found) or f"{database.dialect} at {database.location}")


async def _index_part(index: SearchIndex) -> Part:
    found = await index.check_condition()
    return Part(name="index", state=found.state, detail=found.detail, advice=found.advice)


def _rerank_part(settings: Settings, engine: SearchEngine) -> Part:
    if not settings.search.rerank.enabled:
        return Part(name="rerank", state="off", detail="search.rerank.enabled is false")
    where = "token vectors are stored" if engine.tokens is not None else "token vectors are encoded when they are needed"
    return Part(name="rerank", state="ok", detail=settings.search.rerank.cross_encoder or f"late interaction; {where}")


async def _sessions_part(sessions: SessionMemory) -> Part:
    """Report the session store. A Redis that does not answer costs the earlier turns of a session and nothing else."""
    if isinstance(sessions, InProcessSessionMemory):
        return Part(name="session memory", state="ok", detail="in this process")
    try:
        await sessions.recall("health", "health")
    except Unavailable as error:
        return Part(name="session memory", state="degraded", detail=f"{error} Questions are answered without the session's earlier turns meanwhile.")
    return Part(name="session memory", state="ok", detail=f"Redis at {getattr(sessions, 'place', '')}")


async def _model_part(settings: Settings, model: ChatModel | None) -> Part:
    """Report the language model. One that is merely possible (`auto`) and not there is off; one that is wanted and not there is degraded."""
    if not settings.llm.enabled:
        return Part(name="language model", state="off", detail="llm.enabled is false: answers are quoted from the documents")
    if model is None:
        return Part(name="language model", state="off", detail="ollama.enabled is off: answers are quoted from the documents")
    there, reason = await model.check_availability()
    if there:
        return Part(name="language model", state="ok", detail=model.name)
    wanted = bool(settings.llm.model) or settings.ollama.enabled == "on"
    return Part(name="language model", state="degraded" if wanted else "off", detail=f"{reason} Answers are quoted from the documents meanwhile.")
