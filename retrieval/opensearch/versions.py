"""The indices in OpenSearch as versions: which one is in use, how a new one is made beside it, and how an alias passes from one to the other.

An index is named `<index_name>-words-<number>` or `<index_name>-vectors-<number>`; the alias without the number names the one in use. Another
analysis or another embedding model makes a new index, which is filled beside the old one and takes over the alias in one step.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from core.errors import ConfigurationError, Conflict, Unavailable
from retrieval.lexical_index import K1
from retrieval.opensearch.catalogue import Catalogue, StoredVersion
from retrieval.opensearch.connection import OpenSearchClient
from retrieval.opensearch.entries import read_record
from retrieval.opensearch.mappings import Kind, index_meta, index_template

_PAGE = 1000
_DELETED_AT_ONCE = 200
_ADMIN_SECONDS = 60.0
Revision = tuple[str, int]  # document id and revision


@dataclass(frozen=True, slots=True)
class IndexVersion:
    """An index with its alias."""

    name: str
    alias: str


class IndexVersions:
    """The indices of one library; `library` is the mark by which another library's are known."""

    def __init__(self, client: OpenSearchClient, library: str) -> None:
        self._client, self._library = client, library

    async def score_scale(self) -> float:
        """Return the factor that brings the server's BM25 to tantivy's: from 3 on Lucene leaves (k1 + 1) out. Raises ConfigurationError where it is
        not OpenSearch that answers."""
        said = await self._client.read("GET", "/")
        version = said.get("version", {}) if isinstance(said, dict) else {}
        if version.get("distribution") != "opensearch":
            raise ConfigurationError(f"What answers at {self._client.options.address} is not OpenSearch. Check opensearch.host and opensearch.port.")
        return 1.0 if int(str(version["number"]).partition(".")[0]) < 3 else 1 + K1

    async def open_version(self, kind: Kind, dimension: int) -> IndexVersion:
        """Return the index that fits, the one in use before others, or make one. Raises Conflict where another library has this name."""
        alias, meta = self._alias(kind), index_meta(kind, self._library, dimension)
        known = await self._list_indices(kind)
        others = {each["mappings"].get("_meta", {}).get("library") for each in known.values()} - {self._library}
        if others:
            raise Conflict(
                f"The indices {alias}-* at {self._client.options.address} belong to another library. "
                "Choose another opensearch.index_name, or delete them there if that library is gone."
            )
        fitting = [name for name, each in known.items() if each["mappings"]["_meta"] == meta]
        used = [name for name in fitting if alias in known[name]["aliases"]]
        chosen = max(used or fitting, default="")
        return IndexVersion(chosen, alias) if chosen else await self.create_version(kind, dimension)

    async def create_version(self, kind: Kind, dimension: int) -> IndexVersion:
        """Make an empty index. Raises ConfigurationError where the server cannot hold it."""
        alias, meta = self._alias(kind), index_meta(kind, self._library, dimension)
        name = f"{alias}-{time.time_ns()}"
        await self._client.change("PUT", f"/_index_template/{alias}", index_template(f"{alias}-*", kind, meta), seconds=_ADMIN_SECONDS)
        await self._client.change("PUT", f"/{name}", seconds=_ADMIN_SECONDS)
        made = (await self._client.read("GET", f"/{name}/_mapping"))[name]["mappings"].get("_meta")
        if made != meta:
            raise Unavailable(f"The index {name} has other mappings than Vantage gave it: another index template is in the way. Remove that one.")
        return IndexVersion(name, alias)

    async def use_version(self, version: IndexVersion) -> list[str]:
        """Pass the alias to this index, in one step. Returns the indices that nobody needs any more."""
        kind: Kind = "words" if version.alias == self._alias("words") else "vectors"
        known = await self._list_indices(kind)
        before = [name for name, each in known.items() if version.alias in each["aliases"]]
        if before != [version.name]:
            actions: list[dict[str, Any]] = [{"remove": {"index": name, "alias": version.alias}} for name in before if name != version.name]
            actions += [{"add": {"index": version.name, "alias": version.alias, "is_write_index": True}}]
            await self._client.change("POST", "/_aliases", {"actions": actions}, seconds=_ADMIN_SECONDS)
        return [name for name in known if name != version.name]

    async def delete_indices(self, names: list[str]) -> None:
        if names:
            await self._client.change("DELETE", f"/{','.join(names)}", seconds=_ADMIN_SECONDS, ignore_unavailable="true")

    async def read_catalogue(self, version: IndexVersion) -> Catalogue:
        """Return what the index holds. Versions that are not complete, or that a newer one replaced, are deleted from it."""
        await self._client.refresh([version.name])
        newest, counts = await self._read_newest(version.name, after=-1)
        kept = {(each.document.id, each.revision) for each in newest}
        await self._delete_revisions(version.name, [each for each in counts if each not in kept])
        return Catalogue(newest)

    async def read_newer(self, version: IndexVersion, revision: int) -> list[StoredVersion]:
        """Return the newest complete version of each document that was written after this revision."""
        newest, _ = await self._read_newest(version.name, after=revision)
        return newest

    async def _read_newest(self, name: str, *, after: int) -> tuple[list[StoredVersion], dict[Revision, int]]:
        """Return the newest complete versions, and the entries of all that are there."""
        written: dict[str, Any] = {"range": {"revision": {"gt": after}}}
        counts = await self._count_entries(name, written)
        newest: dict[str, StoredVersion] = {}
        for each in await self._read_records(name, written):
            before = newest.get(each.document.id)
            complete = counts.get((each.document.id, each.revision)) == len(each.document.chunk_ids) + 1
            if complete and (before is None or before.revision < each.revision):
                newest[each.document.id] = each
        return list(newest.values()), counts

    async def _read_records(self, name: str, written: dict[str, Any]) -> list[StoredVersion]:
        found: list[StoredVersion] = []
        query = {"bool": {"filter": [{"exists": {"field": "key"}}, written]}}
        body: dict[str, Any] = {"size": _PAGE, "_source": ["record"], "query": query, "sort": [{"key": "asc"}]}
        while True:
            hits = (await self._client.read("POST", f"/{name}/_search", body))["hits"]["hits"]
            found += [read_record(hit["_source"]["record"]) for hit in hits]
            if len(hits) < _PAGE:
                return found
            body["search_after"] = hits[-1]["sort"]

    async def _count_entries(self, name: str, written: dict[str, Any]) -> dict[Revision, int]:
        """Return (document, revision) -> entries."""
        sources = [{field: {"terms": {"field": field}}} for field in ("document", "revision")]
        pages: dict[str, Any] = {"size": _PAGE, "sources": sources}
        found: dict[Revision, int] = {}
        while True:
            body = {"size": 0, "track_total_hits": False, "query": written, "aggs": {"versions": {"composite": pages}}}
            answer = (await self._client.read("POST", f"/{name}/_search", body))["aggregations"]["versions"]
            found |= {(each["key"]["document"], each["key"]["revision"]): each["doc_count"] for each in answer["buckets"]}
            if "after_key" not in answer:
                return found
            pages["after"] = answer["after_key"]

    async def _delete_revisions(self, name: str, gone: list[Revision]) -> None:
        for start in range(0, len(gone), _DELETED_AT_ONCE):
            these = [
                {"bool": {"filter": [{"term": {"document": document}}, {"term": {"revision": revision}}]}}
                for document, revision in gone[start : start + _DELETED_AT_ONCE]
            ]
            body = {"query": {"bool": {"should": these, "minimum_should_match": 1}}}
            await self._client.change("POST", f"/{name}/_delete_by_query", body, seconds=_ADMIN_SECONDS, refresh="true", conflicts="proceed")

    async def _list_indices(self, kind: Kind) -> dict[str, Any]:
        found: dict[str, Any] = await self._client.read("GET", f"/{self._alias(kind)}-*", ignore_unavailable="true", allow_no_indices="true")
        return found

    def _alias(self, kind: Kind) -> str:
        return f"{self._client.options.index_name}-{kind}"
