"""A store of communities in memory, beside the store of graphs that they are found in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.communities import CommunityCitation, CommunityState, DocumentPlace, StoredCommunity
from core.documents import ExtractedDocument


class KeepsTexts(Protocol):
    """A store of graphs in memory that has the documents, too."""

    @property
    def texts_of(self) -> Mapping[str, ExtractedDocument]: ...


class MemoryCommunities:
    """core.ports.community_store.CommunityStore in a dictionary, over the texts of a graph store. `places` are where its documents lie."""

    def __init__(self, graphs: KeepsTexts, places: Sequence[DocumentPlace] = ()) -> None:
        self.places = list(places)
        self._graphs, self._state, self._kept = graphs, None, ()  # type: tuple[KeepsTexts, CommunityState | None, tuple[StoredCommunity, ...]]

    async def state(self, tenant: str) -> CommunityState | None:
        return self._state

    async def load(self, tenant: str) -> list[StoredCommunity]:
        return list(self._kept)

    async def replace(self, tenant: str, state: CommunityState, found: Sequence[StoredCommunity]) -> None:
        self._state, self._kept = state, tuple(found)

    async def document_places(self, tenant: str) -> list[DocumentPlace]:
        return self.places

    async def citations(self, tenant: str, found: Sequence[StoredCommunity]) -> dict[str, list[CommunityCitation]]:
        return {
            each.id: [
                CommunityCitation(
                    document_id=share.document_id, generation=1, filename=share.document_id, page=None, start=said.start, end=said.end,
                    text=self._graphs.texts_of[share.document_id].text[said.start : said.end], entity_ids=list(said.entity_ids),
                )
                for said, share in sorted(((said, share) for share in each.shares for said in share.sentences), key=lambda pair: pair[0].order)
            ]
            for each in found
        }  # fmt: skip
