"""The library that a set is asked of: the person's own, or one made of the set's documents, in a folder of its own."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
import platformdirs

from commands.client import Client, OpenOptions, connect, open_in_process
from commands.index_command import job_states, show_progress
from core.errors import NotFound, VantageError
from core.version import VERSION
from evaluation.corpus_files import NAMES, corpus_digest, write_corpus
from evaluation.evaluation_sets import EvaluationSet
from settings import Settings, load_settings

_ROUTERS = ("evaluation", "library", "embedder", "documents", "graph", "settings")
_UNUSED_DAYS = 30
_INDEXED_BY = ("chunk_tokens", "chunk_overlap")


@dataclass(frozen=True, slots=True)
class EvaluationLibrary:
    """A library that questions can be asked of. `names` are the documents' ids by their file names, None where it is the person's own."""

    client: Client
    names: dict[str, str] | None
    embedder: str
    documents: int


def cache_folder() -> Path:
    """Return where the libraries of sets are kept, unless another folder is named."""
    return Path(platformdirs.user_cache_path("vantage", appauthor=False)) / "evaluation"


@asynccontextmanager
async def open_library(
    config: Path | None, chosen: EvaluationSet, cache: Path | None, *, warm: bool, quiet: bool
) -> AsyncIterator[EvaluationLibrary]:
    """Open the library of a set. A running server answers for the person's own; documents of the set are indexed here, the first time."""
    opening = OpenOptions(warm=warm, routers=_ROUTERS)
    if chosen.corpus is None:
        async with connect(config, opening) as client:
            yield await _describe(client, None)
        return
    settings = load_settings(config)
    root = cache or cache_folder()
    folder = root / await anyio.to_thread.run_sync(corpus_digest, chosen.corpus, _indexed_by(settings))
    await anyio.to_thread.run_sync(_remove_unused, root, folder)
    names = await anyio.to_thread.run_sync(_write_documents, chosen.corpus, folder)
    async with open_in_process(make_settings(settings, folder / "home"), opening) as client:
        if not (folder / "indexed").is_file():
            await _index(client, folder / "documents", quiet=quiet)
            (folder / "indexed").touch()
        yield await _describe(client, names)


def make_settings(settings: Settings, home: Path) -> Settings:
    """Return the person's settings for a library of its own: nothing of theirs is written, followed or sent."""
    storage = settings.storage.model_copy(update={"url": ""})
    memory = settings.memory.model_copy(update={"enabled": False, "session": type(settings.memory.session)()})
    ingestion = settings.ingestion.model_copy(update={"roots": [], "use_model": False})
    return settings.model_copy(
        update={
            "home": home,
            "storage": storage,
            "memory": memory,
            "search": settings.search.model_copy(update={"engine": "embedded"}),
            "ingestion": ingestion,
            "embedding": settings.embedding.model_copy(update={"keep_compiled": False}),
            "graph": settings.graph.model_copy(update={"use_model": False}),
            "ollama": settings.ollama.model_copy(update={"enabled": "off"}),
            "llm": type(settings.llm)(),
        }
    )


def _indexed_by(settings: Settings) -> dict[str, Any]:
    """Return what decides how documents are indexed: another value needs another library."""
    ingestion = settings.ingestion.model_dump(mode="json")
    embedding = settings.embedding.model_dump(mode="json", exclude={"threads", "keep_compiled"})
    return {"version": VERSION, "embedding": embedding, **{name: ingestion[name] for name in _INDEXED_BY}}


def _write_documents(corpus: Path, folder: Path) -> dict[str, str]:
    """Write the documents unless they are there, and return their ids by file name."""
    file = folder / NAMES
    if file.is_file():
        folder.touch()  # it is used
        names: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        return names
    names = write_corpus(corpus, folder / "documents")
    file.write_text(json.dumps(names), encoding="utf-8")
    return names


def _remove_unused(root: Path, wanted: Path) -> None:
    """Remove libraries that nobody asked for a month."""
    for folder in root.glob("*/"):
        if folder != wanted and (folder / NAMES).is_file() and time.time() - folder.stat().st_mtime > _UNUSED_DAYS * 86_400:
            shutil.rmtree(folder, ignore_errors=True)


async def _index(client: Client, documents: Path, *, quiet: bool) -> None:
    """Index the documents and show how far it is. Ctrl+C stops the job; the next run goes on with it."""
    job = await client.post("/index", {"path": str(documents)})
    try:
        last = await show_progress(job_states(client, job["id"]), quiet=quiet)
    except asyncio.CancelledError:
        await client.post(f"/jobs/{job['id']}/cancel", {})
        raise
    if last["state"] != "done":
        raise VantageError(last["error"] or "The documents of the set could not be indexed.")


async def _describe(client: Client, names: dict[str, str] | None) -> EvaluationLibrary:
    model = (await client.get("/embedder"))["model"]
    total = (await client.get("/documents", limit=1))["total"]
    if not total:
        raise NotFound("The library is empty: there is nothing to search. `vantage index FOLDER` fills it.")
    return EvaluationLibrary(client, names, model, total)
