"""A stored job as HTTP shows it."""

from __future__ import annotations

from typing import Any

from core.ports import JobRecord
from server.schemas import JobOut

_COUNTS = (
    "files_total",
    "files_done",
    "files_indexed",
    "files_unchanged",
    "files_partial",
    "files_skipped",
    "files_failed",
    "files_removed",
    "chunks",
)


def job_out(job: JobRecord) -> JobOut:
    progress: dict[str, Any] = job.progress
    return JobOut.model_validate(
        {
            **{name: int(progress.get(name, 0)) for name in _COUNTS},
            "id": job.id,
            "kind": job.kind,
            "state": job.state,
            "path": job.path,
            "created_at": job.created_at,
            "started_at": job.started_at,
            "finished_at": job.finished_at,
            "rate": float(progress.get("rate", 0.0)),
            "seconds_left": progress.get("seconds_left"),
            "current": str(progress.get("current", "")),
            "error": job.error,
            "started_by": str(job.request.get("by", "")),
        }
    )
