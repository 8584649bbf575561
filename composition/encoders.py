"""The embedding model that the settings name. Light to import: a command opens it while the rest of the application is still being imported."""

from __future__ import annotations

from core.ports import Embedder
from retrieval.embedders.transformer_models import TransformerModel, best_installed, model_named
from settings import AUTO_MODEL, Settings


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name; for "auto" the best of the shipped ones that is installed. Raises ConfigurationError, which names the
    command that helps, where the model's package or extra is missing, its weights are others, or the model is unknown."""
    chosen, shipped = settings.embedding, shipped_model(settings)
    if shipped is not None:
        from retrieval.embedders.openvino_embedder import OpenVinoEmbedder

        return OpenVinoEmbedder(shipped, precision=chosen.precision, threads=settings.embedding.threads, batch=settings.ingestion.embed_batch)
    from retrieval.embedders.sentence_transformers import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(chosen.model, query_prefix=chosen.query_prefix, passage_prefix=chosen.passage_prefix)


def shipped_model(settings: Settings) -> TransformerModel | None:
    """The shipped model that the settings name; None where they name another one."""
    return best_installed() if settings.embedding.model == AUTO_MODEL else model_named(settings.embedding.model)
