"""The explanation why a file is where it is in a run's results, or at which stage it fell: the run's own search once more, with an eye on that
file."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.text.query_filters import doc_types_in_words, kinds_in_words
from core.documents import Document, LedgerLine
from core.errors import Conflict, NotFound
from core.leg_names import LEGS
from core.ports import Library, Retriever
from core.run_inspection import FileExplanation, StageStanding
from core.runs import Trace
from core.search import Candidate, Filters, Retrieval, RetrievalRequest
from orchestration.dependencies import Dependencies
from orchestration.response import format_count

_PAGE = 500
_NAME = 120  # characters of a name that an answer repeats
_CRITERIA = {leg.name: leg.criterion for leg in LEGS}


async def explain_file(deps: Dependencies, trace: Trace, named: str, tenant: str) -> FileExplanation:
    """Return the first stage that the file did not pass, of the documents that are read as `tenant`. Raises Conflict where several files have the
    name."""
    named = named.encode("utf-8", "replace").decode()  # no store holds half a character
    document = await _find_document(deps.library, tenant, named)
    if document is None:
        return await _explain_not_indexed(deps.library, trace, named, tenant)
    account = _StageAccount(trace, document)
    shown = next((rank for rank, result in enumerate(trace.response.get("results", []), 1) if result["id"] == document.id), None)
    if not trace.retrieval_request:
        return account.explain_dropped("search", "This run searched no documents: its question needed none.", "Ask a question about the documents.")
    request = RetrievalRequest.model_validate({**trace.retrieval_request, "tenant": tenant})
    blocking = await _describe_blocking_filters(deps.library, tenant, document.id, request.filters)
    if blocking:
        return account.explain_dropped("filters", f"The run searched only {blocking}, and this file is outside.", "Ask again without that limit.")
    return await _explain_by_search(deps, request, account, shown)


@dataclass(slots=True)
class _StageAccount:
    """The standing of the file at the stages that were looked at so far."""

    trace: Trace
    document: Document
    stages: list[StageStanding] = field(default_factory=list)

    def add_passed(self, stage: str, place: tuple[int, float], sentence: str) -> None:
        self.stages.append(StageStanding(stage=stage, rank=place[0], score=round(place[1], 4), needed=None, passed=True, sentence=sentence))

    def add_missed(self, stage: str, score: float | None, needed: float | None, sentence: str) -> None:
        kept = None if score is None else round(score, 4)
        wanted = None if needed is None else round(needed, 4)
        self.stages.append(StageStanding(stage=stage, rank=None, score=kept, needed=wanted, passed=False, sentence=sentence))

    def explain_dropped(self, stage: str, sentence: str, help_: str) -> FileExplanation:
        return self._explanation(None, stage, sentence, help_)

    def explain_shown(self, rank: int) -> FileExplanation:
        way = " ".join(each.sentence for each in self.stages if each.passed)
        return self._explanation(rank, None, f"It is shown at place {rank}. {way}".strip(), "")

    def _explanation(self, rank: int | None, fell_at: str | None, sentence: str, help_: str) -> FileExplanation:
        return FileExplanation(
            trace_id=self.trace.id,
            document_id=self.document.id,
            filename=self.document.filename,
            shown=rank is not None,
            rank=rank,
            fell_at=fell_at,
            sentence=sentence,
            help=help_,
            stages=self.stages,
        )


# ---------------------------------------------------------------------------------------------------------------- which file
async def _find_document(library: Library, tenant: str, named: str) -> Document | None:
    """Return the document by id, path or file name; None where there is none."""
    by_id = await library.documents(tenant, [named])
    if by_id:
        return by_id[named]
    name = named.rsplit("/", 1)[-1]
    cursor, found = None, []
    while True:
        page, _, cursor = await library.list_documents(tenant, filters=Filters(), text=name, limit=_PAGE, cursor=cursor)
        found += [each for each in page if named in each.paths or named.casefold() in _possible_names(each)]
        if cursor is None:
            break
    exact = [each for each in found if named in each.paths]
    if len(exact or found) > 1:
        raise Conflict(
            f"{len(found)} files are called {_shorten_name(name)}: {', '.join(each.file_path for each in found[:5])}. Name one by its whole path."
        )
    return next(iter(exact or found), None)


def _possible_names(document: Document) -> set[str]:
    """Return what a person may call it: its file names, with and without their endings, and its title."""
    files = [path.rsplit("/", 1)[-1] for path in document.paths] or [document.filename]
    return {name.casefold() for file in files for name in (file, file.rsplit(".", 1)[0])} | {document.title.casefold()}


async def _explain_not_indexed(library: Library, trace: Trace, named: str, tenant: str) -> FileExplanation:
    line = await _find_ledger_line(library, tenant, named)
    name = _shorten_name(named.rsplit("/", 1)[-1])
    if line is None:
        sentence, help_ = f"No file called {name} has ever been seen.", "Index the folder that it lies in."
    else:
        sentence, help_ = (
            f"It is not in the index ({line.state}): {line.reason}",
            "Mend what the reason says and read it again from the library page.",
        )
    return FileExplanation(
        trace_id=trace.id, document_id=None, filename=name, shown=False, rank=None, fell_at="not_indexed", sentence=sentence, help=help_, stages=[]
    )


_LOOK_DEEPER = "Ask with the mode “recall”, which looks deeper, or use more of its words."
_ADVICE = {"copies": "Ask without diversity (`diversity_weight` 0): then copies are shown, too."}


def _shorten_name(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[:_NAME]}…"


async def _find_ledger_line(library: Library, tenant: str, named: str) -> LedgerLine | None:
    cursor = None
    while True:
        lines, _, cursor = await library.ledger(tenant, limit=_PAGE, cursor=cursor)
        for line in lines:
            if line.document_id is None and named in (line.path, line.path.rsplit("/", 1)[-1]):
                return line
        if cursor is None:
            return None


async def _describe_blocking_filters(library: Library, tenant: str, document_id: str, filters: Filters) -> str:
    """Return the filters that leave the document out, in words; "" where none does."""
    if filters.is_empty():
        return ""
    if filters.document_ids and document_id not in filters.document_ids:
        kind = filters.entity_class
        return f"what mentions something of the class {kind}" if kind else format_count(len(filters.document_ids), "chosen document")
    words = {
        "collection": f"the collection {filters.collection}",
        "path_prefix": f"what lies in {filters.path_prefix}",
        "file_types": kinds_in_words(filters.file_types),
        "doc_types": doc_types_in_words(filters.doc_types),
        "languages": f"texts in {', '.join(filters.languages)}",
        "modified_after": f"files changed since {filters.modified_after:%Y-%m-%d}" if filters.modified_after else "",
        "modified_before": f"files changed before {filters.modified_before:%Y-%m-%d}" if filters.modified_before else "",
    }
    blocking = []
    for name, said in words.items():
        value = getattr(filters, name)
        if value and not await _passes_filter(library, tenant, document_id, Filters.model_validate({name: value})):
            blocking.append(said)
    return " and ".join(blocking)


async def _passes_filter(library: Library, tenant: str, document_id: str, one: Filters) -> bool:
    _, total, _ = await library.list_documents(tenant, filters=one.model_copy(update={"document_ids": [document_id]}), limit=1)
    return total > 0


# ---------------------------------------------------------------------------------------------------------------- its way
async def _explain_by_search(deps: Dependencies, request: RetrievalRequest, account: _StageAccount, shown: int | None) -> FileExplanation:
    """Return the stage at which the file fell, the stages taken in order as the run went through them. The library may have changed since: then this
    says how it stands now."""
    retriever = deps.retriever
    found = await retriever.retrieve(request)
    mine = _best_candidate(found, account.document.id)
    if mine is None:
        return await _explain_not_found(retriever, request, found, account)
    for leg, by in _CRITERIA.items():
        if leg in mine.stages:
            stood = mine.stages[leg]
            account.add_passed(leg, (stood.rank, stood.score), f"By {by} it is at place {stood.rank}.")
        elif any(leg in each.stages for each in found.candidates):
            account.add_missed(leg, None, _last_leg_score(found, leg), f"It is not among the candidates by {by}.")
    rank = found.candidates.index(mine) + 1
    account.add_passed("fusion", (rank, mine.score), f"Together that is place {rank} of {len(found.candidates)}.")
    reranked = found if "rerank" in request.without else await retriever.rerank(request, found)
    again = _best_candidate(reranked, account.document.id)
    if again is not None and "rerank" not in request.without:
        rank = reranked.candidates.index(again) + 1
        account.add_passed("rerank", (rank, again.score), f"Read again it is at place {rank}.")
    if shown is not None:
        return account.explain_shown(shown)
    return await _explain_unread(deps, request, reranked, account)


async def _explain_unread(deps: Dependencies, request: RetrievalRequest, ranked: Retrieval, account: _StageAccount) -> FileExplanation:
    """Return the explanation of a file that was ranked and is not shown: the answer reads only so many passages, and of their documents only so many
    are shown."""
    limit, mine = max(request.top_k, deps.options.answer_passages), _best_candidate(ranked, account.document.id)
    passages, _ = await deps.retriever.assemble_passages(request, ranked, limit)
    read = list(dict.fromkeys(passage.document_id for passage in passages))
    score = mine.score if mine is not None else None
    if account.document.id not in read:
        needed = min((passage.anchor_score for passage in passages), default=None)
        place = ranked.candidates.index(mine) + 1 if mine is not None else len(ranked.candidates)
        account.add_missed("passages", score, needed, f"Its best passage is at place {place}; the best {limit} make the passages that are read.")
        sentence = (
            f"It was dropped before the passages: its best one is at place {place}{_compare_scores(score, needed, 'the last one that is read')}."
        )
        return account.explain_dropped(
            "passages", sentence, f"Use words that only this file has, or ask for more than {format_count(limit, 'result')}."
        )
    place, last = read.index(account.document.id) + 1, read[min(request.top_k, len(read)) - 1]
    needed = _document_score(ranked, last)
    account.add_missed("results", score, needed, f"It is the document at place {place}; {request.top_k} are shown.")
    sentence = f"It was dropped at the end: place {place} among the documents{_compare_scores(score, needed, 'the last one that is shown')}."
    return account.explain_dropped("results", sentence, f"Ask for more results (at least {place}), or name something that only this file has.")


def _compare_scores(score: float | None, needed: float | None, what: str) -> str:
    """Return the two scores, with as many digits as tell them apart."""
    if score is None or needed is None:
        return ""
    digits = next((each for each in (2, 3) if round(score, each) != round(needed, each)), 4)
    return f" with {score:.{digits}f}; {what} has {needed:.{digits}f}"


async def _explain_not_found(retriever: Retriever, request: RetrievalRequest, found: Retrieval, account: _StageAccount) -> FileExplanation:
    """Return the explanation of a file that is not among the candidates: dropped by the minimum, or found by no leg. Its own best passage says by how
    far."""
    dropped = next((each for report in found.reports for each in report.dropped if each.document_id == account.document.id), None)
    if dropped is not None:
        account.add_missed(dropped.stage, dropped.score, None, f"{dropped.reason[:1].upper()}{dropped.reason[1:]}.")
        sentence = f"It was dropped at the {dropped.stage}: {dropped.reason}."
        return account.explain_dropped(dropped.stage, sentence, _ADVICE.get(dropped.stage, _LOOK_DEEPER))
    alone = await retriever.retrieve(_restrict_to_document(request, account.document.id))
    best = _best_candidate(alone, account.document.id)
    parts = []
    for leg, by in _CRITERIA.items():
        needed = _last_leg_score(found, leg)
        score = best.stages[leg].score if best is not None and leg in best.stages else None
        if needed is None and score is None:
            continue
        account.add_missed(leg, score, needed, _compare_leg(by, score, needed))
        parts.append(_compare_leg(by, score, needed))
    sentence = f"It was not found by keyword or meaning search. {' '.join(parts)}".strip()
    return account.explain_dropped(
        "lexical and dense", sentence, "Use words that stand in the file, or search this file alone (“Ask only this file”)."
    )


def _restrict_to_document(request: RetrievalRequest, document_id: str) -> RetrievalRequest:
    """Return the same search over this document alone, with nothing dropped."""
    strategy = request.strategy.model_copy(update={"min_score": 0.0})
    filters = Filters(document_ids=[document_id])
    return request.model_copy(update={"filters": filters, "strategy": strategy, "graph_hits": [], "use_links": False})


def _compare_leg(by: str, score: float | None, needed: float | None) -> str:
    if score is None:
        return f"By {by} nothing in it was found."
    return f"By {by} its best passage has {score:.2f}" + (f"; the last candidate has {needed:.2f}." if needed is not None else ".")


def _best_candidate(found: Retrieval, document_id: str) -> Candidate | None:
    return next((each for each in found.candidates if each.document_id == document_id), None)


def _last_leg_score(found: Retrieval, leg: str) -> float | None:
    """Return the score of the last candidate that the leg brought."""
    return min((each.stages[leg].score for each in found.candidates if leg in each.stages), default=None)


def _document_score(found: Retrieval, document_id: str) -> float:
    best = _best_candidate(found, document_id)
    if best is None:
        raise NotFound(f"There is no document {document_id} among the candidates.")
    return best.score
