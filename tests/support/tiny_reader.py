"""A reader so small that tests train it: its tokenizer, its base, rows about a mill."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from retrieval.embedders.transformer_graph import TransformerShape, TransformerWeights
from training.reader.training_rows import PLAIN, TrainingRow
from training.reader.training_windows import TrainingWindow, training_windows

if TYPE_CHECKING:
    from training.reader.reader_model import ReaderModel

NO_TORCH = "torch is not installed: pip install 'vantage[models]'"
SOURCE = sorted(PLAIN)[0]
CONTEXT = (
    "Ada Holm bought the largest mill of Harrow Bridge in 1921. Jon Bergset sold it to her for 4500 crowns. "
    "Its wheel was mended in 1934 by Otto Lind. The town council paid 120 crowns for the work."
)


def span(words: str, text: str = CONTEXT) -> tuple[int, int]:
    return text.index(words), text.index(words) + len(words)


def row(question: str, answer: str, context: str = CONTEXT, source: str = SOURCE) -> TrainingRow:
    return TrainingRow(question, context, (span(answer, context),) if answer else (), bool(answer), source)


WORDS = sorted({*"When did Ada Holm buy it ? Who mended the wheel".split(), *(f"w{number}" for number in range(300))})


def tokenizer_of(*special: str) -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate([*special, *WORDS])}, unk_token=special[-1]))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


TINY = tokenizer_of("[PAD]", "[CLS]", "[SEP]", "[UNK]")

SHAPE = TransformerShape(layers=2, heads=2, width=16, norm_epsilon=1e-5)


def tiny_weights(seed: int = 3) -> TransformerWeights:
    chance, width = np.random.default_rng(seed), SHAPE.width

    def table(*shape: int) -> NDArray[np.float32]:
        return chance.normal(0, 0.2, shape).astype(np.float32)

    tensors = {"places": table(64, width), "norm.weight": np.ones(width, np.float32), "norm.bias": table(width)}
    sizes = {"query_key_value": (3 * width, width), "attended": (width, width), "widened": (2 * width, width), "narrowed": (width, 2 * width)}
    for number in range(SHAPE.layers):
        for name, (outputs, inputs) in sizes.items():
            tensors |= {f"{number}.{name}.weight": table(outputs, inputs), f"{number}.{name}.bias": table(outputs)}
        for name in ("attended_norm", "narrowed_norm"):
            tensors |= {f"{number}.{name}.weight": np.ones(width, np.float32), f"{number}.{name}.bias": table(width)}
    return TransformerWeights(table(len(WORDS) + 4, width), tensors)


def tiny_model() -> ReaderModel:
    import torch

    from training.reader.reader_model import ReaderModel

    torch.manual_seed(5)
    return ReaderModel(SHAPE, tiny_weights())


def state_of(model: ReaderModel) -> dict[str, NDArray[np.float32]]:
    return {name: value.numpy().copy() for name, value in model.state_dict().items()}


def lessons(count: int) -> list[TrainingWindow]:
    rows = [row(f"Who mended w{number} ?", f"w{number + 3}", f"w{number} w{number + 1} w{number + 3} w{number + 5}") for number in range(count)]
    rows.append(row("Who mended it ?", "", "w1 w2 w3"))
    return training_windows(rows, TINY, 40, random.Random(1))


def trained_state(scale: float) -> dict[str, NDArray[np.float32]]:
    chance, state = np.random.default_rng(8), state_of(tiny_model())
    return {name: value + chance.normal(0, scale, value.shape).astype(np.float32) for name, value in state.items()}


def torch_on_one_thread() -> Iterator[Any]:
    """For a fixture: more threads only wait for each other over so little, and rounding depends on their number."""
    found = pytest.importorskip("torch", reason=NO_TORCH)
    threads = found.get_num_threads()
    found.set_num_threads(1)
    yield found
    found.set_num_threads(threads)
