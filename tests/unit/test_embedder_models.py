"""sentence-transformers: against the OpenVINO adapter on the same weights, prefixes, token vectors, and what is said when something is missing."""

from __future__ import annotations

import importlib
import sys
import warnings
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import httpx
import numpy as np
import pytest

from core.errors import ConfigurationError, Unavailable
from retrieval.embedders.sentence_transformers import CrossEncoderScorer, SentenceTransformerEmbedder, sigmoid
from retrieval.embedders.transformer_models import MINILM
from retrieval.late_interaction import maxsim_scores
from tests.support.embedding import shared_embedder

TEXTS = ["The lease ends on 31 March 2026.", "Pumps need oil, monthly.", "naïve 𝒳 token", ""]
needs_models = pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="the extra `models` is not installed")


@lru_cache(maxsize=1)
def transformer() -> SentenceTransformerEmbedder:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries' own imports
        return SentenceTransformerEmbedder(str(MINILM.folder() / "model"))


@needs_models
async def test_the_same_weights_give_the_same_vectors() -> None:
    ours, theirs = shared_embedder(MINILM), transformer()
    assert (theirs.dimension, theirs.window) == (ours.dimension, ours.window)
    a, b = await ours.embed_passages(TEXTS, with_tokens=True), await theirs.embed_passages(TEXTS, with_tokens=True)
    assert (a.vectors * b.vectors).sum(axis=1).min() > 0.999
    for mine, other in zip(a.tokens, b.tokens, strict=True):
        np.testing.assert_array_equal(mine.ids, other.ids)
        np.testing.assert_array_equal(mine.spans, other.spans)
        assert not len(mine.ids) or (mine.vectors * other.vectors).sum(axis=1).min() > 0.99
    assert ours.ignorable_token_ids == theirs.ignorable_token_ids
    np.testing.assert_array_equal(ours.token_spans(TEXTS[0]), theirs.token_spans(TEXTS[0]))
    query = await theirs.embed_query_tokens(TEXTS[0])
    scores = maxsim_scores(query.vectors, np.ones(len(query.ids), np.float32), {n: tokens.vectors for n, tokens in enumerate(a.tokens)})
    assert max(scores, key=lambda number: scores[number]) == 0


@needs_models
async def test_prefixes_are_put_in_front_and_not_counted_in_the_offsets() -> None:
    plain = transformer()
    prefixed = SentenceTransformerEmbedder(str(MINILM.folder() / "model"), query_prefix="query: ", passage_prefix="passage: ")
    assert prefixed.name != plain.name
    assert prefixed.window == plain.window - 2
    expected = await plain.embed_passages(["query: lease", "passage: lease"])
    np.testing.assert_allclose(await prefixed.embed_query("lease"), expected.vectors[0], atol=1e-4)
    found = await prefixed.embed_passages(["lease"], with_tokens=True)
    np.testing.assert_allclose(found.vectors[0], expected.vectors[1], atol=1e-4)
    assert found.tokens[0].spans.tolist() == [[0, 5]]
    await prefixed.close()
    with pytest.raises(Unavailable):
        await prefixed.embed_query("late")


@needs_models
def test_a_model_that_does_not_exist_is_named(tmp_path: Any) -> None:
    for make in (SentenceTransformerEmbedder, CrossEncoderScorer):
        with pytest.raises(ConfigurationError, match="cannot be loaded"):
            make(str(tmp_path / "no-model"))


@needs_models
@pytest.mark.parametrize("make", [SentenceTransformerEmbedder, CrossEncoderScorer])
def test_a_source_that_cannot_be_reached_is_asked_once(make: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    asked: list[str] = []
    head = httpx.head

    def noted(url: str, **options: Any) -> httpx.Response:
        asked.append(url)
        return head(url, **options)

    monkeypatch.setattr(httpx, "head", noted)
    with pytest.raises(ConfigurationError, match=r"not on this machine.*127\.0\.0\.1:9 cannot be reached.*give its path"):
        make("nobody/has-this")
    assert asked == ["http://127.0.0.1:9"]


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError, match=r"embedding\.model e5.*pip install 'vantage\[models\]'"):
        SentenceTransformerEmbedder("e5")
    with pytest.raises(ConfigurationError, match=r"search\.rerank\.cross_encoder.*vantage\[models\]"):
        CrossEncoderScorer("ms-marco")


@needs_models
async def test_a_cross_encoder_gives_probabilities(tmp_path: Any) -> None:
    """A random one: what is tested is the plumbing, a trained one would be a download."""
    import torch

    transformers: Any = importlib.import_module("transformers")  # its lazy attributes are unknown to the type checker
    torch.manual_seed(0)
    config = transformers.BertConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_labels=1)
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    transformers.BertTokenizerFast(tokenizer_file=str(MINILM.folder() / "model" / "tokenizer.json")).save_pretrained(tmp_path)
    scorer = CrossEncoderScorer(str(tmp_path))
    scores = await scorer.score("When does it end?", TEXTS)
    assert len(scores) == len(TEXTS)
    assert all(0 < score < 1 for score in scores)
    alone = await scorer.score("When does it end?", TEXTS[1:2])
    assert alone[0] == pytest.approx(scores[1], abs=1e-5)
    assert await scorer.score("anything", []) == []


def test_sigmoid_does_not_overflow() -> None:
    assert [sigmoid(value) for value in (-1000.0, 0.0, 1000.0)] == [0.0, 0.5, 1.0]
    assert sigmoid(2.0) == pytest.approx(0.8807970779778823)
