"""Writes the shipped weights from a trained reader: `python -m training.reader.weight_export [--state var/reader/state.pt] [--ranks 96] [--write]`

Several states, as an earlier and a later one of one training, are averaged with the given `--shares` (equal ones where none are given). For each rank
given: the size of the file and how well what it holds reads. `--write` puts the last one in its place in the package.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save
from tokenizers import Tokenizer

from benchmarks.machine import data_folder
from retrieval.embedders.transformer_graph import TransformerWeights
from retrieval.embedders.transformer_models import GRANITE, MODELS, find_model
from retrieval.readers.reader_weights import SHIPPED_WEIGHTS, tensors_digest
from training.reader.low_rank import compress_to_rank, merge_factors, restore_state
from training.reader.reader_model import ReaderModel
from training.reader.reader_scores import LENGTH, STRIDE, evaluation_rows, measure
from training.reader.training_windows import QUESTION_TOKENS

TARGET = SHIPPED_WEIGHTS


def average_states(states: Sequence[Path], shares: Sequence[float], base: TransformerWeights) -> dict[str, NDArray[np.float32]]:
    """Return the tensors of several states of one network, each times its share (Wortsman et al. 2022, "Model soups")."""
    out: dict[str, NDArray[np.float32]] = {}
    for path, share in zip(states, shares, strict=True):
        for name, value in read_state(path, base).items():
            out[name] = out.get(name, np.float32(0)) + np.float32(share) * value
    return out


def read_state(path: Path, base: TransformerWeights) -> dict[str, NDArray[np.float32]]:
    """Return a trained network's tensors, its products whole."""
    saved = torch.load(path, weights_only=True, map_location="cpu")["model"]
    return merge_factors({name: value.float().numpy() for name, value in saved.items()}, base)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.reader.weight_export")
    parser.add_argument("--base", choices=[model.name for model in MODELS], default=GRANITE.name)
    parser.add_argument("--state", type=Path, nargs="+", default=[Path("var/reader/state.pt")])
    parser.add_argument("--shares", type=float, nargs="+", default=[])
    parser.add_argument("--ranks", type=int, nargs="+", default=[96])
    parser.add_argument("--write", type=Path, nargs="?", const=TARGET)
    parser.add_argument("--quick", action="store_true", help="measures nothing")
    options = parser.parse_args()
    row = find_model(options.base)
    if row is None:
        parser.error("the base is not known")
    files = row.read_files(row.folder())
    tokenizer = Tokenizer.from_str(files.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    trained = average_states(options.state, options.shares or [1 / len(options.state)] * len(options.state), files.weights)
    model = ReaderModel(files.shape, files.weights)
    data = b""
    for rank in options.ranks:
        tensors = compress_to_rank(trained, files.weights, files.shape.layers, rank)
        about = {"format": "1", "base": row.name, "base_sha256": row.sha256, "window": str(LENGTH), "stride": str(STRIDE)}
        about |= {"question_tokens": str(QUESTION_TOKENS), "digest": tensors_digest(tensors)}
        data = save({name: np.ascontiguousarray(value) for name, value in tensors.items()}, about)
        line = f"rank {rank}: {len(data) / 1e6:.2f} MB"
        if not options.quick:
            model.load_state_dict(
                {name: torch.from_numpy(value) for name, value in restore_state(tensors, files.weights, files.shape.layers).items()}
            )
            for name in ("squad2_500", "xquad"):
                values = measure(model, evaluation_rows(data_folder(), name), tokenizer)
                line += f"; {name} " + ", ".join(f"{key} {value:.3f}" for key, value in values.items())
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    if options.write is not None:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.write_bytes(data)


if __name__ == "__main__":
    main()
