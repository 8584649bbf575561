"""The search that serves a library now: an embedding model and the search engine over its vectors, and the model that is to take over, if there
is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from composition.embedders import MakeEmbedder, PendingEmbedder, open_embedders
from composition.search_engine import SearchEngine, open_engine
from core.errors import ConfigurationError
from core.ports import Embedder
from ingestion.indexing.document_reembedding import DocumentReembedding
from settings import Settings
from storage.database import Database
from storage.home import Home


@dataclass(slots=True)
class ActiveSearch:
    """The model and engine of the present moment: to be read anew each time, for they may be exchanged. `tokens` is where the engine's token vectors
    lie. `status_text` is what /health says of a model that is coming, beside how far its `filling` is; `retiring` names one that runs which began
    earlier still use.
    """

    embedder: Embedder
    engine: SearchEngine
    token_path: Path
    pending: PendingEmbedder | None = None
    filling: DocumentReembedding | None = None
    status_text: str = ""
    retiring: str = ""

    async def close(self) -> None:
        await self.engine.close()
        await self.embedder.close()
        if self.pending is not None:
            await self.pending.embedder.close()


async def open_active_search(settings: Settings, home: Home, database: Database, make: MakeEmbedder) -> ActiveSearch:
    embedders = await open_embedders(settings, database, make)
    if embedders.pending is not None and settings.workers.queue != "in_process":
        raise ConfigurationError(
            f"The library is searched by {embedders.active.name}, and {embedders.pending.record.model} is to take its place, while workers use "
            "the one before. Stop them, set workers.queue to in_process, start Vantage until /health says that the switch is done, and set it back."
        )
    return ActiveSearch(embedders.active, await open_engine(settings, home, database, embedders.active), home.tokens, embedders.pending)
