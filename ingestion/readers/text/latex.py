"""LaTeX as a reader of the printed page sees it: headings, paragraphs, lists, tables, captions, notes; formulas as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line, clean_text
from ingestion.readers.base.source import Source
from ingestion.readers.base.table_grid import Cell, guess_header_rows, lay_out_cells
from ingestion.readers.text.latex_text import latex_to_text, read_argument, strip_comments

FORMATS = (Format("latex", "LaTeX", FileKind.MARKUP, Viewer.CODE, (".tex",), (".ltx", ".latex"), name_role=NameRole.CHOOSES),)
_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6, "frametitle": 2}
_FORMULAS = frozenset("equation align gather multline eqnarray displaymath math flalign alignat".split())
_CODES = frozenset({"verbatim", "lstlisting", "minted", "Verbatim", "alltt", "algorithmic"})
_LISTS = {"itemize": "•", "enumerate": "1.", "description": ""}
_TABLES = frozenset({"tabular", "tabularx", "tabulary", "longtable", "array", "tabu"})
_QUOTES = frozenset({"quote", "quotation", "verse"})
_LEFT_OUT = frozenset({"tikzpicture", "comment", "thebibliography@", "filecontents", "pgfpicture"})
_COMMAND = re.compile(
    r"\\(?P<heading>part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|frametitle)\*?\s*(?:\[[^\]]*\])?(?=\{)"
    r"|\\begin\s*\{(?P<begin>[^}]{1,40})\}|\\end\s*\{(?P<end>[^}]{1,40})\}"
    r"|\\(?P<item>item|bibitem)\b\s*(?:\[(?P<label>[^\]]*)\])?|\\(?P<aside>footnote|caption|footnotetext|marginpar)\b\s*(?:\[[^\]]*\])?(?=\{)"
    r"|(?P<display>\$\$|\\\[)|(?P<break>\n[ \t]*\n\s*|\\par\b|\\maketitle\b)"
)
_ROWS = re.compile(r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline\b")
_CELLS = re.compile(r"(?<!\\)&")
_LINES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)\b|\\(?:cline|cmidrule)\s*(?:\([^)]*\))?\{[^}]*\}"
)
_MULTICOLUMN = re.compile(r"^\s*\\multicolumn\s*\{(\d{1,3})\}\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*(?=\{)")
_MULTIROW = re.compile(r"^\s*\\multirow\s*(?:\[[^\]]*\])?\{(\d{1,3})\}\s*(?:\[[^\]]*\])?\{[^}]*\}\s*(?=\{)")
_MAX_ITEMS = 200_000


def extract(source: Source) -> ExtractedDocument:
    """Read a .tex file, a whole document or a part of one. Files that it includes are documents of their own.

    Raises:
        Empty: no text in it.
    """
    decoded = decode(source.data, limit=4 * source.limits.characters)
    builder = DocumentBuilder("latex", limit=source.limits.characters)
    text = strip_comments(decoded.text.replace("\r\n", "\n").replace("\r", "\n"))
    builder.metadata = _metadata(text)
    begin = text.find(r"\begin{document}")
    body = text[begin + len(r"\begin{document}") :] if begin >= 0 else text
    end = body.find(r"\end{document}")
    if begin >= 0 and builder.metadata.title:
        builder.heading(builder.metadata.title, 1)
    _LatexWalker(builder, body[: end if end >= 0 else None]).place_body()
    if decoded.truncated:
        builder.warn(f"The text was cut after {4 * source.limits.characters:,} bytes.")
    return builder.build()


def _metadata(text: str) -> Metadata:
    """Return title and authors of the preamble."""
    found = {}
    for name in ("title", "author"):
        match = re.search(rf"\\{name}\s*(?:\[[^\]]*\])?(?=\{{)", text)
        found[name] = read_argument(text, match.end())[0] if match else ""
    authors = re.split(r"\\and\b|\\AND\b|,(?![^{]*\})", re.sub(r"\\thanks\s*\{[^{}]*\}", "", found["author"]))
    names = tuple(name for author in authors if (name := clean_line(latex_to_text(author.split(r"\\")[0]))))
    return Metadata(title=clean_line(latex_to_text(re.sub(r"\\thanks\s*\{[^{}]*\}", "", found["title"])))[:300], authors=names[:30])


@dataclass(slots=True)
class _LatexWalker:
    """Goes through the body once; text is collected until something ends the paragraph."""

    builder: DocumentBuilder
    text: str
    pieces: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lists: list[list[str | int]] = field(default_factory=list)
    quotes: int = 0
    marker: str = ""
    unclosed: set[str] = field(default_factory=set)

    def place_body(self) -> None:
        at = 0
        while not self.builder.full:
            match = _COMMAND.search(self.text, at)
            if match is None:
                break
            self.pieces.append(self.text[at : match.start()])
            at = self._handle_command(match)
        self.pieces.append(self.text[at:])
        self._flush()

    def _handle_command(self, match: re.Match[str]) -> int:
        """Act on a command; return the offset behind it."""
        if match["heading"]:
            self._flush()
            title, end = read_argument(self.text, match.end())
            self.builder.heading(latex_to_text(title), _LEVELS[match["heading"]])
            return end
        if match["aside"]:
            content, end = read_argument(self.text, match.end())
            if match["aside"] == "caption":
                self._flush()
                self.builder.block(BlockKind.CAPTION, latex_to_text(content))
            else:
                self.notes.append(latex_to_text(content))
            return end
        if match["item"]:
            self._begin_item(match)
        elif match["begin"]:
            return self._begin_environment(match["begin"].strip(), match.end())
        elif match["end"]:
            self._end_environment(match["end"].strip())
        elif match["display"]:
            return self._place_display_formula(match)
        else:
            self._flush()
        return match.end()

    def _place_display_formula(self, match: re.Match[str]) -> int:
        """Place a formula on lines of its own; return the offset behind it."""
        closing = "$$" if match["display"] == "$$" else r"\]"
        end = self.text.find(closing, match.end())
        self._flush()
        if end < 0:
            return match.end()
        self._place_formula(self.text[match.end() : end])
        return end + 2

    def _place_formula(self, content: str) -> None:
        for line in _ROWS.split(content):
            self.builder.paragraph(clean_line(latex_to_text(f"${line.replace('&', ' ')}$")))

    def _begin_item(self, match: re.Match[str]) -> None:
        self._flush()
        if not self.lists:
            self.marker = "•" if match["item"] == "item" else ""
            return
        kind, count = self.lists[-1]
        self.lists[-1][1] = int(count) + 1
        label = latex_to_text(match["label"]) if match["label"] else ""
        self.marker = label or (f"{self.lists[-1][1]}." if kind == "1." else str(kind))

    # -- environments ----------------------------------------------------------------------------------------------------------------

    def _begin_environment(self, name: str, at: int) -> int:
        kind = name.rstrip("*")
        if kind in _FORMULAS | _CODES | _TABLES | _LEFT_OUT:
            return self._place_environment(name, kind, at)
        self._flush()
        if kind in _LISTS and len(self.lists) < 20:
            self.lists.append([_LISTS[kind], 0])
        elif kind in _QUOTES:
            self.quotes += 1
        elif kind == "abstract":
            self.builder.heading("Abstract", 2)
        elif kind == "frame" and (title := read_argument(self.text, at))[0]:
            self.builder.heading(latex_to_text(title[0]), 2)
            return title[1]
        return self._skip_options(at) if kind not in ("document", "abstract") else at

    def _place_environment(self, name: str, kind: str, at: int) -> int:
        """Place an environment that is read in one piece; return the offset behind it."""
        end = -1 if name in self.unclosed else self.text.find(rf"\end{{{name}}}", at)
        if end < 0:
            self.unclosed.add(name)
            return at
        self._flush()
        content = self.text[at:end]
        if kind in _FORMULAS:
            self._place_formula(re.sub(r"^\s*\{\d+\}", "", content))
        elif kind in _CODES:
            self.builder.code(re.sub(r"^\s*(?:\[[^\]]*\])?(?:\{\w+\})?[ \t]*\n", "", content))
        elif kind in _TABLES:
            self._place_table(content, kind)
        return end + len(rf"\end{{{name}}}")

    def _skip_options(self, at: int) -> int:
        """Return the offset behind the options of an environment: "[htb]", "{0.5\\textwidth}"."""
        match = re.compile(r"\s*(?:\[[^\]\n]*\]|\{[^{}\n]{0,60}\})*").match(self.text, at)
        return match.end() if match and match[0].strip() else at

    def _end_environment(self, name: str) -> None:
        self._flush()
        kind = name.rstrip("*")
        if kind in _LISTS and self.lists:
            self.lists.pop()
        elif kind in _QUOTES:
            self.quotes = max(0, self.quotes - 1)

    def _place_table(self, content: str, kind: str) -> None:
        at = read_argument(content, 0)[1] if kind in ("tabularx", "tabulary") else 0
        match = re.compile(r"\s*(?:\[[^\]]*\])?\s*(?=\{)").match(content, at)
        rows_text = content[read_argument(content, match.end())[1] :] if match else content
        rows = [[_cell(cell) for cell in _CELLS.split(row)] for row in _ROWS.split(_LINES.sub(" ", rows_text))[:_MAX_ITEMS]]
        grid = lay_out_cells(_drop_covered_cells([row for row in rows if any(cell.text for cell in row)]))
        self.builder.table(grid.rows, header_rows=guess_header_rows(grid.rows), spans=grid.spans)

    # -- text ------------------------------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        text = clean_text(latex_to_text("".join(self.pieces)))
        self.pieces.clear()
        if text:
            text = re.sub(r"\s*\n\s*", " ", text)
            if self.lists or self.marker:
                self.builder.list_item(f"{self.marker} {text}" if self.marker else text, max(1, len(self.lists)))
            else:
                self.builder.block(BlockKind.QUOTE if self.quotes else BlockKind.PARAGRAPH, text)
            self.marker = ""
        for note in self.notes:
            self.builder.block(BlockKind.NOTE, f"Note: {note}")
        self.notes.clear()


def _cell(text: str) -> Cell:
    columns = rows = 1
    if match := _MULTICOLUMN.match(text):
        columns, text = max(1, int(match[1])), read_argument(text, match.end())[0]
    if match := _MULTIROW.match(text):
        rows, text = max(1, int(match[1])), read_argument(text, match.end())[0]
    return Cell(clean_line(latex_to_text(text)), columns, rows)


def _drop_covered_cells(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Return rows without the empty places that LaTeX wants below a cell over several rows."""
    covered: dict[int, int] = {}
    kept = []
    for row in rows:
        line, column, below = [], 0, {}
        for cell in row:
            if covered.get(column, 0) > 0 and not cell.text:
                below[column] = covered[column] - 1
            else:
                line.append(cell)
                if cell.rows > 1:
                    below[column] = cell.rows - 1
            column += cell.columns
        covered = below
        kept.append(line)
    return kept
