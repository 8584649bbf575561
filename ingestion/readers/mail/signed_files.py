"""The member of a file that a signature goes round (.p7m: PDF, XML and mail under CAdES or S/MIME): the file that was signed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.errors import Unsupported
from ingestion.archives.member import Member, member_of_bytes
from ingestion.readers.base.source import Source
from ingestion.readers.mail.cms import content_of, decode_base64

_ALONE = "It holds no file: it is a signature that stands beside the file that it signs, or a list of certificates."
_MAIL = re.compile(rb"\s*(?:content-|mime-version:)", re.I)


def signed_members(source: Source) -> Iterator[Member]:
    """Yield the one file that was signed, named as the signed one without its last suffix.

    Raises:
        Malformed: it is damaged.
        LimitExceeded: it is too large.
        Unsupported: nothing is in it but a signature.
    """
    content = content_of(decode_base64(source.data), source.limits.file_bytes)
    if content is None:
        raise Unsupported(_ALONE)
    name = source.name[: -len(".p7m")] if source.suffix == ".p7m" else f"{source.name} (signed)"
    if _MAIL.match(content) and not name.lower().endswith(".eml"):
        name = f"{name}.eml"
    yield member_of_bytes(name or "content", content)
