"""How the reader that is shipped learns: of limited rank, from teachers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.tiny_reader import SHAPE, lessons, state_of, tiny_model, tiny_weights, torch_on_one_thread, trained_state

pytestmark = pytest.mark.usefixtures("torch")


@pytest.fixture
def torch() -> Iterator[Any]:
    yield from torch_on_one_thread()


def test_a_student_of_limited_rank_learns_from_its_teachers_and_ships_what_it_learned(tmp_path: Path) -> None:
    from training.reader.low_rank import compress_to_rank, merge_factors, restore_state
    from training.reader.reader_model import ReaderModel, limit_rank
    from training.reader.trainer import Trainer, TrainingPlan, ask_teachers, make_batch

    windows = lessons(12)
    teacher = tiny_model()
    Trainer(teacher, 0, TrainingPlan(passes=40, rate=2e-2, warmup=1), tmp_path / "teacher").run(lambda _: windows, lambda _: None)
    base, student = tiny_weights(), tiny_model()
    student.load_state_dict({name: _tensor(value) for name, value in trained_state(0.05).items()})
    limit_rank(student, base, 3)
    batch = make_batch(windows, 0, random.Random(1))

    def distance() -> float:
        said, taught = ask_teachers([student.eval()], batch), ask_teachers([teacher.eval()], batch)
        return float((said.spans - taught.spans).abs().sum() + (said.passages - taught.passages).abs().sum())

    before = distance()
    plan = TrainingPlan(passes=60, rate=2e-2, warmup=1, soft=1.0)
    Trainer(student, 0, plan, tmp_path / "student", [teacher]).run(lambda _: windows, lambda _: None)
    assert distance() < before / 4
    merged = merge_factors(state_of(student), base)
    difference = merged["layers.1.widened.weight"] - base.tensors["1.widened.weight"]
    assert np.linalg.matrix_rank(difference, tol=1e-4) == 3
    whole = ReaderModel(SHAPE, base)
    whole.load_state_dict({name: _tensor(value) for name, value in merged.items()})
    shipped = ReaderModel(SHAPE, base)
    shipped.load_state_dict(
        {name: _tensor(value) for name, value in restore_state(compress_to_rank(merged, base, SHAPE.layers, 3), base, SHAPE.layers).items()}
    )
    for model, near in ((whole, 1e-3), (shipped, 0.15)):
        said = ask_teachers([model.eval()], batch)
        assert float((said.spans - ask_teachers([student.eval()], batch).spans).abs().max()) < near


def test_dropout_works_in_training_alone() -> None:
    import torch

    from training.reader.reader_model import ReaderModel

    torch.manual_seed(5)
    model, ids = ReaderModel(SHAPE, tiny_weights(), dropout=0.5), torch.tensor([[1, 9, 2, 30, 31, 2]])
    seen = ids >= 0
    assert torch.equal(model.eval()(ids, seen)[0], model(ids, seen)[0])
    assert not torch.equal(model.train()(ids, seen)[0], model(ids, seen)[0])


def _tensor(value: NDArray[np.float32]) -> Any:
    import torch

    return torch.from_numpy(value)
