"""XML of any kind: records as tables, values under their names, and prose (DocBook, TEI and the like) as headings and paragraphs."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.formulas import mathml_text
from ingestion.readers.base.source import Source
from ingestion.readers.text.json_files import place_value
from ingestion.readers.text.plain_text import place_text

FORMATS = (
    Format(
        name="xml",
        title="XML",
        kind=FileKind.MARKUP,
        viewer=Viewer.CODE,
        suffixes=(".xml",),
        rare_suffixes=tuple(".xsd .svg .rss .atom .opml .dbk .tei .kml .gpx .rdf .owl .wsdl .plist".split()),
        name_role=NameRole.CHOOSES,
        spoken_with_files=("xml",),
    ),
)
_MAX_DEPTH = 100
_XSI = "XMLSchema-instance"  # where the schema lies says nothing of the content
_TITLES = frozenset({"title", "head", "heading", "caption", "subtitle"})
_BLOCKS = frozenset("p para simpara paragraph ab lg l line item listitem entry td th cell verse sp speaker quote blockquote note footnote".split())
_CODES = frozenset({"programlisting", "screen", "code-block", "literallayout", "pre"})
_ENCODING = re.compile(rb"^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)")


def extract(source: Source) -> ExtractedDocument:
    """Read an XML document. Entities are not expanded and nothing is fetched; what is no valid XML is read as far as it goes, with a warning.

    Raises:
        Empty: no text in it, neither in elements nor in attributes.
    """
    limit = 4 * source.limits.characters
    builder = DocumentBuilder("xml", limit=source.limits.characters)
    root, errors = _parse_root(source.data[:limit])
    if root is None:
        builder.warn("This is no valid XML: it was read as plain text.")
        place_text(builder, re.sub(r"<[^<>]*>", " ", decode(source.data, limit=limit).text))
        return builder.build()
    if len(source.data) > limit:
        builder.warn(f"Only the first {limit:,} bytes were read.")
    elif errors:
        builder.warn(f"The XML is not well formed ({errors}): what could be read of it was kept.")
    if _is_prose(root):
        _ProsePlacer(builder).place_element(root, 0)
    else:
        place_value(builder, {_name(root): _value(root, 0)} if not len(root) else _value(root, 0), source)
    builder.metadata = _metadata(root)
    return builder.build()


def _parse_root(data: bytes) -> tuple[Any | None, str]:
    """Return the root element, and the first error if there was one."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(data, parser=parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None and (match := _ENCODING.match(data)):
        # An encoding that is unknown or wrong: the text decides.
        text = decode(data, declared=match[1].decode("ascii")).text
        return _parse_root(re.sub(r"^\s*<\?xml[^>]*\?>", "", text).encode("utf-8", errors="replace"))
    error = parser.error_log[0] if len(parser.error_log) else None
    return root, f"line {error.line}: {error.message[:80]}" if error is not None else ""


def _name(element: Any) -> str:
    return str(etree.QName(element).localname) if isinstance(element.tag, str) else ""


# -- data --------------------------------------------------------------------------------------------------------------------------------


def _value(element: Any, depth: int) -> Any:
    """Return an element as JSON would have it: its text, or its attributes and children by name, repeated ones as a list."""
    if depth > _MAX_DEPTH:
        return clean_line("".join(element.itertext()))
    text = clean_line(element.text or "") + "".join(clean_line(child.tail or "") for child in element)
    found = _attributes(element)
    for name, values in _values_by_name(element, depth + 1).items():
        key = name if name not in found else f"{name} "
        found[key] = values[0] if len(values) == 1 else values
    if not found and not element.attrib:
        return text
    if text:
        found["text" if "text" not in found else "content"] = text
    return found["text"] if set(found) == {"text"} else found


def _attributes(element: Any) -> dict[str, Any]:
    return {etree.QName(name).localname: value for name, value in element.attrib.items() if value.strip() and _XSI not in name}


def _values_by_name(element: Any, depth: int) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for child in element:
        if name := _name(child):
            found.setdefault(name, []).append(_value(child, depth))
    return found


# -- prose -------------------------------------------------------------------------------------------------------------------------------


def _is_prose(root: Any) -> bool:
    """Return whether text stands beside elements, as in a document for people: several times, or for most of what is written."""
    mixed = total = 0
    for element in root.iter(etree.Element):
        if _name(element) in ("p", "para") and (element.text or "").strip():
            return True
        inner = len(element) and any((child.tail or "").strip() for child in element)
        mixed += bool(inner)
        total += 1
        if total > 20_000:
            break
    return mixed >= max(2, total // 50)


class _ProsePlacer:
    """Places titles as headings by their depth, other texts as paragraphs."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._level = 0

    def place_element(self, element: Any, depth: int) -> None:
        name = _name(element).lower()
        if not name or self._builder.full or name in ("teiheader", "info", "articleinfo", "bookinfo", "style", "script"):
            return
        if name == "math":
            self._builder.paragraph(mathml_text(element))
        elif name in _CODES:
            self._builder.code("".join(element.itertext()))
        elif name in _TITLES and len(clean_line("".join(element.itertext()))) <= 300:
            self._builder.heading("".join(element.itertext()), max(1, self._level))
        elif name in ("table", "informaltable"):
            self._place_table(element)
        elif name in _BLOCKS or depth > _MAX_DEPTH or not self._holds_blocks(element):
            self._place_block(element, name)
        else:
            self._place_container(element, depth)

    def _holds_blocks(self, element: Any) -> bool:
        """Return whether its children are blocks: no text stands beside them."""
        return len(element) > 0 and not any((child.tail or "").strip() for child in element) and not (element.text or "").strip()

    def _place_container(self, element: Any, depth: int) -> None:
        headed = any(_name(child).lower() in _TITLES for child in element)
        self._level += headed
        for child in element:
            self.place_element(child, depth + 1)
        self._level -= headed

    def _place_block(self, element: Any, name: str) -> None:
        text = _flowing_text(element)
        if name in ("item", "listitem"):
            self._builder.list_item(f"• {clean_line(text)}")
        elif name in ("note", "footnote"):
            self._builder.block(BlockKind.NOTE, clean_line(text))
        elif name in ("quote", "blockquote"):
            self._builder.block(BlockKind.QUOTE, clean_line(text))
        else:
            self._builder.paragraph(clean_line(text))

    def _place_table(self, table: Any) -> None:
        rows = [[_flowing_text(cell) for cell in row if _name(cell)] for row in table.iter("{*}row", "{*}tr")]
        if rows:
            self._builder.table(rows, header_rows=1 if any(_name(part) == "thead" for part in table.iter(etree.Element)) else 0)
        else:
            self._builder.paragraph(_flowing_text(table))


def _flowing_text(element: Any) -> str:
    """Return all text below an element; formulas as text."""
    if not any(_name(part) == "math" for part in element.iter(etree.Element)):
        return "".join(element.itertext())
    parts = [element.text or ""]
    for child in element:
        parts.append(mathml_text(child) if _name(child) == "math" else _flowing_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _metadata(root: Any) -> Metadata:
    """Return the title and the language, where the document has some."""
    title = next((clean_line("".join(part.itertext())) for part in root.iter("{*}title") if _name(part)), "") if len(root) else ""
    language = root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return Metadata(title=title[:300], language=language.split("-")[0].lower())
