"""What a library is served by: an embedding model and the search engine over its vectors, and the model that is to take over, if there is one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from composition.embedders import Coming, MakeEmbedder, open_embedders
from composition.engine import Engine, open_engine
from core.ports import Embedder
from ingestion.refilling import VectorFilling
from settings import Settings
from storage.engine import Database
from storage.home import Home


@dataclass(slots=True)
class Serving:
    """The model and engine of the present moment: nobody keeps them, for they may be exchanged. `tokens` is where the engine's token vectors lie.
    `said` is what /health says of a model that is coming, beside how far its `filling` is; `retiring` names one that runs which began earlier still
    use."""

    embedder: Embedder
    engine: Engine
    tokens: Path
    coming: Coming | None = None
    filling: VectorFilling | None = None
    said: str = ""
    retiring: str = ""

    async def close(self) -> None:
        await self.engine.close()
        await self.embedder.close()
        if self.coming is not None:
            await self.coming.embedder.close()


async def open_serving(settings: Settings, home: Home, database: Database, make: MakeEmbedder) -> Serving:
    embedders = await open_embedders(settings, database, make)
    return Serving(embedders.active, await open_engine(settings, home, database, embedders.active), home.tokens, embedders.coming)
