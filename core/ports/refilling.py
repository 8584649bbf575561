"""Vectors of a new embedding model, kept beside those that searches use until they are complete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Unfilled:
    """A document that has no vectors of the new model yet."""

    document_id: str
    tenant: str
    generation: int


class NextVectors(Protocol):
    """Where the new vectors are kept. `old` and `new` are embedders' names."""

    async def unfilled(self, old: str, new: str, limit: int) -> Sequence[Unfilled]:
        """Documents with vectors of `old` that have none of `new` for their present generation, newest first."""
        ...

    async def counts(self, old: str, new: str) -> tuple[int, int]:
        """(documents that have vectors of `new`, documents that are searched by `old`)."""
        ...

    async def texts(self, document: Unfilled) -> list[str]:
        """What the model reads of each chunk, in order; none where the document changed meanwhile."""
        ...

    async def put(self, document: Unfilled, embedder: str, made: NDArray[np.float16]) -> None:
        """Store a document's new vectors [chunks, dimension], unless it changed meanwhile."""
        ...
