"""The process that serves the library: found through VANTAGE_HOME, and waited for while it starts."""

from __future__ import annotations

import asyncio
import sys
import time
from urllib.parse import urlsplit

from storage.home import Home, ServerFile, ServerRecord, library_owner

_START_SECONDS = 60.0  # that a process may take until it serves the library which it holds
_POLL_SECONDS = 0.1


async def find_serving_process(home: Home, *, wait_seconds: float = _START_SECONDS, quiet: bool = False) -> ServerRecord | None:
    """Return the process that serves the library; None where there is none. One that has the library and does not serve it yet is waited for, and a
    line says so (unless `quiet`); so is a command that only asks, until it is done.
    """
    deadline, said = time.monotonic() + wait_seconds, False
    while True:
        record = ServerFile(home).read()
        if record is not None and await _accepts_connections(record.url):
            return record
        owner = library_owner(home)
        if owner is None or time.monotonic() >= deadline:
            return None
        if not (said or quiet):
            sys.stderr.write(f"vantage: process {owner} is opening the library; waiting for it\n")
            said = True
        await asyncio.sleep(_POLL_SECONDS)


async def _accepts_connections(url: str) -> bool:
    """Return whether the address accepts connections. No request is sent: a busy server has better things to do."""
    parts = urlsplit(url)
    try:
        async with asyncio.timeout(5.0):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
