"""Mail (RFC 5322 and MIME): a block of headers, the body, forwarded messages, and the names of what is attached."""

from __future__ import annotations

import email
import email.policy
from datetime import UTC, datetime
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.errors import Empty, Sealed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode, encoding_of
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.source import Source
from ingestion.readers.mail.protected_mail import ENCRYPTED, is_encrypted, open_signed_part, strip_armour
from ingestion.readers.text.html import place_html
from ingestion.readers.text.plain_text import place_text

FORMATS = (
    Format(
        name="email",
        title="mail",
        kind=FileKind.MAIL,
        viewer=Viewer.MAIL,
        suffixes=(".eml",),
        name_role=NameRole.CHOOSES,
        spoken_endings=("eml",),
        doc_type="email",
    ),
    Format(
        name="mht",
        title="web archive",
        kind=FileKind.WEB,
        viewer=Viewer.MAIL,
        suffixes=(".mht",),
        rare_suffixes=(".mhtml",),
        name_role=NameRole.CHOOSES,
        type="email",
        parsers=("email",),
        doc_type="email",
    ),
)
_SHOWN = ("From", "To", "Cc", "Bcc", "Date", "Subject")
_MAX_FORWARDS = 10
_MOST_NAMED = 500
# What the email package lets through on broken headers and bodies.
_FAILURES = (MessageError, LookupError, ValueError, AttributeError, TypeError, IndexError, AssertionError)


def extract(source: Source) -> ExtractedDocument:
    """Read one message.

    Raises:
        Empty: neither headers nor a body. Sealed: its body is encrypted, and no header says anything either.
    """
    data = source.data
    if (encoding := encoding_of(data[:4096])).startswith("utf-16"):
        data = data.decode(encoding, errors="replace").encode("utf-8", errors="replace")
    message = email.message_from_bytes(data, policy=email.policy.default)
    builder = DocumentBuilder("email", limit=source.limits.characters)
    _place_message(builder, message, 0)
    builder.metadata = _metadata(message)
    return builder.build()


def _place_message(builder: DocumentBuilder, message: EmailMessage, depth: int) -> None:
    headers = [(name, _header(message, name)) for name in _SHOWN]
    builder.paragraph("\n".join(f"{name}: {value}" for name, value in headers if value))
    if not place_content(builder, message, depth) and not any(value for _, value in headers):
        raise Sealed(ENCRYPTED)


def place_content(builder: DocumentBuilder, message: EmailMessage, depth: int = 0) -> bool:
    """Place what stands below the headers: the body, the names of what is attached, forwarded messages. False where it is encrypted (warned)."""
    body, attached = _parts(message)
    if body is not None:
        _place_body(builder, body)
    sealed = [part for part in attached if is_encrypted(part)]
    if sealed:
        builder.warn(ENCRYPTED)
    names = [name for part in attached if part not in sealed and (name := _name(part))]
    if names:
        more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
        builder.block(BlockKind.NOTE, "Attachments: " + ", ".join(names[:_MOST_NAMED]) + more)
    for part in attached:
        if part.get_content_type() == "message/rfc822" and depth < _MAX_FORWARDS:
            for inner in _children(part):
                _place_message(builder, inner, depth + 1)
    return body is not None or not sealed


def _parts(message: EmailMessage) -> tuple[EmailMessage | None, list[EmailMessage]]:
    """Return the part to read (text before HTML, the longer of the two if the text is only a stub) and all others that a person sees as attached."""
    texts: dict[str, EmailMessage] = {}
    attached: list[EmailMessage] = []
    for part in _leaves(message, 0):
        kind = part.get_content_type()
        if kind in ("text/plain", "text/html") and part.get_content_disposition() != "attachment" and kind not in texts:
            texts[kind] = part
        else:
            attached.append(part)
    plain, html = texts.get("text/plain"), texts.get("text/html")
    if plain is not None and html is not None and len(_content(plain).split()) < 10 < len(_content(html).split()) // 4:
        return html, attached
    return plain or html, attached


def _leaves(part: EmailMessage, depth: int) -> list[EmailMessage]:
    """Return parts that are no multipart, in order; a forwarded message and an encrypted one are one part, what a signature goes round is opened."""
    if depth <= 50 and isinstance(inner := open_signed_part(part), EmailMessage):
        return _leaves(inner, depth + 1)
    if not part.is_multipart() or part.get_content_type() in ("message/rfc822", "multipart/encrypted") or depth > 50:
        return [part]
    return [leaf for child in _children(part) for leaf in _leaves(child, depth + 1)]


def _children(part: EmailMessage) -> list[EmailMessage]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, EmailMessage)] if isinstance(payload, list) else []


def _place_body(builder: DocumentBuilder, part: EmailMessage) -> None:
    text = _content(part)
    if part.get_content_type() != "text/html":
        text, sealed = strip_armour(text)
        place_text(builder, text)
        if sealed:
            builder.warn(ENCRYPTED)
        return
    try:
        place_html(builder, text)
    except Empty:
        builder.paragraph("")


def _content(part: EmailMessage) -> str:
    """Return the decoded text of a part; its declared character set may be wrong or unknown."""
    data = part.get_payload(decode=True)
    return decode(data, declared=part.get_content_charset() or "").text if isinstance(data, bytes) else ""


def _header(message: EmailMessage, name: str) -> str:
    try:
        return clean_line(str(message.get(name) or ""))
    except _FAILURES:
        raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
        return clean_line(str(raw))


def _name(part: EmailMessage) -> str:
    try:
        name = part.get_filename() or ""
        if not name and part.get_content_type() == "message/rfc822":
            inner = part.get_payload(0)
            name = f"message “{_header(inner, 'Subject')}”" if isinstance(inner, EmailMessage) else "message"
    except _FAILURES:
        return ""
    return clean_line(name)


def _metadata(message: EmailMessage) -> Metadata:
    sender = _header(message, "From")
    extra = {name.lower(): value for name in ("To", "Cc", "Message-ID", "In-Reply-To") if (value := _header(message, name))}
    return Metadata(
        title=_header(message, "Subject"), authors=(sender,) if sender else (), created_at=_parse_date(_header(message, "Date")), extra=extra
    )


def _parse_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
