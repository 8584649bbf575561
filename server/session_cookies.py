"""Browsers that a key has let in. The cookie holds a random id; the library has its hash, and a proof of the key that only the id opens."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from fastapi import Request, Response

from core.ports import BrowserSession, SessionStore

COOKIE = "vantage_session"
_FORMER_COOKIE = "vantage_key"  # held the key itself, before there were sessions
_ID_BYTES = 32
_LONGEST_ID = 100
_REMEMBERED = 10_000  # sessions that are known without asking the library


def _hash(session_id: str) -> str:
    return hashlib.sha256(session_id.encode()).hexdigest()


def _key_proof(session_id: str, key: str) -> str:
    """Return the proof that ties a session to its key. Without the id, which is stored nowhere, no key can be tried against it."""
    return hmac.new(session_id.encode(), key.encode(), hashlib.sha256).hexdigest()


class BrowserSessions:
    """Sessions of one library. Where one process serves it, what it has read once it need not read again, and /health waits for no database; where
    several do, one is read again after `known_for`, for it may have been closed at another."""

    def __init__(
        self, store: SessionStore, hours: float, now: Callable[[], datetime] = lambda: datetime.now(UTC), known_for: timedelta = timedelta.max
    ) -> None:
        self._store, self._lifetime, self._now, self._known_for = store, timedelta(hours=hours), now, known_for
        self._known: dict[str, tuple[BrowserSession, datetime]] = {}
        self._closings = 0

    @property
    def lifetime_seconds(self) -> int:
        """The lifetime of a session."""
        return int(self._lifetime.total_seconds())

    async def open(self, key: str) -> str:
        """Open a session of this key: the id for the browser's cookie."""
        session_id = secrets.token_urlsafe(_ID_BYTES)
        now = self._now()
        await self._store.save(BrowserSession(_hash(session_id), _key_proof(session_id, key), now + self._lifetime), now)
        return session_id

    async def find_key(self, session_id: str, keys: Iterable[str]) -> str | None:
        """Return which of the keys opened it; None where it is unknown, over, signed out of, or its key is not among them any more."""
        session = await self._find(session_id) if 0 < len(session_id) <= _LONGEST_ID else None
        if session is None or session.expires_at <= self._now():
            return None
        return next((key for key in keys if hmac.compare_digest(_key_proof(session_id, key), session.key_proof)), None)

    async def close(self, session_id: str) -> None:
        """Sign out. Nothing where there is no such session."""
        if 0 < len(session_id) <= _LONGEST_ID:
            await self._store.remove(_hash(session_id))
            self._closings += 1
            self._known.pop(_hash(session_id), None)

    async def _find(self, session_id: str) -> BrowserSession | None:
        name = _hash(session_id)
        known = self._known.get(name)
        if known is not None and self._now() - known[1] < self._known_for:
            return known[0]
        self._known.pop(name, None)
        closings = self._closings
        session = await self._store.find(name)
        if session is not None and closings == self._closings:  # else it may be this one that was closed meanwhile
            self._remember(session)
        return session

    def _remember(self, session: BrowserSession) -> None:
        if len(self._known) >= _REMEMBERED:
            self._known.pop(next(iter(self._known)))
        self._known[session.id_hash] = session, self._now()


def session_in_cookie(request: Request) -> str:
    """Return the id that the browser sent, "" for none."""
    return request.cookies.get(COOKIE, "")


def set_cookie(request: Request, response: Response, session_id: str, seconds: int) -> None:
    """Set the cookie: no script reads it, no other site sends it, and behind TLS nothing else carries it."""
    response.set_cookie(COOKIE, session_id, max_age=seconds, httponly=True, samesite="strict", secure=_is_encrypted(request))
    _delete_cookie(request, response, _FORMER_COOKIE)


def delete_cookie(request: Request, response: Response) -> None:
    for name in (COOKIE, _FORMER_COOKIE):
        _delete_cookie(request, response, name)


def _delete_cookie(request: Request, response: Response, name: str) -> None:
    if name in request.cookies:
        response.delete_cookie(name, httponly=True, samesite="strict", secure=_is_encrypted(request))


def _is_encrypted(request: Request) -> bool:
    """Return whether the browser speaks TLS: with a proxy in front, which `server.trusted_proxies` names, as that says."""
    return request.url.scheme == "https"
