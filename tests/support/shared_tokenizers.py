"""The tokenizers of the shipped models, read once per process: each reading takes 0.1 to 0.2 processor seconds, as long as a small test.

The embedder and the reader have one each, as the reader sets its own otherwise. Neither changes it after it was made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from retrieval.embedders import openvino_embedder
from retrieval.embedders.transformer_models import GRANITE
from retrieval.readers import openvino_reader

_MODULES: tuple[ModuleType, ...] = (openvino_embedder, openvino_reader)


def share_tokenizers(assign: Callable[[Any, str, Any], None] = setattr) -> None:
    """From now on a tokenizer of the same text is the same; `assign` puts that into the two modules, as `MonkeyPatch.setattr` does for a time."""
    made = openvino_embedder.make_tokenizer
    for module in _MODULES:
        assign(module, "make_tokenizer", cache(made))


def read_tokenizers() -> None:
    """Read those of the model that is used where nothing else is asked for, with what is read of its vocabulary."""
    if GRANITE.is_installed:
        text = GRANITE.read_files(GRANITE.folder()).tokenizer
        for module in _MODULES:
            module.make_tokenizer(text)
        openvino_embedder.read_vocabulary(openvino_embedder.make_tokenizer(text))
