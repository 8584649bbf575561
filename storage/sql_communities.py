"""Communities, kept: `core.ports.community_store.CommunityStore` over SQL."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select

from core.communities import CommunityCitation, CommunityShare, CommunityState, DocumentPlace, SentencePlace, StoredCommunity
from storage.community_tables import communities, community_shares, community_states
from storage.database import Database
from storage.row_mapping import AnyRow, TextCache, batches
from storage.schema import documents, dump_json, files

_SHARES = community_shares.c


class SqlCommunities:
    """core.ports.community_store.CommunityStore over SQL. Every method filters by tenant."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextCache(4 << 20)

    async def state(self, tenant: str) -> CommunityState | None:
        query = select(community_states).where(community_states.c.tenant == tenant)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return _state(row) if row is not None else None

    async def load(self, tenant: str) -> list[StoredCommunity]:
        return await self._database.read(lambda connection: _load(connection, tenant))

    async def replace(self, tenant: str, state: CommunityState, found: Sequence[StoredCommunity]) -> None:
        def work(connection: Connection) -> None:
            known = select(communities.c.id, communities.c.fingerprint).where(communities.c.tenant == tenant)
            before = {row.id: row.fingerprint for row in connection.execute(known)}
            generations = _generations(connection, tenant, found)
            standing = [_standing(each, generations) for each in found]
            after = {each.id: _fingerprint(each) for each in standing}
            _remove(connection, tenant, [each for each, mark in before.items() if after.get(each) != mark])
            _insert(connection, tenant, [each for each in standing if before.get(each.id) != after[each.id]], after)
            connection.execute(delete(community_states).where(community_states.c.tenant == tenant))
            connection.execute(insert(community_states), _state_row(tenant, state))

        await self._database.write(work)

    async def count_documents(self, tenant: str) -> int:
        """Return how many documents the tenant has."""
        query = select(func.count()).select_from(documents).where(documents.c.tenant == tenant)
        return await self._database.read(lambda connection: int(connection.execute(query).scalar_one()))

    async def document_places(self, tenant: str) -> list[DocumentPlace]:
        """Return where the tenant's documents lie, by path: a row for each path of each."""
        joined = files.join(documents, (documents.c.id == files.c.document_id) & (documents.c.tenant == files.c.tenant))
        columns = (documents.c.id, files.c.path, files.c.root, documents.c.collection, files.c.container)
        query = select(*columns).select_from(joined).where(files.c.tenant == tenant).order_by(files.c.path)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [DocumentPlace(row.id, row.path, row.root, row.collection, bool(row.container)) for row in rows]

    async def citations(self, tenant: str, found: Sequence[StoredCommunity]) -> dict[str, list[CommunityCitation]]:
        return await self._database.read(lambda connection: self._cite(connection, tenant, found))

    def _cite(self, connection: Connection, tenant: str, found: Sequence[StoredCommunity]) -> dict[str, list[CommunityCitation]]:
        wanted = {share.document_id for each in found for share in each.shares if share.sentences}
        names = _filenames(connection, tenant, sorted(wanted))
        spans: list[tuple[str, SentencePlace, _Span]] = [
            (each.id, place, _Span(share.document_id, share.generation, place.start, place.end))
            for each in found
            for share in each.shares
            if names.get(share.document_id, ("", 0))[1] == share.generation
            for place in share.sentences
        ]
        texts = self._texts.texts(connection, [span for _, _, span in spans])  # type: ignore[misc]
        cited: dict[str, list[tuple[int, CommunityCitation]]] = defaultdict(list)
        for (owner, place, span), text in zip(spans, texts, strict=True):
            cited[owner].append((place.order, _citation(place, span, names[span.document_id][0], text)))
        return {owner: [each for _, each in sorted(rows, key=lambda row: row[0])] for owner, rows in cited.items()}


class _Span(NamedTuple):
    """The place of a sentence, by which `TextCache` cuts it out."""

    document_id: str
    generation: int
    start: int
    end: int


def forget_shares(connection: Connection, document_id: str) -> None:
    """Remove what an earlier generation of a document gave to communities, in the transaction that replaces it."""
    connection.execute(delete(community_shares).where(_SHARES.document_id == document_id))


