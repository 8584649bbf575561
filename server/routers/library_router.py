"""Indexing: POST /index and /upload, and the jobs behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import anyio
from fastapi import APIRouter, Form, UploadFile
from sse_starlette import EventSourceResponse

from core.errors import InvalidInput
from core.ports import IndexJobOptions
from server.auth import AppServices, Caller
from server.job_view import job_out
from server.personal_library import recent_jobs, run_in_library
from server.root_ownership import library_for
from server.schemas import IndexRequest, JobList, JobOut, UploadOut
from server.sse import job_stream
from server.uploads import save_upload, upload_folder

router = APIRouter(tags=["library"])

SAMPLE_WORD = "sample"


@router.post("/index", status_code=202)
async def index(body: IndexRequest, caller: Caller, services: AppServices) -> JobOut:
    """Index a folder or a file in the background. "sample" stands for the sample library that comes with Vantage."""
    path = services.sample if body.path == SAMPLE_WORD else _absolute_path(body.path)
    library = await library_for(path, caller, services)
    how = IndexJobOptions(force=body.force, password=body.password.get_secret_value(), requested_by=caller.user_id)
    return job_out(await services.jobs.queue_run(library, str(path), body.collection, how=how))


def _absolute_path(text: str) -> Path:
    if "\0" in text:
        raise InvalidInput("The path has a NUL character in it.")
    path = Path(text).expanduser()
    if not path.is_absolute():
        raise InvalidInput(f"{text!r} is not an absolute path. Name the folder from the root, such as /home/me/Documents.")
    return path


@router.post("/upload", status_code=202)
async def upload(files: list[UploadFile], caller: Caller, services: AppServices, password: Annotated[str, Form(max_length=1024)] = "") -> UploadOut:
    """Save the files under VANTAGE_HOME/uploads and index them; with a key only its person sees them. A name that is taken is given a number.
    `password` is tried on those that are locked, and kept for this job alone."""
    folder = upload_folder(services.uploads, caller.library)
    await anyio.Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    saved = [await save_upload(item, folder) for item in files]
    job = await services.jobs.queue_run(
        caller.library, str(folder), "default", how=IndexJobOptions(kind="upload", password=password, requested_by=caller.user_id)
    )
    return UploadOut(job=job_out(job), files=[str(path) for path in saved])


@router.get("/jobs")
async def list_jobs(caller: Caller, services: AppServices) -> JobList:
    """The latest jobs, newest first."""
    return JobList(jobs=[job_out(job) for job in await recent_jobs(services, caller.library, 20)])


@router.get("/jobs/{job_id}")
async def read_job(job_id: str, caller: Caller, services: AppServices) -> JobOut:
    return job_out(await run_in_library(caller.library, lambda library: services.jobs.get(library, job_id)))


@router.get("/jobs/{job_id}/events", response_class=EventSourceResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def job_events(job_id: str, caller: Caller, services: AppServices) -> EventSourceResponse:
    """The progress of a job as `job` events, then `done`."""
    library = (await run_in_library(caller.library, lambda library: services.jobs.get(library, job_id))).tenant
    with services.streams.hold_place(caller.tenant, caller.user_id) as place:
        return job_stream(services, place, services.jobs.events(library, job_id))


@router.post("/jobs/{job_id}/cancel")
async def cancel_job(job_id: str, caller: Caller, services: AppServices) -> JobOut:
    """Stop a job; what it has indexed stays."""
    await run_in_library(caller.library, lambda library: services.jobs.cancel(library, job_id))
    return job_out(await run_in_library(caller.library, lambda library: services.jobs.get(library, job_id)))
