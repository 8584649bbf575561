"""HTML: everything a reader sees, in order. Navigation, page heads and feet are kept as furniture; scripts and styles are not text."""

from __future__ import annotations

import re

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.errors import Empty
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.formulas import mathml_text
from ingestion.readers.base.source import Source
from ingestion.readers.base.table_grid import Cell, guess_header_rows, lay_out_cells
from ingestion.readers.base.timestamps import parse_timestamp
from ingestion.readers.text.latex_text import formula_to_text, write_out_formulas
from ingestion.readers.text.plain_text import place_text
from ingestion.readers.text.wrapped_lines import wrapped_width

FORMATS = (
    Format(
        name="html",
        title="web page",
        kind=FileKind.WEB,
        viewer=Viewer.TEXT,
        suffixes=(".html", ".htm", ".xhtml"),
        rare_suffixes=(".shtml",),
        name_role=NameRole.CHOOSES,
        spoken_with_files=("html", "htm"),
    ),
)
_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)|^<\?xml[^>]+encoding\s*=\s*[\"']([\w-]+)", re.I)
_DROPPED = frozenset("script style template noscript head iframe object embed canvas svg audio video map datalist".split())
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr img input blink o".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LABEL = re.compile(r"(?:^|[-_ ])(?:label|key|term)(?=$| )", re.I)  # classes of a form's two halves
_VALUE = re.compile(r"(?:^|[-_ ])value(?=$| )", re.I)
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[A-Za-z])[.)]?(?= |$)")  # of a field, set as a block in front of it
_LONGEST_LABEL = 80
# What keeps a description from being one line behind its term.
_PARTED = "self::table or self::ul or self::ol or self::dl or self::pre or self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6"
_MAX_DEPTH = 120  # no page that is meant to be read nests deeper; below it only the text counts
_DRAWN_TWICE = "katex-html"  # the same formula stands beside it in MathML
_SPACE = re.compile(r"[ \t\n\r\f]+")
# In a cell these mean that the table only arranges a page.
_LAYOUT = "self::table or self::h1 or self::h2 or self::h3 or self::h4 or self::form or self::article or self::pre"


def extract(source: Source) -> ExtractedDocument:
    """Read a page or a fragment in any encoding.

    Raises:
        Empty: no text in it.
    """
    match = _META_CHARSET.search(source.data[:4096])
    declared = (match[1] or match[2]).decode("ascii") if match else ""
    decoded = decode(source.data, declared=declared, limit=8 * source.limits.characters)
    builder = DocumentBuilder("html", limit=source.limits.characters)
    place_html(builder, decoded.text)
    if decoded.truncated:
        builder.warn(f"The page was cut after {8 * source.limits.characters:,} bytes.")
    return builder.build()