def _load(connection: Connection, tenant: str) -> list[StoredCommunity]:
    shares: dict[str, list[CommunityShare]] = defaultdict(list)
    given = (
        select(community_shares)
        .join(documents, (documents.c.id == _SHARES.document_id) & (documents.c.generation == _SHARES.generation))
        .where(_SHARES.tenant == tenant)
        .order_by(_SHARES.community_id, _SHARES.document_id)
    )
    for row in connection.execute(given):
        shares[row.community_id].append(_share(row))
    rows = connection.execute(select(communities).where(communities.c.tenant == tenant).order_by(communities.c.id))
    return [
        StoredCommunity(
            id=row.id,
            level=row.level,
            parent_id=row.parent_id,
            part=row.part,
            entity_ids=tuple(row.entity_ids),
            central_ids=tuple(row.central_ids),
            generated_by=row.generated_by,
            shares=tuple(shares[row.id]),
        )
        for row in rows
    ]


def _share(row: AnyRow) -> CommunityShare:
    places = tuple(SentencePlace(order, start, end, page, tuple(ids)) for order, start, end, page, ids in row.sentences)
    return CommunityShare(row.document_id, row.generation, tuple((place, word) for place, word in row.keywords), places)


def _generations(connection: Connection, tenant: str, found: Sequence[StoredCommunity]) -> dict[str, int]:
    wanted = sorted({share.document_id for each in found for share in each.shares})
    return {document_id: generation for document_id, (_, generation) in _filenames(connection, tenant, wanted).items()}


def _filenames(connection: Connection, tenant: str, document_ids: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return document id -> its file's name and its generation."""
    found: dict[str, tuple[str, int]] = {}
    for batch in batches(document_ids):
        query = select(documents.c.id, documents.c.filename, documents.c.generation).where(documents.c.tenant == tenant, documents.c.id.in_(batch))
        found.update({row.id: (row.filename, row.generation) for row in connection.execute(query)})
    return found


def _standing(community: StoredCommunity, generations: dict[str, int]) -> StoredCommunity:
    """Return the community without the shares of documents that are gone or were written anew since it was found."""
    kept = tuple(share for share in community.shares if generations.get(share.document_id) == share.generation)
    return replace(community, shares=kept)


def _fingerprint(community: StoredCommunity) -> str:
    return hashlib.blake2b(dump_json(asdict(community)).encode(), digest_size=12).hexdigest()


def _remove(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    for batch in batches(ids):
        connection.execute(delete(communities).where(communities.c.tenant == tenant, communities.c.id.in_(batch)))


def _insert(connection: Connection, tenant: str, found: Sequence[StoredCommunity], fingerprints: dict[str, str]) -> None:
    rows: list[dict[str, Any]] = [
        {
            "tenant": tenant,
            "id": each.id,
            "level": each.level,
            "parent_id": each.parent_id,
            "part": each.part,
            "entity_ids": list(each.entity_ids),
            "central_ids": list(each.central_ids),
            "generated_by": each.generated_by,
            "fingerprint": fingerprints[each.id],
        }
        for each in found
    ]
    shares: list[dict[str, Any]] = [
        {
            "tenant": tenant,
            "community_id": each.id,
            "document_id": share.document_id,
            "generation": share.generation,
            "keywords": [list(each) for each in share.keywords],
            "sentences": [[place.order, place.start, place.end, place.page, list(place.entity_ids)] for place in share.sentences],
        }
        for each in found
        for share in each.shares
    ]
    for table, made in ((communities, rows), (community_shares, shares)):
        for batch in batches(made):
            connection.execute(insert(table), batch)


def _state(row: AnyRow) -> CommunityState:
    version = (int(row.graph_documents), int(row.graph_sequence))
    return CommunityState(version, row.options, row.refreshed_at, row.smaller_groups, row.smaller_group_entities)


def _state_row(tenant: str, state: CommunityState) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "graph_documents": state.version[0],
        "graph_sequence": state.version[1],
        "options": state.options,
        "refreshed_at": state.refreshed_at,
        "smaller_groups": state.smaller_groups,
        "smaller_group_entities": state.smaller_group_entities,
    }


def _citation(place: SentencePlace, span: _Span, filename: str, text: str) -> CommunityCitation:
    return CommunityCitation(
        document_id=span.document_id,
        generation=span.generation,
        filename=filename,
        page=place.page,
        start=span.start,
        end=span.end,
        text=text,
        entity_ids=list(place.entity_ids),
    )
