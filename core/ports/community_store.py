"""Communities of the knowledge graph: where they are kept, and how they are read and found anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.communities import (
    Community,
    CommunityCitation,
    CommunityPage,
    CommunityQuery,
    CommunityState,
    DocumentPlace,
    RefreshResult,
    StoredCommunity,
    SummaryCosts,
    ThemeSurvey,
)
from core.ports.stored_records import JobRecord
from core.search import EVERYTHING, Filters

COMMUNITY_JOB = "communities"  # the kind of a refresh's job


class CommunityStore(Protocol):
    """The kept communities of each tenant. All of it follows from the documents: a lost table is made again by a refresh."""

    async def state(self, tenant: str) -> CommunityState | None: ...
    async def load(self, tenant: str) -> list[StoredCommunity]:
        """Return all communities with the shares of documents that are still there as they were, by id."""
        ...

    async def replace(self, tenant: str, state: CommunityState, communities: Sequence[StoredCommunity]) -> None:
        """Put these in the place of the earlier ones, wholly or not at all. Shares of documents that are gone or were written anew are left out."""
        ...

    async def citations(self, tenant: str, communities: Sequence[StoredCommunity]) -> dict[str, list[CommunityCitation]]:
        """Return the sentences of each community in their order, cut from the documents' texts."""
        ...

    async def document_places(self, tenant: str) -> list[DocumentPlace]:
        """Return where the tenant's documents lie, by path: each path of each."""
        ...


class Communities(Protocol):
    """The communities of a tenant, read and found anew. Unknown ids raise NotFound."""

    async def list_communities(
        self, tenant: str, *, level: int | None = None, text: str = "", themes: bool = False, limit: int = 50
    ) -> CommunityPage:
        """Return communities, the largest first: of one level, with these words in their names, keywords or members, or the themes alone."""
        ...

    async def survey_themes(self, tenant: str, *, limit: int, filters: Filters = EVERYTHING) -> ThemeSurvey:
        """Return the first themes, and what there is to tell of each folder that holds a real share of the documents, where several do: all of it by
        the documents that `filters` let through alone."""
        ...

    async def find_communities(self, tenant: str, query: CommunityQuery) -> list[Community]:
        """Return the communities that a question is about, the nearest first: by the members and the words that it names. Those without either are
        left out."""
        ...

    async def estimate_costs(self, tenant: str) -> SummaryCosts:
        """Return what it would take to summarise all communities with a language model, beside a lazy summary."""
        ...

    async def get(self, tenant: str, community_id: str) -> Community: ...
    async def ensure_current(self, tenant: str) -> None:
        """Find the communities where that was never done since the library has enough entities; does not wait for what takes long."""
        ...

    async def refresh(self, tenant: str) -> RefreshResult: ...
    async def queue_refresh(self, tenant: str) -> JobRecord:
        """Begin a refresh as a job, or return the one that is under way."""
        ...
