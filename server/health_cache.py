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
_FRESH_SECONDS = 2.0
AskHealth = Callable[[], Coroutine[Any, Any, HealthOut]]


@dataclass(frozen=True, slots=True)
class _CachedReport:
    """A report, when it was there, and how many seconds it took."""

    report: HealthOut
    at: float
    seconds: float


class HealthReports:
    """The latest report of each tenant. Callers that ask while one is being made wait for that one: many are no more work than one."""

    def __init__(self, patience: float = PATIENCE_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience, self._clock = patience, clock
        self._pending: dict[str, asyncio.Task[HealthOut]] = {}
        self._reports: dict[str, _CachedReport] = {}

    async def latest(self, tenant: str, ask: AskHealth) -> HealthOut:
        """Return the health that `ask` reports; the last one, with a part that tells the age, where it takes longer than `patience`. Where that was
        so the last time nobody waits for it.

        Raises:
            Overloaded: it takes longer, and nothing was said before.
        """
        making = self._start_report(tenant, ask)
        known = self._reports.get(tenant)
        if known is None or known.seconds <= self._patience:
            await asyncio.wait({making}, timeout=self._patience)
        return making.result() if making.done() else self._last_report(tenant)

    async def make_report(self, tenant: str, ask: AskHealth) -> HealthOut:
        """Return the report that `ask` makes, however long it takes."""
        return await self._start_report(tenant, ask)

    def _start_report(self, tenant: str, ask: AskHealth) -> asyncio.Task[HealthOut]:
        making = self._pending.get(tenant)
        if making is None:
            making = self._pending[tenant] = asyncio.create_task(self._make_and_keep(tenant, ask), name=f"health-{tenant}")
            making.add_done_callback(lambda _: self._pending.pop(tenant, None))
        return making

    async def _make_and_keep(self, tenant: str, ask: AskHealth) -> HealthOut:
        started = self._clock()
        report = await ask()
        self._reports[tenant] = _CachedReport(report, self._clock(), self._clock() - started)
        return report

    def _last_report(self, tenant: str) -> HealthOut:
        known = self._reports.get(tenant)
        if known is None:
            raise Overloaded("The server is up; its parts have not answered yet.")
        age = self._clock() - known.at
        if age <= _FRESH_SECONDS:
            return known.report
        old = Part(name="health", state="degraded", detail=f"These figures are {age:.0f} s old: the parts are busy and have not answered since.")
        status = "degraded" if known.report.status == "ok" else known.report.status
        return known.report.model_copy(update={"parts": [*known.report.parts, old], "status": status})
