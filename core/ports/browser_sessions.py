"""Browsers that are let in without showing a key each time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """Hashes of what a browser shows and of the key that let it in; it is over at `expires_at`."""

    id_hash: str
    key_proof: str
    expires_at: datetime


class SessionStore(Protocol):
    """Store of browser sessions; those that are over may be forgotten."""

    async def save(self, session: BrowserSession, created_at: datetime) -> None: ...
    async def find(self, id_hash: str) -> BrowserSession | None: ...
    async def remove(self, id_hash: str) -> None: ...
