"""Indexing: POST /index and /upload, and the jobs behind them."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePath
from typing import Annotated

import anyio
from fastapi import APIRouter, Form, UploadFile
from sse_starlette import EventSourceResponse

from core.errors import InvalidInput, PathNotAllowed
from server.auth import Caller, Identity, Reach
from server.jobs import job_out
from server.schemas import IndexRequest, JobList, JobOut, UploadOut
from server.services import Services
from server.sse import job_stream

router = APIRouter(tags=["library"])

SAMPLE = "sample"
_LONGEST = 200  # bytes of a file's name; file systems take 255, and a file that is being written has a longer one


@router.post("/index", status_code=202)
async def index(body: IndexRequest, caller: Caller, services: Reach) -> JobOut:
    """Index a folder or a file in the background. "sample" stands for the sample library that comes with Vantage."""
    path = services.sample if body.path == SAMPLE else _absolute(body.path)
    _require_root(path, caller, services)
    return job_out(await services.jobs.start(caller.tenant, str(path), body.collection, force=body.force, password=body.password.get_secret_value()))


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
    uploads = services.uploads.resolve()
    if real.is_relative_to(uploads) and not real.is_relative_to(uploads / caller.tenant):
        raise PathNotAllowed(f"{path} holds what others uploaded.")
    if not any(real.is_relative_to(root.expanduser().resolve()) for root in services.settings.ingestion.roots):
        raise PathNotAllowed(f"{path} lies outside the configured roots.")


@router.post("/upload", status_code=202)
async def upload(files: list[UploadFile], caller: Caller, services: Reach, password: Annotated[str, Form(max_length=1024)] = "") -> UploadOut:
    """Save the files under VANTAGE_HOME/uploads and index them. `password` is tried on those that are locked, and kept for this job alone."""
    folder = services.uploads / caller.tenant
    await anyio.Path(folder).mkdir(parents=True, exist_ok=True)
    saved = [await _save(item, folder) for item in files]
    job = await services.jobs.start(caller.tenant, str(folder), "default", kind="upload", password=password)
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
    return plain if len(plain.encode()) <= _LONGEST else _shortened(plain)


def _shortened(name: str) -> str:
    """The beginning of a name with its suffix, and a hash between them: two long names that begin alike stay two files."""
    suffix = PurePath(name).suffix.encode()[:40].decode(errors="ignore")
    mark = f"-{hashlib.sha256(name.encode()).hexdigest()[:12]}{suffix}"
    return name.encode()[: _LONGEST - len(mark.encode())].decode(errors="ignore").rstrip(" .") + mark


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
    with services.streams.place(caller.tenant, caller.user_id) as place:
        return job_stream(services, place, services.jobs.events(caller.tenant, job_id))


@router.post("/jobs/{job_id}/cancel")
async def cancel_job(job_id: str, caller: Caller, services: Reach) -> JobOut:
    """Stop a job; what it has indexed stays."""
    await services.jobs.cancel(caller.tenant, job_id)
    return job_out(await services.jobs.get(caller.tenant, job_id))
