"""Browser sessions in memory; a reading waits while `reading` is not set."""

from __future__ import annotations

import asyncio
from datetime import datetime

from core.ports import BrowserSession


class MemorySessions:
    """core.ports.SessionStore."""

    def __init__(self) -> None:
        self.kept: dict[str, BrowserSession] = {}
        self.reads = 0
        self.asked = asyncio.Event()
        self.reading = asyncio.Event()
        self.reading.set()

    async def save(self, session: BrowserSession, created_at: datetime) -> None:
        self.kept = {name: each for name, each in self.kept.items() if each.expires_at > created_at}
        self.kept[session.id_hash] = session

    async def find(self, id_hash: str) -> BrowserSession | None:
        self.reads += 1
        self.asked.set()
        found = self.kept.get(id_hash)
        await self.reading.wait()
        return found

    async def remove(self, id_hash: str) -> None:
        self.kept.pop(id_hash, None)
