"""Reports of /health that are there within a second, whatever the parts that they ask are at."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from core.errors import Overloaded
from server.schemas import HealthOut, Part

PATIENCE_SECONDS = 0.25  # leaves the rest of the promised second to what stands in front of the report
_YOUNG_SECONDS = 2.0
Ask = Callable[[], Coroutine[Any, Any, HealthOut]]


@dataclass(frozen=True, slots=True)
class _Known:
    """A report, when it was there, and how many seconds it took."""

    report: HealthOut
    at: float
    took: float


class HealthReports:
    """The latest report of each tenant. Whoever asks while one is being made waits for that one: many who ask are no more work than one."""

    def __init__(self, patience: float = PATIENCE_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience, self._clock = patience, clock
        self._making: dict[str, asyncio.Task[HealthOut]] = {}
        self._known: dict[str, _Known] = {}

    async def of(self, tenant: str, ask: Ask) -> HealthOut:
        """What `ask` says; what it said last, with a part that tells the age, where it takes longer than `patience`. Where that was so the last time
        nobody waits for it.

        Raises:
            Overloaded: it takes longer, and nothing was said before.
        """
        making = self._begin(tenant, ask)
        known = self._known.get(tenant)
        if known is None or known.took <= self._patience:
            await asyncio.wait({making}, timeout=self._patience)
        return making.result() if making.done() else self._latest(tenant)

    async def make(self, tenant: str, ask: Ask) -> HealthOut:
        """What `ask` says, however long it takes."""
        return await self._begin(tenant, ask)

    def _begin(self, tenant: str, ask: Ask) -> asyncio.Task[HealthOut]:
        making = self._making.get(tenant)
        if making is None:
            making = self._making[tenant] = asyncio.create_task(self._made(tenant, ask), name=f"health-{tenant}")
            making.add_done_callback(lambda _: self._making.pop(tenant, None))
        return making

    async def _made(self, tenant: str, ask: Ask) -> HealthOut:
        started = self._clock()
        report = await ask()
        self._known[tenant] = _Known(report, self._clock(), self._clock() - started)
        return report

    def _latest(self, tenant: str) -> HealthOut:
        known = self._known.get(tenant)
        if known is None:
            raise Overloaded("The server is up; its parts have not answered yet.")
        age = self._clock() - known.at
        if age <= _YOUNG_SECONDS:
            return known.report
        old = Part(name="health", state="degraded", detail=f"These figures are {age:.0f} s old: the parts are busy and have not answered since.")
        status = "degraded" if known.report.status == "ok" else known.report.status
        return known.report.model_copy(update={"parts": [*known.report.parts, old], "status": status})
