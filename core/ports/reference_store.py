"""References between the documents of the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.claim_precedence import Relation
from core.references import DocumentReferences


class ReferenceStore(Protocol):
    """The references between documents, read; every method filters by tenant."""

    async def references(self, tenant: str, document_id: str) -> DocumentReferences:
        """Return what a document refers to, and what refers to it. Raises NotFound."""
        ...

    async def relations_between(self, tenant: str, document_ids: Sequence[str]) -> list[Relation]:
        """Return which of these documents replace or change which others of them."""
        ...
