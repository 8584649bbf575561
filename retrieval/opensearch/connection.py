"""Requests to OpenSearch: reads are tried twice, writes with patience, and what fails becomes one of core's errors.

Each operation of a bulk request names its entry, so that doing it twice is doing it once: it may be sent again where nobody knows whether it
arrived. What OpenSearch has no room for (429) is sent again, more slowly, until `PATIENCE_SECONDS` are over.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
from opensearchpy import AsyncOpenSearch

from core.errors import ConfigurationError, Unavailable
from retrieval.opensearch.connection_options import OpenSearchOptions
from retrieval.opensearch.failures import FAILURES, is_passing, is_turned_away, item_failure, translate_failure

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 30.0  # for which a bulk request is tried again: a restart of OpenSearch takes less
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 3.0
_READ_TRIES = 2  # of one node; with several each is tried
_BULK_BYTES, _BULK_OPERATIONS = 4_000_000, 1000
_NDJSON = {"content-type": "application/x-ndjson"}
_SAME_COPY = '{"preference":"vantage"}\n'  # of an index with replicas, so that equal scores keep one order


class OpenSearchClient:
    """One pool of connections. Close it in the event loop in which it was used. Raises ConfigurationError for a certificate that is not there."""

    def __init__(self, options: OpenSearchOptions) -> None:
        self.options = options
        if options.ca_file and not Path(options.ca_file).is_file():
            raise ConfigurationError(f"opensearch.ca_file names {options.ca_file}, and there is no such file.")
        logging.getLogger("opensearch").setLevel(logging.CRITICAL)  # it logs each failed try; here a failure is raised, once
        self._client = AsyncOpenSearch(
            hosts=options.hosts,
            use_ssl=options.use_ssl,
            verify_certs=options.verify_certificate,
            ssl_show_warn=False,
            ca_certs=options.ca_file or None,
            http_auth=(options.username, options.password) if options.username else None,
            timeout=options.timeout_seconds,
            max_retries=0,
            retry_on_timeout=False,
        )

    async def close(self) -> None:
        await self._client.close()
        for connection, _ in self._client.transport.connection_pool.connection_opts:
            await connection.close()  # that of a node which did not answer is left open otherwise

    async def read(self, method: str, path: str, body: Any = None, **params: Any) -> Any:
        """Ask something that changes nothing; tried again where nobody answered. Raises Unavailable and the like."""
        for tries in range(max(_READ_TRIES, len(self.options.hosts)), 0, -1):
            try:
                return await self._client.transport.perform_request(method, path, params=params, body=body)
            except FAILURES as error:
                if tries == 1 or not is_passing(error):
                    raise translate_failure(error, self.options.address) from error
                await anyio.sleep(_FIRST_PAUSE)
        raise AssertionError("unreachable")

    async def change(self, method: str, path: str, body: Any = None, *, seconds: float | None = None, **params: Any) -> Any:
        """Ask for a change, once: nobody knows whether one that was not answered was made."""
        if seconds is not None:
            params["request_timeout"] = seconds
        try:
            return await self._client.transport.perform_request(method, path, params=params, body=body)
        except FAILURES as error:
            raise translate_failure(error, self.options.address) from error

    async def refresh(self, names: Sequence[str]) -> None:
        """Make all that was written visible. May be repeated, and is."""
        await self._persist("POST", f"/{','.join(names)}/_refresh", None)

    async def search_several(self, index: str, bodies: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers of several searches of one index, made in one request."""
        if not bodies:
            return []
        lines = "".join(f"{_SAME_COPY}{json.dumps(each)}\n" for each in bodies)
        answer = await self.read("POST", f"/{index}/_msearch", lines.encode())
        found: list[dict[str, Any]] = answer["responses"]
        failed = next((each for each in found if "error" in each), None)
        if failed is not None:
            raise item_failure(failed, self.options.address)
        return found

    async def bulk(self, operations: Iterable[bytes]) -> None:
        """Do operations (an action and, where it has one, its source, each with its line end) in their order. Raises StorageFull, Unavailable."""
        for batch in _batches(operations):
            await self._bulk(batch)

    async def _bulk(self, operations: list[bytes]) -> None:
        deadline, pause = time.monotonic() + PATIENCE_SECONDS, _FIRST_PAUSE
        left = operations
        while left:
            answer = await self._persist("POST", "/_bulk", b"".join(left))
            left = self._rejected(left, answer["items"]) if answer["errors"] else []
            if left and time.monotonic() > deadline:
                raise Unavailable(f"OpenSearch at {self.options.address} has no room for more work. Index again when it is less busy.")
            if left:
                await anyio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _rejected(self, operations: Sequence[bytes], items: Sequence[dict[str, Any]]) -> list[bytes]:
        """Return the operations that were turned away for want of room. Raises what the first other failure is."""
        again = []
        for operation, item in zip(operations, items, strict=True):
            [(action, done)] = item.items()
            if is_turned_away(done):
                again.append(operation)
            elif done["status"] >= 300 and not (action == "delete" and done["status"] == 404):
                raise item_failure(done, self.options.address)
        return again

    async def _persist(self, method: str, path: str, body: bytes | None) -> Any:
        """Do what may be done twice, again and again until the patience ends."""
        deadline, pause = time.monotonic() + PATIENCE_SECONDS, _FIRST_PAUSE
        params = {"request_timeout": 6 * self.options.timeout_seconds}
        while True:
            try:
                return await self._client.transport.perform_request(method, path, params=dict(params), body=body, headers=_NDJSON if body else None)
            except FAILURES as error:
                if not is_passing(error) or time.monotonic() > deadline:
                    raise translate_failure(error, self.options.address) from error
                log.info("%s is tried again: %s", path, type(error).__name__)
            await anyio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)


def _batches(operations: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for operation in operations:
        if batch and (size + len(operation) > _BULK_BYTES or len(batch) == _BULK_OPERATIONS):
            yield batch
            batch, size = [], 0
        batch.append(operation)
        size += len(operation)
    if batch:
        yield batch
