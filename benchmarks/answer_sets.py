"""Question sets with gold answers in the product's own index: what the answer benchmarks ask."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from answers.scoring.cross_language_units import CrossLanguageScorer
from benchmarks.corpora import SHORT_NAMES, TENANT, Corpus, CorpusLibrary, build_index, load_corpus
from benchmarks.machine import data_folder
from composition.question_languages import LibraryQuestionLanguages
from composition.question_translation import GERMAN, read_in_english
from core.answers import Evidence
from core.documents import embedded_text
from core.ports import Hit, Library, PieceEncoder, Readiness, Translation
from core.search import Filters, Passage, RetrievalRequest, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.language_crossing import CrossLanguageSearch
from retrieval.language_identification import LanguageIdentification
from retrieval.retriever import HybridRetriever
from retrieval.second_vectors import SecondVectors
from retrieval.word_translation import WordTranslator, translate_question
from settings import SearchSettings

HYBRID = Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.0)
PASSAGES = 10
XQUAD = "xquad "


@dataclass(frozen=True)
class AnswerSet:
    """One set. `gold` are the answers of each question ("" where the documents hold none), `texts` the documents as they are indexed."""

    name: str
    corpus: Corpus
    index: EmbeddedIndex
    retriever: HybridRetriever
    gold: dict[str, list[str]]
    impossible: frozenset[str]
    crossing: CrossLanguageScorer | None = None

    async def find(self, query: str, without: Sequence[str] = ()) -> tuple[list[Evidence], dict[str, float]]:
        """The first passages by the product's fusion, no rerank, and the signals; `without` names documents that are taken away."""
        filters = Filters()
        if without:
            filters = Filters(document_ids=[document.id for document in self.corpus.documents if document.id not in set(without)])
        request = RetrievalRequest(text=self.corpus.queries[query], tenant=TENANT, strategy=HYBRID, filters=filters)
        passages, retrieval = await self.retriever.assemble_passages(request, await self.retriever.retrieve(request), PASSAGES)
        titles = {document.id: document.title for document in self.corpus.documents}
        best = max((passage.anchor_score for passage in passages), default=1.0)
        evidence = [
            Evidence(
                passage=passage,
                filename=f"{passage.document_id}.txt",
                title=titles[passage.document_id],
                generation=1,
                score=max(0.0, passage.anchor_score / best) if best > 0 else 1.0,
            )
            for passage in passages
        ]
        return evidence, retrieval.signals

    def chunk_evidence(self, document: str) -> Evidence:
        """The first chunk of a document as evidence: most of an abstract."""
        chunk = next(chunk for chunk in self.corpus.chunks.values() if chunk.document_id == document)
        passage = Passage(
            content=chunk.text,
            section=chunk.section,
            document_id=document,
            start=chunk.start,
            end=chunk.end,
            chunks=[chunk.id],
            page=None,
            anchor=chunk.id,
            anchor_score=1.0,
            coherence_score=1.0,
        )
        return Evidence(passage=passage, filename=f"{document}.txt", title=" › ".join(chunk.section), generation=1)


@dataclass(frozen=True)
class PreparedMultilingualSearch:
    """core.ports.MultilingualSearch over vectors that are all there."""

    encoder: PieceEncoder
    index: EmbeddedIndex
    vectors: SecondVectors
    translator: WordTranslator

    async def other_languages(self, tenant: str) -> frozenset[str]:
        return frozenset(await self.index.languages(tenant)) - {"", "en"}

    async def check_readiness(self, tenant: str, *, start: bool) -> Readiness:
        return Readiness(1, 1)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return await self.encoder.embed_query(text)

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        found = await self.vectors.search(tenant, vector, filters, limit)
        return tuple(Hit(hit.chunk_id, hit.document_id, self.encoder.scale.rescale(hit.score)) for hit in found)

    async def cosines(self, tenant: str, vector: NDArray[np.float32], chunk_ids: Sequence[int]) -> dict[int, float]:
        found = await self.vectors.get(tenant, chunk_ids)
        return {number: self.encoder.scale.rescale(float(row @ vector)) for number, row in found.items()}

    async def translate_question(self, tenant: str, text: str, language: str) -> Translation:
        found = await translate_question(self.translator, self.index, tenant, text, language)
        return replace(found, english=await read_in_english(self.index, tenant, text)) if language == GERMAN and found.words else found

    async def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        encoded = await self.encoder.embed_passages(texts)
        return [float(value) for value in self.encoder.scale.rescale(encoded.vectors @ await self.encoder.embed_query(question))]


async def _prepare_search(index: EmbeddedIndex, corpus: Corpus, encoder: PieceEncoder) -> PreparedMultilingualSearch:
    async def vectors() -> AsyncIterator[tuple[str, int, NDArray[np.float16]]]:
        for document in corpus.documents:
            texts = [embedded_text(corpus.chunks[each.id].prefix, each.text) for each in document.chunks]
            yield document.id, document.generation, (await encoder.embed_passages(texts)).vectors.astype(np.float16)

    translator = WordTranslator(encoder)
    await translator.learn_texts([each.text for each in corpus.chunks.values()])
    while await translator.encode_learned():
        pass
    return PreparedMultilingualSearch(
        encoder, index, await SecondVectors.follow_index(lambda: index, encoder.dimension, 200_000, vectors()), translator
    )


async def load_answer_set(name: str, embedder: OpenVinoEmbedder, stack: AsyncExitStack, encoder: PieceEncoder | None = None) -> AnswerSet | None:
    """A set by its short name ("squad2_500", "xquad en", "hotpotqa" …, "xquad de>en" for German questions to English documents); None, with a word on
    standard error, where it is missing. `encoder` is the multilingual one, for questions and documents in other languages."""
    corpus_name, language = name, "en"
    folder = data_folder() / SHORT_NAMES.get(name, name)
    if name.startswith(XQUAD):
        asked, _, told = name.removeprefix(XQUAD).partition(">")
        language = told or asked
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "corpus.jsonl").symlink_to(data_folder() / "xquad" / f"corpus.{language}.jsonl")
        (folder / "queries.jsonl").symlink_to(data_folder() / "xquad" / f"queries.{asked}.jsonl")
        (folder / "qrels.tsv").symlink_to(data_folder() / "xquad" / "qrels.tsv")
        corpus_name = str(folder)
    corpus = await load_corpus(corpus_name, embedder, language=language)
    if corpus is None:
        return None
    search = SearchSettings()
    home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    index = await build_index(home, corpus, document_weight=search.document_weight, dimension=embedder.dimension)
    stack.push_async_callback(index.close)
    library = cast(Library, CorpusLibrary(corpus))
    crossing = (
        None
        if encoder is None
        else CrossLanguageSearch(LibraryQuestionLanguages(lambda: index, LanguageIdentification()), await _prepare_search(index, corpus, encoder))
    )
    retriever = HybridRetriever(index, library, embedder, None, search, embedder.ignorable_token_ids, cross_language=crossing)
    # As the documents word it: an answer is of their language, whatever the question's.
    answered = data_folder() / "xquad" / f"queries.{language}.jsonl" if name.startswith(XQUAD) else folder / "queries.jsonl"
    rows = [json.loads(line) for line in answered.read_text(encoding="utf-8").splitlines()]
    gold = {str(row["id"]): [str(answer) for answer in row.get("answers") or []] for row in rows}
    impossible = frozenset(str(row["id"]) for row in rows if row.get("is_impossible"))
    scorer = CrossLanguageScorer(crossing.languages, crossing.multilingual) if crossing is not None else None
    return AnswerSet(name, corpus, index, retriever, gold, impossible, scorer)
