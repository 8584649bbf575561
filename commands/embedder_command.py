"""`vantage embedder`: by which embedding model the library is searched, and the switch to another."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from commands.client import ONLY_ASKING, Client, OpenOptions, connect
from commands.exit_codes import DONE, STOPPED
from commands.progress_display import ProgressStep, show_states

State = dict[str, Any]
_POLL_SECONDS = 0.2


async def embedder(config: Path | None, model: str | None, *, as_json: bool) -> int:
    """Say which model it is, which one is better, and how far a switch is; with `model` switch to it first. A running server does that in the
    background; without one it is done here, to its end."""
    async with connect(config, OpenOptions(serve_as="embedder") if model else ONLY_ASKING) as client:
        state = await client.post("/embedder", {"model": model}) if model else await client.get("/embedder")
        if model and not client.is_remote:
            try:
                state = await show_states(_states(client), _step, quiet=as_json)
            except asyncio.CancelledError:
                sys.stderr.write("vantage: stopped. What was done is kept; run the command again, or start the server, to go on.\n")
                return STOPPED
        _print_state(state, as_json=as_json)
    return DONE


async def _states(client: Client) -> AsyncIterator[State]:
    """Yield the states of a switch until it is over."""
    while True:
        state: State = await client.get("/embedder")
        yield state
        if not (state["coming"] or state["note"]):
            return
        await asyncio.sleep(_POLL_SECONDS)


def _step(state: State) -> ProgressStep:
    return ProgressStep(state["filled"], state["documents"], "documents", state["note"])


def _print_state(state: State, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(state, ensure_ascii=False) + "\n")
        return
    sys.stdout.write(f"{state['detail']}\n" + (f"    → {state['advice']}\n" if state["advice"] else ""))
