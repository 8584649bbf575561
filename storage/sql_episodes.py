"""What happened in a library: a person's runs of late, and the dates of document versions."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from sqlalchemy import Connection, select

from core.graph import EntityEpisode
from core.ownership import shared_library
from storage.database import Database
from storage.memory_tables import episodes
from storage.schema import documents, feedback

_MOST = 200  # runs, and as many versions: the latest
_OPENINGS = ("click", "open_citation", "thumbs_up")


class SqlEpisodeHistory:
    """core.ports.EpisodeHistory over SQL. Runs are those that memory keeps, so what is forgotten counts no longer; none where not `has_runs`."""

    def __init__(self, database: Database, *, has_runs: bool = True) -> None:
        self._database, self._has_runs = database, has_runs

    async def episodes(self, library: str, user_id: str, since: datetime) -> list[EntityEpisode]:
        tenant = shared_library(library)

        def work(connection: Connection) -> list[EntityEpisode]:
            runs = _load_runs(connection, tenant, user_id, since) if user_id and self._has_runs else []
            return [*runs, *_load_versions(connection, tenant, since)]

        return await self._database.read(work)


def _load_runs(connection: Connection, tenant: str, user_id: str, since: datetime) -> list[EntityEpisode]:
    """Return the runs, each with its question, its answer where that cites something, and the documents that were opened from it."""
    own = select(episodes.c.id, episodes.c.query, episodes.c.response, episodes.c.cited, episodes.c.timestamp).where(
        episodes.c.tenant == tenant, episodes.c.user_id == user_id, episodes.c.timestamp >= since
    )
    rows = connection.execute(own.order_by(episodes.c.timestamp.desc(), episodes.c.id).limit(_MOST)).all()
    opened: defaultdict[str, list[str]] = defaultdict(list)
    said = select(feedback.c.trace_id, feedback.c.result_id).where(
        feedback.c.tenant == tenant,
        feedback.c.user_id == user_id,
        feedback.c.trace_id.in_([row.id for row in rows]),
        feedback.c.kind.in_(_OPENINGS),
        feedback.c.result_id.is_not(None),
    )
    for trace_id, document_id in connection.execute(said):
        opened[trace_id].append(document_id)
    return [EntityEpisode(row.timestamp, f"{row.query}\n{row.response if row.cited else ''}", tuple(opened[row.id])) for row in rows]


def _load_versions(connection: Connection, tenant: str, since: datetime) -> list[EntityEpisode]:
    dated = select(documents.c.id, documents.c.modified_at).where(documents.c.tenant == tenant, documents.c.modified_at >= since)
    rows = connection.execute(dated.order_by(documents.c.modified_at.desc(), documents.c.id).limit(_MOST))
    return [EntityEpisode(row.modified_at, document_ids=(row.id,)) for row in rows]
