"""The retrieval stages, as Zeus's nodes call them: legs and fusion, rerank and links, passages.

`mode` decides depth and threshold: `balanced` (and auto) takes the settings as they are; `recall` lets the legs go twice as deep and halves
the minimum; `precision` raises the minimum by half. What a minimum drops is in the stage's report, never lost in silence.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import anyio

from core.documents import StoredChunk
from core.errors import InvalidInput, VantageError
from core.ports import Embedder, Library, PassageLinks, SearchIndex, TokenStore
from core.search import Candidate, Degradation, Dropped, Mode, Passage, Retrieval, RetrievalRequest, StageReport, StageScore, Strategy
from retrieval.cross_language import NAME as MULTILINGUAL
from retrieval.cross_language import CrossLanguage
from retrieval.diversity import max_marginal_relevance
from retrieval.feedback import Feedback
from retrieval.fusion import fuse
from retrieval.late_interaction import LateInteraction
from retrieval.legs import LegRunner, Legs
from retrieval.linked_scores import SameScale
from retrieval.linking import LinkStage, follows_links
from retrieval.literal_matches import with_every_word, with_name_on_its_own, with_named
from retrieval.options import SearchOptions
from retrieval.passages import FEWEST, OVERFETCH, Parents, PassageAssembly
from retrieval.recency import HALF_LIFE_DAYS, recency_scores
from retrieval.required import allowed, hold_to_words
from retrieval.reranking import STAGE as RERANK
from retrieval.reranking import InteractionReranker, PairReranker, PairScorer, Reranker, at_stage

MERGED = 50
DROPPED_SHOWN = 20
PREFERS_RECENT = 0.1  # the time leg's weight where a strategy prefers the recent and names no weight
_MODES: dict[Mode, tuple[int, float]] = {"auto": (1, 1.0), "balanced": (1, 1.0), "recall": (2, 0.5), "precision": (1, 1.5)}
_HIGHEST_MINIMUM = 0.9
_BETWEEN_VERSIONS = (0.05, 0.1, 0.2, 0.4)  # seconds before a search is made again


@dataclass(frozen=True)
class HybridRetriever:
    """Implements `core.ports.Retriever`. `tokens` None: late interaction encodes on the fly. `ignored` are the vocabulary ids of
    punctuation and stop words. With `cross_encoder` that model reranks instead. `links` None: no rescoring by title and phrase links. `parents`
    None: passages are windows round what matched, not stored larger chunks."""

    index: SearchIndex
    library: Library
    embedder: Embedder
    tokens: TokenStore | None
    options: SearchOptions
    ignored: frozenset[int] = frozenset()
    cross_encoder: PairScorer | None = None
    links: PassageLinks | None = None
    parents: Parents | None = None
    cross_language: CrossLanguage | None = None

    # ------------------------------------------------------------------------------------------------------------------ retrieve
    async def retrieve(self, request: RetrievalRequest) -> Retrieval:
        """Raises Unavailable when every leg failed."""
        deeper, stricter = _MODES[request.mode]
        runner = LegRunner(self.index, self.embedder, self.cross_language)
        legs = await runner.run(request, min(self.options.recall_top_k * deeper, 1000))
        started = time.perf_counter()
        if request.strategy.dense > 0 and len(legs.hits) > 1 and self.options.fusion != "rrf":
            await runner.complete(request, legs)
        scores, weights = await self._fused(request, legs)
        feedback = Feedback(self.index, self.embedder.scale, self.options.feedback.passages)
        if self.options.fusion != "rrf" and await feedback.measure(request, legs, scores):
            scores, weights = await self._fused(request, legs)
        minimum = min(request.strategy.min_score * stricter, _HIGHEST_MINIMUM)
        ranked = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))
        kept = [chunk_id for chunk_id in ranked[:MERGED] if scores[chunk_id] >= minimum]
        candidates = _candidates(kept, scores, legs)
        report = StageReport(
            stage="fusion",
            entered=len(scores),
            left=len(kept),
            duration_ms=_since(started),
            parameters={"method": self.options.fusion, "weights": weights, "min_score": minimum, "mode": request.mode},
            dropped=_dropped(ranked, scores, legs, minimum),
            note=_fusion_note(request.strategy, legs),
        )
        found = Retrieval(candidates=candidates, reports=[*legs.reports, report], signals=legs.signals, degraded=legs.degraded)
        if legs.crossing is not None and legs.hits.get(MULTILINGUAL):
            crossed = min(max(legs.hits[MULTILINGUAL][0].score, 0.0), 1.0)
            found = found.model_copy(update={"measured": {**legs.signals, "multilingual_top1": crossed}, "words": legs.crossing.words})
        found = speaking(await hold_to_words(request, found, self.library))
        return found if self.options.rerank.enabled and "rerank" not in request.without else await self._linked(request, found)

    async def _linked(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """The links rescore what the last of fusion and rerank gave: measured, a rerank behind them undoes half of what they gain."""
        if self.links is None or not follows_links(request):
            return found
        reranked = any(report.stage == RERANK for report in found.reports)
        scorer = SameScale(self.index, self.embedder, self.options.fusion, self._reranker() if reranked else None)
        linked = await LinkStage(self.links, self.library, scorer).rescore(request, found)
        return await hold_to_words(request, linked, self.library)

    async def _fused(self, request: RetrievalRequest, legs: Legs) -> tuple[dict[int, float], dict[str, float]]:
        """The fused scores and the weights that were used."""
        strategy = request.strategy
        weights = {"lexical": strategy.lexical, "dense": strategy.dense} | ({"graph": strategy.graph} if "graph" in legs.hits else {})
        scores = {name: legs.scores(name) for name in legs.hits if name != MULTILINGUAL}
        if MULTILINGUAL in legs.hits:
            scores["dense"] = legs.meaning()
        if not request.use_hybrid or not any(scores.get(name) for name, weight in weights.items() if weight > 0):
            weights = dict.fromkeys(scores, 1.0)  # what the strategy wants found nothing, but another leg did
        found = {name: scores[name] for name, weight in weights.items() if weight > 0 and name in scores}
        if "dense" in found and len(found) > 1:
            completed = {number: score for number, score in legs.completed.items() if any(number in leg for leg in found.values())}
            found["dense"] = completed | found["dense"]
            found["dense"] |= {number: score for number, score in legs.moved.items() if number in found["dense"]}
        time_weight = strategy.time or (PREFERS_RECENT if strategy.prefer_recent else 0.0)
        if time_weight > 0 and any(found.values()):
            found["time"] = await self._recency(request.tenant, found, legs)
            weights["time"] = time_weight
        return fuse(self.options.fusion, found, weights, rrf_k=self.options.rrf_k), weights

    async def _recency(self, tenant: str, found: Mapping[str, Mapping[int, float]], legs: Legs) -> dict[int, float]:
        owners = legs.documents
        chunks = list(dict.fromkeys(chunk_id for scores in found.values() for chunk_id in scores))
        documents = await self.library.documents(tenant, list(dict.fromkeys(owners[chunk_id] for chunk_id in chunks)))
        return recency_scores({chunk_id: documents[owners[chunk_id]].modified_at for chunk_id in chunks if owners[chunk_id] in documents})

    # ------------------------------------------------------------------------------------------------------------------ rerank
    async def rerank(self, request: RetrievalRequest, retrieval: Retrieval) -> Retrieval:
        """A rerank that fails leaves the order as it was, and says so."""
        if not retrieval.candidates:
            return retrieval
        started = time.perf_counter()
        try:
            candidates, report = await self._reranker().rerank(request, retrieval.candidates)
        except InvalidInput:
            raise
        except VantageError as error:
            count = len(retrieval.candidates)
            report = StageReport(stage="rerank", entered=count, left=count, duration_ms=_since(started), note=str(error))
            failed = Degradation(part="rerank", reason=f"The order is that of the first search: {error}")
            kept = retrieval.model_copy(update={"reports": [*retrieval.reports, report], "degraded": [*retrieval.degraded, failed]})
            return await self._linked(request, kept)
        reranked = retrieval.model_copy(update={"candidates": candidates, "reports": [*retrieval.reports, report]})
        return speaking(await self._linked(request, reranked))

    def _reranker(self) -> Reranker:
        rerank = self.options.rerank
        if self.cross_encoder is not None:
            return PairReranker(self.cross_encoder, self.library, rerank.candidates)
        interaction = LateInteraction(self.embedder, self.index, self.library, self.tokens, rerank.budget_ms, self.ignored)
        return InteractionReranker(interaction, rerank.candidates, rerank.weight)

    # ------------------------------------------------------------------------------------------------------------------ passages
    async def passages(self, request: RetrievalRequest, retrieval: Retrieval, limit: int) -> tuple[list[Passage], Retrieval]:
        """Before the merging, candidates are spread by MMR where the request asks for diversity."""
        retrieval, chunks = await self._as_they_are(request, retrieval, limit)
        if request.diversity_weight > 0:
            retrieval = await self._diversified(request, retrieval)
        started = time.perf_counter()
        assembly = PassageAssembly(self.library, self.index, self.options.passage_tokens, self.parents, self.embedder.scale)
        question = request.question or request.text
        candidates = with_named(question, with_every_word(question, retrieval.candidates, chunks, limit), chunks, limit)
        candidates = with_name_on_its_own(question, candidates, chunks, limit)
        passages = allowed(request, await assembly.assemble(request.tenant, candidates, limit, chunks))
        if request.top_k <= limit:
            passages += allowed(
                request, await assembly.assemble(request.tenant, _of_others(retrieval.candidates, passages, request.top_k), limit, chunks)
            )
        places = {chunk_id: (rank, passage.anchor_score) for rank, passage in enumerate(passages, start=1) for chunk_id in passage.chunks}
        placed = [_placed(candidate, places) for candidate in retrieval.candidates]
        stages = {candidate.chunk_id: candidate.stages for candidate in placed}
        passages = [passage.model_copy(update={"stages": stages[passage.anchor]}) for passage in passages]
        merged = sum(len(passage.chunks) for passage in passages)
        matched = len(places.keys() & {candidate.chunk_id for candidate in retrieval.candidates})
        report = StageReport(
            stage="passages",
            entered=len(retrieval.candidates),
            left=len(passages),
            duration_ms=_since(started),
            parameters={"tokens": self.options.passage_tokens, "chunks": merged, "matched": matched},
            note=f"{matched} matching chunks → {len(passages)} passages of {merged} chunks" if passages else "",
        )
        silent = "multilingual_top1" in retrieval.signals and not retrieval.words
        covered = {} if silent else {"coverage": await self._coverage(request, retrieval.words or request.question or request.text, passages)}
        signals = {**retrieval.signals, **covered}
        return passages, retrieval.model_copy(update={"candidates": placed, "reports": [*retrieval.reports, report], "signals": signals})

    async def _as_they_are(self, request: RetrievalRequest, retrieval: Retrieval, limit: int) -> tuple[Retrieval, dict[int, StoredChunk]]:
        """The candidates with their chunks. A document that is made anew has other chunks from one moment to the next, and the index learns of them
        a little later: a search that fell between is made again, a few times at most."""
        chunks = await self.library.chunks(request.tenant, [candidate.chunk_id for candidate in retrieval.candidates])
        for wait in _BETWEEN_VERSIONS:
            looked_at = retrieval.candidates[: max(limit, FEWEST) * OVERFETCH]
            gone = sorted({candidate.document_id for candidate in looked_at if candidate.chunk_id not in chunks})
            if not gone or not await self.library.documents(request.tenant, gone):
                break
            await anyio.sleep(wait)
            reranked = any(report.stage == "rerank" for report in retrieval.reports)
            retrieval = await self.retrieve(request)
            retrieval = await self.rerank(request, retrieval) if reranked else retrieval
            chunks = await self.library.chunks(request.tenant, [candidate.chunk_id for candidate in retrieval.candidates])
        return retrieval, chunks

    async def _diversified(self, request: RetrievalRequest, retrieval: Retrieval) -> Retrieval:
        started = time.perf_counter()
        scores = {candidate.chunk_id: candidate.score for candidate in retrieval.candidates}
        vectors = await self.index.vectors(request.tenant, list(scores))
        order = max_marginal_relevance(scores, vectors, min(request.diversity_weight, 1.0), self.embedder.scale)
        known = {candidate.chunk_id: candidate for candidate in retrieval.candidates}
        moved = [at_stage(known[chunk_id], "diversity", rank, scores[chunk_id]) for rank, chunk_id in enumerate(order, start=1)]
        report = StageReport(
            stage="diversity",
            entered=len(moved),
            left=len(moved),
            duration_ms=_since(started),
            parameters={"method": "max marginal relevance", "diversity_weight": request.diversity_weight},
        )
        return retrieval.model_copy(update={"candidates": moved, "reports": [*retrieval.reports, report]})

    async def _coverage(self, request: RetrievalRequest, question: str, passages: Sequence[Passage]) -> float:
        """The share of the question's idf mass whose terms stand in the first passage, its headings, or its document's title and file name."""
        if not passages:
            return 0.0
        owner = (await self.library.names(request.tenant, [passages[0].document_id])).get(passages[0].document_id)
        names = [owner.title, owner.filename] if owner else []
        idf = await self.index.idf(request.tenant, question)
        total = sum(idf.values())
        present = set(self.index.terms("\n".join([*names, *passages[0].section, passages[0].content])))
        return sum(mass for term, mass in idf.items() if term in present) / total if total > 0 else 0.0


def speaking(found: Retrieval) -> Retrieval:
    """With the signals that speak for the passage that is first now. Where that one was found across languages its cosine is the multilingual
    encoder's, and the words are those of the translation, if there are any; another keeps those of the embedding model."""
    if not found.measured:
        return found
    crossed = bool(found.candidates) and MULTILINGUAL in found.candidates[0].stages
    silent = {"dense_top1", *(() if found.words else ("lexical_ratio",))} if crossed else {"multilingual_top1"}
    return found.model_copy(update={"signals": {name: value for name, value in found.measured.items() if name not in silent}})


