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
from core.ports import Embedder, Library, PassageLinks, SearchIndex, SummaryTrees, TokenStore
from core.search import Candidate, Degradation, DroppedCandidate, Mode, Passage, Retrieval, RetrievalRequest, StageReport, StageScore, Strategy
from retrieval.diversity_stage import DEEPER, DiversityStage
from retrieval.fusion import fuse, weight_shares
from retrieval.graph_reranking import GraphReranker
from retrieval.language_crossing import LEG_NAME as MULTILINGUAL
from retrieval.language_crossing import CrossLanguageSearch
from retrieval.late_interaction import LateInteraction
from retrieval.leg_runner import LegResults, LegRunner
from retrieval.leg_table import LEGS
from retrieval.link_stage import LinkStage, follows_links
from retrieval.linked_scores import LinkedPassageScorer
from retrieval.literal_matches import promote_matches
from retrieval.negation import NegationStage
from retrieval.options import SearchOptions, recount_depth
from retrieval.passage_assembly import MIN_CANDIDATES, OVERFETCH, PassageAssembly
from retrieval.recency import HALF_LIFE_DAYS, recency_scores
from retrieval.relevance_feedback import RelevanceFeedback
from retrieval.reranking import STAGE as RERANK
from retrieval.reranking import InteractionReranker, PairReranker, PairScorer, Reranker
from retrieval.routing import PlanRouter
from retrieval.structure_features import StructureReranker
from retrieval.word_recount import WordRecount
from retrieval.word_requirements import apply_word_requirements, drop_unwanted_passages

MAX_CANDIDATES = 50
DROPPED_SHOWN = 20
FAR_COSINE = 0.25  # of the nearest passage, scaled: of 200 questions over real files 9 lie below it, names and codes
LEAST_WORDS = 0.4  # of the upper bound of BM25, by the first passage
PREFERS_RECENT = 0.1  # the time leg's weight where a strategy prefers the recent and names no weight
_MODES: dict[Mode, tuple[int, float]] = {"auto": (1, 1.0), "balanced": (1, 1.0), "recall": (2, 0.5), "precision": (1, 1.5)}
_HIGHEST_MINIMUM = 0.9
_BETWEEN_VERSIONS = (0.05, 0.1, 0.2, 0.4)  # seconds before a search is made again


