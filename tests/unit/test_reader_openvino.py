"""The OpenVINO reader over each of the shipped bases, with weights of chance: what it says means nothing, where and how it says it does."""

from __future__ import annotations

import asyncio
import threading
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import anyio
import numpy as np
import pytest

from core.errors import Unavailable
from core.ports import AnswerReader, PassageReading
from retrieval.embedders.openvino_embedder import Activations, make_tokenizer
from retrieval.embedders.transformer_models import TransformerModel
from retrieval.readers import openvino_reader
from retrieval.readers.openvino_reader import NO_READING, uses_rounding
from retrieval.readers.reader_weights import read_weights
from retrieval.readers.spans import MAX_SPANS, best_spans, merged_scores, span_scores
from retrieval.readers.token_windows import WindowLayout, cut_windows, special_ids
from tests.support.random_reader import base_files, each_base, expected_logits, new_reader, shared_reader, write_reader

QUESTION = "When does the lease end?"
PASSAGES = [
    "The lease ends on 31 March 2026.",
    "Pumps need oil, monthly, and " + "the tank of the old lighthouse is filled by hand every Tuesday; " * 40,
    "水曜日に会議があります。",
]


class Counted:
    """Stands in for the infer request: counts the windows, and can hold one up."""

    def __init__(self, request: Any) -> None:
        self.request, self.running, self.go_on = request, threading.Event(), threading.Event()
        self.batches: list[int] = []
        self.go_on.set()

    def infer(self, inputs: dict[int, Any]) -> None:
        self.batches.append(len(inputs[0]))
        self.running.set()
        assert self.go_on.wait(20)
        self.request.infer(inputs)

    def get_output_tensor(self, number: int) -> Any:
        return self.request.get_output_tensor(number)


def counted(base: TransformerModel, monkeypatch: pytest.MonkeyPatch) -> tuple[AnswerReader, Counted]:
    """The shared reader with an empty cache."""
    reader = shared_reader(base)
    request = Counted(reader._idle.get())
    reader._idle.put(request.request)
    idle = SimpleQueue[Any]()
    idle.put(request)
    monkeypatch.setattr(reader, "_idle", idle)
    monkeypatch.setattr(reader, "_readings", type(reader._readings)())
    return reader, request


def well_formed(text: str, reading: PassageReading) -> bool:
    taken = sorted((span.start, span.end) for span in reading.spans)
    scores = [span.score for span in reading.spans]
    return (
        len(taken) <= MAX_SPANS
        and all(0 <= start < end <= len(text) and text[start:end] == text[start:end].strip() for start, end in taken)
        and all(earlier[1] <= later[0] for earlier, later in pairwise(taken))
        and scores == sorted(scores, reverse=True)
        and all(0 < value < 1 for value in (reading.answerable, reading.relevant))
    )


@each_base
async def test_readings_are_those_of_the_network_in_numpy(base: TransformerModel, tmp_path: Path) -> None:
    files = base_files(base)
    weights = read_weights(write_reader(tmp_path / "reader.safetensors", base)).apply_to(files)
    tokenizer = make_tokenizer(files.tokenizer)
    layout = WindowLayout(*special_ids(tokenizer.encode("", "").ids), window=320, question_tokens=64, overlap=96)
    asked = tokenizer.encode(QUESTION, add_special_tokens=False).ids
    for text, reading in zip(PASSAGES[:2], await shared_reader(base).read_passages(QUESTION, PASSAGES[:2]), strict=True):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        parts, heads = [], []
        for window in cut_windows(layout, asked, encoding.ids, 0):
            spans, passage = expected_logits(files, weights, window.ids)
            parts.append((window.first, span_scores(spans[window.begin : window.end], float(spans[0].sum()))))
            heads.append(passage)
        assert len(parts) == (1 if text is PASSAGES[0] else 3)
        expected = best_spans(merged_scores(parts, len(encoding.ids)), np.array(encoding.offsets, np.int32), text)
        np.testing.assert_allclose([span.score for span in reading.spans], [span.score for span in expected], atol=5e-3)
        assert reading.spans[0].start == expected[0].start
        assert reading.spans[0].end == expected[0].end
        probabilities = 1 / (1 + np.exp(-np.max(heads, axis=0)))
        np.testing.assert_allclose([reading.answerable, reading.relevant], probabilities, atol=2e-3)


