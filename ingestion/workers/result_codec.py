"""Packs results of a worker as typed JSON and unpacks them within bounds.

A worker reads hostile files: whatever one makes of it, its replies are read as values of known types and never as code. pydantic writes and checks
the JSON by the dataclasses of `core`. A value of another type, a span outside of the text, a hash that is none or an error that is none of ours
make a damaged reply, and its file has failed.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, Protocol, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, SchemaValidator

from core import errors
from core.documents import ExtractedDocument
from core.errors import Malformed, VantageError
from core.graph import DocumentGraph
from ingestion.workers.worker_protocol import HEADER, PAGES, EndOfRequest, Extraction, Failure, FrameKind, MemberRead, ReadResult

MAX_VALUES = 40_000_000  # a reply of "[],[],…" would take many times its bytes while it is read
_LARGEST = 1 << 53
_PATH_CHARACTERS = 1 << 16
_HASH = re.compile(r"(?:[0-9a-f]{64})?")
_UNSENDABLE = "What it holds cannot be passed on: it has characters that are none (unpaired surrogates)."
_CONFIG = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", ser_json_inf_nan="constants")

# A union has a configuration of its own, which a dataclass has not: it is how bytes are written.
_ADAPTER: TypeAdapter[Extraction | MemberRead | Failure] = TypeAdapter(Extraction | MemberRead | Failure, config=_CONFIG)


def pack_result(value: ReadResult | MemberRead) -> tuple[bytes, bytes]:
    """Pack a result into a frame of two parts, so that a large body is in memory once."""
    if isinstance(value, EndOfRequest):
        return HEADER.pack(FrameKind.ALL_READ, 0), b""
    try:
        body = _ADAPTER.dump_json(value)
    except PydanticSerializationError:
        return pack_result(_replace_unsendable(value))
    return HEADER.pack(_kind_of(value), len(body)), body


def _kind_of(value: Extraction | MemberRead | Failure) -> FrameKind:
    match value:
        case Extraction():
            return FrameKind.REPLY
        case Failure():
            return FrameKind.FAILED
    return FrameKind.MEMBER


def _replace_unsendable(value: Extraction | MemberRead | Failure) -> Failure | MemberRead:
    match value:
        case MemberRead():
            failure = Failure(Malformed.__name__, _UNSENDABLE, value.content_hash, value.file_size)
            return replace(value, path=_clean(value.path), container=_clean(value.container), outcome=failure)
        case Failure():
            return replace(value, message=_clean(value.message))
    return Failure(Malformed.__name__, _UNSENDABLE, value.content_hash, value.file_size)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def failure_body(failure: Failure) -> bytes:
    """Pack a failure into the body of a frame."""
    return pack_result(failure)[1]


def unpack_result(kind: FrameKind, body: bytes | bytearray) -> ReadResult | MemberRead:
    """Unpack what `pack_result` packed, with its weight. Raises Malformed for anything else."""
    if kind is FrameKind.ALL_READ:
        return EndOfRequest()
    if sum(body.count(each) for each in (b",", b"[", b"{")) > MAX_VALUES:
        raise Malformed(f"The file holds more than {MAX_VALUES:,} values, or its reader was made to say so.")
    try:
        value = _validator_of(kind).validate_json(body)
    except (KeyError, ValidationError) as error:
        raise _damaged_reply("it is not what a reader sends") from error
    if value is None:
        raise _damaged_reply("it is empty")
    return _with_weight(value, len(body))


def unpack_path(body: bytes | bytearray) -> str:
    """Unpack the inner path of a frame that says which member is next. Raises Malformed."""
    try:
        path = body.decode()
    except UnicodeDecodeError as error:
        raise _damaged_reply("the name of a member is no text") from error
    if len(path) > _PATH_CHARACTERS:
        raise _damaged_reply("the name of a member is too long")
    return path


def unpack_progress(body: bytes | bytearray) -> tuple[int, int, str]:
    """Unpack pages done, pages in all and the inner path of a frame that tells of progress. Raises Malformed."""
    if len(body) < PAGES.size:
        raise _damaged_reply("its progress has no numbers")
    done, of = PAGES.unpack_from(body)
    return done, of, unpack_path(body[PAGES.size :])


def make_error(failure: Failure) -> VantageError:
    """Make the error that a failure names: one of Vantage's own, whatever it says."""
    kind = getattr(errors, failure.error, None)
    return kind(failure.message) if isinstance(kind, type) and issubclass(kind, VantageError) else Malformed(failure.message)


# -- what is checked beside types --------------------------------------------------------------------------------------------------------


def _damaged_reply(what: str) -> Malformed:
    return Malformed(f"The reply of its reader is damaged: {what}.")


def _with_weight(value: Extraction | MemberRead | Failure, weight: int) -> Extraction | MemberRead | Failure:
    match value:
        case Extraction():
            _check(value)
            return replace(value, weight=weight)
        case MemberRead(outcome=Extraction() as extraction):
            _check(extraction)
            return replace(value, outcome=replace(extraction, weight=weight))
    return value


def _check(extraction: Extraction) -> None:
    """Raise Malformed where a span, an index or the hash leads outside."""
    document, graph = extraction.document, extraction.graph
    length = len(document.text)
    spans = chain(_spans_of(document), _spans_in(graph) if graph is not None else ())
    if not all(0 <= start <= end <= length for start, end in spans):
        raise _damaged_reply("a place lies outside of its text")
    if graph is not None and not all(0 <= end < len(graph.entities) for each in graph.relationships for end in (each.source, each.target)):
        raise _damaged_reply("a relationship leads to no entity")
    if not _HASH.fullmatch(extraction.content_hash) or extraction.file_size < 0:
        raise _damaged_reply("its hash or size is none")


class _Span(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def _spans_of(document: ExtractedDocument) -> Iterable[tuple[int, int]]:
    parts: Iterable[_Span] = chain(document.blocks, document.sections, document.tables, document.pages, document.links, document.places)
    rows = (span for table in document.tables for span in table.row_spans)
    return chain(((each.start, each.end) for each in parts), rows, ((each.offset, each.offset) for each in document.figures))


def _spans_in(graph: DocumentGraph) -> Iterable[tuple[int, int]]:
    mentions = (mention for entity in graph.entities for mention in entity.mentions)
    return chain(mentions, ((each.start, each.end) for each in graph.relationships))


def _bound_schema(schema: Any) -> Any:
    """Return a pydantic schema with bounds: the first wrong value of a sequence ends its reading (millions of them would each be reported), and whole
    numbers are such that every store takes them."""
    if isinstance(schema, list):
        return [_bound_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: _bound_schema(value) for name, value in schema.items()}
    match made.get("type"):  # a field may be called "type", too: then it is a schema itself
        case "list" | "tuple" | "set" | "frozenset":
            made["fail_fast"] = True
        case "int":
            made = {"ge": -_LARGEST, "le": _LARGEST, **made}
    return made


_KINDS: dict[FrameKind, type] = {
    FrameKind.REPLY: Extraction,
    FrameKind.MEMBER: MemberRead,
    FrameKind.FAILED: Failure,
    FrameKind.DEATH: Failure,
}


@cache
def _validator_of(kind: FrameKind) -> SchemaValidator:
    """Return the validator of a frame's result, made when it is first needed: a worker needs none. Raises KeyError for a frame that carries no
    result."""
    adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", _KINDS[kind] | None), config=_CONFIG)
    return SchemaValidator(cast("Any", _bound_schema(copy.deepcopy(adapter.core_schema))), cast("Any", dict(_CONFIG)))
