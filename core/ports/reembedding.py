"""Vectors of a new embedding model, kept beside those that searches use until they are complete: of documents, and of what is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class UnfilledDocument:
    """A document that has no vectors of an embedder yet."""

    document_id: str
    tenant: str
    generation: int


class DocumentVectorStore(Protocol):
    """The store of the vectors of one embedder, beside those that searches use."""

    async def list_unfilled(self, limit: int) -> Sequence[UnfilledDocument]:
        """Return the documents that have no vectors for their present generation, those that are to be filled first at the front."""
        ...

    async def counts(self) -> tuple[int, int]:
        """Return (documents that have vectors, documents that are to have them)."""
        ...

    async def texts(self, document: UnfilledDocument) -> list[tuple[int, str]]:
        """Return the id of each chunk and what the model reads of it, in order; none where the document changed meanwhile."""
        ...

    async def store_vectors(self, document: UnfilledDocument, made: NDArray[np.float16]) -> bool:
        """Store a document's vectors [chunks, dimension]; False, and nothing is stored, where it changed meanwhile."""
        ...


@dataclass(frozen=True, slots=True)
class UnfilledMemory:
    """An episode or a note that has no vector of the new model yet. `words` are its two columns of words (query and response, content and context),
    by which a change meanwhile is noticed; `text` is what the model reads."""

    kind: Literal["episode", "note"]
    id: str
    words: tuple[str, str]
    text: str


class PendingMemoryVectors(Protocol):
    """The store of the new vectors of memories. `new` is an embedder's name."""

    async def people(self, new: str, limit: int) -> Sequence[tuple[str, str]]:
        """Return (tenant, person) of those with memories that have no vector of `new`."""
        ...

    async def list_filled(self, tenant: str, user_id: str, new: str) -> set[tuple[str, str]]:
        """Return (kind, id) of the person's memories that have one."""
        ...

    async def store_vectors(self, owner: tuple[str, str], new: str, rows: Sequence[tuple[UnfilledMemory, NDArray[np.float16]]]) -> None:
        """Store vectors of memories of `owner` (tenant, person), those left out that changed meanwhile."""
        ...
