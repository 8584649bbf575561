"""The text of a Word paragraph as it reads with all changes accepted, and what hangs on it: notes, comments and text boxes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ingestion.readers.base.formulas import omml_text

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_V = "{urn:schemas-microsoft-com:vml}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_LITERALS = {
    f"{W}tab": "\t",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
    f"{W}ptab": "\t",
}
# Deleted and moved text, instructions of fields, properties, pronunciation aids.
_SKIPPED = frozenset(f"{W}{name}" for name in "del moveFrom delText instrText delInstrText pPr rPr sdtPr sdtEndPr rt rubyPr fldData object".split())
_FORMULAS = frozenset({f"{_M}oMath", f"{_M}r"})
# Parts that a drawing shows: charts and SmartArt.
_DRAWN = {
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart": "id",
    "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds": "dm",
}
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
# What names the file of a picture, and the attribute that does.
PICTURES = {f"{_A}blip": "embed", f"{_V}imagedata": "id"}
_BOXES = frozenset({f"{W}txbxContent"})
_REFERENCES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote", f"{W}commentReference": "comment"}


@dataclass(slots=True)
class ParagraphText:
    """`text` in reading order; `boxes` are the contents of its text boxes, `notes` (kind, id) of what it refers to, `parts` the
    relationships of the charts and SmartArt that it shows, `picture_descriptions` what is said of its pictures, `pictures` their relationships."""

    pieces: list[str] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    picture_descriptions: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def read_paragraph(element: Any) -> ParagraphText:
    """Read the text of a `w:p` (or of anything that holds runs)."""
    found = ParagraphText()
    _collect(element, found)
    return found


def _collect(element: Any, found: ParagraphText) -> None:
    for child in element:
        tag = child.tag
        if tag == f"{W}t":
            found.pieces.append(child.text or "")
        elif tag in _LITERALS:
            found.pieces.append(_LITERALS[tag])
            _collect(child, found)
        elif tag in _FORMULAS:
            found.pieces.append(f" {omml_text(child)} ")
        elif tag in _BOXES:
            found.boxes.append(child)
        elif tag in _REFERENCES:
            found.notes.append((_REFERENCES[tag], child.get(f"{W}id") or ""))
        elif tag == f"{W}sym":
            found.pieces.append(_symbol(child))
        elif tag == f"{_MC}AlternateContent":
            _collect_choice(child, found)
        elif isinstance(tag, str) and tag not in _SKIPPED and not _is_hidden(child):
            _collect_other(child, found)


def _collect_other(element: Any, found: ParagraphText) -> None:
    """Collect what holds runs, or shows a drawing."""
    if element.tag == f"{_A}t":
        found.pieces.append((element.text or "") + " ")
    elif element.tag in _DRAWN:
        found.parts.append(element.get(f"{_R}{_DRAWN[element.tag]}") or "")
    elif element.tag == _PICTURE:
        found.picture_descriptions.append(element.get("descr") or "")
    elif element.tag == f"{W}ffData":
        found.pieces.append(_form_field(element))
    elif element.tag in PICTURES:
        found.pictures.append(element.get(f"{_R}{PICTURES[element.tag]}") or "")
    _collect(element, found)


def _collect_choice(element: Any, found: ParagraphText) -> None:
    """Collect one branch: the same content stands in each, the first that holds text is read."""
    for branch in element:
        inner = ParagraphText()
        _collect(branch, inner)
        if inner.pieces or inner.boxes or inner.parts:
            found.parts += inner.parts
            found.picture_descriptions += inner.picture_descriptions
            found.pieces += inner.pieces
            found.boxes += inner.boxes
            found.notes += inner.notes
            found.pictures += inner.pictures
            return


def is_on(element: Any | None) -> bool:
    """Return whether a property that is on by being there is on."""
    return element is not None and (element.get(f"{W}val") or "1").lower() not in ("0", "false", "off")


def _is_hidden(element: Any) -> bool:
    """Return whether this is a run of hidden text, which neither the screen nor the paper shows."""
    return element.tag == f"{W}r" and is_on(element.find(f"{W}rPr/{W}vanish"))


def _form_field(element: Any) -> str:
    """Return what a check box or a list of a form of the old kind is set to; the words of its text fields stand in the text."""
    box, choice = element.find(f"{W}checkBox"), element.find(f"{W}ddList")
    if box is not None:
        checked = box.find(f"{W}checked")
        return "☒" if is_on(checked if checked is not None else box.find(f"{W}default")) else "☐"
    if choice is None:
        return ""
    entries = [entry.get(f"{W}val") or "" for entry in choice.iter(f"{W}listEntry")]
    chosen = next((found.get(f"{W}val") or "" for name in ("result", "default") if (found := choice.find(f"{W}{name}")) is not None), "0")
    return entries[int(chosen)] if chosen.isdecimal() and len(chosen) < 6 and int(chosen) < len(entries) else ""


def _symbol(element: Any) -> str:
    try:
        code = int(element.get(f"{W}char") or "", 16)
    except ValueError:
        return ""
    # Symbol fonts use the private range; what the glyph looks like is known only for the ticks and bullets that people write.
    return {0xF0FC: "✓", 0xF0FB: "✗", 0xF0B7: "•", 0xF0A7: "▪", 0xF0E0: "→", 0xF06F: "☐", 0xF0FE: "☒"}.get(
        code, "" if 0xE000 <= code <= 0xF8FF else chr(code)
    )
