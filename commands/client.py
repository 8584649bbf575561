"""The way to the library: the running server that owns it, or the application opened in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import IO, Any

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from core.errors import Conflict, InvalidInput, NotFound, PathNotAllowed, StorageFull, TooLarge, TooMany, Unauthorized, Unavailable, VantageError
from settings import Settings, load_settings
from storage.home import Home, ServerFile

_TIMEOUT = httpx.Timeout(600.0, connect=5.0)
_ERRORS: dict[int, type[VantageError]] = {
    401: Unauthorized,
    403: PathNotAllowed,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    422: InvalidInput,
    429: TooMany,
    503: Unavailable,
    507: StorageFull,
}


class Client:
    """JSON over HTTP. A problem document becomes the error that it stands for."""

    def __init__(self, http: httpx.AsyncClient, *, running: bool) -> None:
        self._http = http
        self.running = running

    async def get(self, path: str, /, **params: Any) -> Any:
        return self._read(await self._http.get(path, params={key: value for key, value in params.items() if value is not None}))

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._read(await self._http.post(path, json=body))

    async def delete(self, path: str, /, **params: Any) -> Any:
        return self._read(await self._http.delete(path, params={key: value for key, value in params.items() if value is not None}))

    async def upload(self, files: Sequence[Path]) -> Any:
        """Send files to POST /upload. Raises InvalidInput for one that cannot be opened."""
        with ExitStack() as stack:
            sent = [("files", (path.name, stack.enter_context(_opened(path)))) for path in files]
            return self._read(await self._http.post("/upload", files=sent))

    @staticmethod
    def _read(response: httpx.Response) -> Any:
        if response.is_success:
            return response.json() if response.content else None
        problem = response.json() if "json" in response.headers.get("content-type", "") else {}
        text = f"{problem.get('detail') or response.reason_phrase} {problem.get('fix', '')}".strip()
        raise _ERRORS.get(response.status_code, VantageError)(text)


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from error


def with_state(app: ASGIApp, state: Mapping[str, Any]) -> ASGIApp:
    """The application with its lifespan state in every scope, as a server would put it there."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in {"http", "websocket"}:
            scope = {**scope, "state": dict(state)}
        await app(scope, receive, send)

    return wrapped


@asynccontextmanager
async def connect(config: Path | None, *, resume_jobs: bool = False, watch: bool = False) -> AsyncIterator[Client]:
    """A client of the running server, else of the application in this process (which then takes the library's lock). There, indexing that was
    cut short goes on only with `resume_jobs`, and folders are watched only with `watch`."""
    settings = load_settings(config)
    known = ServerFile(Home(settings.home)).read()
    if known is not None:
        headers = {"Authorization": f"Bearer {known.token}"}
        async with httpx.AsyncClient(base_url=known.url, timeout=_TIMEOUT, headers=headers, trust_env=False) as http:
            if await _answers(http):
                yield Client(http, running=True)
                return
    async with in_process(settings, resume_jobs=resume_jobs, watch=watch) as client:
        yield client


async def _answers(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/openapi.json", timeout=10.0)).is_success
    except httpx.HTTPError:
        return False


@asynccontextmanager
async def in_process(settings: Settings, *, resume_jobs: bool = False, watch: bool = False) -> AsyncIterator[Client]:
    """The whole application without a server. It listens nowhere, so keys are not asked for."""
    from api import create_app

    alone = settings.model_copy(update={"server": settings.server.model_copy(update={"api_keys": [], "host": "127.0.0.1"})})
    app = create_app(alone, resume_jobs=resume_jobs, watch=watch)
    async with app.router.lifespan_context(app) as state:
        transport = httpx.ASGITransport(app=with_state(app, state or {}))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=_TIMEOUT) as http:
            yield Client(http, running=False)
