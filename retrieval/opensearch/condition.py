"""How OpenSearch fares, for /health and `vantage doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.errors import VantageError
from core.ports import IndexCondition
from retrieval.opensearch.connection import OpenSearchClient


async def check_condition(client: OpenSearchClient, indices: Sequence[str], held: str) -> IndexCondition:
    """Return the condition of the indices in use; `held` says what is in them."""
    where = f"OpenSearch at {client.options.address}"
    try:
        server = await client.read("GET", "/")
        health = await client.read("GET", f"/_cluster/health/{','.join(indices)}", timeout="1s")
        blocks = await client.read("GET", f"/{','.join(indices)}/_settings/index.blocks.*", flat_settings="true")
    except VantageError as error:
        return IndexCondition("down", str(error), "Nothing is found until it answers; then everything goes on by itself.")
    detail = f"{where} ({server['version']['number']}, {health['status']}): {held}"
    if health["status"] == "red":
        return IndexCondition("down", f"{detail}; a part of the index is missing", "See its own log: a node or a disk is gone.")
    if any(_is_blocked(each) for each in blocks.values()):
        advice = "Free some space on its disk; it takes writes again by itself, or after index.blocks.read_only_allow_delete is removed."
        return IndexCondition("degraded", f"{detail}; it answers and accepts no writes", advice)
    return IndexCondition("ok", detail)


def _is_blocked(settings: dict[str, Any]) -> bool:
    return any(str(value) == "true" for value in settings.get("settings", {}).values())
