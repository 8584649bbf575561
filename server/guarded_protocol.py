"""uvicorn's HTTP/1.1 protocol with limits: of connections, and of the time that a client may take for a request and for what it is sent.

What it adds: a head that does not come is given up, and so is a body that trickles (answered 408) and a client that takes nothing of its answer.
Beyond the limit of connections (`server.connections`) a client is told to wait. And an answer that is there before the whole body, such as 413, is
followed by a lingering close (RFC 9112, 9.6): closing at once would reset the connection, and the client would see that instead of the answer.
Each connection also carries whose program is at its other end (`server.local_callers`).
"""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Any, cast

import h11
from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from server.connections import Admission, Connections
from server.error_responses import FIXES, MEDIA_TYPE, make_problem, problem_response
from server.local_callers import add_caller, socket_caller

UNLIMITED = frozenset(("/health", "/live"))
LINGER_SECONDS = 20.0
LINGER_BYTES = 1 << 30
_RETRY_SECONDS = 1
_BUSY = "All connections of this server are in use."


def restrict_to_health(app: ASGIApp) -> ASGIApp:
    """Return the application for a connection beyond the limit: /health, and the sign of life."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in UNLIMITED:
            await app(scope, receive, send)
            return
        body = make_problem(Request(scope), 503, "Too much at the same time", _BUSY, "overloaded")
        await problem_response(body, {"Retry-After": str(_RETRY_SECONDS), "Connection": "close"})(scope, receive, send)

    return limited


def plain_response(status: int, detail: str, code: str) -> bytes:
    """Return a whole response for a client whose request never came to the application."""
    title = HTTPStatus(status).phrase
    fields = {"type": f"urn:vantage:problem:{code}", "title": title, "status": status, "detail": detail, "code": code, "fix": FIXES.get(code, "")}
    body = json.dumps(fields).encode()
    head = f"HTTP/1.1 {status} {title}\r\nContent-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    return f"{head}Retry-After: {_RETRY_SECONDS}\r\n\r\n".encode() + body


class GuardedProtocol(H11Protocol):
    """One connection. `connections` are all of the server's."""

    def __init__(
        self,
        connections: Connections,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._connections, self._times = connections, connections.times
        self._raw: asyncio.Transport
        self._timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._phase: object = None
        self._phase_started = 0.0
        self._received = 0  # bytes since the phase began
        self.lingering = False

    # -- what asyncio tells ------------------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        self._raw = transport
        super().connection_made(cast("asyncio.Transport", LingeringTransport(transport, self)))
        caller = socket_caller(transport)
        if caller is not None:
            self.app = add_caller(self.app, caller)
        place = self._connections.admit(self)
        if place is Admission.NONE:
            self.shed()
            return
        if place is Admission.HEALTH_ONLY:
            self.app = restrict_to_health(self.app)
        self._start_phase()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        if self.lingering:
            if self._received > LINGER_BYTES:
                self._raw.abort()
            return
        super().data_received(data)
        self._start_phase()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()  # nobody reads the rest of the body
        self._start_phase()

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self)
        for timer in (self._timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._write_timer is None:
            self._write_timer = self.loop.call_later(self._times.write_seconds, self._raw.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    # -- limits ------------------------------------------------------------------------------------------------------------------------

    def shed(self) -> None:
        """Tell the client to try again, and close: another one needs the place."""
        if not self.lingering and not self._raw.is_closing() and self._awaits_request():
            self._raw.write(plain_response(503, _BUSY, "overloaded"))
        self._raw.abort()

    def _awaits_request(self) -> bool:
        return self.conn.our_state is h11.IDLE and self.conn.their_state is h11.IDLE

    def _start_phase(self) -> None:
        """Start the clock of the phase that the connection is in, unless it runs already."""
        if self.lingering or self._raw.is_closing():
            return
        phase = self._current_phase()
        if phase == self._phase:
            return
        self._phase, self._phase_started, self._received = phase, self.loop.time(), 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if phase == "head":
            self._connections.mark_waiting(self)
            self._timer = self.loop.call_later(self._times.head_seconds, self._give_up_head)
            return
        self._connections.mark_working(self)
        if phase == "body":
            self._timer = self.loop.call_later(self._times.body_seconds, self._give_up_body)

    def _current_phase(self) -> str:
        if self._awaits_request():
            return "head"
        return "body" if self.conn.their_state is h11.SEND_BODY else "answer"

    def _give_up_head(self) -> None:
        if self._raw.is_closing():
            return
        if self.conn.trailing_data[0]:
            self._raw.write(plain_response(408, "The head of the request did not come in time.", "request_timeout"))
        self._raw.close()

    def _give_up_body(self) -> None:
        """Give up the body, only where the client is slow: while the application takes nothing the client has to wait, too."""
        if self._raw.is_closing():
            return
        allowed = self._times.body_seconds + self._received / self._times.body_bytes_per_second
        left = self._phase_started + allowed - self.loop.time()
        if self.flow.read_paused or left > 0:
            self._timer = self.loop.call_later(max(left, 1.0), self._give_up_body)
            return
        if not self.cycle.response_started:
            self._raw.write(plain_response(408, "The body of the request did not come in time.", "request_timeout"))
        self.cycle.disconnected = True
        self.cycle.message_event.set()
        self.linger()

    def limit_closing(self) -> None:
        """Limit the closing: the transport closes when everything is sent, which is never for a client that takes nothing."""
        if self._raw.get_write_buffer_size() and self._write_timer is None:
            self._write_timer = self.loop.call_later(self._times.write_seconds, self._raw.abort)

    def linger(self) -> bool:
        """Close when the client has sent what it is sending, or had its time for that. False where it sends nothing: then close at once."""
        if self.lingering:
            return True
        if self.conn.their_state is not h11.SEND_BODY or self._raw.is_closing() or not self._raw.can_write_eof():
            return False
        self.lingering = True
        self._raw.write_eof()
        self.flow.resume_reading()
        self._received = 0
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(LINGER_SECONDS, self._raw.abort)
        self._phase = "linger"
        self._connections.mark_waiting(self)
        return True


class LingeringTransport:
    """The transport that uvicorn sees: to close it is to linger where the client is still sending."""

    def __init__(self, transport: asyncio.Transport, protocol: GuardedProtocol) -> None:
        self._transport, self._protocol = transport, protocol

    def close(self) -> None:
        if not self._protocol.linger():
            self._transport.close()
            self._protocol.limit_closing()

    def is_closing(self) -> bool:
        return self._protocol.lingering or self._transport.is_closing()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
