"""Trains the reader: `python -m training.reader [--base granite-embedding-30m-english] [--passes 2] [--minutes 0] [--out var/reader]`

Two passes over some 65,000 windows take two cores a few hours. An interrupted run goes on where it was saved last (every 200 steps) when the same
command is given again. The trained network and its measures are left in `--out`; `python -m training.reader.weight_export` writes from it what is
shipped. Needs torch (`pip install torch==2.13.0`) and the folder `reader` of the open data; VANTAGE_DATA names the folder that holds it.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer

from benchmarks.machine import data_folder
from retrieval.embedders.transformer_models import GRANITE, MODELS, find_model
from training.reader.reader_model import ReaderModel
from training.reader.reader_scores import evaluation_rows, measure
from training.reader.trainer import Trainer, TrainingPlan, write_measures
from training.reader.training_rows import draw_rows
from training.reader.training_windows import TrainingWindow, layout_of, training_windows

LENGTH = 192


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.reader")
    parser.add_argument("--base", choices=[model.name for model in MODELS], default=GRANITE.name)
    parser.add_argument("--passes", type=float, default=TrainingPlan.passes)
    parser.add_argument("--minutes", type=float, default=0.0, help="ends the plan early; the learning rate reaches 0 by then")
    parser.add_argument("--rate", type=float, default=TrainingPlan.rate)
    parser.add_argument("--out", type=Path, default=Path("var/reader"))
    options = parser.parse_args()
    torch.manual_seed(TrainingPlan.seed)
    row = find_model(options.base)
    if row is None or data_folder() is None:
        parser.error("the base is not known")
    files = row.read_files(row.folder())
    tokenizer = Tokenizer.from_str(files.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = ReaderModel(files.shape, files.weights)
    known: dict[int, list[TrainingWindow]] = {}

    def windows(passed: int) -> list[TrainingWindow]:
        if passed not in known:
            known.clear()
            rows, _ = draw_rows(data_folder() / "reader", TrainingPlan.seed + passed)
            known[passed] = training_windows(rows, tokenizer, LENGTH, random.Random(passed))
            count, answered = len(known[passed]), sum(bool(each.spans) for each in known[passed])
            tokens = sum(len(each.ids) for each in known[passed])
            sys.stdout.write(f"pass {passed + 1}: {len(rows)} rows, {count} windows, {answered} answered, {tokens / 1e6:.1f} million tokens\n")
            sys.stdout.flush()
        return known[passed]

    def report(step: int) -> None:
        _, held = draw_rows(data_folder() / "reader", TrainingPlan.seed)
        sets = {"held back": held, **{name: evaluation_rows(data_folder(), name) for name in ("squad2_500", "xquad")}}
        measures = {name: measure(model, rows, tokenizer) for name, rows in sets.items()}
        write_measures(options.out, measures)
        for name, values in measures.items():
            sys.stdout.write(f"{options.base} step {step} {name}: " + ", ".join(f"{key} {value:.3f}" for key, value in values.items()) + "\n")
        sys.stdout.flush()

    plan = TrainingPlan(passes=options.passes, minutes=options.minutes, rate=options.rate)
    Trainer(model, layout_of(tokenizer).padding, plan, options.out).run(windows, report)


if __name__ == "__main__":
    main()
