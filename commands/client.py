"""The way to the library: the running server that owns it, or the application opened in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from commands.garbage_collection import resume_collections
from commands.serving_process import find_serving_process
from core.errors import Conflict, InvalidInput, NotFound, PathNotAllowed, StorageFull, TooLarge, TooMany, Unauthorized, Unavailable, VantageError
from settings import Settings, load_settings
from storage.home import Home, ServerRecord

if TYPE_CHECKING:
    from composition.early_models import EarlyModels

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

    def __init__(self, http: httpx.AsyncClient, *, served_by: ServerRecord | None = None) -> None:
        self._http = http
        self.served_by = served_by

    @property
    def is_remote(self) -> bool:
        """True where another process does the work, which goes on without this one."""
        return self.served_by is not None

    async def get(self, path: str, /, **params: Any) -> Any:
        return await self._send("GET", path, params={key: value for key, value in params.items() if value is not None})

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return await self._send("POST", path, json=body)

    async def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        return await self._send("PATCH", path, json=body)

    async def delete(self, path: str, /, **params: Any) -> Any:
        return await self._send("DELETE", path, params={key: value for key, value in params.items() if value is not None})

    async def upload(self, files: Sequence[Path], path: str = "/upload", field: str = "files") -> Any:
        """Send files in a form's field. Raises InvalidInput for one that cannot be opened."""
        with ExitStack() as stack:
            sent = [(field, (each.name, stack.enter_context(_open_upload(each)))) for each in files]
            return await self._send("POST", path, files=sent)

    async def _send(self, method: str, path: str, **content: Any) -> Any:
        try:
            return self._decode(await self._http.request(method, path, **content))
        except httpx.TimeoutException as error:
            raise Unavailable("The process that serves the library did not answer in time. Try again, or look at its log.") from error
        except httpx.TransportError as error:
            raise Unavailable("The process that serves the library has ended. Run the command again.") from error

    @staticmethod
    def _decode(response: httpx.Response) -> Any:
        if response.is_success:
            return response.json() if response.content else None
        problem = response.json() if "json" in response.headers.get("content-type", "") else {}
        text = f"{problem.get('detail') or response.reason_phrase} {problem.get('fix', '')}".strip()
        raise _ERRORS.get(response.status_code, VantageError)(text)


def _open_upload(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from error


def add_lifespan_state(app: ASGIApp, state: Mapping[str, Any]) -> ASGIApp:
    """Return the application with its lifespan state in every scope, as a server would put it there."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in {"http", "websocket"}:
            scope = {**scope, "state": dict(state)}
        await app(scope, receive, send)

    return wrapped


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """Options for an application that is opened because no other process serves the library: indexing that was cut short goes on with `resume_jobs`,
    folders are watched with `watch`, what a question needs is opened at once with `warm`, and other commands are served meanwhile where `serve_as`
    names this one. `routers` are those that the command asks, where it is not all (`server.app.ROUTERS`).
    """

    resume_jobs: bool = False
    watch: bool = False
    warm: bool = False
    serve_as: str = ""
    routers: tuple[str, ...] = ()


ONLY_ASKING = OpenOptions()


@asynccontextmanager
async def connect(config: Path | None, opening: OpenOptions = ONLY_ASKING) -> AsyncIterator[Client]:
    """Open a client of the process that serves the library, else of the application in this process (which then takes the library's lock)."""
    settings = load_settings(config)
    async with AsyncExitStack() as stack:
        client = await _open_client(stack, settings, opening)
        resume_collections()
        yield client


async def _open_client(stack: AsyncExitStack, settings: Settings, opening: OpenOptions) -> Client:
    record = await find_serving_process(Home(settings.home))
    if record is not None:
        return await stack.enter_async_context(_connect_to_process(record))
    try:
        return await stack.enter_async_context(open_in_process(settings, opening))
    except Conflict:
        # Another process took the library while this one was starting: a server, most likely.
        record = await find_serving_process(Home(settings.home))
        if record is None:
            raise
        return await stack.enter_async_context(_connect_to_process(record))


@asynccontextmanager
async def _connect_to_process(record: ServerRecord) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {record.token}"}
    # Reading the certificates of all authorities takes longer than most commands, and a server on this machine has none.
    transport = httpx.AsyncHTTPTransport(verify=not record.url.startswith("http:"))
    async with httpx.AsyncClient(base_url=record.url, timeout=_TIMEOUT, headers=headers, trust_env=False, transport=transport) as http:
        yield Client(http, served_by=record)


def _start_early_models(settings: Settings) -> EarlyModels:
    """Start to open the models while the application is imported."""
    from composition.early_models import EarlyModels

    return EarlyModels(settings)


@asynccontextmanager
async def open_in_process(settings: Settings, opening: OpenOptions = ONLY_ASKING) -> AsyncIterator[Client]:
    """Open the whole application without a server. Nobody else reaches it without the token, so keys are not asked for."""
    early = _start_early_models(settings) if opening.warm else None
    from api import create_app
    from server.app import ROUTERS

    alone = settings.model_copy(update={"server": settings.server.model_copy(update={"api_keys": [], "host": "127.0.0.1"})})
    wanted = opening.routers or ROUTERS
    app = create_app(alone, resume_jobs=opening.resume_jobs, watch=opening.watch, warm=opening.warm, early=early, routers=wanted)
    async with AsyncExitStack() as stack:
        state = await stack.enter_async_context(app.router.lifespan_context(app)) or {}
        inside = add_lifespan_state(app, state)
        if opening.serve_as:
            from commands.loopback import LoopbackService, serve_on_loopback

            await stack.enter_async_context(
                serve_on_loopback(LoopbackService(inside, Home(settings.home), state["services"].token, opening.serve_as))
            )
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app=inside), base_url="http://localhost", timeout=_TIMEOUT)
        yield Client(await stack.enter_async_context(http))
