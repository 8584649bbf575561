"""How the reader is trained: rows, windows, what is shipped; and that a small network learns and goes on where it was saved."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer

from retrieval.embedders.openvino_embedder import make_tokenizer
from retrieval.embedders.transformer_models import TransformerModel
from retrieval.readers import token_windows as serving
from tests.support.random_reader import base_files, each_base
from tests.support.tiny_reader import (
    CONTEXT,
    SHAPE,
    SOURCE,
    TINY,
    lessons,
    row,
    span,
    state_of,
    tiny_model,
    tiny_weights,
    tokenizer_of,
    torch_on_one_thread,
    trained_state,
)
from training.reader.training_rows import TrainingRow, near_misses, read_rows, type_like_search
from training.reader.training_windows import QUESTION_TOKENS, UNKNOWN, TrainingWindow, layout_of, reading_windows, training_windows

if TYPE_CHECKING:
    from training.reader.trainer import Trainer, TrainingPlan


@pytest.fixture
def torch() -> Iterator[Any]:
    yield from torch_on_one_thread()


# ---------------------------------------------------------------------------------------------------------------------- rows
def test_near_misses_are_made_of_answered_plain_rows_alone() -> None:
    rows = [
        row("When did Ada Holm buy the largest mill?", "1921"),
        row("When did Ada Holm buy the largest mill?", ""),
        row("When did Ada Holm buy the largest mill?", "1921", source="cuad"),
    ]
    found = list(near_misses(rows[:1] * 200, random.Random(1)))
    assert 0 < len(found) < 200
    assert all((each.answers, each.relevant) == ((), None) and each.source.startswith("near_miss_") for each in found)
    assert list(near_misses(rows[1:] * 50, random.Random(1))) == []


def test_rows_whose_spans_do_not_stand_in_their_text_are_left_out(tmp_path: Path) -> None:
    good = {"question": "When?", "context": CONTEXT, "answers": [{"start": span("1921")[0], "text": "1921"}]}
    lines = [good, {**good, "answers": [{"start": 3, "text": "1921"}]}, {**good, "answers": []}]
    path = tmp_path / "mills.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json.dumps(line) for line in lines).encode()))
    assert list(read_rows(path)) == [TrainingRow("When?", CONTEXT, (span("1921"),), True, "mills"), TrainingRow("When?", CONTEXT, (), False, "mills")]


def test_a_typed_question_is_lower_case_without_its_mark() -> None:
    assert type_like_search(row("When did Ada Holm buy it ?", "1921")).question == "when did ada holm buy it"


# ---------------------------------------------------------------------------------------------------------------------- windows
LONG = " ".join(f"w{number}" for number in range(300))


def words_of(window: TrainingWindow) -> list[str]:
    return [str(TINY.id_to_token(each)) for each in window.ids]


def test_a_bert_and_a_roberta_join_differently() -> None:
    bert, roberta = layout_of(TINY), layout_of(tokenizer_of("<pad>", "<s>", "</s>", "<unk>"))
    assert (bert.front, bert.between, bert.behind, bert.padding) == ((1,), (2,), (2,), 0)
    assert (roberta.front, roberta.between, roberta.behind, roberta.padding) == ((1,), (2, 2), (2,), 0)


def test_a_short_row_is_one_window_with_its_span() -> None:
    [window] = training_windows([row("Who mended it ?", "w3 w4", "w1 w2 w3 w4 w5")], TINY, 32, random.Random(1))
    assert words_of(window) == "[CLS] Who mended it ? [SEP] w1 w2 w3 w4 w5 [SEP]".split()
    assert (window.text, window.offset, window.spans, window.answered, window.relevant) == (6, 0, ((8, 9),), 1, 1)


def test_a_long_row_is_cut_round_its_answer() -> None:
    offsets = set()
    for seed in range(40):
        [window] = training_windows([row("When ?", "w150 w151 w152", LONG)], TINY, 40, random.Random(seed))
        [(first, last)] = window.spans
        assert words_of(window)[first : last + 1] == ["w150", "w151", "w152"]
        assert words_of(window)[window.text] == f"w{window.offset}"
        assert len(window.ids) == 40
        offsets.add(window.offset)
    assert len(offsets) > 10  # it stands anywhere in the window


def test_an_answer_longer_than_a_window_and_one_of_white_space_are_left_out() -> None:
    rows = [row("When ?", LONG[: LONG.index("w90")], LONG), TrainingRow("When ?", "w1 w2", ((2, 3),), True, SOURCE)]
    assert training_windows(rows, TINY, 40, random.Random(1)) == []


def test_an_unanswered_row_has_no_span_and_a_near_miss_no_relevance() -> None:
    rows = [row("When ?", "", LONG), TrainingRow("When ?", LONG, (), None, "near_miss_name")]
    found = training_windows(rows, TINY, 40, random.Random(1))
    assert [(each.row, each.spans, each.answered, each.relevant, len(each.ids)) for each in found] == [(0, (), 0, 0, 40), (1, (), 0, UNKNOWN, 40)]


def test_a_long_question_is_cut() -> None:
    [window] = training_windows([row(LONG, "w1", "w1 w2")], TINY, 192, random.Random(1))
    assert window.text == QUESTION_TOKENS + 2


def test_reading_windows_hold_every_token_and_overlap() -> None:
    found, offsets = reading_windows([row("When ?", "", LONG), row("When ?", "", "w1")], TINY, 40, 10)
    own = [each for each in found if each.row == 0]
    room = 40 - 4 - 1
    assert [each.offset for each in own] == list(range(0, own[-1].offset + 1, room - 10))
    assert {each.offset + place for each in own for place in range(len(each.ids) - each.text - 1)} == set(range(300))
    assert words_of(found[-1]) == "[CLS] When ? [SEP] w1 [SEP]".split()
    assert [LONG[start:end] for start, end in offsets[0]] == LONG.split()


@each_base
def test_what_is_trained_on_is_joined_as_what_is_served(base: TransformerModel) -> None:
    text = base_files(base).tokenizer
    tokenizer = make_tokenizer(text)
    questions = ["When does the lease of Quay 7 end?", "Wie hoch ist die Miete? " * 20]
    passages = ["The lease ends on 31 March 2026.", "", "Pumps need oil — 4 litres, “monthly”. 水曜日 😀 " * 90]
    rows = [row(question, "", passage) for question in questions for passage in passages]
    own = Tokenizer.from_str(text)
    own.no_truncation()
    own.no_padding()
    trained, offsets = reading_windows(rows, own, 320, 96)
    layout = serving.WindowLayout(*serving.special_ids(tokenizer.encode("", "").ids), window=320, question_tokens=QUESTION_TOKENS, overlap=96)
    served = []
    for number, each in enumerate(rows):
        asked, passage = tokenizer.encode_batch([each.question.strip(), each.context], add_special_tokens=False)
        assert list(passage.offsets) == offsets[number]
        served += serving.cut_windows(layout, asked.ids, passage.ids, number)
    assert [(each.row, each.ids, each.offset, each.text) for each in trained] == [(each.passage, each.ids, each.first, each.begin) for each in served]
    short = [each for each in trained if each.row == 0]
    [cut] = training_windows(rows[:1], own, 192, random.Random(1))
    assert [each.ids for each in short] == [cut.ids]


# ---------------------------------------------------------------------------------------------------------------------- the network
@pytest.mark.usefixtures("torch")
def test_a_small_network_learns_one_row(tmp_path: Path) -> None:
    model = tiny_model()
    from training.reader.reader_scores import measure
    from training.reader.trainer import Trainer, TrainingPlan

    rows = [row("Who mended the wheel ?", "w7 w8", "w5 w6 w7 w8 w9 the wheel"), row("When did Ada Holm buy it ?", "", "w5 w6 w9")]
    windows = training_windows(rows, TINY, 40, random.Random(1))
    reported: list[int] = []
    Trainer(model, 0, TrainingPlan(passes=60, rate=2e-2, warmup=1), tmp_path).run(lambda _: windows, reported.append)
    assert reported == [60]
    measures = measure(model, rows, TINY)
    assert (measures["em"], measures["f1"], measures["auroc_span"], measures["auroc_head"]) == (1.0, 1.0, 1.0, 1.0)


def recording(losses: list[float], stop_after: int = 0) -> Callable[..., Trainer]:
    """A trainer that keeps its losses, and is interrupted after so many steps."""
    from training.reader.trainer import Trainer

    class Recording(Trainer):
        def _train_step(self, part: Sequence[TrainingWindow], number: int, fraction: float) -> float:
            if stop_after and len(losses) == stop_after:
                raise KeyboardInterrupt
            losses.append(super()._train_step(part, number, fraction))
            return losses[-1]

    return Recording


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("stopped", [4, 9])  # in the first pass and in the second
def test_training_goes_on_where_it_was_saved(tmp_path: Path, stopped: int) -> None:
    from training.reader.trainer import TrainingPlan

    windows = lessons(20)
    plan: TrainingPlan = TrainingPlan(passes=2, tokens=64, rate=1e-2, warmup=3, save_every=2)

    def ignored(_: int) -> None: ...

    whole: list[float] = []
    first = tiny_model()
    recording(whole)(first, 0, plan, tmp_path / "whole").run(lambda _: windows, ignored)
    assert len(whole) == 10  # five steps a pass

    before: list[float] = []
    with pytest.raises(KeyboardInterrupt):
        recording(before, stopped)(tiny_model(), 0, plan, tmp_path / "parts").run(lambda _: windows, ignored)
    saved = stopped - stopped % 2
    after: list[float] = []
    resumed = tiny_model()
    trainer = recording(after)(resumed, 0, plan, tmp_path / "parts")
    assert trainer.progress.step == saved
    trainer.run(lambda _: windows, ignored)
    assert before == whole[:stopped]
    assert after == whole[saved:]
    assert all(np.array_equal(value, state_of(resumed)[name]) for name, value in state_of(first).items())
    again: list[float] = []
    recording(again)(tiny_model(), 0, plan, tmp_path / "parts").run(lambda _: windows, ignored)
    assert again == []  # it is over
    assert not list((tmp_path / "parts").glob("*.new"))


def test_padding_changes_nothing(torch: Any) -> None:
    model = tiny_model().eval()
    ids = torch.tensor([[1, 9, 2, 30, 31, 2]])
    padded = torch.nn.functional.pad(ids, (0, 10))
    with torch.no_grad():
        spans, passages = model(ids, ids >= 0)
        wide, same = model(padded, padded > 0)
    assert torch.allclose(spans, wide[:, :6], atol=1e-4)
    assert torch.allclose(passages, same, atol=1e-4)


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize(
    ("logits", "best"),
    [
        ({(1, 0): 3.0, (2, 1): 2.0}, (0, 1, 5.0)),
        ({(2, 0): 3.0, (1, 1): 2.0}, (1, 1, 3.0)),  # no span ends before it begins
        ({(0, 0): 4.0, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 1.0}, (0, 0, -3.0)),  # no answer is likelier
        ({(5, 0): 9.0, (5, 1): 9.0}, (0, 0, 0.0)),  # behind the text
    ],
)
def test_the_best_span(logits: dict[tuple[int, int], float], best: tuple[int, int, float]) -> None:
    from training.reader.reader_scores import best_span

    table = np.zeros((6, 2), np.float32)
    for place, value in logits.items():
        table[place] = value
    assert best_span(table, 1, 5) == best
    assert best_span(table, 1, 1)[2] < -1e8


# ---------------------------------------------------------------------------------------------------------------------- what is shipped
def scaled(tensors: dict[str, NDArray[Any]], own: str, side: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A factor as it is shipped, and the size of its 8-bit steps."""
    scale = tensors[f"{own}.{side}_scale"].astype(np.float32)[:, None]
    return tensors[f"{own}.{side}"].astype(np.float32) * scale, np.broadcast_to(scale, tensors[f"{own}.{side}"].shape)


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("scale", [0.3, 0.01])
def test_of_full_rank_the_weights_come_back_within_their_bits(scale: float) -> None:
    state = trained_state(scale)
    from training.reader.low_rank import PRODUCTS, compress_to_rank, restore_state

    base = tiny_weights()
    tensors = compress_to_rank(state, base, SHAPE.layers, SHAPE.width)
    back = restore_state(tensors, base, SHAPE.layers)
    assert {name: value.shape for name, value in back.items()} == {name: value.shape for name, value in state.items()}
    for name, value in state.items():
        number, product = name.split(".")[1:3] if name.startswith("layers.") else ("", "")
        if product not in PRODUCTS or name.endswith("bias"):
            np.testing.assert_allclose(back[name], value, rtol=1e-3, atol=1e-6)  # 16 bits
            continue
        own = f"{number}.{product}"
        left, left_step = scaled(tensors, own, "left")
        right, right_step = scaled(tensors, own, "right")
        assert tensors[f"{own}.left"].dtype == tensors[f"{own}.right"].dtype == np.int8
        half = 0.6  # of a step: 8 bits, and the 16 of the scale
        bound = half * (left_step @ np.abs(right) + np.abs(left) @ right_step + half * left_step @ right_step)
        assert (np.abs(back[name] - value) <= bound + 1e-6).all()


@pytest.mark.usefixtures("torch")
def test_more_ranks_are_nearer_and_the_file_grows_with_them() -> None:
    state = trained_state(0.3)
    from training.reader.low_rank import compress_to_rank, restore_state

    base, name = tiny_weights(), "layers.1.widened.weight"
    cuts = [compress_to_rank(state, base, SHAPE.layers, rank) for rank in (1, 4, 8, 16)]
    errors = [float(np.abs(restore_state(tensors, base, SHAPE.layers)[name] - state[name]).mean()) for tensors in cuts]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 10
    assert [tensors["1.widened.left"].shape for tensors in cuts] == [(32, 1), (32, 4), (32, 8), (32, 16)]


@pytest.mark.usefixtures("torch")
def test_an_untrained_network_is_its_base() -> None:
    state = state_of(tiny_model())
    from training.reader.low_rank import compress_to_rank, restore_state

    base = tiny_weights()
    back = restore_state(compress_to_rank(state, base, SHAPE.layers, 4), base, SHAPE.layers)
    for number in range(SHAPE.layers):
        for name in ("query_key_value", "attended", "widened", "narrowed"):
            np.testing.assert_array_equal(back[f"layers.{number}.{name}.weight"], base.tensors[f"{number}.{name}.weight"])
