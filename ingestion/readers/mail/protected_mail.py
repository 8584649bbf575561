"""Mail that is signed or encrypted: S/MIME (RFC 8551), OpenPGP (RFC 3156, and in the text itself).

What a signature goes round is opened, what is encrypted is reported."""

from __future__ import annotations

import email
import email.policy
import re
from email.errors import MessageError
from email.message import Message

from core.errors import ExtractionError
from ingestion.readers.base.source import MEBIBYTE
from ingestion.readers.mail import cms

ENCRYPTED = "The body of this message is encrypted (S/MIME or OpenPGP): only its headers were read. Save a decrypted copy from your mail program."
_LARGEST = 128 * MEBIBYTE
_TYPES = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_SIGNED_TEXT = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:[\w-]+:[^\n]*\n)*\r?\n(.*?)(?:^-----BEGIN PGP SIGNATURE-----.*?(?:^-----END[^\n]*|\Z)|\Z)",
    re.M | re.S,
)
_SEALED_TEXT = re.compile(r"^-----BEGIN PGP MESSAGE-----.*?(?:^-----END PGP MESSAGE-----|\Z)", re.M | re.S)
_MIME = re.compile(rb"\s*(?:content-type|mime-version):", re.I)
_ESCAPED = re.compile(r"^- ", re.M)


def open_signed_part(part: Message) -> Message | None:
    """Return the message inside a signature that goes round it; None for every other part, and for one that is damaged (it is then listed as a
    file).
    """
    data = _cms_bytes(part)
    return None if data is None else _parse_signed(data)


def open_signed_attachment(data: bytes) -> Message | None:
    """Return the message in the one attachment that Outlook makes of a signed message, with the signature round it or beside it."""
    if _MIME.match(data):
        return email.message_from_bytes(data, policy=email.policy.default)
    return _parse_signed(cms.decode_base64(data))


def _parse_signed(data: bytes) -> Message | None:
    if cms.kind_of(data) not in (cms.CmsKind.SIGNED, cms.CmsKind.COMPRESSED):
        return None
    try:
        content = cms.content_of(data, _LARGEST)
    except ExtractionError:
        return None
    return email.message_from_bytes(content, policy=email.policy.default) if content else None


def is_encrypted(part: Message) -> bool:
    """Return whether a part can be read with somebody's secret key only."""
    if part.get_content_type() == "multipart/encrypted":
        return True
    data = _cms_bytes(part)
    return data is not None and cms.kind_of(data) is cms.CmsKind.ENCRYPTED


def _cms_bytes(part: Message) -> bytes | None:
    if part.is_multipart() or not (part.get_content_type() in _TYPES or _name(part).lower().endswith(".p7m")):
        return None
    payload = part.get_payload(decode=True)
    return cms.decode_base64(payload) if isinstance(payload, bytes) else None


def _name(part: Message) -> str:
    try:
        return part.get_filename() or ""
    except (MessageError, LookupError, ValueError, AttributeError, TypeError, IndexError, AssertionError):
        return ""


def strip_armour(text: str) -> tuple[str, bool]:
    """Return the text without the marks of OpenPGP around it, and whether a part of it was encrypted (and is left out)."""
    if "-----BEGIN PGP " not in text:
        return text, False
    plain = _SIGNED_TEXT.sub(lambda match: _ESCAPED.sub("", match[1]), text)
    kept = _SEALED_TEXT.sub("", plain)
    return kept, kept != plain
