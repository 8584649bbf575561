"""Rich Text Format as a stream of tokens, and the character sets of its fonts (RTF 1.9.1)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

_TOKEN = re.compile(rb"\\'([0-9a-fA-F]{2})|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\", re.S)
_BRACES = re.compile(rb"\\.|[{}]", re.S)
# \fcharset numbers and the code pages that they stand for.
_CHARSETS = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
SYMBOL = 2
# What the letters of the font Symbol look like, and the signs of bullets in it and in Wingdings.
_GREEK = dict(
    zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True),
    **dict(zip("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
)
_SIGNS = {0xB7: "•", 0xA7: "▪", 0xD8: "▸", 0xFC: "✓", 0xFB: "✗", 0xE0: "→", 0xB3: "≥", 0xA3: "≤", 0xB1: "±", 0xB4: "×", 0xA5: "∞", 0xAE: "→"}


class TokenKind(Enum):
    """OPEN and CLOSE are braces, WORD a control word or symbol, BYTES plain text in the font's code page."""

    OPEN = 1
    CLOSE = 2
    WORD = 3
    BYTES = 4


@dataclass(frozen=True, slots=True)
class RtfToken:
    """`word` and `number` (None where none is written) of a control word; `text` of plain bytes; `end` is the offset behind it."""

    kind: TokenKind
    end: int
    word: str = ""
    number: int | None = None
    text: bytes = b""


_OPEN, _CLOSE = b"{", b"}"


class Tokens:
    """The tokens of a file. `skip_group` passes over the rest of the group that is open."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __iter__(self) -> Iterator[RtfToken]:
        data, size = self._data, len(self._data)
        while self._at < size:
            match = _TOKEN.match(data, self._at)
            if match is None:
                return
            self._at = match.end()
            if token := self._token(match):
                yield token

    def _token(self, match: re.Match[bytes]) -> RtfToken | None:
        code, word, number, symbol, brace, text = match.groups()
        end = match.end()
        if word is not None:
            name, value = word.decode("ascii"), int(number) if number else None
            if name == "bin":
                self._at = min(len(self._data), end + max(0, value or 0))
                return None
            return RtfToken(TokenKind.WORD, self._at, name, value)
        if code is not None:
            return RtfToken(TokenKind.BYTES, end, text=bytes([int(code, 16)]))
        if text is not None:
            return RtfToken(TokenKind.BYTES, end, text=text)
        if brace is not None:
            return RtfToken(TokenKind.OPEN if brace == _OPEN else TokenKind.CLOSE, end)
        return RtfToken(TokenKind.WORD, end, symbol.decode("latin-1")) if symbol is not None else None

    def skip_group(self) -> None:
        """Pass over the rest of the group that is open, up to its closing brace."""
        depth = 0
        for match in _BRACES.finditer(self._data, self._at):
            if match[0] == _OPEN:
                depth += 1
            elif match[0] == _CLOSE:
                if depth == 0:
                    self._at = match.start()
                    return
                depth -= 1
        self._at = len(self._data)


@dataclass(frozen=True, slots=True)
class Font:
    """The code page of a font, and whether its signs are no letters."""

    encoding: str = ""
    symbol: bool = False
    greek: bool = False


def font(charset: int, name: str) -> Font:
    """Make a font from its \\fcharset and its name."""
    symbol = charset == SYMBOL or name.lower().startswith(("symbol", "wingdings", "webdings"))
    return Font(_CHARSETS.get(charset, ""), symbol, symbol and name.lower().startswith("symbol"))


def decode_text(data: bytes, used: Font, encoding: str) -> str:
    """Decode bytes in the code page of their font, else in that of the file."""
    if used.symbol:
        return "".join(_SIGNS.get(byte, "") or (_GREEK.get(chr(byte), chr(byte)) if used.greek and byte < 128 else "") for byte in data)
    return data.decode(used.encoding or encoding, errors="replace")


def code_page(number: int | None) -> str:
    """Return the name of a Windows code page that Python knows, "cp1252" for others."""
    name = {65001: "utf-8", 10000: "mac_roman", 936: "gb18030"}.get(number or 0, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
