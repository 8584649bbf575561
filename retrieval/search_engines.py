"""The search engines: a row for each, and the only place that knows which class one is. `search.engine` chooses a row by its name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.errors import ConfigurationError
from retrieval.opensearch.connection_options import OpenSearchOptions

if TYPE_CHECKING:
    from core.ports import SearchIndex

EngineName = Literal["embedded", "opensearch"]


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """How an index is opened: `folder` is its alone, `dimension` that of the embedding model's vectors, `document_weight` the share of title, file
    name, keywords and summary in a lexical score, `faiss_above` the number of vectors from which a compressed table may replace an exact one,
    `opensearch` how that engine is reached."""

    folder: Path
    dimension: int
    document_weight: float
    faiss_above: int
    opensearch: OpenSearchOptions = field(default_factory=OpenSearchOptions)


async def _open_embedded(options: IndexOptions) -> SearchIndex:
    from retrieval.embedded_index import EmbeddedIndex

    return await EmbeddedIndex.open(
        options.folder, dimension=options.dimension, document_weight=options.document_weight, faiss_above=options.faiss_above
    )


async def _open_opensearch(options: IndexOptions) -> SearchIndex:
    try:
        from retrieval.opensearch.index import OpenSearchIndex
    except ModuleNotFoundError as error:
        raise ConfigurationError(f"search.engine is opensearch, and {error.name} is not installed: pip install 'vantage[opensearch]'.") from error
    return await OpenSearchIndex.open(options)


SEARCH_ENGINES: dict[EngineName, Callable[[IndexOptions], Awaitable[SearchIndex]]] = {
    "embedded": _open_embedded,
    "opensearch": _open_opensearch,
}


async def open_index(engine: EngineName, options: IndexOptions) -> SearchIndex:
    """Open the index of the engine that the settings name. Raises as the engine does: Conflict where another process writes to it."""
    return await SEARCH_ENGINES[engine](options)
