"""The embedding models that a benchmark can be run with: `--embedder all-MiniLM-L6-v2`; the default is the product's own."""

from __future__ import annotations

import argparse

from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.embedders.transformer_models import GRANITE, MODELS, find_model


def add_embedder_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--embedder", choices=[model.name for model in MODELS], default=GRANITE.name)


def open_embedder(name: str = GRANITE.name, *, batch: int = 8) -> OpenVinoEmbedder:
    """Raises ValueError for a name that `add_embedder_option` does not offer."""
    model = find_model(name)
    if model is None:
        raise ValueError(f"There is no shipped embedder {name}.")
    return OpenVinoEmbedder(model, batch=batch)
