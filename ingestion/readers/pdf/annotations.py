"""Annotations of a PDF: form fields, comments and highlights, names of attached files."""

from __future__ import annotations

import contextlib
import ctypes
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ingestion.readers.base.document_builder import clean_line, clean_text

_MAX_ON_PAGE = 1_000
_MAX_ATTACHMENTS = 200
_MAX_LETTERS = 20_000
_MAX_QUADS = 100
_HIDDEN = 2  # ISO 32000-1, table 165
_MARKUP_LABELS = {
    pdfium.FPDF_ANNOT_HIGHLIGHT: "Highlighted",
    pdfium.FPDF_ANNOT_UNDERLINE: "Underlined",
    pdfium.FPDF_ANNOT_SQUIGGLY: "Underlined",
    pdfium.FPDF_ANNOT_STRIKEOUT: "Struck out",
}
_NOTE_LABELS = {
    pdfium.FPDF_ANNOT_TEXT: "Comment",
    pdfium.FPDF_ANNOT_FREETEXT: "Text box",
    pdfium.FPDF_ANNOT_CARET: "Insertion",
    pdfium.FPDF_ANNOT_STAMP: "Stamp",
    pdfium.FPDF_ANNOT_LINE: "Comment",
    pdfium.FPDF_ANNOT_SQUARE: "Comment",
    pdfium.FPDF_ANNOT_CIRCLE: "Comment",
    pdfium.FPDF_ANNOT_POLYGON: "Comment",
    pdfium.FPDF_ANNOT_INK: "Comment",
    pdfium.FPDF_ANNOT_FILEATTACHMENT: "Attached file",
}
_NO_NOTES = (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP)
_BUTTONS = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_TEXTS = (pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)


@dataclass(frozen=True, slots=True)
class PageAnnotations:
    """The filled fields ("name: value") and the notes of a page; `truncated` says that there were too many to read all."""

    fields: list[str]
    notes: list[str]
    truncated: bool = False


class AnnotationReader:
    """Reads fields and notes of the pages of an open pypdfium2 document; make it before the pages are read."""

    def __init__(self, document: Any) -> None:
        self._document = document
        if document.get_formtype() != pdfium.FORMTYPE_NONE:
            logging.getLogger("pypdfium2").setLevel(logging.ERROR)  # it would say of each XFA form that it reads the plain form beside it only
            document.init_forms()

    def read_page(self, number: int) -> PageAnnotations:
        """Read fields and notes of page `number` (from 1).

        Raises:
            pypdfium2.PdfiumError: it cannot be loaded.
        """
        page = self._document[number - 1]
        fields: list[str] = []
        notes: list[str] = []
        try:
            count = pdfium.FPDFPage_GetAnnotCount(page)
            for annotation in _annotations(page, min(count, _MAX_ON_PAGE)):
                subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
                if subtype == pdfium.FPDF_ANNOT_WIDGET:
                    fields.append(self._field_line(annotation))
                elif subtype in _MARKUP_LABELS or subtype in _NOTE_LABELS:
                    notes.append(_note(page, annotation, subtype))
        finally:
            page.close()
        return PageAnnotations(list(dict.fromkeys(filter(None, fields))), list(dict.fromkeys(filter(None, notes))), count > _MAX_ON_PAGE)

    def _field_line(self, annotation: Any) -> str:
        form = self._document.formenv
        if form is None:
            return ""
        kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
        name = self._read_field_string(pdfium.FPDFAnnot_GetFormFieldAlternateName, annotation) or self._read_field_string(
            pdfium.FPDFAnnot_GetFormFieldName, annotation
        )
        if kind in _BUTTONS:
            return self._button_line(annotation, kind, name)
        value = self._read_field_string(pdfium.FPDFAnnot_GetFormFieldValue, annotation) if kind in _TEXTS else ""
        return f"{name}: {value}" if name and value else value

    def _button_line(self, annotation: Any, kind: int, name: str) -> str:
        checked = bool(pdfium.FPDFAnnot_IsChecked(self._document.formenv, annotation))
        if kind == pdfium.FPDF_FORMFIELD_CHECKBOX:
            return f"{'☒' if checked else '☐'} {name}" if name else ""
        choice = self._read_field_string(pdfium.FPDFAnnot_GetFormFieldExportValue, annotation)
        return f"{name}: {choice}" if checked and name and choice else ""

    def _read_field_string(self, ask: Any, annotation: Any) -> str:
        return clean_line(_read_wide_string(lambda buffer, size: ask(self._document.formenv, annotation, buffer, size)))


