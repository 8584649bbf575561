"""The compressed RTF of Outlook messages (MS-OXRTFCP), and the HTML that is wrapped in it (MS-OXRTFEX)."""

from __future__ import annotations

import struct

from ingestion.readers.rtf.rtf_tokens import Font, TokenKind, Tokens, code_page, decode_text

_PRELOADED = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArial"
    b"Times New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_COMPRESSED, _STORED = 0x75465A4C, 0x414C454D
_WINDOW = 4096


def decompress_rtf(data: bytes, limit: int) -> bytes:
    """Decompress the RTF of a property to at most `limit` bytes; b"" for what is none."""
    if len(data) < 16:
        return b""
    _, size, kind, _ = struct.unpack_from("<4I", data)
    size = min(size, limit)
    if kind == _STORED:
        return data[16 : 16 + size]
    return _unpack_lz77(data, size) if kind == _COMPRESSED else b""


def _unpack_lz77(data: bytes, size: int) -> bytes:
    """Unpack LZ77 with a window of 4096 bytes that begins with the usual words of RTF."""
    window = bytearray(_PRELOADED.ljust(_WINDOW, b" "))
    write, at = len(_PRELOADED), 16
    output = bytearray()
    while at < len(data) and len(output) < size:
        control = data[at]
        at += 1
        for bit in range(8):
            if at >= len(data) or len(output) >= size:
                break
            if not control >> bit & 1:
                window[write] = data[at]
                output.append(data[at])
                write, at = (write + 1) % _WINDOW, at + 1
                continue
            if at + 1 >= len(data):
                return bytes(output)
            place = data[at] << 8 | data[at + 1]
            at += 2
            offset, length = place >> 4, (place & 0xF) + 2
            if offset == write:
                return bytes(output)
            for step in range(length):
                byte = window[(offset + step) % _WINDOW]
                window[write] = byte
                output.append(byte)
                write = (write + 1) % _WINDOW
    return bytes(output[:size])


def extract_html(rtf: bytes) -> str:
    """Return the HTML that a message was made from, where its RTF is only a wrapping of it; "" otherwise."""
    if b"\\fromhtml" not in rtf[:1024]:
        return ""
    return _HtmlUnwrapper(rtf).html()


class _HtmlUnwrapper:
    """Keeps what stands in `htmltag` groups and the text between them; what `htmlrtf` switches off is the RTF's own."""

    def __init__(self, rtf: bytes) -> None:
        self._tokens = Tokens(rtf)
        self._parts: list[str] = []
        self._waiting = bytearray()
        self._encoding = "cp1252"
        self._off = False
        self._stack: list[bool] = []
        self._optional = self._begun = False
        self._skip = 0

    def html(self) -> str:
        for token in self._tokens:
            if token.kind is TokenKind.BYTES:
                self._read_plain(token.text)
                self._begun = False
            elif token.kind is TokenKind.OPEN:
                self._stack.append(self._off)
                self._begun, self._optional = True, False
            elif token.kind is TokenKind.CLOSE:
                self._off = self._stack.pop() if self._stack else False
            else:
                self._read_word(token.word, token.number)
        self._flush()
        return "".join(self._parts)

    def _read_plain(self, text: bytes) -> None:
        skipped = min(self._skip, len(text))
        self._skip -= skipped
        if not self._off:
            self._waiting += text[skipped:]

    def _read_word(self, word: str, number: int | None) -> None:
        begun, self._begun = self._begun, word == "*"
        if word == "*":
            self._optional = True
        elif begun and (word in ("fonttbl", "colortbl", "stylesheet", "pict", "info", "pntext") or (self._optional and word != "htmltag")):
            self._tokens.skip_group()
        elif word == "htmlrtf":
            self._off = number != 0
        elif word == "ansicpg":
            self._encoding = code_page(number)
        elif not self._off:
            self._read_sign(word, number)

    def _read_sign(self, word: str, number: int | None) -> None:
        signs = {"par": "\n", "line": "\n", "tab": "\t", "~": "\u00a0", "_": "-", "{": "{", "}": "}", "\\": "\\", "lquote": "‘", "rquote": "’"}
        signs |= {"ldblquote": "“", "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—"}
        if word == "u" and number is not None:
            self._flush()
            code = number & 0xFFFF
            self._parts.append(chr(code) if not 0xD800 <= code < 0xE000 else "")
            self._skip = 1
        elif word in signs:
            self._flush()
            self._parts.append(signs[word])

    def _flush(self) -> None:
        if self._waiting:
            self._parts.append(decode_text(bytes(self._waiting), Font(), self._encoding))
            self._waiting.clear()
