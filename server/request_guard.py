"""Checks of every request: a bound on its body, the check that it comes from our own page, and headers that keep documents harmless."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.auth import is_loopback
from server.error_responses import make_problem, problem_response

JSON_BYTES = 4 * 1024 * 1024
Refusal = tuple[int, str, str]  # status, code, detail

# Scripts from our own origin only; pdf.js runs its worker from a blob; nothing is ever fetched from elsewhere.
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' blob: data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class RequestGuard:
    """Pure ASGI, so that streams pass untouched.

    A body over the limit is refused before it is read, or as soon as it is over it. Without API keys a page of another origin that knows our port
    could otherwise ask questions for its visitor: the Host must be loopback (DNS rebinding) and an Origin, where one is sent, must be ours.
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
        limit = self.upload_bytes if scope["path"] in {"/upload", "/ontologies"} else JSON_BYTES
        refusal = self._check_origin(headers) or _check_length(headers, limit)
        if refusal is not None:
            await _refuse(scope, receive, send, refusal)
            return
        body = _BoundedBody(receive, _add_headers(send), limit)
        try:
            await self.app(scope, body.receive, body.send)
        except ClientDisconnect:
            if not body.refused:
                raise
        if body.refused:
            await _refuse(scope, receive, send, _too_large_refusal(f"The request has more than {limit:,} bytes; at most that many are taken here."))

    def _check_origin(self, headers: Headers) -> Refusal | None:
        host = headers.get("host", "")
        name = _host_name(host)
        if self.local_only and name and not is_loopback(name):
            return 403, "foreign_host", f"This server answers on loopback only, not as {name!r}."
        origin = headers.get("origin")
        if origin and origin != "null" and urlsplit(origin).netloc == host:
            return None
        if origin:
            return 403, "foreign_origin", "A page of another origin asked. Open Vantage's own page, or send no Origin header."
        return None


def _check_length(headers: Headers, limit: int) -> Refusal | None:
    length = headers.get("content-length", "0")
    if length.isdigit() and int(length) > limit:
        return _too_large_refusal(f"The request has {int(length):,} bytes; at most {limit:,} are taken here.")
    return None


def _too_large_refusal(detail: str) -> Refusal:
    return 413, "too_large", detail


async def _refuse(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """Send the refusal and close the connection: what the client still sends would stand in front of its next request."""
    status, code, detail = refusal
    await problem_response(make_problem(Request(scope), status, "Refused", detail, code), {"Connection": "close"})(scope, receive, send)


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return "?"


class _BoundedBody:
    """A request's body, sent without or with a wrong Content-Length, up to a limit. Beyond it the application sees a client that went away, and
    what it answers to that is dropped: `refused` says that the answer is ours."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive, self._send, self._limit = receive, send, limit
        self._seen = 0
        self._answered = False
        self.refused = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit and not self._answered:
            self.refused = True
        return {"type": "http.disconnect"} if self.refused else message

    async def send(self, message: Message) -> None:
        self._answered = self._answered or (message["type"] == "http.response.start" and not self.refused)
        if not self.refused:
            await self._send(message)


def _add_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Referrer-Policy", "no-referrer")
            headers.setdefault("Content-Security-Policy", PAGE_POLICY)
        await send(message)

    return with_headers
