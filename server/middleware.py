"""What every request passes: a bound on its body, the check that it comes from our own page, and headers that keep documents harmless."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.auth import is_loopback
from server.errors import problem, respond

JSON_BYTES = 4 * 1024 * 1024

# Scripts from our own origin only; pdf.js runs its worker from a blob; nothing is ever fetched from elsewhere.
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' blob: data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class RequestGuard:
    """Pure ASGI, so that streams pass untouched.

    A body over the limit is refused before it is read. Without API keys a page of another origin that knows our port could otherwise ask
    questions for its visitor: the Host must be loopback (DNS rebinding) and an Origin, where one is sent, must be ours.
    """

    def __init__(self, app: ASGIApp, *, upload_bytes: int, local_only: bool) -> None:
        self.app = app
        self.upload_bytes = upload_bytes
        self.local_only = local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._foreign(headers) or self._oversized(scope, headers)
        if refusal is not None:
            status, code, detail = refusal
            await respond(problem(Request(scope), status, "Refused", detail, code))(scope, receive, send)
            return
        limit = self.upload_bytes if scope["path"] == "/upload" else JSON_BYTES
        await self.app(scope, _bounded(receive, limit), _with_headers(send))

    def _foreign(self, headers: Headers) -> tuple[int, str, str] | None:
        host = headers.get("host", "")
        name = _host_name(host)
        if self.local_only and name and not is_loopback(name) and name != "testserver":
            return 403, "foreign_host", f"This server answers on loopback only, not as {name!r}."
        origin = headers.get("origin")
        if origin and origin != "null" and urlsplit(origin).netloc == host:
            return None
        if origin:
            return 403, "foreign_origin", "A page of another origin asked. Open Vantage's own page, or send no Origin header."
        return None

    def _oversized(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        limit = self.upload_bytes if scope["path"] == "/upload" else JSON_BYTES
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > limit:
            return 413, "too_large", f"The request has {int(length):,} bytes; at most {limit:,} are taken here."
        return None


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return "?"


def _bounded(receive: Receive, limit: int) -> Receive:
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:  # sent without, or with a wrong, Content-Length
            return {"type": "http.disconnect"}
        return message

    return bounded


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Referrer-Policy", "no-referrer")
            headers.setdefault("Content-Security-Policy", PAGE_POLICY)
        await send(message)

    return with_headers
