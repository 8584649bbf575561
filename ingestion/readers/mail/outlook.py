"""Outlook messages (.msg, MS-OXMSG): headers, the body as text, HTML or compressed RTF, and the names of what is attached."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.errors import Empty, Malformed, Sealed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.compound_file import FAILURES, open_container
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.mail.email import place_content
from ingestion.readers.mail.outlook_rtf import decompress_rtf, extract_html
from ingestion.readers.mail.protected_mail import open_signed_attachment
from ingestion.readers.rtf.rtf_reader import place_rtf
from ingestion.readers.rtf.rtf_tokens import code_page
from ingestion.readers.text.html import place_html
from ingestion.readers.text.plain_text import place_text

FORMATS = (
    Format(
        name="msg",
        title="Outlook message",
        kind=FileKind.MAIL,
        viewer=Viewer.MAIL,
        suffixes=(".msg",),
        name_role=NameRole.PROMISES,
        ole_streams=("__substg1.0_", "__properties_version1.0"),
        spoken_with_files=("msg",),
        doc_type="email",
    ),
)
# Identifiers of properties (MS-OXPROPS).
_CLASS, _SUBJECT, _SENDER, _ADDRESS, _SMTP, _TO, _CC, _BCC = 0x001A, 0x0037, 0x0C1A, 0x0C1F, 0x5D01, 0x0E04, 0x0E03, 0x0E02
_BODY, _HTML, _RTF, _SENT, _RECEIVED, _MESSAGE_ID, _REPLY_TO, _CODE_PAGE = 0x1000, 0x1013, 0x1009, 0x0039, 0x0E06, 0x1035, 0x1042, 0x3FDE
_LONG_NAME, _SHORT_NAME, _SHOWN_NAME, _MIME = 0x3707, 0x3704, 0x3001, 0x370E
_DATA = 0x3701
_MAX_ATTACHED = 1_000
_LARGEST = 64 * MEBIBYTE
SIGNED_TYPES = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/signed"})
_SEALED_TYPES = SIGNED_TYPES | {"application/pgp-encrypted", "application/x-microsoft-rpmsg-message"}
_SEALED = "The body of this message is encrypted (S/MIME, PGP or rights management): only its headers were read. Save a decrypted copy from Outlook."


def extract(source: Source) -> ExtractedDocument:
    """Read one message. What is attached is listed by its name.

    Raises:
        Malformed: its container is damaged.
        Sealed: its body is encrypted, and no header says anything either.
        Empty: neither headers nor a body.
    """
    try:
        builder = DocumentBuilder("msg", limit=source.limits.characters)
        _place_message(builder, _Message(open_container(source.data)))
    except FAILURES as error:
        raise Malformed(f"This Outlook message is damaged and cannot be opened ({type(error).__name__}).") from error
    return builder.build()


def attached_files(data: bytes) -> Iterator[tuple[str, bytes | None]]:
    """Yield the name ("" where it has none) and the bytes of each file attached to a message; None for a message or an object.

    Raises:
        Malformed: the container is damaged.
    """
    return _Message(open_container(data)).attached_files()


@dataclass(slots=True)
class _Attachment:
    name: str
    mime: str


class _Message:
    """The properties of the message in a container."""

    def __init__(self, container: Any) -> None:
        self._container = container
        self._streams = {tuple(part.upper() for part in path): path for path in container.listdir()}
        self.numbers = self._read_fixed_properties()
        self.encoding = code_page(self.numbers.get(_CODE_PAGE)) if self.numbers.get(_CODE_PAGE) else ""

    def read_text(self, identifier: int, folder: tuple[str, ...] = ()) -> str:
        """Read a property of text, in Unicode or in the message's code page."""
        wide = self.read_binary(identifier, 0x001F, folder)
        if wide:
            return wide.decode("utf-16-le", errors="replace").rstrip("\0")
        narrow = self.read_binary(identifier, 0x001E, folder).rstrip(b"\0")
        return decode(narrow, declared=self.encoding).text if narrow else ""

    def read_binary(self, identifier: int, kind: int = 0x0102, folder: tuple[str, ...] = ()) -> bytes:
        """Read the bytes of a property; b"" where it is absent or unreasonably large."""
        path = self._streams.get((*folder, f"__SUBSTG1.0_{identifier:04X}{kind:04X}"))
        if path is None or self._container.get_size(path) > _LARGEST:
            return b""
        return bytes(self._container.openstream(path).read())

    def _read_fixed_properties(self) -> dict[int, int]:
        """Read numbers and times of the message itself; behind a header of 32 bytes each entry has 16."""
        path = self._streams.get(("__PROPERTIES_VERSION1.0",))
        content = self._container.openstream(path).read() if path else b""
        entries = (struct.unpack_from("<HHIQ", content, at) for at in range(32, min(len(content), MEBIBYTE) - 15, 16))
        return {identifier: value & 0xFFFFFFFF if kind == 3 else value for kind, identifier, _, value in entries if kind in (3, 0x40)}

    def attachments(self) -> Iterator[_Attachment]:
        """Yield what is attached, in its order."""
        for folder in self._folders()[:_MAX_ATTACHED]:
            yield _Attachment(self._name(folder), self.read_text(_MIME, (folder,)).lower())

    def attached_files(self) -> Iterator[tuple[str, bytes | None]]:
        """Yield name and bytes of what is attached, in its order; None for a message or an object, which is a storage of its own."""
        for folder in self._folders():
            path = self._streams.get((folder, f"__SUBSTG1.0_{_DATA:04X}0102"))
            yield self._name(folder), None if path is None else bytes(self._container.openstream(path).read())

    def _folders(self) -> list[str]:
        return sorted({path[0] for path in self._streams if path[0].startswith("__ATTACH_VERSION1.0_#")})

    def _name(self, folder: str) -> str:
        return next(filter(None, (clean_line(self.read_text(part, (folder,))) for part in (_LONG_NAME, _SHORT_NAME, _SHOWN_NAME))), "")