def place_html(builder: DocumentBuilder, markup: str) -> None:
    """Put the blocks and the metadata of a page into `builder`.

    Raises:
        Empty: there is no element in it.
    """
    parser = HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = document_fromstring(markup.encode("utf-8", errors="replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise Empty("There is no text in this page.") from error
    builder.metadata = _metadata(root)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        _place_flat(builder, markup)
        return
    body = root.find("body")
    start = body if body is not None else root
    framed = sum(
        len(element.text_content().split()) for element in start.xpath(".//nav | .//header | .//footer | .//*[@role]") if _is_furniture(element)
    )
    # A page that is nothing but frame has its content there: then nothing is set apart.
    _HtmlWalker(builder, set_apart=framed < len(start.text_content().split())).walk_element(start)


def _place_flat(builder: DocumentBuilder, markup: str) -> None:
    """Place the text of a page that lxml gives up on because it is nested thousands of levels deep."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(markup, "html.parser")
    for element in soup(["script", "style", "template", "noscript", "title"]):
        element.extract()
    place_text(builder, soup.get_text("\n"))
    builder.warn("The page is nested too deeply: it was read without its structure.")


def _is_label(element: HtmlElement) -> bool:
    """Return whether an element names what the next one holds: a term before its description, a form's label before its value."""
    after, text = element.getnext(), clean_line(element.text_content())
    if after is None or not text or text.endswith(("?", "!")) or len(text) > _LONGEST_LABEL or clean_line(element.tail or ""):
        return False
    value = clean_line(after.text_content())  # a description in sentences stands below its term as below a heading
    if not 0 < len(value) <= _LONGEST_LABEL or value.endswith(".") or after.xpath(f".//*[{_PARTED}]"):
        return False
    if element.tag == "dt":
        return str(after.tag) == "dd"
    return bool(_LABEL.search(element.get("class", "")) and _VALUE.search(after.get("class", "")))


def _is_number_of_next(element: HtmlElement) -> bool:
    """Return whether an element is only the number that stands in front of the words beside it."""
    after = element.getnext()
    if after is None or element.getprevious() is not None or after.tag not in _INLINE or clean_line(element.tail or ""):
        return False
    return _NUMBER.fullmatch(clean_line(element.text_content())) is not None


def _is_furniture(element: HtmlElement) -> bool:
    role = element.get("role", "")
    if element.tag == "nav" or role in ("navigation", "contentinfo", "search"):
        return True
    if element.tag not in ("header", "footer") and role != "banner":
        return False
    if next(element.iterancestors("article", "main", "section", "blockquote"), None) is not None:
        return False
    return element.find(".//h1") is None


class _HtmlWalker:
    """Collects inline text until a block begins or ends, then places it as what the open elements say it is."""

    def __init__(self, builder: DocumentBuilder, *, set_apart: bool) -> None:
        self._builder = builder
        self._set_apart = set_apart
        self._text: list[str] = []
        self._alternatives: list[str] = []
        self._links: list[tuple[str, str]] = []
        self._depth = 0
        self._lists: list[int | None] = []
        self._marker = ""
        self._in_item = 0
        self._kinds: list[BlockKind] = []

    def walk_element(self, element: HtmlElement) -> None:
        """Place an element and what it holds (not the text behind it)."""
        tag = element.tag
        if tag == "math" or (tag == "script" and element.get("type", "").startswith("math/tex")):
            self._text.append(f" {mathml_text(element) if tag == 'math' else formula_to_text(element.text or '')} ")
            return
        if not isinstance(tag, str) or tag in _DROPPED or self._builder.full or _DRAWN_TWICE in element.get("class", ""):
            return
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._text.append(element.text_content())
        elif tag in _INLINE:
            self._walk_inline(element)
        elif tag == "br":
            self._text.append("\n")
        else:
            self._flush()
            self._walk_block(element, tag)
            self._flush()
        self._depth -= 1

    def _walk_inline(self, element: HtmlElement) -> None:
        if element.tag == "img" and (alternative := (element.get("alt") or "").strip()):
            self._alternatives.append(alternative)
        if element.tag == "input":
            if element.get("type", "text").lower() in ("text", "submit", "button", "email", "number", "date", "tel", "url"):
                self._text.append(element.get("value") or "")
            return
        if element.tag == "a" and (target := element.get("href")):
            self._links.append((element.text_content(), target))
        self._walk_children(element)
        if _is_label(element) and not "".join(self._text).rstrip().endswith(":"):
            self._text.append(": ")

    def _walk_children(self, element: HtmlElement) -> None:
        if element.text:
            self._text.append(_SPACE.sub(" ", element.text))
        for child in element:
            self.walk_element(child)
            if child.tail:
                self._text.append(_SPACE.sub(" ", child.tail))

    def _walk_block(self, element: HtmlElement, tag: str) -> None:
        if tag in _HEADINGS and not self._kinds:
            self._place_heading(element, _HEADINGS[tag])
        elif tag == "pre":
            self._place_preformatted(element)
        elif tag == "table":
            self._place_table(element)
        elif _is_label(element):
            self._marker = f"{self._marker} {clean_line(element.text_content()).rstrip(':')}:".strip()
        elif _is_number_of_next(element):
            number = clean_line(element.text_content())
            self._marker = f"{number}." if number.isdecimal() else number
        elif tag in ("ul", "ol", "menu"):
            self._lists.append(_first_number(element) if tag == "ol" else None)
            self._walk_within(element, None)
            self._lists.pop()
        elif tag == "li":
            self._place_item(element)
        else:
            self._walk_within(element, self._kind(element, tag))

    def _place_preformatted(self, element: HtmlElement) -> None:
        """Place code as it stands, and prose that was broken at a width as its paragraphs."""
        text = element.text_content()
        if element.find(".//code") is None and wrapped_width([line.rstrip() for line in text.splitlines()]):
            place_text(self._builder, text)
        else:
            self._builder.code(text)

    def _kind(self, element: HtmlElement, tag: str) -> BlockKind | None:
        if tag in ("figcaption", "caption"):
            return BlockKind.CAPTION
        if tag == "blockquote":
            return BlockKind.QUOTE
        if self._set_apart and _is_furniture(element):
            return BlockKind.FURNITURE
        return None

    def _walk_within(self, element: HtmlElement, kind: BlockKind | None) -> None:
        if kind:
            self._kinds.append(kind)
        self._walk_children(element)
        self._flush()
        if kind:
            self._kinds.pop()

    def _place_heading(self, element: HtmlElement, level: int) -> None:
        self._walk_children(element)
        text = clean_line("".join(self._text))
        self._text.clear()
        if len(text) > 300:  # a whole page inside a heading is a mistake of its author
            self._builder.paragraph(text)
        else:
            self._builder.heading(text, level)
        self._place_links()

    def _place_links(self) -> None:
        """Place the links of the block that was just placed."""
        for anchor, target in self._links:
            self._builder.link(anchor, target)
        self._links.clear()

    def _place_item(self, element: HtmlElement) -> None:
        number = self._lists[-1] if self._lists else None
        self._marker = "•" if number is None else f"{number}."
        if number is not None:
            self._lists[-1] = number + 1
        self._in_item += 1
        self._walk_within(element, None)
        self._in_item -= 1
        self._marker = ""

    def _flush(self) -> None:
        text, alternatives = write_out_formulas("".join(self._text).strip()), "\n".join(self._alternatives)
        self._text.clear()
        self._alternatives.clear()
        if not text:
            # A picture that stands alone is what its description says; within a sentence it is decoration.
            self._builder.block(BlockKind.FURNITURE if BlockKind.FURNITURE in self._kinds[:1] else BlockKind.CAPTION, alternatives)
            self._links.clear()
            return
        kind = self._kinds[0] if BlockKind.FURNITURE in self._kinds[:1] else (self._kinds[-1] if self._kinds else None)
        text = f"{self._marker} {text}" if self._marker else text
        if kind:
            self._builder.block(kind, text)
        elif self._in_item or _NUMBER.match(self._marker):
            self._builder.list_item(text, max(1, len(self._lists)))
        else:
            self._builder.paragraph(text)
        self._place_links()
        self._marker = ""

    # -- tables ----------------------------------------------------------------------------------------------------------------------

    def _place_table(self, table: HtmlElement) -> None:
        rows = table.xpath("./tr | ./thead/tr | ./tbody/tr | ./tfoot/tr")
        if _is_arranged(table, rows) or BlockKind.FURNITURE in self._kinds:
            self._walk_within(table, None)
            return
        caption = table.find("caption")
        title = clean_line(caption.text_content()) if caption is not None else ""
        if title:
            self._builder.block(BlockKind.CAPTION, title)
        cells = [[_cell(cell) for cell in row if cell.tag in ("td", "th")] for row in rows]
        grid = lay_out_cells(cells)
        declared = _declared_header_rows(rows)
        has_headers = any(cell.header for row in cells for cell in row)
        header = declared or (0 if has_headers else guess_header_rows(grid.rows))
        self._builder.table(grid.rows, header_rows=header, caption=title, spans=grid.spans)
        self._links += [(link.text_content(), link.get("href")) for link in table.iter("a") if link.get("href")]
        self._place_links()


def _is_arranged(table: HtmlElement, rows: list[HtmlElement]) -> bool:
    """Return whether a table only puts things side by side, or below one another."""
    return table.get("role") == "presentation" or bool(table.xpath(f".//*[{_LAYOUT}]")) or max((len(row) for row in rows), default=0) < 2


def _cell(element: HtmlElement) -> Cell:
    return Cell(_cell_text(element), _span(element, "colspan"), _span(element, "rowspan"), element.tag == "th")


def _cell_text(element: HtmlElement) -> str:
    """Return all text of a cell; a space where a block or a line ends."""
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        inline = node.tag in _INLINE
        if event == "start":
            parts.append("" if inline else " ")
            if node.tag == "math":
                parts.append(f" {mathml_text(node)} ")
                walker.skip_subtree()
            elif node.tag in _DROPPED or not isinstance(node.tag, str):
                walker.skip_subtree()
            else:
                parts.append(node.text or "")
        elif node is not element:
            parts.append(("" if inline else " ") + (node.tail or ""))
    return "".join(parts)


def _span(element: HtmlElement, name: str) -> int:
    value = element.get(name, "1").strip()
    return int(value) if value.isdecimal() and len(value) < 6 else 1


def _declared_header_rows(rows: list[HtmlElement]) -> int:
    """Return leading rows in a thead, or made of th alone."""
    count = 0
    for row in rows:
        tags = {cell.tag for cell in row if cell.tag in ("td", "th")}
        if row.getparent().tag != "thead" and tags != {"th"}:
            break
        count += 1
    return count if count < len(rows) else 0


def _first_number(element: HtmlElement) -> int:
    value = element.get("start", "1")
    return int(value) if value.lstrip("-").isdecimal() and len(value) < 9 else 1


def _metadata(root: HtmlElement) -> Metadata:
    named = {(meta.get("name") or meta.get("property") or "").lower(): clean_line(meta.get("content") or "") for meta in root.iter("meta")}

    def first(*names: str) -> str:
        return next((named[name] for name in names if named.get(name)), "")

    title, author, description = root.find(".//title"), first("author"), first("description", "og:description")
    return Metadata(
        title=clean_line((title.text_content() if title is not None else "") or first("og:title")),
        authors=(author,) if author else (),
        created_at=parse_timestamp(first("article:published_time", "date", "dcterms.created")),
        modified_at=parse_timestamp(first("article:modified_time", "last-modified")),
        language=(root.get("lang") or "").split("-")[0].lower(),
        extra={"description": description} if description else {},
    )
