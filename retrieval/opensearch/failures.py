"""What goes wrong with OpenSearch, as the errors of core: each says what happened and what to do."""

from __future__ import annotations

import json
from typing import Any

from opensearchpy.exceptions import ConnectionError, ConnectionTimeout, SerializationError, SSLError, TransportError

from core.errors import ConfigurationError, StorageFull, Unavailable, VantageError

FAILURES = (TransportError, SerializationError)
"""What a request may end with: the second where what came is no JSON, as from a proxy in between."""

_BUSY = frozenset({429, 502, 503, 504})
_TLS_SIGNS = ("[SSL", "certificate", "CERTIFICATE", "HTTPS port")
_SHOWN = 300  # characters of what OpenSearch says


def is_passing(error: Exception) -> bool:
    """Return whether the same request may succeed a little later: nobody answered, or somebody was too busy."""
    if isinstance(error, ConnectionTimeout | SSLError):
        return False
    return isinstance(error, ConnectionError) or (isinstance(error, TransportError) and error.status_code in _BUSY and not _is_block(error))


def translate_failure(error: TransportError | SerializationError, address: str) -> VantageError:
    """Return the error of core that says the same."""
    where = f"OpenSearch at {address}"
    if isinstance(error, SerializationError):
        return Unavailable(f"What answers for {where} sends no JSON. Try again in a moment, or check what stands between it and Vantage.")
    said = _reason(error)
    if isinstance(error, ConnectionTimeout):
        return Unavailable(f"{where} did not answer in time. It may be busy: try again, or raise opensearch.timeout_seconds.")
    if isinstance(error, SSLError) or any(sign in said for sign in _TLS_SIGNS):
        return Unavailable(
            f"{where} could not be reached over TLS: {said}. Check opensearch.use_ssl, and name its certificate authority in opensearch.ca_file."
        )
    if isinstance(error, ConnectionError):
        return Unavailable(f"{where} does not answer. Start it, or check opensearch.host, opensearch.port and opensearch.use_ssl.")
    if _is_block(error):
        return StorageFull(f"{where} accepts no writes: {said}. Its disk is full, or an index was made read-only; free some space and index again.")
    if error.status_code in {401, 403}:
        return Unavailable(
            f"{where} refuses the name and password ({error.status_code}). Check opensearch.auth.username and opensearch.auth.password."
        )
    return _translate_answer(error, where, said)


def _translate_answer(error: TransportError, where: str, said: str) -> VantageError:
    if error.status_code == 400 and "knn" in said.lower():
        return ConfigurationError(f"{where} has no k-NN plugin, or one that does not know the Lucene engine: {said}. Install opensearch-knn there.")
    if error.status_code == 404:
        return Unavailable(f"{where} has lost the index: {said}. Start Vantage again: the index is filled from the library.")
    if error.status_code == 400:
        return Unavailable(f"{where} does not accept what Vantage sends: {said}. If its indices were changed by hand, delete them and start again.")
    return Unavailable(f"{where} failed ({error.status_code}): {said}. Try again in a moment; its own log says more.")


def is_turned_away(item: dict[str, Any]) -> bool:
    """Return whether an operation of a bulk request may be sent again: there was no room for it, or the node that has its shard is gone and another
    is about to take its place. A full disk says the first number, too."""
    return item["status"] == 503 or (item["status"] == 429 and "cluster_block_exception" not in str(item.get("error")))


def item_failure(item: dict[str, Any], address: str) -> VantageError:
    """Return the error of one operation of a bulk request."""
    cause = item.get("error") or {}
    text = f"{cause.get('type', '')}: {cause.get('reason', '')}"
    return translate_failure(TransportError(item.get("status", 500), text, {"error": cause}), address)


def _is_block(error: TransportError) -> bool:
    """Return whether writing is blocked. A cluster that is choosing its manager blocks everything, for a moment (503)."""
    return error.status_code != 503 and ("cluster_block_exception" in str(error.error) or "cluster_block_exception" in _reason(error))


def _reason(error: TransportError) -> str:
    """Return what OpenSearch says itself, its first cause before the rest."""
    info = error.info if len(error.args) > 2 else ""
    if isinstance(info, str) and info.startswith("{"):
        try:
            info = json.loads(info)
        except ValueError:
            return info[:_SHOWN]
    found = info.get("error", info) if isinstance(info, dict) else info
    if isinstance(found, dict):
        causes = found.get("root_cause") or [found]
        inner = found.get("caused_by", {}).get("reason", "")
        found = "; ".join(each for each in (f"{causes[0].get('type', '')}: {causes[0].get('reason', '')}", inner) if each)
    return " ".join(str(found or error.error).split())[:_SHOWN]
