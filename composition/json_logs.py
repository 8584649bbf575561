"""The log as a line of JSON for each event, for programs that collect them. Nothing of a document or a question is in one."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from core.errors import VantageError
from core.log_context import log_context
from core.runs import Trace, TraceNode
from storage.home import Home, write_atomically

RUNS = "orchestration.runs"
OWN_PACKAGES = ("answers", "composition", "graph", "ingestion", "llm", "memory", "orchestration", "retrieval", "server", "storage")
_KEY_BYTES = 32
logger = logging.getLogger(RUNS)


def write_json_logs(home: Home) -> None:
    """Have this process log as JSON on standard error: its own events from INFO, those of libraries from WARNING."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(partial(_person_key, home.logs / "person.key")))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in OWN_PACKAGES:
        logging.getLogger(name).setLevel(logging.INFO)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):  # whatever they were given before: one handler writes all
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True


def log_run(trace: Trace, _: Sequence[TraceNode]) -> None:
    """Log that a run ended or asked back, with how long it took. For `orchestration.run_registry.Runs`."""
    degraded = [node.node for node in trace.nodes if node.outcome == "degraded"]
    logger.info("run ended", extra={"fields": {"status": trace.status, "duration_ms": trace.duration_ms, "degraded": degraded}})


@cache
def _person_key(file: Path) -> bytes:
    """Return the key of the persons' hashes, made once: without it nobody finds a person by trying names."""
    try:
        return bytes.fromhex(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        made = secrets.token_bytes(_KEY_BYTES)
    with suppress(OSError):  # where it cannot be kept the hashes are those of this start: a line of the log must not fail for it
        write_atomically(file, made.hex())
    return made


class JsonFormatter(logging.Formatter):
    """A line of JSON: time, level, logger, message, whose it is, and of an error its type and where it was raised.

    The text of an error of another library is left out: a database's error quotes what was to be stored.
    """

    def __init__(self, person_key: Callable[[], bytes]) -> None:
        super().__init__()
        self._person_key = person_key

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            **self._context(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _describe_error(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)

    def _context(self) -> dict[str, str]:
        context = log_context()
        known = {"tenant_id": context.tenant, "run_id": context.run_id, "job_id": context.job_id, "person": self._hash_person(context.person)}
        return {name: value for name, value in known.items() if value}

    def _hash_person(self, person: str) -> str:
        if not person:
            return ""
        return hashlib.blake2b(f"{log_context().tenant}\0{person}".encode(), key=self._person_key(), digest_size=8).hexdigest()


def _message(record: logging.LogRecord) -> str:
    """Return the message, with the types of foreign errors in the place of their texts."""
    if isinstance(record.args, tuple):
        return str(record.msg) % tuple(_name_error(each) for each in record.args) if record.args else str(record.msg)
    return record.getMessage()


def _name_error(value: object) -> object:
    return type(value).__name__ if isinstance(value, BaseException) and not isinstance(value, VantageError) else value


def _describe_error(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    own = {"message": str(error)} if isinstance(error, VantageError) else {}
    return {"type": type(error).__name__, **own, "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]}
