"""Writes the shipped weights from a trained reader: `python -m training.reader.export [--state var/reader/state.pt] [--ranks 96] [--write]`

For each rank given: the size of the file and how well what it holds reads. `--write` puts the last one in its place in the package.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save
from tokenizers import Tokenizer

from benchmarks.machine import data_folder
from retrieval.embedders.transformer_models import GRANITE, MODELS, model_named
from retrieval.readers.weights import SHIPPED, digest
from training.reader.low_rank import cut, restore
from training.reader.model import ReaderModel
from training.reader.scores import LENGTH, STRIDE, evaluation_rows, measure
from training.reader.windows import QUESTION_TOKENS

TARGET = SHIPPED


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.reader.export")
    parser.add_argument("--base", choices=[model.name for model in MODELS], default=GRANITE.name)
    parser.add_argument("--state", type=Path, default=Path("var/reader/state.pt"))
    parser.add_argument("--ranks", type=int, nargs="+", default=[96])
    parser.add_argument("--write", type=Path, nargs="?", const=TARGET)
    parser.add_argument("--quick", action="store_true", help="measures nothing")
    options = parser.parse_args()
    row = model_named(options.base)
    if row is None:
        parser.error("the base is not known")
    files = row.read(row.folder())
    tokenizer = Tokenizer.from_str(files.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    state = torch.load(options.state, weights_only=True)["model"]
    trained = {name: value.float().numpy() for name, value in state.items()}
    model = ReaderModel(files.shape, files.weights)
    data = b""
    for rank in options.ranks:
        tensors = cut(trained, files.weights, files.shape.layers, rank)
        about = {"format": "1", "base": row.name, "base_sha256": row.sha256, "window": str(LENGTH), "stride": str(STRIDE)}
        about |= {"question_tokens": str(QUESTION_TOKENS), "digest": digest(tensors)}
        data = save({name: np.ascontiguousarray(value) for name, value in tensors.items()}, about)
        line = f"rank {rank}: {len(data) / 1e6:.2f} MB"
        if not options.quick:
            model.load_state_dict({name: torch.from_numpy(value) for name, value in restore(tensors, files.weights, files.shape.layers).items()})
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
