"""Tasks that run beside everything else until whoever started them is closed."""

from __future__ import annotations

import asyncio
import contextlib


async def cancel_task(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, and wait until it has ended. None: it was never started."""
    if task is not None:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
