"""`vantage graph cost`: what summarising every community with a language model would take, beside a summary that is made when it is asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from commands.client import OpenOptions, connect
from commands.evaluation_reports import format_table
from commands.exit_codes import DONE


async def print_costs(config: Path | None, *, as_json: bool) -> int:
    """Print the calls and tokens of each level, and those of a lazy summary."""
    async with connect(config, OpenOptions(routers=("graph",))) as client:
        costs: dict[str, Any] = await client.get("/graph/cost")
    sys.stdout.write(json.dumps(costs) + "\n" if as_json else format_costs(costs))
    return DONE


def format_costs(costs: dict[str, Any]) -> str:
    """Return the costs as a table, and what a lazy summary saves."""
    if not costs["calls"]:
        return "There are no communities in this library, so there is nothing to summarise.\n"
    rows = [(f"level {each['level']}", each["communities"], each["prompt_tokens"], each["completion_tokens"]) for each in costs["levels"]]
    rows.append(("every level, while indexing", costs["calls"], costs["prompt_tokens"], costs["completion_tokens"]))
    rows.append(("lazy, while indexing", 0, 0, 0))
    rows.append(("lazy, a question with a model", costs["lazy_calls"], costs["lazy_prompt_tokens"], costs["lazy_completion_tokens"]))
    rows.append(("lazy, a question without one", 0, 0, 0))
    whole, lazy = (costs[f"{name}prompt_tokens"] + costs[f"{name}completion_tokens"] for name in ("", "lazy_"))
    table = format_table(("", "calls", "prompt tokens", "completion tokens"), [(row[0], *(f"{value:,}" for value in row[1:])) for row in rows])
    return f"{table}\nA question takes {1 - lazy / whole:.1%} less than summarising every level; {whole // lazy:,} questions take as much.\n"
