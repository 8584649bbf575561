"""Members of messages (RFC 5322, Outlook) and PDF files: what is attached to them."""

from __future__ import annotations

import email
import email.policy
import mimetypes
from collections.abc import Iterator
from email.message import Message
from typing import Any

from core.errors import ExtractionError, Unsupported
from ingestion.archives.member import FAILURES, Member, member_of_bytes
from ingestion.readers.base.charset import encoding_of
from ingestion.readers.base.document_builder import clean_line
from ingestion.readers.base.source import Source
from ingestion.readers.mail.protected_mail import is_encrypted, open_signed_attachment, open_signed_part

_DEPTH = 50
_SPACER = 2048  # bytes: pictures in the text of a message that are smaller hold lines and dots, no words
_SIGNATURES = {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature", "application/pgp-keys"}


def mail_members(source: Source) -> Iterator[Member]:
    """Yield the parts of a message that are not its text: files, pictures and forwarded messages."""
    data = source.data
    if (encoding := encoding_of(data[:4096])).startswith("utf-16"):
        data = data.decode(encoding, errors="replace").encode("utf-8", errors="replace")
    yield from _members_of(email.message_from_bytes(data, policy=email.policy.default))


def _members_of(message: Message) -> Iterator[Member]:
    texts: set[str] = set()
    for number, part in enumerate(_leaves(message, 0), 1):
        kind = part.get_content_type()
        if kind in {"text/plain", "text/html"} and _disposition(part) != "attachment" and kind not in texts:
            texts.add(kind)
        elif part is not message and kind not in _SIGNATURES and (member := _member(part, number)) is not None:
            yield member


def _leaves(part: Message, depth: int) -> Iterator[Message]:
    """Yield parts that are no multipart: a forwarded message is one part, signed content is opened, encrypted content is left out."""
    if is_encrypted(part):
        return
    if depth <= _DEPTH and (inner := open_signed_part(part)) is not None:
        yield from _leaves(inner, depth + 1)
        return
    payload = part.get_payload()
    if not part.is_multipart() or part.get_content_type() == "message/rfc822" or depth > _DEPTH or not isinstance(payload, list):
        yield part
        return
    for child in payload:
        if isinstance(child, Message):
            yield from _leaves(child, depth + 1)


def _member(part: Message, number: int) -> Member | None:
    if part.get_content_type() == "message/rfc822":
        return _forwarded_member(part, number)
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes) or not payload:
        return None
    in_text = part.get_content_maintype() == "image" and _disposition(part) != "attachment"
    return None if in_text and len(payload) < _SPACER else member_of_bytes(_name(part, number), payload)


def _forwarded_member(part: Message, number: int) -> Member | None:
    payload = part.get_payload()
    inner = payload[0] if isinstance(payload, list) and payload else None
    if not isinstance(inner, Message):
        return None
    try:
        subject = clean_line(str(inner.get("Subject") or ""))[:80]
    except FAILURES:
        subject = ""
    name = _name(part, number, fallback=f"{subject or f'message {number}'}.eml".replace("/", "_"))
    try:
        data = inner.as_bytes()
    except (*FAILURES, UnicodeError):
        data = inner.as_string(policy=email.policy.compat32).encode("utf-8", "surrogateescape")
    return member_of_bytes(name if name.lower().endswith(".eml") else f"{name}.eml", data)


def _disposition(part: Message) -> str:
    try:
        return str(part.get_content_disposition() or "")
    except FAILURES:
        return ""


def _name(part: Message, number: int, fallback: str = "") -> str:
    try:
        name = clean_line(part.get_filename() or "")
    except FAILURES:
        name = ""
    return name or fallback or f"part {number}{mimetypes.guess_extension(part.get_content_type()) or ''}"


# -- Outlook -------------------------------------------------------------------------------------------------------------------------


def outlook_members(source: Source) -> Iterator[Member]:
    """Yield the attached files of an Outlook message."""
    from ingestion.readers.mail.outlook import attached_files

    for number, (given, data) in enumerate(attached_files(source.data), 1):
        name = given or f"attachment {number}"
        if data is not None and name.lower().endswith(".p7m") and (inner := open_signed_attachment(data)) is not None:
            yield from _members_of(inner)
        elif data is None:
            reason = "It is a message or an object inside an Outlook message. Save the message as .eml to have it read."
            yield Member(name, _refuse_to_open, 0, Unsupported(reason))
        else:
            yield member_of_bytes(name, data)


def _refuse_to_open() -> Any:
    raise Unsupported("There is nothing to read.")


# -- PDF -----------------------------------------------------------------------------------------------------------------------------


def pdf_members(source: Source) -> Iterator[Member]:
    """Yield the files that are embedded in a PDF document."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source.data, password=source.password or None)
    except pypdfium2.PdfiumError:
        return  # its own reader says what is wrong with it
    try:
        for index in range(min(document.count_attachments(), source.limits.members)):
            yield _embedded_member(document, index)
    finally:
        document.close()


def _embedded_member(document: Any, index: int) -> Member:
    import pypdfium2

    name = f"attachment {index + 1}"
    try:
        attachment = document.get_attachment(index)
        name = clean_line(attachment.get_name()) or name
        return member_of_bytes(name, bytes(attachment.get_data()))
    except (*FAILURES, pypdfium2.PdfiumError) as error:
        refusal: ExtractionError = Unsupported(f"The PDF file does not give it out ({str(error)[:80]}).")
        return Member(name, _refuse_to_open, 0, refusal)
