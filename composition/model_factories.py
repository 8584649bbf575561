"""The embedding model that the settings name. Light to import: a command opens it while the rest of the application is still being imported."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from core.ports import Embedder
from retrieval.embedders.compiled_networks import CompiledNetworks
from retrieval.embedders.openvino_embedder import ComputeOptions, OpenVinoEmbedder
from retrieval.embedders.transformer_models import TransformerModel, best_installed, find_model
from settings import AUTO_MODEL, Settings
from storage.home import Home

if TYPE_CHECKING:
    from retrieval.readers.openvino_reader import OpenVinoReader


def make_embedder(settings: Settings) -> Embedder:
    """Return the embedder that the settings name; for "auto" the best of the shipped ones that is installed. Raises ConfigurationError, which names
    the command that helps, where the model's package or extra is missing, its weights are others, or the model is unknown.
    """
    chosen, shipped = settings.embedding, shipped_model(settings)
    if shipped is not None:
        computing = ComputeOptions(chosen.precision, chosen.threads, compiled_networks(settings))
        return OpenVinoEmbedder(shipped, computing, batch=settings.ingestion.embed_batch)
    from retrieval.embedders.sentence_transformers import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(chosen.model, query_prefix=chosen.query_prefix, passage_prefix=chosen.passage_prefix)


def compiled_networks(settings: Settings) -> CompiledNetworks:
    """Return the cache of compiled networks; switched off where the settings say so."""
    return CompiledNetworks(Home(settings.home).compiled_networks if settings.embedding.keep_compiled else None)


def reader_opener(settings: Settings) -> Callable[[], OpenVinoReader]:
    """Return the function that opens the answer reader. It blocks and raises as `retrieval.readers.openvino_reader.open_reader`."""
    from retrieval.readers.openvino_reader import open_reader

    # In full or half precision as the processor has it: embedding.precision is the embedder's.
    computing = ComputeOptions(
        threads=settings.embedding.threads, networks=compiled_networks(settings), activations=settings.answers.reader_activations
    )
    return partial(open_reader, computing=computing)


def shipped_model(settings: Settings) -> TransformerModel | None:
    """Return the shipped model that the settings name; None where they name another one."""
    return best_installed() if settings.embedding.model == AUTO_MODEL else find_model(settings.embedding.model)
