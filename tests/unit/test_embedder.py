"""The OpenVINO embedder: one process-wide instance, because it compiles two networks."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigurationError, Unavailable
from retrieval.embedders.minilm import DIMENSION, STEP, WINDOW, MiniLmEmbedder, check_weights, model_folder, padded
from retrieval.stop_words import ignorable_ids
from tests.support.embedding import shared_embedder

TEXTS = ["The lease ends on 31 March 2026.", "A tenant may terminate with three months' notice.", "Pumps need oil.", "", "水曜日に会議があります。"]


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"not the weights")
    with pytest.raises(ConfigurationError, match="sha256"):
        check_weights(tmp_path / "model.safetensors")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        check_weights(tmp_path / "absent.safetensors")


def test_a_changed_weight_stops_the_construction(tmp_path: Path) -> None:
    source = model_folder()
    data = bytearray((source / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (tmp_path / "model.safetensors").write_bytes(data)
    (tmp_path / "tokenizer.json").write_bytes((source / "tokenizer.json").read_bytes())
    with pytest.raises(ConfigurationError, match="not those of"):
        MiniLmEmbedder(folder=tmp_path)


async def test_vectors_are_unit_and_of_the_query_space() -> None:
    embedder = shared_embedder()
    encoded = await embedder.embed_passages(TEXTS)
    assert encoded.vectors.shape == (len(TEXTS), DIMENSION)
    assert encoded.tokens == ()
    np.testing.assert_allclose(np.linalg.norm(encoded.vectors, axis=1), 1.0, atol=1e-3)
    query = await embedder.embed_query(TEXTS[1])
    assert float(encoded.vectors[1] @ query) > 0.999


async def test_a_question_finds_its_passage() -> None:
    embedder = shared_embedder()
    encoded = await embedder.embed_passages(TEXTS[:3])
    query = await embedder.embed_query("How can a renter end the contract?")
    assert int(np.argmax(encoded.vectors @ query)) == 1


async def test_order_and_batches_do_not_change_a_vector() -> None:
    embedder = shared_embedder()
    texts = [f"{'word ' * (n * 7 % 60)}{n}" for n in range(30)]
    together = (await embedder.embed_passages(texts)).vectors
    for row in (0, 13, 29):
        alone = await embedder.embed_query(texts[row])
        assert float(together[row] @ alone) > 0.999


def test_batches_have_few_widths() -> None:
    """The runtime keeps what it compiled for each shape: with any width it would be hundreds of megabytes."""
    widths = set()
    for length in range(1, WINDOW + 1):
        ids, mask = padded([[7] * length, [7]])
        assert ids.shape == mask.shape == (2, ids.shape[1])
        assert length <= ids.shape[1] < length + STEP
        assert mask.sum() == length + 1
        assert (ids * mask == ids).all()
        widths.add(ids.shape[1])
    assert len(widths) == WINDOW // STEP
    assert max(widths) == WINDOW


async def test_tokens_leave_out_the_special_ones_and_point_into_the_text() -> None:
    embedder = shared_embedder()
    text = "Überzahlung: naïve 𝒳 token."
    tokens = (await embedder.embed_passages([text], with_tokens=True)).tokens[0]
    assert tokens.ids.shape == (len(tokens.vectors),)
    assert tokens.spans.shape == (len(tokens.vectors), 2)
    np.testing.assert_allclose(np.linalg.norm(tokens.vectors, axis=1), 1.0, atol=1e-5)
    assert [text[start:end] for start, end in tokens.spans][-2:] == ["token", "."]
    np.testing.assert_array_equal(tokens.spans, embedder.token_spans(text))
    query = await embedder.embed_query_tokens(text)
    np.testing.assert_array_equal(query.ids, tokens.ids)


async def test_a_long_text_is_cut_at_the_window_but_measured_whole() -> None:
    embedder = shared_embedder()
    text = "lighthouse " * 1000
    tokens = (await embedder.embed_passages([text], with_tokens=True)).tokens[0]
    assert len(tokens.vectors) == WINDOW - 2
    assert len(embedder.token_spans(text)) == 1000


@pytest.mark.parametrize("text", ["", "   ", "\x00\x01\x1b", "".join(chr(plane << 16 | 0x1234) for plane in range(17)), "?" * 200_000])
async def test_any_text_has_a_vector(text: str) -> None:
    vector = await shared_embedder().embed_query(text)
    assert np.isfinite(vector).all()


async def test_concurrent_callers_get_their_own_vectors() -> None:
    embedder = shared_embedder()
    windows = [[f"window {w} passage {n} about {'ships' if w % 2 else 'bread'}" for n in range(20)] for w in range(4)]
    calls = [embedder.embed_passages(window, with_tokens=True) for window in windows]
    encoded, query = await asyncio.gather(asyncio.gather(*calls), embedder.embed_query(windows[2][5]))
    for window, result in zip(windows, encoded, strict=True):
        alone = (await embedder.embed_passages(window[7:8])).vectors[0]
        assert float(result.vectors[7] @ alone) > 0.999
        assert len(result.tokens) == len(window)
    assert float(encoded[2].vectors[5] @ query) > 0.999


async def test_nothing_to_embed() -> None:
    encoded = await shared_embedder().embed_passages([], with_tokens=True)
    assert encoded.vectors.shape == (0, DIMENSION)
    assert encoded.tokens == ()


async def test_a_closed_embedder_says_so() -> None:
    embedder = MiniLmEmbedder(threads=1)
    await embedder.close()
    with pytest.raises(Unavailable, match="closed"):
        await embedder.embed_query("late")


def test_full_precision_agrees_with_the_short_one() -> None:
    async def run() -> None:
        short, full = shared_embedder(), MiniLmEmbedder(precision="f32", threads=1)
        a, b = await short.embed_passages(TEXTS), await full.embed_passages(TEXTS)
        assert (a.vectors * b.vectors).sum(axis=1).min() > 0.999
        await full.close()

    asyncio.run(run())


def test_ignorable_ids_know_the_marks_of_the_tokenizers() -> None:
    vocabulary = {"the": 0, "##the": 1, "▁The": 2, "Ġof": 3, ".": 4, "##.": 5, "lease": 6, "▁": 7}
    assert ignorable_ids(vocabulary) == {0, 2, 3, 4, 5, 7}


async def test_a_question_is_embedded_once_and_its_vector_cannot_be_changed() -> None:
    embedder = shared_embedder()
    first, again = await embedder.embed_query("Who keeps the key?"), await embedder.embed_query("Who keeps the key?")
    assert first is again
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0
    assert not np.array_equal(first, await embedder.embed_query("Who has the lock?"))
