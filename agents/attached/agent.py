"""Prometheus: an attached document read, by its id, or by the path or name of an upload; or the reason why it cannot be.

What is still being indexed is waited for, within bounds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.documents import Document, DocumentState
from core.errors import NotFound
from core.insights import AttachedFile
from core.ports import DocumentContent, Library
from core.ports.attached_files import Attachment, Attachments

_POLL_SECONDS = 0.2  # seconds between two looks at a file that is being indexed
_REPORT_SECONDS = 2.0
_UNREAD_STATES = frozenset({DocumentState.QUEUED})


@dataclass(frozen=True, slots=True)
class Material:
    """A document with its text: what Hypatia and Mnemosyne work on."""

    document: Document
    content: DocumentContent

    def __str__(self) -> str:
        return f"{self.document.filename}, {len(self.content.text)} characters"


@dataclass(frozen=True, slots=True)
class ReadAttachment:
    """`material` None: the file is `failed`, and says why."""

    file: AttachedFile
    material: Material | None = None


@dataclass(frozen=True, slots=True)
class Prometheus:
    """The ports and bounds of Prometheus. `wait_seconds` bounds in seconds how long a file that is being indexed is waited for; `tell` hears of the
    waiting."""

    library: Library
    attachments: Attachments | None
    wait_seconds: float
    tell: Callable[[str], None]


async def read_attachment(asked: str, *, tenant: str, prometheus: Prometheus) -> ReadAttachment:
    """Return the document that `asked` (an id, a path, a name) stands for. Never raises NotFound: that is a reason of the file."""
    found = (await prometheus.library.documents(tenant, [asked])).get(asked)
    if found is not None:
        return await _content(found, prometheus.library, tenant)
    attachment = await _await_indexing(asked, tenant, prometheus)
    if attachment is None:
        return _make_failed(
            asked,
            name_of(asked),
            f"There is nothing by the name of “{name_of(asked)[:120]}” in this library. It may have been removed: attach the file again.",
        )
    line = attachment.ledger_line
    if attachment.is_waiting or line is None or line.state in _UNREAD_STATES:
        return _make_failed(asked, attachment.filename, f"It is still being indexed after {prometheus.wait_seconds:g} s. Ask again in a moment.")
    if line.document_id is None:
        return _make_failed(asked, attachment.filename, line.reason or "It could not be read.")
    document = (await prometheus.library.documents(tenant, [line.document_id])).get(line.document_id)
    if document is None:
        return _make_failed(asked, attachment.filename, "It was removed a moment ago. Attach the file again.")
    return await _content(document, prometheus.library, tenant, attachment)


async def _content(document: Document, library: Library, tenant: str, attachment: Attachment | None = None) -> ReadAttachment:
    filename = attachment.filename if attachment else document.filename
    try:
        content = await library.content(tenant, document.id)
    except NotFound:
        return _make_failed(document.id, filename, "It was removed a moment ago. Attach the file again.")
    if not content.text.strip():
        return _make_failed(document.id, filename, "There is no text in it.")
    reason = (attachment.ledger_line.reason if attachment and attachment.ledger_line else "") or document.reason
    file = AttachedFile(
        document_id=document.id,
        filename=filename,
        state="partial" if reason else "read",
        reason=reason,
        generation=content.generation,
        pages=document.pages,
        characters=len(content.text),
    )
    return ReadAttachment(file, Material(document, content))


async def _await_indexing(asked: str, tenant: str, prometheus: Prometheus) -> Attachment | None:
    """The file once its line is there, or as it stands when the time is over."""
    if prometheus.attachments is None:
        return None
    begun = told = time.monotonic()
    while True:
        found = await prometheus.attachments.find_attachment(tenant, asked)
        waited = time.monotonic() - begun
        if (
            found is None
            or not (found.is_waiting or (found.ledger_line and found.ledger_line.state in _UNREAD_STATES))
            or waited >= prometheus.wait_seconds
        ):
            return found
        if waited == 0 or time.monotonic() - told >= _REPORT_SECONDS or told == begun:
            told = time.monotonic()
            prometheus.tell(f"Waiting for it to be indexed ({waited:.0f} s).")
        await asyncio.sleep(min(_POLL_SECONDS, prometheus.wait_seconds - waited))


def _make_failed(asked: str, filename: str, reason: str) -> ReadAttachment:
    return ReadAttachment(AttachedFile(document_id=asked, filename=filename, state="failed", reason=reason))


def name_of(asked: str) -> str:
    """Return what a person calls a path: its last part."""
    return asked.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or asked