def has_annotations(page: Any) -> bool:
    """Return whether an open page has fields or notes, and not links alone."""
    return any(
        pdfium.FPDFAnnot_GetSubtype(annotation) not in _NO_NOTES
        for annotation in _annotations(page, min(_MAX_ON_PAGE, pdfium.FPDFPage_GetAnnotCount(page)))
    )


def attached_names(document: Any) -> list[str]:
    """Return the names of the files that are attached to the document as a whole."""
    names = []
    for index in range(min(_MAX_ATTACHMENTS, max(0, pdfium.FPDFDoc_GetAttachmentCount(document)))):
        if attachment := pdfium.FPDFDoc_GetAttachment(document, index):
            names.append(_file_name(attachment))
    return [name for name in names if name]


def catalogue_language(document: Any) -> str:
    """Return the ISO 639-1 code of the language that the file says it is in, "" where it says none."""
    said = clean_line(_read_wide_string(lambda buffer, size: pdfium.FPDFCatalog_GetLanguage(document, buffer, size))) if document else ""
    code = said.replace("_", "-").partition("-")[0].lower()
    return code if len(code) == 2 and code.isalpha() and code.isascii() else ""


def _annotations(page: Any, count: int) -> Iterator[Any]:
    for index in range(count):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            if not pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
                yield annotation
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _note(page: Any, annotation: Any, subtype: int) -> str:
    """Return a note's text: "Comment by Anna: too late", "Highlighted: “three months” (Anna: check)"."""
    contents, author = clean_text(_string(annotation, b"Contents")), clean_line(_string(annotation, b"T"))
    if subtype == pdfium.FPDF_ANNOT_FILEATTACHMENT:
        contents = contents or _attached_name(annotation)
    if subtype in _NOTE_LABELS:
        kind = _NOTE_LABELS[subtype]
        return f"{kind} by {author}: {contents}" if contents and author else f"{kind}: {contents}" if contents else ""
    marked = _marked_text(page, annotation)
    said = f"{author}: {contents}" if author and contents else contents
    if not marked:
        return f"{_MARKUP_LABELS[subtype]}: {said}" if contents else ""
    return f"{_MARKUP_LABELS[subtype]}: “{marked}”" + (f" ({said})" if said else "")


def _attached_name(annotation: Any) -> str:
    attachment = pdfium.FPDFAnnot_GetFileAttachment(annotation)
    return _file_name(attachment) if attachment else ""


def _file_name(attachment: Any) -> str:
    return clean_line(_read_wide_string(lambda buffer, size: pdfium.FPDFAttachment_GetName(attachment, buffer, size)))


def _marked_text(page: Any, annotation: Any) -> str:
    """Return the text of the page below the marked areas."""
    parts: list[str] = []
    with contextlib.suppress(pypdfium2.PdfiumError):
        text_page = page.get_textpage()
        try:
            points = pdfium.FS_QUADPOINTSF()
            for index in range(min(_MAX_QUADS, pdfium.FPDFAnnot_CountAttachmentPoints(annotation))):
                if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, points):
                    xs, ys = (points.x1, points.x2, points.x3, points.x4), (points.y1, points.y2, points.y3, points.y4)
                    parts.append(text_page.get_text_bounded(min(xs), min(ys), max(xs), max(ys)))
        finally:
            text_page.close()
    return clean_line(" ".join(parts)[:_MAX_LETTERS])


def _string(annotation: Any, key: bytes) -> str:
    return _read_wide_string(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size))


def _read_wide_string(ask: Callable[[Any, int], int]) -> str:
    """Read a string of PDFium: asked for its length first; UTF-16, with a zero at its end."""
    size = min(ask(None, 0), 2 * _MAX_LETTERS)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    if ask(buffer, size) > size:
        return ""
    return bytes(memoryview(buffer)[:-1]).decode("utf-16-le", errors="replace")
