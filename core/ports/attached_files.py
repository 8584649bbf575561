"""Attached files as Daedalus needs them: where an upload stands, and what is known of a content from before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.documents import LedgerLine


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that was attached by its path or name. `ledger_line` is its ledger line, None where it was never seen; `is_waiting` says that the file
    lies there and its present content is not in the ledger yet."""

    path: str
    filename: str
    ledger_line: LedgerLine | None
    is_waiting: bool


class Attachments(Protocol):
    """Files by path or name. A name alone is looked for among the tenant's uploads; nothing outside the tenant's own files is ever returned."""

    async def find_attachment(self, tenant: str, asked: str) -> Attachment | None:
        """Return the file that is asked for; None where there is neither a file nor a ledger line."""
        ...


@dataclass(frozen=True, slots=True)
class InsightKey:
    """The key of a result, with all that it depends on: the content, the agent and its `version` (rules, prompt, text as read), and the model ("" for
    rules)."""

    content_hash: str
    agent: str
    version: str
    model: str = ""


class InsightStore(Protocol):
    """Results of the document agents by the content that they were made from. They go when the last document with that content goes."""

    async def get(self, tenant: str, key: InsightKey) -> str | None:
        """Return the stored JSON, None where this content was not studied, or by another version."""
        ...

    async def put(self, tenant: str, key: InsightKey, body: str) -> None:
        """Store a result in the place of another version's. Does nothing for a content that no document of the tenant has any more."""
        ...
