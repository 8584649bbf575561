"""Workbooks of Excel 5 to 2003 (.xls, .xlt): every sheet with its values as they are shown, merged cells and comments."""

from __future__ import annotations

from core.documents import BlockKind, ExtractedDocument, PageUnit
from core.errors import Encrypted, Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.sheet_tables import group_rows, place_groups
from ingestion.readers.base.source import Source
from ingestion.readers.legacy.biff import CHART, WORKSHEET, Workbook, password_record
from ingestion.readers.legacy.ciphers import unlock_workbook
from ingestion.readers.legacy.ole_summary import summary

FORMATS = (
    Format(
        name="xls",
        title="Excel workbook",
        kind=FileKind.SPREADSHEET,
        viewer=Viewer.SHEET,
        suffixes=(".xls",),
        rare_suffixes=(".xlt",),
        name_role=NameRole.PROMISES,
        ole_streams=("Workbook", "Book"),
        spoken_endings=("xls",),
    ),
)
_LOCKED = "The workbook is encrypted: it needs a password."
_WRONG = "The workbook is encrypted, and the password that was given does not open it."


def extract(source: Source) -> ExtractedDocument:
    """Read a .xls or .xlt.

    Raises:
        Malformed: it cannot be opened.
        Encrypted: it needs a password, or another one.
        Empty: no cell of any sheet holds anything.
    """
    container = CompoundFile(source.data)
    workbook = Workbook(_stream(container, source.password))
    if not workbook.sheets:
        raise Malformed("This Excel workbook is damaged: it lists no sheets.")
    builder = DocumentBuilder("xls", page_unit=PageUnit.SHEET, limit=source.limits.characters)
    builder.metadata = summary(container)
    cells_left = source.limits.cells
    for sheet in workbook.sheets[: source.limits.pages]:
        if sheet.kind not in (WORKSHEET, CHART):
            continue
        label = f"{sheet.name} (hidden)" if sheet.hidden else sheet.name
        builder.page(label)
        content = workbook.content(sheet, cells_left)
        cells_left -= content.cells
        groups = group_rows(content.lines())
        if groups or content.notes:
            builder.heading(label, 1)
        place_groups(builder, groups, content.merged_cells)
        for note in content.notes:
            builder.block(BlockKind.NOTE, note)
        if content.truncated or builder.full:
            last = max(content.rows, default=0)
            builder.note_omitted_rows()
            builder.warn(f"Only the first {last:,} rows of sheet “{label}” and the sheets before it were read: the limits are reached.")
            break
    return builder.build()


def _stream(container: CompoundFile, password: str) -> bytes:
    """Return the stream of the workbook in the clear.

    Raises:
        Encrypted: it needs a password, or another one.
    """
    stream = container.stream("Workbook") or container.stream("Book")
    header = password_record(stream)
    if header is None:
        return stream
    clear = unlock_workbook(stream, header, password)
    if clear is None:
        raise Encrypted(_WRONG if password else _LOCKED)
    return clear