def _candidates(kept: Sequence[int], scores: Mapping[int, float], legs: Legs) -> list[Candidate]:
    owners = legs.documents
    places: dict[int, dict[str, StageScore]] = {chunk_id: {} for chunk_id in kept}
    for name, hits in legs.hits.items():
        for rank, hit in enumerate(hits, start=1):
            if hit.chunk_id in places:
                places[hit.chunk_id][name] = StageScore(rank=rank, score=hit.score)
    for rank, chunk_id in enumerate(kept, start=1):
        places[chunk_id]["fusion"] = StageScore(rank=rank, score=scores[chunk_id])
    return [Candidate(chunk_id=chunk_id, document_id=owners[chunk_id], score=scores[chunk_id], stages=places[chunk_id]) for chunk_id in kept]


def _dropped(ranked: Sequence[int], scores: Mapping[int, float], legs: Legs, minimum: float) -> list[Dropped]:
    """Below the minimum or behind the first MERGED; the best of them."""
    owners = legs.documents
    gone = [chunk_id for place, chunk_id in enumerate(ranked) if place >= MERGED or scores[chunk_id] < minimum][:DROPPED_SHOWN]
    reasons = {
        chunk_id: f"below the minimum {minimum:.2f} with {scores[chunk_id]:.2f}" if scores[chunk_id] < minimum else f"behind the first {MERGED}"
        for chunk_id in gone
    }
    return [
        Dropped(chunk_id=chunk_id, document_id=owners[chunk_id], stage="fusion", score=scores[chunk_id], reason=reasons[chunk_id])
        for chunk_id in gone
    ]


