"""The ledger at any moment: what became of every file, per folder and per reason; what is retried, excluded, opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated

import anyio
from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse

from core.documents import DocumentState
from core.errors import NotFound, PathNotAllowed
from core.ownership import libraries_read
from core.ports import Exclusion, FolderCount, IndexJobOptions, LedgerFilter, ReasonCount, Root
from core.watcher_status import WatchedFolder, WatchState
from server.auth import AppServices, Caller
from server.file_responses import MemberFiles, stored_file_response
from server.job_view import job_out
from server.ledger_schemas import (
    Excluded,
    ExcludeRequest,
    ExclusionList,
    ExclusionOut,
    FolderList,
    FolderOut,
    Included,
    LedgerCounts,
    LedgerOut,
    LedgerSummary,
    QueueOut,
    ReasonOut,
    RootOut,
    RootRemoved,
)
from server.personal_library import list_activities, load_watcher_status, recent_jobs, run_in_library
from server.request_identity import Identity
from server.schemas import JobOut, RetryRequest
from server.services import Services

router = APIRouter(prefix="/ledger", tags=["library"])

_ASKABLE = (DocumentState.INDEXED, DocumentState.PARTIAL)
_FOLDERS = 1000
# Nobody chose to have these in the library: hidden files among them may hold secrets.
_WITHHELD_CODES = {"ignored", "excluded", "vantage_home", "system_folder", "link_outside", "link_to_folder", "special_file"}
PathQuery = Annotated[str, Query(min_length=1, max_length=4096)]
OptionalPath = Annotated[str | None, Query(max_length=4096)]


@dataclass(frozen=True, slots=True)
class LedgerSelection:
    """The filters of a listing."""

    state: Annotated[list[DocumentState] | None, Query(description="only lines in one of these states")] = None
    code: Annotated[list[str] | None, Query(max_length=100, description="only lines with one of these reasons' codes")] = None
    text: Annotated[str, Query(max_length=500, description="words anywhere in the path, case aside")] = ""
    root: OptionalPath = None
    under: Annotated[str | None, Query(max_length=4096, description="a folder or file: only what is at it or below it")] = None

    def as_filter(self) -> LedgerFilter:
        return LedgerFilter(self.state or (), self.code or (), self.text, self.root, self.under)


@router.get("")
async def ledger(
    caller: Caller,
    services: AppServices,
    which: Annotated[LedgerSelection, Depends()],
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=8192)] = None,
) -> LedgerOut:
    """Every file that was seen: what became of it, and why."""
    lines, total, following = await services.ledger.lines(caller.library, which.as_filter(), limit=limit, cursor=cursor)
    roots, queue = await _roots_and_queue(services, caller.library)
    counts = await _counts(services, caller.library)
    return LedgerOut(counts=counts, roots=roots, queue=queue, lines=lines, total=total, next_cursor=following)


@router.get("/summary")
async def summary(caller: Caller, services: AppServices, under: OptionalPath = None) -> LedgerSummary:
    """ "423 of 501 files, 78 need attention", and what the reasons are: one call. `under` restricts the reasons to a folder."""
    counts = await _counts(services, caller.library)
    reasons = await services.ledger.reasons(caller.library, LedgerFilter(under=under))
    with_reasons = sum(counts.by_reason.values())
    before = await services.ledger.count_outdated(caller.library, services.jobs.version)
    roots, queue = await _roots_and_queue(services, caller.library)
    return LedgerSummary(
        sentence=ledger_sentence(counts, with_reasons, queue, before),
        read_before=before,
        counts=counts,
        with_reasons=with_reasons,
        reasons=[_reason_out(each) for each in reasons],
        queue=queue,
        roots=roots,
    )


def ledger_sentence(counts: LedgerCounts, with_reasons: int, queue: QueueOut, before: int) -> str:
    """Return the counts that a person reads first."""
    need = "needs" if with_reasons == 1 else "need"
    said = f"{counts.askable:,} of {counts.seen:,} file{'' if counts.seen == 1 else 's'}, {with_reasons:,} {need} attention"
    if before:
        said += f", being read again: {counts.askable - before:,} of {counts.askable:,}"
    return f"{said}, {queue.waiting:,} waiting" if queue.waiting else said


@router.get("/folders")
async def folders(caller: Caller, services: AppServices, under: OptionalPath = None) -> FolderList:
    """The folders directly in `under`, each with all that lies below it; without `under` the indexed folders."""
    excluded = {item.path for item in await _list_exclusions(services, caller.library)}
    if under is None:
        roots = await services.library.roots(caller.library)
        codes = {root.path: await services.ledger.reasons(caller.library, LedgerFilter(root=root.path)) for root in roots}
        found = [FolderCount(root.path, root.counts, {each.code: each.files for each in codes[root.path]}, 1) for root in roots]
        return FolderList(under=None, folders=[_folder_out(each, excluded) for each in found], files=0)
    inner, direct = await services.ledger.folders(caller.library, under, _FOLDERS + 1)
    shown = [_folder_out(each, excluded) for each in inner[:_FOLDERS]]
    return FolderList(under=under, folders=shown, files=direct, truncated=len(inner) > _FOLDERS)


def _folder_out(count: FolderCount, excluded: set[str]) -> FolderOut:
    return FolderOut(
        path=count.path,
        name=PurePosixPath(count.path).name.removesuffix("!") or count.path,
        files=sum(count.by_state.values()),
        askable=sum(count.by_state.get(state, 0) for state in _ASKABLE),
        with_reasons=sum(count.by_code.values()),
        by_state=count.by_state,
        by_reason=count.by_code,
        folders=count.folders,
        excluded=count.path in excluded,
    )


def _reason_out(count: ReasonCount) -> ReasonOut:
    return ReasonOut(code=count.code, files=count.files, states=list(count.states), reason=count.reason, examples=list(count.examples))


async def _counts(services: Services, library: str) -> LedgerCounts:
    totals = await services.library.totals(library)
    askable = sum(totals.by_state.get(state, 0) for state in _ASKABLE)
    return LedgerCounts(seen=totals.files, askable=askable, by_state=totals.by_state, by_reason=totals.by_code)


async def _roots_and_queue(services: Services, library: str) -> tuple[list[RootOut], QueueOut]:
    status = await load_watcher_status(services, library)
    watched = {folder.path: folder for folder in status.folders}
    active = list_activities(services, library)
    reading = active[0].progress
    queue = QueueOut(
        waiting=max(0, reading.files_total - reading.files_done) + status.waiting,
        files_per_second=reading.files_rate,
        chunks_per_second=reading.rate,
        seconds_left=reading.seconds_left,
        current=reading.current,
        jobs=[job for activity in active for job in activity.jobs],
    )
    running = {job.path: job.id for job in await recent_jobs(services, library, 20) if job.state in {"queued", "running"}}
    roots = await services.library.roots(library)
    shown = [_root_out(item, running, watched.get(item.path), missing=not await anyio.Path(item.path).exists()) for item in roots]
    return shown, queue


def _root_out(root: Root, running: dict[str, str], watched: WatchedFolder | None, *, missing: bool) -> RootOut:
    count = {state: root.counts.get(state, 0) for state in DocumentState}
    return RootOut(
        path=root.path,
        collection=root.collection,
        files=sum(count.values()),
        indexed=count[DocumentState.INDEXED],
        partial=count[DocumentState.PARTIAL],
        failed=count[DocumentState.FAILED] + count[DocumentState.QUARANTINED],
        skipped=count[DocumentState.SKIPPED],
        last_indexed_at=root.last_indexed_at,
        missing=missing,
        job_id=running.get(root.path),
        watch=watched.state if watched is not None else WatchState.OFF,
        watch_reason=watched.reason if watched is not None else "",
    )


@router.get("/file", response_class=FileResponse)
async def open_file(path: PathQuery, caller: Caller, services: AppServices) -> FileResponse:
    """The file of a line, also of one that could not be read. It is never run: see `/documents/{id}/file`."""
    return await file_of_line(path, caller, services, services.members)


async def file_of_line(path: str, caller: Identity, services: Services, members: MemberFiles) -> FileResponse:
    """The file of a line, given out by `members` where it lies in another. Raises PathNotAllowed for what nobody chose, NotFound for what is gone."""
    line = await services.ledger.line(caller.library, path)
    if line.code in _WITHHELD_CODES:
        raise PathNotAllowed(f"{line.path} was left out of the library ({line.code}), so it is not shown here either.")
    response = await stored_file_response([line.path], PurePosixPath(line.path).name, members)
    if response is None:
        raise NotFound(f"{line.path} cannot be opened from here: it is a link, or gone. Open {line.container or 'its folder'}.")
    return response


@router.post("/retry", status_code=202)
async def retry(body: RetryRequest, caller: Caller, services: AppServices) -> JobOut:
    """Read one file of the ledger again, whatever became of it."""
    how = IndexJobOptions(password=body.password.get_secret_value(), requested_by=caller.user_id)
    return job_out(await run_in_library(caller.library, lambda library: services.jobs.retry(library, body.path, how=how)))


@router.get("/exclusions")
async def exclusions(caller: Caller, services: AppServices) -> ExclusionList:
    """Return the paths that were taken out of the library for good."""
    found = await _list_exclusions(services, caller.library)
    return ExclusionList(exclusions=[ExclusionOut(path=item.path, created_at=item.created_at) for item in found])


async def _list_exclusions(services: Services, library: str) -> list[Exclusion]:
    found = [each for name in libraries_read(library) for each in await services.watcher.exclusions(name)]
    return sorted(found, key=lambda exclusion: exclusion.path)


async def _end_exclusion(services: Services, library: str, path: str) -> str:
    """The library in which the exclusion was."""
    await services.watcher.include(library, path)
    return library


@router.post("/exclude")
async def exclude(body: ExcludeRequest, caller: Caller, services: AppServices) -> Excluded:
    """Take a file, or a folder with everything in it, out of the library for good; the files on disk stay."""
    exclusion, removed = await run_in_library(caller.library, lambda library: services.watcher.exclude(library, body.path))
    return Excluded(path=exclusion.path, created_at=exclusion.created_at, documents=len(removed.documents), files=len(removed.files))


@router.delete("/exclude")
async def include(path: PathQuery, caller: Caller, services: AppServices) -> Included:
    """End an exclusion; what is there is read again in the background."""
    library = await run_in_library(caller.library, lambda library: _end_exclusion(services, library, path))
    if not await anyio.Path(path).exists():
        return Included(path=path, job_id=None)
    try:
        return Included(path=path, job_id=(await services.jobs.reread(library, path, how=IndexJobOptions(requested_by=caller.user_id))).id)
    except PathNotAllowed:  # a link that leads out: it has a line again at the next comparison, and is not followed now either
        return Included(path=path, job_id=None)


@router.delete("/roots")
async def remove_root(path: PathQuery, caller: Caller, services: AppServices) -> RootRemoved:
    """Forget a folder with everything that was indexed only from it; the files on disk stay."""
    removed = await run_in_library(caller.library, lambda library: services.jobs.remove_root(library, path))
    return RootRemoved(path=path, documents=len(removed.documents), files=len(removed.files))
