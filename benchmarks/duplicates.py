"""A page that stands in a library a hundred times: `python -m benchmarks.duplicates [scifact cranfield …] [--weights 0 .1 .2 .3] [--copies 100]`

Of each set: nDCG@10 with `diversity_weight` and without (fused lists, not reranked), on all questions and on each half. Then of four of its
questions the page that answers them best is put in so many times more, each with another line at the end of its first passage, and the questions are
asked again: the share of different texts among the first ten (copies of one page are one text), and of the pages that stand among them.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.corpora import TENANT, Corpus, build_index, load_corpus
from benchmarks.machine import describe, print_table
from benchmarks.models import open_embedder
from benchmarks.scifact import HYBRID, add_feedback
from core.documents import embedded_text
from core.ports import Embedder
from core.search import RetrievalRequest
from evaluation.ranking_metrics import ndcg
from retrieval.diversity_stage import DiversityStage
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.retriever import HybridRetriever
from settings import SearchSettings

PAGES = 4
MARK = " copy "  # between a page's id and the number of its copy


def copied_questions(corpus: Corpus) -> dict[str, str]:
    """Question -> the page that answers it best, of the first questions with a page of their own."""
    best = {query: max(grades, key=lambda document: (grades[document], document)) for query, grades in corpus.grades.items() if grades}
    return {query: page for page, query in list({page: query for query, page in best.items()}.items())[:PAGES]}


async def add_copies(corpus: Corpus, pages: Sequence[str], copies: int, embedder: Embedder) -> Corpus:
    documents, chunks = list(corpus.documents), dict(corpus.chunks)
    for page in pages:
        source = next(each for each in corpus.documents if each.id == page)
        first = chunks[source.chunks[0].id]
        texts = [f"{first.text}\nPrinted on {number % 28 + 1} May, sheet {number}" for number in range(1, copies + 1)]
        vectors = (await embedder.embed_passages([embedded_text(first.prefix, text) for text in texts])).vectors.astype(np.float16)
        for number, text in enumerate(texts, start=1):
            name, place = f"{page}{MARK}{number}", len(chunks) + 1
            chunks[place] = first.model_copy(update={"id": place, "document_id": name, "text": text})
            piece = replace(source.chunks[0], id=place, text=text, vector=vectors[number - 1])
            documents.append(replace(source, id=name, paths=(f"/{name}.txt",), filename=f"{name}.txt", chunks=(piece,)))
    return replace(corpus, documents=tuple(documents), chunks=chunks)


async def rank(retriever: HybridRetriever, text: str, weight: float) -> list[str]:
    """Documents in their order, best first."""
    request = RetrievalRequest(text=text, tenant=TENANT, strategy=add_feedback(HYBRID, text), diversity_weight=weight)
    found = await DiversityStage(retriever.index, retriever.embedder).spread(request, await retriever.retrieve(request))
    return list(dict.fromkeys(candidate.document_id for candidate in found.candidates))


async def measure(name: str, weights: Sequence[float], copies: int, embedder: OpenVinoEmbedder) -> list[tuple[str, ...]]:
    corpus = await load_corpus(name, embedder)
    if corpus is None:
        return []
    asked = copied_questions(corpus)
    copied = await add_copies(corpus, list(dict.fromkeys(asked.values())), copies, embedder)
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as other:
        plain, crowded = await _open_retriever(corpus, Path(own), embedder), await _open_retriever(copied, Path(other), embedder)
        for weight in weights:
            gains = [ndcg(await rank(plain, corpus.queries[query], weight), grades, 10) for query, grades in corpus.grades.items()]
            shown = {query: (await rank(crowded, corpus.queries[query], weight))[:10] for query in asked}
            different = fmean(len({document.partition(MARK)[0] for document in first}) / 10 for first in shown.values())
            kept = fmean(asked[query] in {document.partition(MARK)[0] for document in first} for query, first in shown.items())
            figures = f"{fmean(gains):.4f}", f"{fmean(gains[0::2]):.3f}, {fmean(gains[1::2]):.3f}", f"{different:.2f}", f"{kept:.2f}"
            rows.append((name, f"{weight:.2f}", *figures))
    return rows


async def _open_retriever(corpus: Corpus, folder: Path, embedder: OpenVinoEmbedder) -> HybridRetriever:
    settings = SearchSettings()
    settings = settings.model_copy(update={"rerank": settings.rerank.model_copy(update={"enabled": False})})
    index = await build_index(folder, corpus, document_weight=settings.document_weight, dimension=embedder.dimension)
    return HybridRetriever(index, corpus.library, embedder, None, settings, embedder.ignorable_token_ids)


async def main(chosen: argparse.Namespace) -> None:
    embedder = open_embedder()
    sys.stdout.write(f"{describe()}; {PAGES} pages of each set, {chosen.copies} copies of each\n\n")
    rows = [row for name in chosen.names for row in await measure(name, chosen.weights, chosen.copies, embedder)]
    await embedder.close()
    print_table(("set", "diversity_weight", "nDCG@10", "its halves", "different of ten", "page among them"), rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["cranfield"])
    parser.add_argument("--weights", nargs="+", type=float, default=[0.0, 0.1, 0.2, 0.3])
    parser.add_argument("--copies", type=int, default=100)
    asyncio.run(main(parser.parse_args()))
