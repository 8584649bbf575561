"""A process that has imported all of Vantage and forks itself for each command that a test starts: importing takes longer than most commands.

Run by `tests.support.warm_start` with a socket on which requests come, one a message: JSON, and three descriptors (standard output, standard
error, and the socket on which the started process's id and its end are reported). Whatever is forked has an environment and a folder of its own and
no thread of the parent's, and ends as `python -m` ends it.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import struct
import sys
import time
from typing import Any

_MOST_BYTES = 1 << 20
REPORT = struct.Struct("!q")
"""What is reported of a process: its id once it is there, and its exit code once it has ended."""

# What servers and the first command of a library import when they need it.
_LATE = (
    "alembic.command",
    "anyio._backends._asyncio",
    "composition.metrics",
    "mako.template",
    "retrieval.embedded_index",
    "safetensors",
    "sqlalchemy.dialects.postgresql",
    "uvicorn.lifespan.off",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)


def import_everything() -> None:
    """Import what the commands import by themselves, when they are run."""
    from fastapi.routing import iter_route_contexts

    import api  # noqa: F401
    import cli  # noqa: F401
    import commands
    from ingestion.enrichment.language_model import share_model
    from orchestration.checkpoints import state_types
    from server.app import ROUTERS, include_routers
    from tests.support.shared_tokenizers import read_tokenizers, share_tokenizers

    share_model()
    share_tokenizers()
    read_tokenizers()
    state_types()
    list(iter_route_contexts(include_routers(ROUTERS)))  # works each of them out, as the first request does
    for name in (*_LATE, *(f"commands.{found.name}" for found in pkgutil.iter_modules(commands.__path__))):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # what is there stays there: a collection in a forked process need not copy it


def main(descriptor: int) -> int:
    """Fork for each request until the other end closes; in the forked process, run the command and return its exit code."""
    import_everything()
    requests = socket.socket(fileno=descriptor)
    running: dict[int, tuple[int, socket.socket]] = {}  # by the descriptor that tells of a process's end: its id, and who wants to know
    while True:
        ready, _, _ = select.select([requests.fileno(), *running], [], [])
        for ended in set(ready) & running.keys():
            _report_end(ended, *running.pop(ended))
        if requests.fileno() not in ready:
            continue
        message, descriptors, _, _ = socket.recv_fds(requests, _MOST_BYTES, 3)
        if not message:
            return _end_all(running)
        process_id = os.fork()
        if process_id == 0:
            for each in [requests, *(reports for _, reports in running.values())]:
                each.close()
            for inherited in running:
                os.close(inherited)
            return _run(json.loads(message), descriptors)
        os.close(descriptors[0])
        os.close(descriptors[1])
        reports = socket.socket(fileno=descriptors[2])
        running[os.pidfd_open(process_id)] = (process_id, reports)
        reports.sendall(REPORT.pack(process_id))


def _report_end(descriptor: int, process_id: int, reports: socket.socket) -> None:
    os.close(descriptor)
    _, status = os.waitpid(process_id, 0)
    with reports:
        try:
            reports.sendall(REPORT.pack(os.waitstatus_to_exitcode(status)))
        except BrokenPipeError:
            return  # nobody waits for it any more


def _end_all(running: dict[int, tuple[int, socket.socket]]) -> int:
    for process_id, _ in running.values():
        os.kill(process_id, signal.SIGKILL)
    for process_id, _ in running.values():
        os.waitpid(process_id, 0)
    return 0


def _run(request: dict[str, Any], descriptors: list[int]) -> int:
    """Become the process that was asked for, as far as a program can tell."""
    output, errors, reports = descriptors
    for descriptor, standard in ((output, 1), (errors, 2)):
        os.dup2(descriptor, standard)
    for descriptor in (output, errors, reports):
        os.close(descriptor)
    if request["new_session"]:
        os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.path[0] = request["folder"]
    sys.argv = [request["module"], *request["arguments"]]
    code: int | None = importlib.import_module(request["module"]).main()
    return code or 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