@each_base
async def test_rounded_to_8_bits_it_reads_nearly_the_same(base: TransformerModel) -> None:
    rounded = new_reader(base, activations="int8")
    try:
        found, exact = await rounded.read_passages(QUESTION, PASSAGES), await shared_reader(base).read_passages(QUESTION, PASSAGES)
        assert all(well_formed(text, reading) for text, reading in zip(PASSAGES, found, strict=True))
        for one, other in zip(found, exact, strict=True):
            np.testing.assert_allclose([one.answerable, one.relevant], [other.answerable, other.relevant], atol=0.1)
            np.testing.assert_allclose(one.spans[0].score, other.spans[0].score, atol=0.5)
    finally:
        await rounded.close()


@pytest.mark.parametrize(
    ("activations", "precision", "expected"),
    [("auto", "f32", True), ("auto", "bf16", False), ("int8", "bf16", True), ("float", "f32", False)],
)
def test_activations_are_rounded_where_it_is_asked_for_or_no_bfloat16_is_there(activations: Activations, precision: str, expected: bool) -> None:
    assert uses_rounding(activations, precision) is expected


@each_base
async def test_one_reading_for_each_passage_in_order(base: TransformerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = shared_reader(base)
    texts = [*PASSAGES, "", " \n\t", PASSAGES[0], *(f"Clause {n}: {'the rent is due ' * (n * 5 % 19)}monthly." for n in range(20))]
    found = await reader.read_passages(QUESTION, texts)
    assert len(found) == len(texts)
    assert found[3] is found[4] is NO_READING
    assert found[5] == found[0]
    assert all(well_formed(text, reading) for text, reading in zip(texts, found, strict=True) if text.strip())
    monkeypatch.setattr(reader, "_readings", type(reader._readings)())
    alone = await reader.read_passages(QUESTION, [texts[17]])
    np.testing.assert_allclose([span.score for span in alone[0].spans], [span.score for span in found[17].spans], atol=5e-3)
    assert await reader.read_passages(QUESTION, []) == ()


@each_base
async def test_a_passage_of_50_000_characters(base: TransformerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, request = counted(base, monkeypatch)
    text = " ".join(f"Paragraph {n} says that the keeper of lamp {n} rests." for n in range(1, 1100))[:50_000]
    (reading,) = await reader.read_passages("Who rests?", [text])
    assert well_formed(text, reading)
    assert len(reading.spans) == MAX_SPANS
    assert len(request.batches) > 5
    assert set(request.batches) == {1}


@each_base
@pytest.mark.parametrize(
    "question", ["lease", "when " * 2000, "متى ينتهي عقد الإيجار؟", "מתי מסתיים החוזה?", "[SEP] </s> [CLS] <s>", "Ignore the passage."]
)
async def test_any_question(base: TransformerModel, question: str) -> None:
    texts = [PASSAGES[0], "ينتهي عقد الإيجار في 31 مارس 2026.", "החוזה מסתיים ב-31 במרץ 2026.", "a [SEP] b </s> c", "\x00\x01", "?" * 400, "😀" * 50]
    for text, reading in zip(texts, await shared_reader(base).read_passages(question, texts), strict=True):
        assert well_formed(text, reading), text[:40]


@each_base
async def test_a_blank_question_is_answered_by_nothing(base: TransformerModel) -> None:
    assert await shared_reader(base).read_passages(" \n", PASSAGES) == (NO_READING,) * 3


@each_base
async def test_a_passage_is_read_once_for_a_question(base: TransformerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, request = counted(base, monkeypatch)
    first = await reader.read_passages(QUESTION, PASSAGES[:1] * 3)
    assert request.batches == [1]
    again = await reader.read_passages(QUESTION, [PASSAGES[2], PASSAGES[0]])
    assert request.batches == [1, 1]
    assert again[1] is first[0]
    await reader.read_passages("Who keeps the key?", PASSAGES[:1])
    assert request.batches == [1, 1, 1]


@each_base
async def test_few_readings_are_kept(base: TransformerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, request = counted(base, monkeypatch)
    monkeypatch.setattr(openvino_reader, "REMEMBERED_READINGS", 12)
    await reader.read_passages(QUESTION, ["first"])
    await reader.read_passages(QUESTION, [f"passage {n}" for n in range(12)])
    done = len(request.batches)
    await reader.read_passages(QUESTION, ["passage 9"])
    assert len(request.batches) == done
    await reader.read_passages(QUESTION, ["first"])
    assert len(request.batches) == done + 1


@each_base
async def test_a_cancelled_read_ends_with_its_window(base: TransformerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, request = counted(base, monkeypatch)
    request.go_on.clear()
    reading = asyncio.create_task(reader.read_passages(QUESTION, [f"passage {n}" for n in range(40)]))
    await anyio.to_thread.run_sync(request.running.wait, 20)
    reading.cancel()
    await asyncio.sleep(0)
    request.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert request.batches == [1]
    (after,) = await reader.read_passages(QUESTION, PASSAGES[:1])  # the lane is free again
    assert after.spans


@each_base
async def test_concurrent_reads_get_their_own_readings(base: TransformerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = shared_reader(base)
    monkeypatch.setattr(reader, "_readings", type(reader._readings)())
    calls = [[f"Reading {call} of passage {n} about {'ships' if call % 2 else 'bread'}." for n in range(12)] for call in range(3)]
    found = await asyncio.gather(*(reader.read_passages(QUESTION, texts) for texts in calls))
    for texts, readings in zip(calls, found, strict=True):
        assert all(well_formed(text, reading) for text, reading in zip(texts, readings, strict=True))
        reader._readings.clear()
        (alone,) = await reader.read_passages(QUESTION, texts[5:6])
        np.testing.assert_allclose(alone.answerable, readings[5].answerable, atol=2e-3)


@each_base
async def test_the_answerable_logit_is_scaled(base: TransformerModel) -> None:
    plain, scaled = shared_reader(base), new_reader(base, {"answerable_scale": "0.5", "answerable_offset": "-1"})
    (one,), (other,) = await plain.read_passages(QUESTION, PASSAGES[:1]), await scaled.read_passages(QUESTION, PASSAGES[:1])
    logit = np.log(one.answerable / (1 - one.answerable))
    assert other.answerable == pytest.approx(1 / (1 + np.exp(1 - logit / 2)), abs=1e-3)
    assert other.relevant == pytest.approx(one.relevant, abs=1e-3)
    assert plain.name != scaled.name
    assert plain.name.startswith(f"reader-{base.name}@")


@each_base
async def test_a_closed_reader_says_so(base: TransformerModel) -> None:
    reader = new_reader(base)
    await reader.close()
    with pytest.raises(Unavailable, match="closed"):
        await reader.read_passages(QUESTION, PASSAGES)


@each_base
async def test_windows_read_side_by_side_say_the_same(base: TransformerModel) -> None:
    one, several = shared_reader(base), new_reader(base, threads=3)
    texts = [f"Clause {n}: {'the rent is due ' * (n * 5 % 19)}monthly." for n in range(9)]
    assert [reading.spans for reading in await several.read_passages(QUESTION, texts)] == [
        reading.spans for reading in await one.read_passages(QUESTION, texts)
    ]
    assert several._idle.qsize() == 3
    reads = [asyncio.create_task(several.read_passages(f"{QUESTION} {n}", texts)) for n in range(3)]
    await asyncio.sleep(0)
    await several.close()
    assert all(isinstance(each, tuple | Unavailable) for each in await asyncio.gather(*reads, return_exceptions=True))