def _place_message(builder: DocumentBuilder, message: _Message) -> None:
    sent = _parse_filetime(message.numbers.get(_SENT) or message.numbers.get(_RECEIVED) or 0)
    headers = _read_headers(message, sent)
    builder.paragraph("\n".join(f"{name}: {value}" for name, value in headers.items() if value))
    attached = list(message.attachments())
    kind = message.read_text(_CLASS).lower()
    sealed = any(entry.mime in _SEALED_TYPES for entry in attached) or kind.startswith(("ipm.note.smime", "ipm.note.rpmsg"))
    placed = _place_body(builder, message) or (sealed and _place_signed(builder, message))
    if sealed and not placed and not kind.endswith("multipartsigned"):
        if not any(headers.values()):
            raise Sealed(_SEALED)
        builder.warn(_SEALED)
    _place_names(builder, attached, sealed=sealed)
    builder.metadata = _metadata(message, headers, sent)


def _place_names(builder: DocumentBuilder, attached: Sequence[_Attachment], *, sealed: bool) -> None:
    names = [entry.name for entry in attached if entry.name and not (sealed and entry.mime in SIGNED_TYPES)]
    if names:
        builder.block(BlockKind.NOTE, "Attachments: " + ", ".join(names))


def _read_headers(message: _Message, sent: datetime | None) -> dict[str, str]:
    return {
        "From": _person(clean_line(message.read_text(_SENDER)), clean_line(message.read_text(_SMTP) or message.read_text(_ADDRESS))),
        "To": clean_line(message.read_text(_TO)),
        "Cc": clean_line(message.read_text(_CC)),
        "Bcc": clean_line(message.read_text(_BCC)),
        "Date": sent.isoformat(" ") if sent else "",
        "Subject": clean_line(message.read_text(_SUBJECT)),
    }


def _metadata(message: _Message, headers: Mapping[str, str], sent: datetime | None) -> Metadata:
    extra = {
        "to": headers["To"],
        "cc": headers["Cc"],
        "message-id": clean_line(message.read_text(_MESSAGE_ID)),
        "in-reply-to": clean_line(message.read_text(_REPLY_TO)),
    }
    authors = (headers["From"],) if headers["From"] else ()
    return Metadata(title=headers["Subject"], authors=authors, created_at=sent, extra={name: value for name, value in extra.items() if value})


def _place_body(builder: DocumentBuilder, message: _Message) -> bool:
    """Place the text, or the HTML where the text is missing or only a stub, or the RTF; return whether there was any."""
    plain = message.read_text(_BODY)
    rtf = decompress_rtf(message.read_binary(_RTF), _LARGEST)
    html = message.read_text(_HTML) or decode(message.read_binary(_HTML), declared=message.encoding).text or extract_html(rtf)
    if html.strip() and (not plain.strip() or len(plain.split()) < 10 < len(html.split()) // 4):
        try:
            place_html(builder, html)
        except Empty:
            return False
        return True
    if plain.strip():
        place_text(builder, plain)
        return True
    if rtf:
        before = DocumentBuilder("rtf")
        place_rtf(before, rtf)
        if before.has_text:
            place_rtf(builder, rtf)
            return True
    return False


def _place_signed(builder: DocumentBuilder, message: _Message) -> bool:
    """Place the one attachment that Outlook makes of a signed message; return whether there was one."""
    for _, data in message.attached_files():
        inner = open_signed_attachment(data or b"")
        if isinstance(inner, EmailMessage):
            return place_content(builder, inner)
    return False


def _person(name: str, address: str) -> str:
    return f"{name} <{address}>" if name and "@" in address and name != address else name or address


def _parse_filetime(value: int) -> datetime | None:
    """Parse a FILETIME: tenths of microseconds since 1601."""
    try:
        moment = datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=value // 10)
    except OverflowError:
        return None
    return moment.replace(microsecond=0) if moment.year >= 1980 else None