def _fusion_note(strategy: Strategy, legs: Legs) -> str:
    notes = []
    if strategy.graph > 0 and not legs.hits.get("graph"):
        notes.append("The graph brought nothing: its weight is shared by the others.")
    if strategy.time > 0 or strategy.prefer_recent:
        notes.append(f"Recency halves every {HALF_LIFE_DAYS:.0f} days before the newest document found.")
    if strategy.lexical > 0 and strategy.dense == 0 and not legs.hits.get("lexical") and legs.hits.get("dense"):
        notes.append("No document has the words: these are the nearest in meaning.")
    return " ".join(notes)


def _of_others(candidates: Sequence[Candidate], passages: Sequence[Passage], wanted: int) -> list[Candidate]:
    """The best candidate of each document that has no passage, until `wanted` documents are there."""
    shown = {passage.document_id for passage in passages}
    first: dict[str, Candidate] = {}
    for candidate in candidates:  # in their order: what a rerank did not look at has one score
        if candidate.document_id not in shown:
            first.setdefault(candidate.document_id, candidate)
    ordered = sorted(first.values(), key=lambda candidate: -candidate.score)
    return ordered[: max(0, wanted - len(shown))]


def _placed(candidate: Candidate, places: Mapping[int, tuple[int, float]]) -> Candidate:
    if candidate.chunk_id not in places:
        return candidate
    rank, score = places[candidate.chunk_id]
    stages = {**candidate.stages, "passages": StageScore(rank=rank, score=score)}
    return candidate.model_copy(update={"stages": stages})


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
