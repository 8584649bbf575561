"""Trains the reader: `python -m training.reader [--passes 5] [--minutes 0] [--device cuda] [--seed 7] [--out var/reader] [--teachers STATE …]`

Trains a whole network on some 100,000 windows a pass. Several, of different seeds, are then the `--teachers` of the one that is shipped: it starts
from their mean, only a difference of low rank to the base is trained on, and what it learns is what they say together and what is right. A pass takes
two cores some two hours and one H200 half a minute. An interrupted run goes on where it was saved last (every 200 steps) when the same command is
given again. The trained network and its measures are left in `--out`; `python -m training.reader.weight_export` writes from it what is shipped.
Needs torch (`pip install torch==2.13.0`) and the folder `reader` of the open data; VANTAGE_DATA names the folder that holds it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer

from benchmarks.machine import data_folder
from retrieval.embedders.transformer_models import GRANITE, MODELS, ModelFiles, find_model
from training.reader.reader_model import ReaderModel, limit_rank
from training.reader.reader_scores import evaluation_rows, measure
from training.reader.trainer import Trainer, TrainingPlan, write_measures
from training.reader.training_rows import draw_rows
from training.reader.training_windows import TrainingWindow, layout_of, training_windows
from training.reader.weight_export import average_states, read_state

LENGTHS = (192, 192, 320, 320)  # tokens of a window, pass by pass: short ones train faster, long ones are what is read
DROPOUT = 0.1  # of a teacher: the student sees what it learns from only once or twice


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.reader")
    parser.add_argument("--base", choices=[model.name for model in MODELS], default=GRANITE.name)
    parser.add_argument("--passes", type=float, default=TrainingPlan.passes)
    parser.add_argument("--tokens", type=int, default=TrainingPlan.tokens, help="of a batch; 16384 fill a large GPU")
    parser.add_argument("--device", default=TrainingPlan.device, help="cpu, or cuda")
    parser.add_argument("--seed", type=int, default=TrainingPlan.seed)
    parser.add_argument("--teachers", type=Path, nargs="+", default=[], help="states of networks that were trained before")
    parser.add_argument("--rank", type=int, default=96, help="of what is trained with teachers; 0: whole")
    parser.add_argument("--minutes", type=float, default=0.0, help="ends the plan early; the learning rate reaches 0 by then")
    parser.add_argument("--rate", type=float, default=TrainingPlan.rate)
    parser.add_argument("--out", type=Path, default=Path("var/reader"))
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    row = find_model(options.base)
    if row is None or data_folder() is None:
        parser.error("the base is not known")
    files = row.read_files(row.folder())
    tokenizer = Tokenizer.from_str(files.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    teachers = [load_reader(files, state) for state in options.teachers]
    model = make_student(files, options.teachers, options.rank) if teachers else ReaderModel(files.shape, files.weights, DROPOUT)
    known: dict[int, list[TrainingWindow]] = {}

    def windows(passed: int) -> list[TrainingWindow]:
        if passed not in known:
            known.clear()
            rows, _ = draw_rows(data_folder() / "reader", options.seed + passed)
            length = LENGTHS[passed % len(LENGTHS)]
            known[passed] = training_windows(rows, tokenizer, length, random.Random(passed))
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

    plan = TrainingPlan(options.passes, options.tokens, options.rate, minutes=options.minutes, seed=options.seed, device=options.device)
    Trainer(model, layout_of(tokenizer).padding, plan, options.out, teachers).run(windows, report)


def load_reader(files: ModelFiles, state: Path) -> ReaderModel:
    """Return a trained network whole, from its state."""
    model = ReaderModel(files.shape, files.weights)
    model.load_state_dict({name: torch.from_numpy(value) for name, value in read_state(state, files.weights).items()})
    return model


def make_student(files: ModelFiles, teachers: Sequence[Path], rank: int) -> ReaderModel:
    """Return the network that learns from teachers: their mean, its difference to the base cut to `rank` unless that is 0."""
    model = ReaderModel(files.shape, files.weights)
    mean = average_states(teachers, [1 / len(teachers)] * len(teachers), files.weights)
    model.load_state_dict({name: torch.from_numpy(value) for name, value in mean.items()})
    if rank:
        limit_rank(model, files.weights, rank)
    return model


if __name__ == "__main__":
    main()
