"""Indexing: POST /index and /upload, the jobs behind them, and the ledger."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated

import anyio
from fastapi import APIRouter, Query, UploadFile
from sse_starlette import EventSourceResponse

from core.documents import DocumentState
from core.errors import InvalidInput, PathNotAllowed
from core.ports import Root
from server.auth import Caller, Identity, Reach
from server.jobs import job_out
from server.ledger_schemas import LedgerCounts, LedgerOut, QueueOut, RootOut, RootRemoved
from server.schemas import IndexRequest, JobList, JobOut, RetryRequest, UploadOut
from server.services import Services
from server.sse import job_stream

router = APIRouter(tags=["library"])

SAMPLE = "sample"
_ASKABLE = (DocumentState.INDEXED, DocumentState.PARTIAL)


@router.post("/index", status_code=202)
async def index(body: IndexRequest, caller: Caller, services: Reach) -> JobOut:
    """Index a folder or a file in the background. "sample" stands for the sample library that comes with Vantage."""
    path = services.sample if body.path == SAMPLE else _absolute(body.path)
    _require_root(path, caller, services)
    return job_out(await services.jobs.start(caller.tenant, str(path), body.collection, force=body.force))


def _absolute(text: str) -> Path:
    if "\0" in text:
        raise InvalidInput("The path has a NUL character in it.")
    path = Path(text).expanduser()
    if not path.is_absolute():
        raise InvalidInput(f"{text!r} is not an absolute path. Name the folder from the root, such as /home/me/Documents.")
    return path


def _require_root(path: Path, caller: Identity, services: Services) -> None:
    """With keys only the configured roots are served. Raises PathNotAllowed."""
    if not caller.keyed or path == services.sample:
        return
    real = path.resolve()
    if not any(real.is_relative_to(root.expanduser().resolve()) for root in services.settings.ingestion.roots):
        raise PathNotAllowed(f"{path} lies outside the configured roots.")


@router.post("/upload", status_code=202)
async def upload(files: list[UploadFile], caller: Caller, services: Reach) -> UploadOut:
    """Save the files under VANTAGE_HOME/uploads and index them."""
    folder = services.uploads / caller.tenant
    await anyio.Path(folder).mkdir(parents=True, exist_ok=True)
    saved = [await _save(item, folder) for item in files]
    job = await services.jobs.start(caller.tenant, str(folder), "default", kind="upload")
    return UploadOut(job=job_out(job), files=[str(path) for path in saved])


async def _save(item: UploadFile, folder: Path) -> Path:
    """Write one upload beside its final name and move it there, so that no half file is ever indexed."""
    target = folder / _safe_name(item.filename or "")
    partial = anyio.Path(folder / f".{target.name}.part")
    async with await partial.open("wb") as out:
        while piece := await item.read(1 << 20):
            await out.write(piece)
    await partial.rename(target)
    return target


def _safe_name(name: str) -> str:
    """The last part of the sent name without anything that means something to a file system. Raises InvalidInput for none."""
    plain = PurePath(name.replace("\\", "/")).name
    plain = "".join(c if c.isprintable() and c not in '<>:"|?*' and not "\ud800" <= c <= "\udfff" else "_" for c in plain).strip(" .")
    if not plain:
        raise InvalidInput("An uploaded file needs a name.")
    stem, dot, suffix = plain.rpartition(".")
    return plain if len(plain.encode()) <= 200 else f"{(stem or plain)[:80]}{dot}{suffix[:16]}"


@router.get("/jobs")
async def list_jobs(caller: Caller, services: Reach) -> JobList:
    """The latest jobs, newest first."""
    return JobList(jobs=[job_out(job) for job in await services.jobs.recent(caller.tenant, 20)])


@router.get("/jobs/{job_id}")
async def read_job(job_id: str, caller: Caller, services: Reach) -> JobOut:
    return job_out(await services.jobs.get(caller.tenant, job_id))


@router.get("/jobs/{job_id}/events", response_class=EventSourceResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def job_events(job_id: str, caller: Caller, services: Reach) -> EventSourceResponse:
    """The progress of a job as `job` events, then `done`."""
    await services.jobs.get(caller.tenant, job_id)
    return job_stream(services, services.jobs.events(caller.tenant, job_id))


@router.post("/jobs/{job_id}/cancel")
async def cancel_job(job_id: str, caller: Caller, services: Reach) -> JobOut:
    """Stop a job; what it has indexed stays."""
    await services.jobs.cancel(caller.tenant, job_id)
    return job_out(await services.jobs.get(caller.tenant, job_id))


@router.get("/ledger")
async def ledger(
    caller: Caller,
    services: Reach,
    state: Annotated[list[DocumentState] | None, Query()] = None,
    root: Annotated[str | None, Query(max_length=4096)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=8192)] = None,
) -> LedgerOut:
    """Every file that was seen: what became of it, and why."""
    lines, total, following = await services.library.ledger(caller.tenant, states=state or (), root=root, limit=limit, cursor=cursor)
    totals = await services.library.totals(caller.tenant)
    roots = await services.library.roots(caller.tenant)
    running = {job.path: job.id for job in await services.jobs.recent(caller.tenant, 20) if job.state in {"queued", "running"}}
    counts = LedgerCounts(
        seen=totals.files,
        askable=sum(totals.by_state.get(state, 0) for state in _ASKABLE),
        by_state=totals.by_state,
        by_reason=totals.by_code,
    )
    shown = [_root_out(item, running, missing=not await anyio.Path(item.path).exists()) for item in roots]
    queue = QueueOut(waiting=0, files_per_second=0.0, chunks_per_second=0.0, seconds_left=None, current="", jobs=list(running.values()))
    return LedgerOut(counts=counts, roots=shown, queue=queue, lines=lines, total=total, next_cursor=following)


def _root_out(root: Root, running: dict[str, str], *, missing: bool) -> RootOut:
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
    )


@router.post("/ledger/retry", status_code=202)
async def retry(body: RetryRequest, caller: Caller, services: Reach) -> JobOut:
    """Read one file of the ledger again, whatever became of it."""
    return job_out(await services.jobs.retry(caller.tenant, body.path))


@router.delete("/ledger/roots")
async def remove_root(path: Annotated[str, Query(min_length=1, max_length=4096)], caller: Caller, services: Reach) -> RootRemoved:
    """Forget a folder with everything that was indexed only from it; the files on disk stay."""
    removed = await services.jobs.remove_root(caller.tenant, path)
    await services.memory.forget_documents(caller.tenant, removed.documents)
    return RootRemoved(path=path, documents=len(removed.documents), files=len(removed.files))
