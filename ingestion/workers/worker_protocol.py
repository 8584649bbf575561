"""The protocol between the worker pool and its processes: what is asked of a file, and what comes back, in frames.

A request is one line of JSON. Every frame of the answer has a head (its kind and its length) and a body: BEGUN none, PROGRESS pages done, pages in
all and the inner path, VISITING the inner path, MEMBER, REPLY and FAILED a result (`ingestion.workers.result_codec`), PIECE bytes of a file
that was asked for.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from core.documents import DocumentProfile, ExtractedDocument
from core.graph import DocumentGraph
from core.tables import TypedTable

HEADER = struct.Struct("<BQ")
PAGES = struct.Struct("<II")
MEMBER_SEPARATOR = "!/"  # between the path of a container and the name of a member


class FrameKind(IntEnum):
    """Kinds of frames.

    BEGUN: the clock of the file starts. VISITING: a member is next, with a clock of its own. PASSING: members were passed by without being read,
    which may have taken the time of one. REPLY, FAILED and ALL_READ end a request. WORN: the process has grown too large and asks that another
    goes on with what is left. DEATH is never sent: the pool says so of a process that is gone, with the reason.
    """

    BEGUN = 0
    PROGRESS = 1
    VISITING = 2
    MEMBER = 3
    REPLY = 4
    PIECE = 5
    WORN = 6
    DEATH = 7
    PASSING = 8
    FAILED = 9
    ALL_READ = 10


@dataclass(frozen=True, slots=True)
class Demand:
    """What is wanted of a file besides its path.

    Inner paths are those of members within the file ("mail.eml!/report.pdf"). `only_members` restricts reading to these (the file itself is then not
    read as a document); None reads everything. `known_hashes` maps inner paths to the content hash of what the library has: a member with that hash
    is reported, not read. `members` False reads none of them: an archive is then only listed. `settled_members` are members that were read before (by
    a process that died), `ignore` the rules for names that are passed over. `urgent`: somebody waits for this file, so it does not wait for a long
    reading to end; what is not urgent is read at low priority."""

    password: str = field(default="", repr=False)
    recognize: bool = True
    only_members: frozenset[str] | None = None
    known_hashes: Mapping[str, str] = field(default_factory=dict)
    settled_members: frozenset[str] = frozenset()
    ignore: tuple[str, ...] = ()
    members: bool = True
    urgent: bool = False

    def as_json(self) -> dict[str, Any]:
        only = None if self.only_members is None else sorted(self.only_members)
        return {
            "password": self.password,
            "recognize": self.recognize,
            "only": only,
            "known": dict(self.known_hashes),
            "settled": sorted(self.settled_members),
            "ignore": list(self.ignore),
            "members": self.members,
            "urgent": self.urgent,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Demand:
        only = values.get("only")
        return cls(
            values.get("password", ""),
            values.get("recognize", True),
            None if only is None else frozenset(only),
            values.get("known", {}),
            frozenset(values.get("settled", ())),
            tuple(values.get("ignore", ())),
            values.get("members", True),
            values.get("urgent", False),
        )


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of reading one file. `content_hash` is the sha256 (hex) of the very bytes that `document` was read from, `file_size` their number.

    `graph` is None where nothing reads it, or where that failed: then `graph_error` says how. `complete` False: the file holds others, and not all
    of them were met, so that what was not met is not gone. `tables` are the document's tables as typed rows, in its order. `weight` is the number
    of bytes of the reply that brought it: what a run may have on its way is counted in them.
    """

    document: ExtractedDocument
    profile: DocumentProfile
    content_hash: str
    file_size: int
    graph: DocumentGraph | None = None
    graph_error: str = ""
    complete: bool = True
    tables: tuple[TypedTable, ...] = ()
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be read: the name of the error's class, its sentence, and the hash of what was there (or "").

    `worn`: the process should be replaced. `ignored`: a rule passes the member over.
    """

    error: str
    message: str
    content_hash: str = ""
    file_size: int = 0
    worn: bool = False
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class MemberRead:
    """The result of reading one member of a file: its inner path, that of the container in it that holds it ("" for the file itself), and the
    outcome.

    `outcome` None: its content is the one that was known, nothing below it changed either.
    """

    path: str
    container: str
    outcome: Extraction | Failure | None
    content_hash: str = ""
    file_size: int = 0


@dataclass(frozen=True, slots=True)
class EndOfRequest:
    """The end of a request that did not ask for the file's own document."""


ReadResult = Extraction | Failure | EndOfRequest


def request_line(path: str, demand: Demand, fetch: str | None = None, page: int = 0) -> bytes:
    """Encode one request. `fetch` asks for the bytes of that member ("" is the file itself) instead of reading it, `page` for that page of it as a
    picture."""
    return json.dumps({"path": path, "fetch": fetch, "page": page, **demand.as_json()}).encode() + b"\n"


def frame(kind: FrameKind, body: bytes = b"") -> bytes:
    """Encode one frame."""
    return HEADER.pack(kind, len(body)) + body


def progress_frame(done: int, of: int, inner: str) -> bytes:
    """Encode the progress of the file or member at `inner`: `done` of its `of` pages."""
    bounded = (max(0, min(count, (1 << 32) - 1)) for count in (done, of))
    return frame(FrameKind.PROGRESS, PAGES.pack(*bounded) + inner.encode("utf-8", "replace"))


def member_path(container: str, name: str) -> str:
    """Return the inner path of a member; `container` "" is the file itself."""
    return f"{container}{MEMBER_SEPARATOR}{name}" if container else name
