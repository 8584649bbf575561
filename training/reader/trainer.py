"""Training itself: batches, loss, schedule, and a state on disk from which it goes on after an interruption."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.reader.reader_model import ReaderModel
from training.reader.training_windows import UNKNOWN, TrainingWindow

MASKED = -1e4
STEP = 16  # widths are multiples of it: the runtime keeps memory for each shape that it has met


@dataclass(frozen=True)
class TrainingPlan:
    """`tokens` a batch with its padding; `rate` the highest learning rate; `minutes` ends the plan early, the rate then 0 (0: never)."""

    passes: float = 5.0
    tokens: int = 4096
    rate: float = 2e-4
    warmup: int = 100
    minutes: float = 0.0
    seed: int = 7
    answered: float = 0.5  # weight of "answered here?" beside the spans
    relevant: float = 0.2
    soft: float = 0.5  # share of what the teachers say in the loss, where there are some
    device: str = "cpu"
    save_every: int = 200


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """ids, seen [rows, tokens]; `allowed` where a span may begin or end (the first token: no answer); targets [rows]."""

    ids: Tensor
    seen: Tensor
    allowed: Tensor
    first: Tensor
    last: Tensor
    answered: Tensor
    relevant: Tensor

    def move_to(self, device: str) -> TrainingBatch:
        return TrainingBatch(*(getattr(self, each.name).to(device) for each in fields(self)))


@dataclass(frozen=True, slots=True)
class SoftTargets:
    """What teachers say to a batch, the mean of their probabilities: spans [rows, tokens, 2], passages [rows, 2]."""

    spans: Tensor
    passages: Tensor


def batches(windows: Sequence[TrainingWindow], plan: TrainingPlan, rng: random.Random) -> list[list[TrainingWindow]]:
    """Return batches of windows of like length, in a random order."""
    order = sorted(windows, key=lambda window: len(window.ids) + rng.random() * 16)
    out: list[list[TrainingWindow]] = [[]]
    for window in order:
        if out[-1] and (len(out[-1]) + 1) * len(window.ids) > plan.tokens:
            out.append([])
        out[-1].append(window)
    rng.shuffle(out)
    return out


def make_batch(windows: Sequence[TrainingWindow], padding: int, rng: random.Random) -> TrainingBatch:
    width = -(-max(len(window.ids) for window in windows) // STEP) * STEP
    ids = torch.full((len(windows), width), padding)
    seen = torch.zeros((len(windows), width), dtype=torch.bool)
    allowed = torch.zeros_like(seen)
    spans = [rng.choice(window.spans) if window.spans else (0, 0) for window in windows]
    for place, window in enumerate(windows):
        ids[place, : len(window.ids)] = torch.tensor(window.ids)
        seen[place, : len(window.ids)] = True
        allowed[place, window.text : len(window.ids) - 1] = True
    allowed[:, 0] = True
    column = [torch.tensor([span[side] for span in spans]) for side in (0, 1)]
    heads = [torch.tensor([getattr(window, name) for window in windows]) for name in ("answered", "relevant")]
    return TrainingBatch(ids, seen, allowed, *column, *heads)


def batch_loss(model: nn.Module, batch: TrainingBatch, plan: TrainingPlan, soft: SoftTargets | None = None) -> Tensor:
    """Return the cross entropy of the first and last token, and of the two questions about the passage; with `soft`, plan.soft of it to what the
    teachers say (Hinton et al. 2015, https://arxiv.org/abs/1503.02531), at a temperature of 1.
    """
    spans, passages = span_logits(model, batch)
    loss = torch.zeros((), device=spans.device)
    for side, target in enumerate((batch.first, batch.last)):
        hard = functional.cross_entropy(spans[..., side], target)
        taught = None if soft is None else functional.cross_entropy(spans[..., side], soft.spans[..., side])
        loss = loss + _mix(hard, taught, plan.soft) / 2
    for place, (weight, target) in enumerate(((plan.answered, batch.answered), (plan.relevant, batch.relevant))):
        known = target != UNKNOWN
        if known.any():
            logits = passages[known, place]
            hard = functional.binary_cross_entropy_with_logits(logits, target[known].float())
            taught = None if soft is None else functional.binary_cross_entropy_with_logits(logits, soft.passages[known, place])
            loss = loss + weight * _mix(hard, taught, plan.soft)
    return loss


def _mix(hard: Tensor, taught: Tensor | None, share: float) -> Tensor:
    return hard if taught is None else (1 - share) * hard + share * taught


def span_logits(model: nn.Module, batch: TrainingBatch) -> tuple[Tensor, Tensor]:
    """Return the logits of a batch in float32: spans [rows, tokens, 2], where none may begin or end masked, and passages [rows, 2]."""
    with torch.autocast(batch.ids.device.type, torch.bfloat16):
        spans, passages = model(batch.ids, batch.seen)
    return spans.float().masked_fill(~batch.allowed.unsqueeze(-1), MASKED), passages.float()


@torch.no_grad()
def ask_teachers(teachers: Sequence[nn.Module], batch: TrainingBatch) -> SoftTargets:
    """Return the mean of what the teachers say; none of them may be in training mode."""
    found = [span_logits(teacher, batch) for teacher in teachers]
    spans = torch.stack([functional.softmax(spans, dim=1) for spans, _ in found]).mean(0)
    return SoftTargets(spans, torch.stack([torch.sigmoid(passages) for _, passages in found]).mean(0))


@dataclass
class TrainingProgress:
    """The state on disk beside the weights."""

    step: int = 0
    seconds: float = 0.0


class Trainer:
    """Training of a model on passes that `windows(pass number)` makes anew; goes on from `folder` where a state lies there."""

    def __init__(self, model: ReaderModel, padding: int, plan: TrainingPlan, folder: Path, teachers: Sequence[ReaderModel] = ()) -> None:
        self.model, self.plan, self.padding, self.folder = model.to(plan.device), plan, padding, folder
        self._teachers = [teacher.to(plan.device).eval() for teacher in teachers]
        self._optimizer = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=0.01, betas=(0.9, 0.98))
        self.progress = TrainingProgress()
        self._state = folder / "state.pt"
        if self._state.is_file():
            state = torch.load(self._state, weights_only=True, map_location=plan.device)
            model.load_state_dict(state["model"])
            self._optimizer.load_state_dict(state["optimizer"])
            self.progress = TrainingProgress(state["step"], state["seconds"])

    def run(self, windows: Callable[[int], Sequence[TrainingWindow]], report: Callable[[int], None]) -> None:
        """Train; `report` is called at the end of each pass."""
        steps, batch_of = 0, self._batches(windows)
        first_pass = len(batches(windows(0), self.plan, random.Random(self.plan.seed)))
        steps = int(first_pass * self.plan.passes)
        started, losses, tokens = time.monotonic() - self.progress.seconds, [0.0], 0
        begun = self.progress.step
        for number, (passed, part) in enumerate(batch_of):
            if number < begun:
                continue  # a state was loaded: these were trained on
            fraction = max(number / steps, (time.monotonic() - started) / (self.plan.minutes * 60) if self.plan.minutes else 0.0)
            if fraction >= 1:
                break
            losses.append(self._train_step(part, number, fraction))
            tokens += sum(len(window.ids) for window in part)
            self.progress = TrainingProgress(number + 1, time.monotonic() - started)
            if (number + 1) % 50 == 0:
                mean = sum(losses[-50:]) / 50
                pace = tokens / max(self.progress.seconds, 1)
                sys.stdout.write(
                    f"step {number + 1} of {steps}, pass {passed + 1}, loss {mean:.3f}, {pace:.0f} tokens/s, {self.progress.seconds:.0f} s\n"
                )
                sys.stdout.flush()
            if (number + 1) % self.plan.save_every == 0:
                self._save_state()
        self._save_state()
        report(self.progress.step)

    def _batches(self, windows: Callable[[int], Sequence[TrainingWindow]]) -> Iterator[tuple[int, list[TrainingWindow]]]:
        passed = 0
        while True:
            rng = random.Random(self.plan.seed * 1000 + passed)
            for part in batches(windows(passed), self.plan, rng):
                yield passed, part
            passed += 1

    def _train_step(self, part: Sequence[TrainingWindow], number: int, fraction: float) -> float:
        rate = self.plan.rate * min(1.0, (number + 1) / self.plan.warmup) * (1 - fraction)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self.model.train()
        batch = make_batch(part, self.padding, random.Random(number)).move_to(self.plan.device)
        loss = batch_loss(self.model, batch, self.plan, ask_teachers(self._teachers, batch) if self._teachers else None)
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        return float(loss.detach())

    def _save_state(self) -> None:
        """Save the state, written beside and moved over, so that an interruption never leaves half a state."""
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self._state.with_suffix(".new")
        state = {
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "step": self.progress.step,
            "seconds": self.progress.seconds,
        }
        torch.save(state, beside)
        beside.replace(self._state)


def write_measures(folder: Path, measures: dict[str, dict[str, float]]) -> None:
    (folder / "measures.json").write_text(json.dumps(measures, indent=1), encoding="utf-8")
