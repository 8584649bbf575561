"""Several retrieval sets in one library with its graph, its communities and its search, as the product would hold them, without a server."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from agents.lazy_rag.agent import GraphPorts, SummaryQuestion
from benchmarks.corpora import CACHE, TENANT, Corpus, CorpusRows, join_corpora, load_corpus, make_corpus
from benchmarks.machine import data_folder
from benchmarks.multihop import HYBRID, MultiHopSearcher, open_corpus
from core.answers import Evidence
from core.communities import DocumentPlace, StoredCommunity
from core.ports import Communities
from core.search import Filters, RetrievalRequest
from evaluation.evaluation_sets import read_grades
from graph.communities.community_graph import CommunityGraph
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.readers.openvino_reader import open_reader
from retrieval.readers.reader_weights import SHIPPED_WEIGHTS
from retrieval.token_store import SqliteTokenStore
from tests.support.communities import MemoryCommunities

SETS = ("scifact", "cranfield", "xquad")
PASSAGES = 20  # that are read at most


@dataclass(frozen=True)
class GraphLibrary:
    """A library whose communities have been found."""

    searcher: MultiHopSearcher
    communities: LibraryCommunities
    stored: MemoryCommunities

    @property
    def corpus(self) -> Corpus:
        return self.searcher.corpus

    @property
    def ports(self) -> GraphPorts:
        return GraphPorts(self.searcher.graph, self.corpus.library, cast(Communities, self.communities))  # without jobs: nothing here refreshes

    async def search(self, text: str) -> tuple[SummaryQuestion, list[Evidence]]:
        """Return the question with its candidates, and the passages that would be read."""
        request = RetrievalRequest(text=text, tenant=TENANT, strategy=HYBRID, use_links=True)
        found = await self.searcher.retriever.rerank(request, await self.searcher.retriever.retrieve(request))
        passages, found = await self.searcher.retriever.assemble_passages(request, found, PASSAGES)
        question = SummaryQuestion(text=text, tenant=TENANT, names=[], filters=Filters(), candidates=found.candidates)
        best = passages[0].anchor_score if passages else 1.0
        return question, [
            Evidence(
                passage=each,
                filename=f"{each.document_id}.txt",
                title=self.searcher.titles[each.document_id],
                generation=1,
                score=max(0.0, min(1.0, each.anchor_score / best)) if best > 0 else 1.0,
            )
            for each in passages
        ]

    async def find_themes(self) -> tuple[CommunityGraph, list[StoredCommunity]]:
        """Return the graph that the communities lie in, and those that are no part of another."""
        graph = await self.searcher.graph.community_graph(TENANT)
        return graph, [each for each in await self.stored.load(TENANT) if each.parent_id is None]


def assign_documents(graph: CommunityGraph, themes: Sequence[StoredCommunity]) -> dict[str, str]:
    """Return document id -> the theme to which most of its relationships belong; documents with none are left out."""
    theme_of = {graph.places[entity]: theme.id for theme in themes for entity in theme.entity_ids if entity in graph.places}
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for relation in graph.relations:
        theme = theme_of.get(relation.one)
        if theme is not None and theme == theme_of.get(relation.other):
            for document_id in relation.documents:
                votes[document_id][theme] += 1
    return {document_id: min(each, key=lambda theme: (-each[theme], theme)) for document_id, each in votes.items()}


def place_by_set(document_ids: Sequence[str]) -> list[DocumentPlace]:
    """Return the documents' places as people would have them: a share with a folder for each set, which an id begins with."""
    return [DocumentPlace(each, f"/share/{each.split('-')[0]}/{each}.txt", "/share", "default") for each in document_ids]


async def load_sets(names: Sequence[str], embedder: OpenVinoEmbedder, step: int = 1) -> Corpus | None:
    """Return the sets that are there as one corpus, of each every `step`th document; None where there is none."""
    found = [await (_load_xquad(embedder) if name == "xquad" else load_corpus(name, embedder)) for name in names]
    there = [each for each in found if each is not None]
    return join_corpora(" and ".join(each.name for each in there), there, step) if there else None


async def _load_xquad(embedder: OpenVinoEmbedder) -> Corpus | None:
    """Return XQuAD's English paragraphs: its files have names of their own."""
    folder = data_folder() / "xquad"
    if not (folder / "corpus.en.jsonl").is_file():
        sys.stderr.write(f"xquad: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return None
    queries = {str(row["id"]): str(row["text"]) for row in _rows(folder / "queries.en.jsonl")}
    rows = [{**row, "title": row["title"].replace("_", " ")} for row in _rows(folder / "corpus.en.jsonl")]
    return await make_corpus("xquad", CorpusRows(rows, queries, read_grades(folder / "qrels.tsv")), embedder)


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@asynccontextmanager
async def open_library(corpus: Corpus, embedder: OpenVinoEmbedder, tokens: SqliteTokenStore | None = None) -> AsyncIterator[GraphLibrary]:
    """Open the library with its communities; without `tokens` the rerank encodes passages when they are asked for, within its budget."""
    reader = open_reader(SHIPPED_WEIGHTS)
    async with open_corpus(corpus, embedder, reader, tokens) as searcher:

        async def count(tenant: str) -> int:
            return len(corpus.documents)

        stored = MemoryCommunities(searcher.store, place_by_set([each.id for each in corpus.documents]))
        communities = LibraryCommunities(searcher.graph, searcher.store, stored, CommunityOptions(), count)
        await communities.refresh(TENANT)
        yield GraphLibrary(searcher, communities, stored)
    await reader.close()


@asynccontextmanager
async def open_set(name: str, embedder: OpenVinoEmbedder) -> AsyncIterator[GraphLibrary | None]:
    """Open one set with stored token vectors; None where it is not there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"{name}.{embedder.name}.tokens.sqlite3"
    tokens = SqliteTokenStore(path, embedder.dimension, model=embedder.name, ignored=embedder.ignorable_token_ids)
    corpus = await load_corpus(name, embedder, tokens)
    if corpus is None:
        yield None
    else:
        async with open_library(corpus, embedder, tokens) as library:
            yield library
    await tokens.close()
