"""Members of mailboxes (mbox: messages one behind the other, each after a line "From sender date"): every message is one."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from email.parser import BytesHeaderParser
from email.policy import default
from typing import IO

from core.errors import LimitExceeded
from ingestion.archives.member import FAILURES, Member, member_of_bytes
from ingestion.readers.base.document_builder import clean_line
from ingestion.readers.base.source import MEBIBYTE, Source

_LINE = 1 << 16
_QUOTED = re.compile(rb"^>(>*From )", re.M)
_HOUR = re.compile(rb"\d:\d\d")  # what tells the line before a message from a sentence that begins so
_DATE = re.compile(rb" (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .{0,40}\d:\d\d.{0,40}\b\d{4}\b|\b\d{4}\b.{0,20}\d:\d\d:\d\d")
_HEADER = re.compile(rb">?[A-Za-z][\w-]*:|>From ")
_SUBJECT = 80
_START = rb"From [^\r\n]{1,300}\r?\n(?:>?[A-Za-z][\w-]*:|[ \t])"
_FIRST, _ANOTHER = re.compile(_START), re.compile(rb"\n\r?\n" + _START)


def is_mailbox(source: Source) -> bool:
    """Return whether these are messages one behind the other. A single message keeps the line when it is saved from a mailbox, but not its name."""
    return _FIRST.match(source.data) is not None and (source.suffix != ".eml" or _ANOTHER.search(source.data) is not None)


def mbox_members(source: Source) -> Iterator[Member]:
    """Yield the messages in order, named by their number and subject."""
    with source.open() as file:
        for number, data in enumerate(_messages(file, source.limits.file_bytes), 1):
            if data is None:
                error = LimitExceeded(f"This message has more than {source.limits.file_bytes / MEBIBYTE:,.0f} MiB (ingestion.max_file_mb).")
                yield Member(f"{number:05} too large.eml", io.BytesIO, 0, error)
            else:
                yield member_of_bytes(f"{number:05} {_subject(data)}.eml", data)


def _messages(file: IO[bytes], limit: int) -> Iterator[bytes | None]:
    """Yield the bytes of each message; None for one that is larger than `limit`."""
    lines: list[bytes] | None = []
    size, blank, begun = 0, True, False
    line, following = file.readline(_LINE), file.readline(_LINE)
    while line:
        if blank and _begins_message(line, following, begun):
            if begun:
                yield _join_lines(lines)
            lines, size, begun, blank = [], 0, True, False
        else:
            blank = not line.strip()
            size += len(line)
            lines = None if size > limit else lines
            if lines is not None:
                lines.append(line)
        line, following = following, file.readline(_LINE)
    if begun or size:
        yield _join_lines(lines)


def _begins_message(line: bytes, following: bytes, begun: bool) -> bool:
    """Return whether a line stands before a message: with a day and an hour, and with a header below it unless the day is written out in full."""
    if not line.startswith(b"From "):
        return False
    return not begun or _DATE.search(line) is not None or (_HOUR.search(line) is not None and _HEADER.match(following) is not None)


def _join_lines(lines: list[bytes] | None) -> bytes | None:
    return None if lines is None else _QUOTED.sub(rb"\1", b"".join(lines))


def _subject(data: bytes) -> str:
    """Return the subject as a part of a name. Two messages of one subject differ in their number."""
    try:
        text = clean_line(str(BytesHeaderParser(policy=default).parsebytes(data[: 1 << 16]).get("Subject") or ""))
    except FAILURES:
        text = ""
    return re.sub(r"[/\\]", "_", text)[:_SUBJECT].strip(" .") or "message"
