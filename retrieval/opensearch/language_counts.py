"""How many documents each tenant has in each language, counted once for each commit."""

from __future__ import annotations

from collections import Counter

from core.ownership import libraries_read
from retrieval.opensearch.catalogue import Catalogue


class LanguageCounts:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[str, dict[str, int]] = {}

    def forget(self) -> None:
        """Forget the counts: a commit changed them."""
        self._known = {}

    def count(self, tenant: str) -> dict[str, int]:
        """Return language -> documents that are read under this name."""
        if tenant not in self._known:
            libraries = libraries_read(tenant)
            documents = (version.document for version in self._catalogue.committed_versions())
            self._known[tenant] = dict(Counter(document.language for document in documents if document.tenant in libraries))
        return self._known[tenant]

    def every(self) -> set[str]:
        """Return the languages of all tenants."""
        return {version.document.language for version in self._catalogue.committed_versions()}
