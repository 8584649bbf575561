"""`vantage serve`: the page and the API, and the sample library the first time."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from commands.client import add_lifespan_state
from commands.garbage_collection import resume_collections
from commands.index_command import show_progress
from core.errors import ConfigurationError, Conflict
from core.search import Filters
from server.app import VERSION
from server.health_report import prepare_reports
from server.job_view import job_out
from server.limited_server import LimitedServer
from server.services import Services
from settings import load_settings
from storage.home import Home, ServerFile


def serve(config: Path | None, overrides: Mapping[str, Any], *, with_sample: bool, as_json: bool = False) -> int:
    """Serve until stopped. Raises Conflict where another process owns the library or the port."""
    from api import create_app

    settings = load_settings(config, overrides=overrides)
    app = create_app(settings)
    listening = _listen(settings.server.host, settings.server.port)

    async def run() -> None:
        async with app.router.lifespan_context(app) as state:
            if state is None:
                raise ConfigurationError("The application started without its parts.")
            services: Services = state["services"]
            resume_collections()
            if with_sample:
                await _index_sample(services, quiet=as_json)
            await _serve(add_lifespan_state(app, state), services, listening, as_json=as_json)

    try:
        asyncio.run(run())
    finally:
        listening.close()
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """Bind a socket. Binding first gives a sentence instead of a traceback, before any model is loaded."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named asyncio switches Nagle's algorithm off; without it every answer waits 40 ms for a delayed acknowledgement.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            raise Conflict(f"Port {port} is taken: is Vantage running already? Stop the other program, or use --port.") from error
        raise ConfigurationError(f"Cannot listen on {host}:{port}: {error.strerror}. Choose another --host or --port.") from error
    return made


async def _serve(app: Any, services: Services, listening: socket.socket, *, as_json: bool) -> None:
    settings = services.settings
    url = _listening_url(listening)
    file = ServerFile(Home(settings.home))
    server = LimitedServer(app, settings.server)
    await prepare_reports(services)
    file.write(url, VERSION, datetime.now(UTC), services.token)
    where = {"url": url, "version": VERSION, "home": str(settings.home)}
    sys.stdout.write(
        f"{json.dumps(where)}\n" if as_json else f"Vantage {VERSION} is at {url}. Press Ctrl+C to stop. All data is in {settings.home}.\n"
    )
    sys.stdout.flush()
    try:
        await server.serve(sockets=[listening])
    finally:
        file.remove()


def _listening_url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


async def _index_sample(services: Services, *, quiet: bool) -> None:
    """Index the sample library into an empty library, with a progress bar."""
    _, documents, _ = await services.library.list_documents("default", filters=Filters(), limit=1)
    if documents or await services.library.roots("default"):
        return
    if not quiet:
        sys.stdout.write("The library is empty: indexing the sample library.\n")
    job = await services.jobs.queue_run("default", str(services.sample), "default")
    await show_progress((job_out(record).model_dump() async for record in services.jobs.events("default", job.id)), quiet=quiet)
