"""Bytes to text: byte order marks first, then UTF-8, then what the file declares, then statistics."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 1 << 16
# Encodings that are tried for text with bytes above 127, in the order that decides a draw.
_CANDIDATES = ["cp1252", "cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp1251", "koi8_r", "cp1253", "cp1250", "cp1255", "cp1256", "cp1254"]
# What Western European text holds: where nothing else occurs, the statistics below would only confuse cp1252 with its neighbours.
_WESTERN = frozenset(map(chr, range(128))) | frozenset(
    "àâäáãåæçéèêëíìîïñóòôöõøùúûüÿßœÀÂÄÁÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØÙÚÛÜŒ‘’“”„‚–—…•€£¥©®™°§«»‹›·½¼¾¡¿ºª\u00a0"
)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """`truncated` says that the bytes were more than `limit`."""

    text: str
    encoding: str
    truncated: bool = False


def decode(data: bytes, *, declared: str = "", limit: int = 1 << 27) -> DecodedText:
    """Decode at most `limit` bytes of `data`. `declared` is the character set that the file names (an HTML meta, a mail header)."""
    truncated = len(data) > limit
    part = data[:limit]
    encoding = encoding_of(part, declared)
    return DecodedText(part.decode(encoding, errors="replace"), encoding, truncated)


def encoding_of(data: bytes, declared: str = "") -> str:
    """Return Python's name for the most likely encoding of `data`."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    sample = data[:_SAMPLE]
    if wide := _wide_encoding(sample):
        return wide
    if _is_utf8(data):
        return "utf-8"
    if declared and (named := _known_encoding(declared)) and _is_decodable(sample, named):
        return named
    return _guess_encoding(sample)


def printable_share(text: str) -> float:
    """Return the share (0..1) of `text` that is no control or replacement character; 1.0 for ""."""
    return 1.0 - len(_UNPRINTABLE.findall(text)) / len(text) if text else 1.0


def _wide_encoding(sample: bytes) -> str:
    """Recognise UTF-16 without a mark: text whose every second byte is zero nearly everywhere."""
    if len(sample) < 8 or 0 not in sample:
        return ""
    pairs = len(sample) // 2
    even, odd = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    if odd > 0.7 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    if even > 0.7 * pairs and odd < 0.05 * pairs:
        return "utf-16-be"
    return ""


def _is_utf8(data: bytes) -> bool:
    """Return whether it is valid UTF-8, or valid but for a few bytes in a thousand (a cut end, one pasted byte)."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 3:
            return error.start > 0
        sample = data[:_SAMPLE]
        text = sample.decode("utf-8", errors="replace")
        good = sum(ord(character) > 127 for character in text) - text.count("\ufffd")
        return good > 10 * text.count("\ufffd")
    return True


def _known_encoding(name: str) -> str:
    try:
        return codecs.lookup(name.strip().strip("\"'")).name
    except (LookupError, ValueError):
        return ""


def _is_decodable(sample: bytes, encoding: str) -> bool:
    text = sample.decode(encoding, errors="replace")
    return text.count("\ufffd") <= len(text) // 500 + 1


def _guess_encoding(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    if set(sample.decode("cp1252", errors="replace")) <= _WESTERN:
        return "cp1252"
    match = from_bytes(sample, cp_isolation=_CANDIDATES, threshold=0.4).best()
    return match.encoding if match else "cp1252"
