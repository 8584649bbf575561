"""Rich Text Format: an interpreter of its control words that keeps headings, lists, tables, notes, and the frame of the page apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.errors import LimitExceeded
from core.formats import FileKind, Format, Viewer
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line, clean_text
from ingestion.readers.base.source import Source
from ingestion.readers.office.docx_styles import heading_by_name
from ingestion.readers.rtf.rtf_tables import TableRows
from ingestion.readers.rtf.rtf_tokens import Font, RtfToken, TokenKind, Tokens, code_page, decode_text, font

FORMATS = (Format("rtf", "Rich Text", FileKind.WORD, Viewer.TEXT, (".rtf",), spoken_endings=("rtf",)),)
_MAX_DEPTH = 2_000
_CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "~": "\u00a0",
    "_": "-",
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "page": "\n",
    "column": "\n",
    "{": "{",
    "}": "}",
    "\\": "\\",
}
# Groups that are no text of the document.
_SKIPPED = frozenset(
    "colortbl pict objdata fldinst listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles filetbl "
    "bkmkstart bkmkend nonesttables shprslt falt panose xmlnstbl mmathPr template private objclass objname bliptag blipuid sp atnid atntime atndate "
    "atnref atnparent annotationref datafield formfield xe tc rxe bxe ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn passwordhash wgrffmtfilter "
    "operator company manager category hlinkbase printim buptim userprops docvar nonshppict oldcprops oldpprops oldtprops oldsprops pgptbl".split()
)
# Groups marked as optional that hold text all the same.
_OPTIONAL = frozenset("shpinst shptxt annotation atnauthor nesttableprops ud moMath moMathPara footnote pntext listtext shppict do".split())
_APART = {
    "footnote": "Note",
    "annotation": "Comment",
    **dict.fromkeys(("shptxt", "dptxbxtext"), ""),
    **dict.fromkeys("header headerl headerr headerf footer footerl footerr footerf".split(), ""),
}
_BOXES = frozenset({"shptxt", "dptxbxtext"})
_LABELS = frozenset({"listtext", "pntext"})
_FACTS = {"title": "title", "author": "author", "subject": "subject", "keywords": "keywords", "doccomm": "description"}
_MOMENTS = frozenset({"creatim", "revtim"})
_TARGETS = frozenset({*_APART, *_FACTS, *_LABELS, *_MOMENTS, "fonttbl", "stylesheet", "atnauthor", "info"})
_FONT_NAME = re.compile(r"[;\s]+$")


def extract(source: Source) -> ExtractedDocument:
    """Read an .rtf of any version.

    Raises:
        LimitExceeded: its groups nest without end.
        Empty: no text in it.
    """
    builder = DocumentBuilder("rtf", limit=source.limits.characters)
    place_rtf(builder, source.data)
    return builder.build()


def place_rtf(builder: DocumentBuilder, data: bytes) -> None:
    """Put the blocks and the metadata of a document into `builder`.

    Raises:
        LimitExceeded: its groups nest without end.
    """
    _RtfReader(builder, data).read()


_NO_FONT = Font()


@dataclass(frozen=True, slots=True)
class _State:
    """The state that a group inherits. `target` says where its text goes: "" the body, a destination of `_APART`, of `_FACTS`, a label, a font …"""

    target: str = ""
    font: Font = _NO_FONT
    unicode_skip: int = 1
    hidden: bool = False
    style: int = 0
    outline: int | None = None
    depth: int = 0
    in_table: bool = False
    nesting: int = 0


def _bounded_number(number: int | None, most: int) -> int:
    return max(0, min(number or 0, most))


_CHANGES: dict[str, Callable[[_State, int | None], _State]] = {
    "plain": lambda state, _: replace(state, hidden=False, font=_NO_FONT),
    **dict.fromkeys(("v", "deleted", "webhidden"), lambda state, number: replace(state, hidden=number != 0)),
    "uc": lambda state, number: replace(state, unicode_skip=_bounded_number(number, 10)),
    "s": lambda state, number: replace(state, style=number or 0),
    "outlinelevel": lambda state, number: replace(state, outline=number),
    "ilvl": lambda state, number: replace(state, depth=_bounded_number(number, 8)),
    "intbl": lambda state, _: replace(state, in_table=True),
    "itap": lambda state, number: replace(state, nesting=_bounded_number(number, 40), in_table=bool(number)),
}


class _RtfReader:
    """Interprets the tokens of one document."""

    def __init__(self, builder: DocumentBuilder, data: bytes) -> None:
        self._builder = builder
        self._tokens = Tokens(data)
        self._state = _State()
        self._stack: list[_State] = []
        self._encoding = "cp1252"
        self._fonts: dict[int, Font] = {}
        self._defining = (0, 0)  # number and character set of the font in the table of fonts; number of a style
        self._styles: dict[int, int] = {}
        self._bytes = bytearray()
        self._to_skip = 0
        self._high = 0
        self._optional = False
        self._begun = False  # a group was just opened: the next control word may name its destination
        self._texts: dict[str, list[str]] = {"": []}
        self._label = ""
        self._aside: list[tuple[str, str]] = []
        self._frames: set[str] = set()
        self._facts: dict[str, str] = {}
        self._moment: dict[str, int] = {}
        self._tables = TableRows()
        self._words: dict[str, Callable[[int | None], None]] = {
            **dict.fromkeys(("par", "sect", "\n", "\r"), self._end_paragraph),
            "pard": self._reset_paragraph,
            "cell": self._end_cell,
            "nestcell": self._end_cell,
            "row": self._end_row,
            "nestrow": self._end_row,
            "u": self._read_unicode,
        }

    def read(self) -> None:
        for token in self._tokens:
            if self._builder.full:
                break
            if token.kind is TokenKind.BYTES:
                self._read_plain(token.text)
            elif token.kind is TokenKind.OPEN:
                self._open_group()
            elif token.kind is TokenKind.CLOSE:
                self._close_group()
            else:
                self._read_word(token)
        self._state = replace(self._state, target="", in_table=False)
        self._end_paragraph(None)
        self._tables.place_table(self._builder)
        self._builder.metadata = self._metadata()

    # -- groups ----------------------------------------------------------------------------------------------------------------------

    def _open_group(self) -> None:
        self._flush()
        self._stack.append(self._state)
        if len(self._stack) > _MAX_DEPTH:
            raise LimitExceeded(f"Its groups are nested more than {_MAX_DEPTH:,} times: this is no document that a person wrote.")
        self._begun, self._optional, self._to_skip = True, False, 0

    def _close_group(self) -> None:
        self._flush()
        if not self._stack:
            return
        left, self._state = self._state, self._stack.pop()
        self._begun = self._optional = False
        if left.target and left.target != self._state.target:
            self._end_destination(left.target, "".join(self._texts.pop(left.target, ())))

    def _begin_destination(self, word: str) -> bool:
        """Return whether a word that begins a group names what the group is; the group is then skipped or its text goes aside."""
        if word in _SKIPPED or (self._optional and word not in _OPTIONAL and word not in _APART):
            self._tokens.skip_group()
            return True
        if word == "nesttableprops":  # how an inner row is defined; its text is all that is kept
            self._tables.end_row(max(2, self._state.nesting))
            self._tokens.skip_group()
            return True
        target = word if word in _TARGETS else None
        if word == "upr":
            target = "upr"  # the same text stands in it twice; the second time, in Unicode, is read
        elif word == "ud":
            target = self._stack[-2].target if len(self._stack) > 1 else ""
        if target is not None:
            self._state = replace(self._state, target=target, hidden=False)
            self._texts.setdefault(target, [])
        return target is not None

    def _end_destination(self, target: str, text: str) -> None:
        """End a destination, whose text is complete."""
        if target in _LABELS:
            label = clean_line(text)
            self._label = label if any(character.isalnum() for character in label) else "•"
        elif target in _APART:
            self._keep_apart(target, clean_text(text))
        elif target in _FACTS:
            self._facts[target] = clean_line(text) or self._facts.get(target, "")
        elif target in _MOMENTS:
            self._facts[target] = _format_date(self._moment)
            self._moment = {}
        elif target == "atnauthor":
            self._facts[target] = clean_line(text)

    def _keep_apart(self, target: str, text: str) -> None:
        if target in ("footnote", "annotation"):
            author = self._facts.pop("atnauthor", "") if target == "annotation" else ""
            mark = f"{_APART[target]} by {author}" if author else _APART[target]
            self._aside += [(f"{mark}: ", text)] if text else []
        elif target in _BOXES:
            self._aside += [("", text)] if text else []
        elif text not in self._frames and re.search(r"[^\W\d_]", text):
            self._frames.add(text)
            self._builder.block(BlockKind.FURNITURE, text)

    # -- words -----------------------------------------------------------------------------------------------------------------------

    def _read_word(self, token: RtfToken) -> None:
        word, number = token.word, token.number
        if self._to_skip and word not in ("u",):
            self._to_skip -= 1
            if word in _CHARACTERS:
                return
        begun, self._begun = self._begun, word == "*"
        if word == "*":
            self._optional = True
            return
        if begun and self._begin_destination(word):
            return
        if word in _CHARACTERS:
            self._flush()
            self._add_text(_CHARACTERS[word])
        elif word in self._words:
            self._flush()
            self._words[word](number)
        elif self._state.target in ("fonttbl", "stylesheet"):
            self._define_font_or_style(word, number)
        elif not self._tables.apply_definition(word, number):
            self._apply_format(word, number)

    def _apply_format(self, word: str, number: int | None) -> None:
        """Apply properties of characters, paragraphs and of the document."""
        if word in _CHANGES:
            self._flush()
            self._state = _CHANGES[word](self._state, number)
        elif word == "f":
            self._flush()
            self._state = replace(self._state, font=self._fonts.get(number or 0, _NO_FONT))
        elif word in ("ansicpg", "mac", "pc", "pca"):
            self._encoding = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}.get(word) or code_page(number)
        elif self._state.target in _MOMENTS and word in ("yr", "mo", "dy", "hr", "min"):
            self._moment[word] = number or 0

    def _define_font_or_style(self, word: str, number: int | None) -> None:
        """Define an entry of the table of fonts or of styles."""
        self._flush()
        if word == "f" or (word == "s" and self._state.target == "stylesheet"):
            self._defining = (number or 0, 0)
        elif word == "fcharset":
            self._defining = (self._defining[0], number or 0)
        elif word == "outlinelevel" and number is not None and 0 <= number < 9:
            self._styles[self._defining[0]] = min(6, number + 1)
        elif word in ("cs", "ds", "ts"):
            self._defining = (-1, 0)

    # -- text ------------------------------------------------------------------------------------------------------------------------

    def _read_plain(self, text: bytes) -> None:
        self._begun = False
        if self._to_skip:
            skipped = min(self._to_skip, len(text))
            self._to_skip -= skipped
            text = text[skipped:]
        self._bytes += text

    def _read_unicode(self, number: int | None) -> None:
        code = (number or 0) & 0xFFFF
        if 0xD800 <= code < 0xDC00:
            self._high = code
        elif 0xDC00 <= code < 0xE000:
            self._add_text(chr(0x10000 + ((self._high - 0xD800) << 10) + code - 0xDC00) if self._high else "")
            self._high = 0
        else:
            # Signs of symbol fonts are written in the private range.
            self._add_text(decode_text(bytes([code & 0xFF]), replace(self._state.font, symbol=True), "") if 0xF000 <= code < 0xF100 else chr(code))
        self._to_skip = self._state.unicode_skip

    def _flush(self) -> None:
        """Decode the text that waits in bytes."""
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            text = decode_text(data, self._state.font, self._encoding)
            if self._state.target == "fonttbl":
                self._fonts[self._defining[0]] = font(self._defining[1], _FONT_NAME.sub("", text))
            elif self._state.target == "stylesheet":
                if self._defining[0] >= 0 and (level := heading_by_name(_FONT_NAME.sub("", text).strip())):
                    self._styles.setdefault(self._defining[0], level)
                self._defining = (-1, 0)
            else:
                self._add_text(text)

    def _add_text(self, text: str) -> None:
        if not self._state.hidden and self._state.target not in ("upr", "fonttbl", "stylesheet"):
            self._texts.setdefault(self._state.target, []).append(text)

    def _end_paragraph(self, number: int | None) -> None:
        """End a paragraph: in the body it is placed, elsewhere it is a line."""
        if self._state.target:
            self._add_text("\n")
            return
        text = clean_text("".join(self._texts[""]))
        if self._state.in_table:
            self._texts[""].append("\n")
            return
        self._texts[""] = []
        self._tables.place_table(self._builder)
        label, self._label = self._label, ""
        if text:
            self._place_text(text, label)
        for mark, aside in self._aside:
            self._builder.block(BlockKind.NOTE if mark else BlockKind.PARAGRAPH, mark + aside)
        self._aside.clear()

    def _place_text(self, text: str, label: str) -> None:
        outline = self._state.outline
        level = min(6, outline + 1) if outline is not None and 0 <= outline < 9 else self._styles.get(self._state.style, 0)
        if level and len(text) <= 300:
            self._builder.heading(f"{label} {text}" if label and label != "•" else text, level)
        elif label:
            self._builder.list_item(f"{label} {text}", self._state.depth + 1)
        else:
            self._builder.paragraph(text)

    def _reset_paragraph(self, number: int | None) -> None:
        self._state = replace(self._state, style=0, outline=None, depth=0, in_table=False, nesting=0)

    # -- tables ----------------------------------------------------------------------------------------------------------------------

    def _end_cell(self, number: int | None) -> None:
        if self._state.target:
            self._add_text("\t")
            return
        label, self._label = self._label, ""
        text = "".join(self._texts[""])
        self._texts[""] = []
        self._tables.end_cell(f"{label} {text}" if label and text.strip() else text, max(1, self._state.nesting))

    def _end_row(self, number: int | None) -> None:
        if not self._state.target:
            self._tables.end_row(max(1, self._state.nesting))

    def _metadata(self) -> Metadata:
        author = self._facts.get("author", "")
        return Metadata(
            title=self._facts.get("title", ""),
            authors=(author,) if author else (),
            created_at=_parse_date(self._facts.get("creatim", "")),
            modified_at=_parse_date(self._facts.get("revtim", "")),
            extra={name: text for word, name in _FACTS.items() if name not in ("title", "author") and (text := self._facts.get(word, ""))},
        )


def _format_date(moment: dict[str, int]) -> str:
    return "{yr:04d}-{mo:02d}-{dy:02d}T{hr:02d}:{min:02d}".format(**({"yr": 0, "mo": 1, "dy": 1, "hr": 0, "min": 0} | moment))


def _parse_date(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None
    except ValueError:
        return None
