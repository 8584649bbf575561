"""The report of /health on the embedding model: which one, the one that is coming, and whether a better one is there."""

from __future__ import annotations

from composition.active_search import ActiveSearch
from composition.embedders import better_model
from core.ports import Embedder
from retrieval.embedders.transformer_models import find_model
from server.schemas import Part
from settings import AUTO_MODEL, Settings
from storage.database import Database
from storage.sql_library_writer import SqlLibraryWriter


async def embedder_part(settings: Settings, database: Database, serving: ActiveSearch) -> Part:
    """Report the embedding model. Passages with another model's vectors cannot be found until they are indexed again: said here, never silent."""
    embedder, pending, filling = serving.embedder, serving.pending, serving.filling
    name = f"{embedder.name}{_precision(embedder)}"
    if pending is not None and filling is not None:
        done, every = await filling.counts()
        said = f"{pending.embedder.name} is filled beside it: {done:,} of {every:,} documents. {serving.status_text}"
        return Part(name="embedder", state="ok", detail=f"{name}; {said}")
    if serving.retiring:
        return Part(name="embedder", state="ok", detail=f"{name}; questions that began before end with {serving.retiring}")
    others = {model: count for model, count in (await SqlLibraryWriter(database).count_by_embedder()).items() if model != embedder.name}
    better = better_model(embedder.name)
    advice = _advice(settings, better) if better else ""
    if others:
        said = ", ".join(f"{count} by {model}" for model, count in others.items())
        detail = f"{name}; passages embedded by another model are not searched until their folders are indexed again: {said}"
        return Part(name="embedder", state="degraded", detail=detail, advice=advice)
    return Part(name="embedder", state="ok", detail=f"{name}; {better} finds passages better" if better else name, advice=advice)


def advised_model(settings: Settings, serving: ActiveSearch) -> str:
    """Return the better model that a switch could begin to now, "" for none."""
    better = better_model(serving.embedder.name)
    row = find_model(better)
    busy = serving.pending is not None or bool(serving.retiring)
    return better if row is not None and row.is_installed and settings.embedding.model == AUTO_MODEL and not busy else ""


def _advice(settings: Settings, better: str) -> str:
    """Return the advice, in the order in which it is to be done."""
    row = find_model(better)
    steps = [f"Install it: `{row.install_command}`."] if row is not None and not row.is_installed else []
    if settings.embedding.model == AUTO_MODEL:
        steps.append(f"Switch with `vantage embedder {better}`, or on the library page; questions are answered meanwhile.")
    else:
        steps.append(f"Set embedding.model to {better} and start Vantage again; questions are answered while it is filled.")
    return " ".join(steps)


def _precision(embedder: Embedder) -> str:
    precision = getattr(embedder, "precision", "")
    return f" in {precision}" if precision else ""