@dataclass(frozen=True)
class HybridRetriever:
    """Implements `core.ports.Retriever`. `tokens` None: late interaction encodes on the fly. `ignored_token_ids` are the vocabulary ids of
    punctuation and stop words. With `cross_encoder` that model reranks instead. `links` None: no rescoring by title and phrase
    links. `trees` None: trees of summaries are switched off."""

    index: SearchIndex
    library: Library
    embedder: Embedder
    tokens: TokenStore | None
    options: SearchOptions
    ignored_token_ids: frozenset[int] = frozenset()
    cross_encoder: PairScorer | None = None
    links: PassageLinks | None = None
    graph_reranker: GraphReranker | None = None
    cross_language: CrossLanguageSearch | None = None
    trees: SummaryTrees | None = None

    # ------------------------------------------------------------------------------------------------------------------ retrieve
    async def retrieve(self, request: RetrievalRequest) -> Retrieval:
        """Retrieve candidates. Raises Unavailable when every leg failed."""
        deeper, stricter = _MODES[request.mode]
        runner = LegRunner(self.index, self.embedder, self.cross_language, self.trees, self.library)
        deeper *= DEEPER if request.diversity_weight > 0 else 1
        legs = await runner.run(request, min(self.options.recall_top_k * deeper, 1000))
        started = time.perf_counter()
        if request.strategy.dense > 0 and len(legs.hits) > 1 and self.options.fusion != "rrf":
            await runner.complete_cosines(request, legs)
        scores, weights, shares = await self._fuse_legs(request, legs)
        recount = WordRecount(self.index, self.library, recount_depth(self.options))
        if self.options.fusion != "rrf" and await recount.recount_words(request, legs, scores):
            scores, weights, shares = await self._fuse_legs(request, legs)
        feedback = RelevanceFeedback(self.index, self.library, self.embedder.scale, self.options.feedback)
        if self.options.fusion != "rrf" and await feedback.remeasure_candidates(request, legs, scores):
            scores, weights, shares = await self._fuse_legs(request, legs)
        minimum = min(request.strategy.min_score * stricter, _HIGHEST_MINIMUM)
        ordered = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))
        ranked, copies = await DiversityStage(self.index, self.embedder).drop_copies(request, ordered, scores, legs.documents)
        kept = [chunk_id for chunk_id in ranked[:MAX_CANDIDATES] if scores[chunk_id] >= minimum]
        candidates = _make_candidates(kept, scores, legs)
        report = StageReport(
            stage="fusion",
            entered=len(scores),
            left=len(kept),
            duration_ms=_elapsed_ms(started),
            parameters={"method": self.options.fusion, "weights": weights, "shares": shares, "min_score": minimum, "mode": request.mode},
            dropped=_list_dropped(ranked, scores, legs, minimum),
            note=_fusion_note(request.strategy, legs),
        )
        found = Retrieval(candidates=candidates, reports=[*legs.reports, *copies, report], signals=legs.signals, degraded=legs.degraded)
        if legs.crossing is not None and legs.hits.get(MULTILINGUAL):
            crossed = min(max(legs.hits[MULTILINGUAL][0].score, 0.0), 1.0)
            found = found.model_copy(update={"measured": {**legs.signals, "multilingual_top1": crossed}, "words": legs.crossing.words})
        found = select_signals(await apply_word_requirements(request, found, self.library))
        return found if self.options.rerank.enabled and "rerank" not in request.without else await self._finish_order(request, found)

    async def _finish_order(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Return what the stages behind fusion and rerank make of the order."""
        linked = await self._follow_links(request, found)
        placed = await StructureReranker(self.library, self.options.structure).rerank(request, linked)
        near = await self.graph_reranker.rerank(request, placed) if self.graph_reranker is not None else placed
        routed = await PlanRouter(self.library, self.options.routing.weight, self.options.routing.named_weight).route(request, near)
        return await NegationStage(self.library, self.options.negation_weight).tell_apart(request, routed)

    async def _follow_links(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Rescore by links what the last of fusion and rerank gave: measured, a rerank behind them undoes half of what they gain."""
        if self.links is None or not follows_links(request):
            return found
        reranked = any(report.stage == RERANK for report in found.reports)
        scorer = LinkedPassageScorer(self.index, self.embedder, self.options.fusion, self._reranker() if reranked else None)
        linked = await LinkStage(self.links, self.library, scorer).rescore(request, found)
        return await apply_word_requirements(request, linked, self.library)

    async def _fuse_legs(self, request: RetrievalRequest, legs: LegResults) -> tuple[dict[int, float], dict[str, float], dict[str, float]]:
        """Return the fused scores, the weights that were used, and each leg's share of them."""
        strategy = request.strategy
        fused = [leg for leg in LEGS if not leg.replaces and (leg.runs is None or leg.name in legs.results)]
        weights, scores = {leg.name: leg.weight(strategy) for leg in fused}, legs.scores()
        if not request.use_hybrid or not any(scores.get(name) for name, weight in weights.items() if weight > 0):
            weights = dict.fromkeys(scores, 1.0)  # what the strategy wants found nothing, but another leg did
        found = {name: scores[name] for name, weight in weights.items() if weight > 0 and name in scores}
        if "dense" in found and len(found) > 1:
            completed = {number: score for number, score in legs.completed_cosines.items() if any(number in leg for leg in found.values())}
            found["dense"] = completed | found["dense"]
            found["dense"] |= {number: score for number, score in legs.moved_cosines.items() if number in found["dense"]}
        if "lexical" in found:
            found["lexical"] = legs.moved_words or found["lexical"] | legs.recounted_words
        if is_far(legs) and {"dense", "lexical"} <= found.keys() and weights["lexical"] < weights["dense"]:
            weights |= {"lexical": weights["dense"], "dense": weights["lexical"]}
        time_weight = strategy.time or (PREFERS_RECENT if strategy.prefer_recent else 0.0)
        if time_weight > 0 and any(found.values()):
            found["time"] = await self._recency(request.tenant, found, legs)
            weights["time"] = time_weight
        shares = {name: round(share, 4) for name, share in weight_shares(found, weights).items()}
        return fuse(self.options.fusion, found, weights, rrf_k=self.options.rrf_k), weights, shares

    async def _recency(self, tenant: str, found: Mapping[str, Mapping[int, float]], legs: LegResults) -> dict[int, float]:
        owners = legs.documents
        chunks = list(dict.fromkeys(chunk_id for scores in found.values() for chunk_id in scores))
        documents = await self.library.documents(tenant, list(dict.fromkeys(owners[chunk_id] for chunk_id in chunks)))
        return recency_scores({chunk_id: documents[owners[chunk_id]].modified_at for chunk_id in chunks if owners[chunk_id] in documents})

    # ------------------------------------------------------------------------------------------------------------------ rerank
    async def rerank(self, request: RetrievalRequest, retrieval: Retrieval) -> Retrieval:
        """Rerank the first candidates. A rerank that fails leaves the order as it was, and says so."""
        if not retrieval.candidates:
            return retrieval
        started = time.perf_counter()
        try:
            candidates, report = await self._reranker().rerank(request, retrieval.candidates)
        except InvalidInput:
            raise
        except VantageError as error:
            count = len(retrieval.candidates)
            report = StageReport(stage="rerank", entered=count, left=count, duration_ms=_elapsed_ms(started), note=str(error))
            failed = Degradation(part="rerank", reason=f"The order is that of the first search: {error}")
            kept = retrieval.model_copy(update={"reports": [*retrieval.reports, report], "degraded": [*retrieval.degraded, failed]})
            return await self._finish_order(request, kept)
        reranked = retrieval.model_copy(update={"candidates": candidates, "reports": [*retrieval.reports, report]})
        return select_signals(await self._finish_order(request, reranked))

    def _reranker(self) -> Reranker:
        rerank = self.options.rerank
        if self.cross_encoder is not None:
            return PairReranker(self.cross_encoder, self.library, rerank.candidates)
        interaction = LateInteraction(self.embedder, self.index, self.library, self.tokens, rerank.budget_ms, self.ignored_token_ids)
        return InteractionReranker(interaction, rerank.candidates, rerank.weight)

    # ------------------------------------------------------------------------------------------------------------------ passages
    async def assemble_passages(self, request: RetrievalRequest, retrieval: Retrieval, limit: int) -> tuple[list[Passage], Retrieval]:
        """Assemble passages. Before the merging, candidates are spread by MMR where the request asks for diversity."""
        retrieval, chunks = await self._load_current_chunks(request, retrieval, limit)
        retrieval = await DiversityStage(self.index, self.embedder).spread(request, retrieval)
        started = time.perf_counter()
        assembly = PassageAssembly(self.library, self.index, self.options.passage_tokens, self.embedder.scale)
        question = request.question or request.text
        candidates = promote_matches(question, retrieval.candidates, chunks, limit)
        passages = drop_unwanted_passages(request, await assembly.assemble(request.tenant, candidates, limit, chunks))
        if request.top_k <= limit:
            passages += drop_unwanted_passages(
                request, await assembly.assemble(request.tenant, _other_documents(retrieval.candidates, passages, request.top_k), limit, chunks)
            )
        places = {chunk_id: (rank, passage.anchor_score) for rank, passage in enumerate(passages, start=1) for chunk_id in passage.chunks}
        placed = [_place_candidate(candidate, places) for candidate in retrieval.candidates]
        anchors = {candidate.chunk_id: {"stages": candidate.stages, "graph_context": candidate.graph_context} for candidate in placed}
        passages = [passage.model_copy(update=anchors[passage.anchor]) for passage in passages]
        merged = sum(len(passage.chunks) for passage in passages)
        matched = len(places.keys() & {candidate.chunk_id for candidate in retrieval.candidates})
        report = StageReport(
            stage="passages",
            entered=len(retrieval.candidates),
            left=len(passages),
            duration_ms=_elapsed_ms(started),
            parameters={"tokens": self.options.passage_tokens, "chunks": merged, "matched": matched},
            note=f"{matched} matching chunks → {len(passages)} passages of {merged} chunks" if passages else "",
        )
        silent = "multilingual_top1" in retrieval.signals and not retrieval.words
        covered = {} if silent else {"coverage": await self._coverage(request, retrieval.words or request.question or request.text, passages)}
        signals = {**retrieval.signals, **covered}
        return passages, retrieval.model_copy(update={"candidates": placed, "reports": [*retrieval.reports, report], "signals": signals})

    async def _load_current_chunks(self, request: RetrievalRequest, retrieval: Retrieval, limit: int) -> tuple[Retrieval, dict[int, StoredChunk]]:
        """Return the candidates with their chunks. A document that is made anew has other chunks from one moment to the next, and the index learns of
        them a little later: a search that fell between is made again, a few times at most.
        """
        chunks = await self.library.chunks(request.tenant, [candidate.chunk_id for candidate in retrieval.candidates])
        for wait in _BETWEEN_VERSIONS:
            looked_at = retrieval.candidates[: max(limit, MIN_CANDIDATES) * OVERFETCH]
            gone = sorted({candidate.document_id for candidate in looked_at if candidate.chunk_id not in chunks})
            if not gone or not await self.library.documents(request.tenant, gone):
                break
            await anyio.sleep(wait)
            reranked = any(report.stage == "rerank" for report in retrieval.reports)
            retrieval = await self.retrieve(request)
            retrieval = await self.rerank(request, retrieval) if reranked else retrieval
            chunks = await self.library.chunks(request.tenant, [candidate.chunk_id for candidate in retrieval.candidates])
        return retrieval, chunks

    async def _coverage(self, request: RetrievalRequest, question: str, passages: Sequence[Passage]) -> float:
        """Return the share of the question's idf mass whose terms stand in the first passage, its headings, or its document's title and file name."""
        if not passages:
            return 0.0
        owner = (await self.library.names(request.tenant, [passages[0].document_id])).get(passages[0].document_id)
        names = [owner.title, owner.filename] if owner else []
        idf = await self.index.idf(request.tenant, question)
        total = sum(idf.values())
        present = set(self.index.terms("\n".join([*names, *passages[0].section, passages[0].content])))
        return sum(mass for term, mass in idf.items() if term in present) / total if total > 0 else 0.0


def select_signals(found: Retrieval) -> Retrieval:
    """Return the retrieval with the signals that speak for the passage that is first now. Where that one was found across languages its cosine is the
    multilingual encoder's, and the words are those of the translation, if there are any; another keeps those of the embedding model.
    """
    if not found.measured:
        return found
    crossed = bool(found.candidates) and MULTILINGUAL in found.candidates[0].stages
    silent = {"dense_top1", *(() if found.words else ("lexical_ratio",))} if crossed else {"multilingual_top1"}
    return found.model_copy(update={"signals": {name: value for name, value in found.measured.items() if name not in silent}})


def is_far(legs: LegResults) -> bool:
    """Return whether a passage has most of the question's words, and none is near it in meaning: a rare name is found by its words alone, and the
    nearest of what is far away would take the first places."""
    near = next((hit.score for hit in legs.hits.get("dense", ())), 1.0)
    return near < FAR_COSINE and legs.signals.get("lexical_ratio", 0.0) >= LEAST_WORDS


def _make_candidates(kept: Sequence[int], scores: Mapping[int, float], legs: LegResults) -> list[Candidate]:
    owners = legs.documents
    places: dict[int, dict[str, StageScore]] = {chunk_id: {} for chunk_id in kept}
    for name, hits in legs.hits.items():
        for rank, hit in enumerate(hits, start=1):
            if hit.chunk_id in places:
                places[hit.chunk_id][name] = StageScore(rank=rank, score=hit.score)
    for rank, chunk_id in enumerate(kept, start=1):
        places[chunk_id]["fusion"] = StageScore(rank=rank, score=scores[chunk_id])
    return [Candidate(chunk_id=chunk_id, document_id=owners[chunk_id], score=scores[chunk_id], stages=places[chunk_id]) for chunk_id in kept]


def _list_dropped(ranked: Sequence[int], scores: Mapping[int, float], legs: LegResults, minimum: float) -> list[DroppedCandidate]:
    """Return the best of the candidates that are below the minimum or behind the first MAX_CANDIDATES."""
    owners = legs.documents
    gone = [chunk_id for place, chunk_id in enumerate(ranked) if place >= MAX_CANDIDATES or scores[chunk_id] < minimum][:DROPPED_SHOWN]
    reasons = {
        chunk_id: f"below the minimum {minimum:.2f} with {scores[chunk_id]:.2f}"
        if scores[chunk_id] < minimum
        else f"behind the first {MAX_CANDIDATES}"
        for chunk_id in gone
    }
    return [
        DroppedCandidate(chunk_id=chunk_id, document_id=owners[chunk_id], stage="fusion", score=scores[chunk_id], reason=reasons[chunk_id])
        for chunk_id in gone
    ]


def _fusion_note(strategy: Strategy, legs: LegResults) -> str:
    notes = []
    for leg in LEGS:
        if leg.note_if_empty and leg.weight(strategy) > 0 and not legs.hits.get(leg.name):
            notes.append(leg.note_if_empty)
    if strategy.time > 0 or strategy.prefer_recent:
        notes.append(f"Recency halves every {HALF_LIFE_DAYS:.0f} days before the newest document found.")
    if is_far(legs) and 0 < strategy.lexical < strategy.dense:
        notes.append("Nothing is near in meaning: the words count as much as meaning does otherwise.")
    if strategy.lexical > 0 and strategy.dense == 0 and not legs.hits.get("lexical") and legs.hits.get("dense"):
        notes.append("No document has the words: these are the nearest in meaning.")
    return " ".join(notes)


def _other_documents(candidates: Sequence[Candidate], passages: Sequence[Passage], wanted: int) -> list[Candidate]:
    """Return the best candidate of each document that has no passage, until `wanted` documents are there."""
    shown = {passage.document_id for passage in passages}
    first: dict[str, Candidate] = {}
    for candidate in candidates:  # in their order: what a rerank did not look at has one score
        if candidate.document_id not in shown:
            first.setdefault(candidate.document_id, candidate)
    ordered = sorted(first.values(), key=lambda candidate: -candidate.score)
    return ordered[: max(0, wanted - len(shown))]


def _place_candidate(candidate: Candidate, places: Mapping[int, tuple[int, float]]) -> Candidate:
    if candidate.chunk_id not in places:
        return candidate
    rank, score = places[candidate.chunk_id]
    stages = {**candidate.stages, "passages": StageScore(rank=rank, score=score)}
    return candidate.model_copy(update={"stages": stages})


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
