"""Source code and configuration as text: one block for each function, class or paragraph of the file, under the name of what it defines."""

from __future__ import annotations

import re

from core.documents import ExtractedDocument
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import Source

FORMATS = (
    Format(
        name="code",
        title="source code",
        kind=FileKind.CODE,
        viewer=Viewer.CODE,
        suffixes=tuple(
            ".py .pyi .js .jsx .mjs .cjs .ts .tsx .java .kt .kts .scala .groovy .c .h .cc .cpp .cxx .hpp .hh .cs .go .rs .rb .php "
            ".swift .mm .pl .pm .r .jl .lua .sh .bash .zsh .fish .ps1 .bat .cmd .sql .css .scss .less .vue .svelte .dart .ex .exs "
            ".erl .hs .clj .lisp .el .ml .fs .vb .asm .s .proto .gradle .cmake .mk .ini .cfg .conf .properties .env .xsl .xslt "
            ".graphql .dockerfile".split()
        ),
        file_names=("makefile", "dockerfile", "jenkinsfile", "vagrantfile", "rakefile", "gemfile", "cmakelists.txt", "justfile"),
        name_role=NameRole.CHOOSES,
        doc_type="code",
        is_streamed=True,
    ),
)
_BLOCK_LINES = 60
_SMALL = 12
# A line at the margin that begins a definition in one of the usual languages, with the lines of decorators and comments above it.
_DEFINITION = re.compile(
    r"^(?:@\w|(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub|unsafe|inline|virtual|extern|const|sealed|override)"
    r"\b[\w()]*\s+)*"
    r"(?:def|class|function|func|fn|fun|interface|struct|enum|trait|impl|module|namespace|type|sub|object|record|create\s+(?:or\s+replace\s+)?(?:table|view|function))\b)",
    re.I,
)
_NAMED = re.compile(
    r"^(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub|unsafe|inline|virtual|extern|const|sealed|override|data|open)"
    r"\b[\w()]*\s+)*(?P<kind>def|class|function|func|fn|fun|interface|struct|enum|trait|impl|module|namespace|type|sub|object|record|"
    r"create\s+(?:or\s+replace\s+)?(?:table|view|function))\b[\s*]*(?:\([^)]{0,80}\)\s*)?(?:if\s+not\s+exists\s+)?(?:<[^>]{0,80}>\s*)?(?P<name>[\w$.:~]+)",
    re.I,
)
# What begins a method within a class: a definition, or a name with arguments and a body.
_METHOD = re.compile(
    r"^(?:@\w|(?:(?:public|private|protected|internal|static|final|abstract|async|pub|override|virtual|inline|const|get|set)\b\s*)*"
    r"(?:(?:def|function|func|fn|fun|sub)\s+(?P<defined>[\w$~]+)|(?!(?:if|for|while|switch|return|else|catch|with|do|try|elif|when|match)\b)"
    r"(?:[\w<>\[\],.?*&:]+\s+){0,4}(?P<method>[\w$~]+)\s*\([^;]*\)[^;=]*[{:]?\s*$))"
)
_HOLDERS = frozenset({"class", "interface", "struct", "enum", "trait", "impl", "module", "namespace", "object", "record"})
_ABOVE = re.compile(r"^(?:#|//|/\*|\*|--|@|\[|\"\"\"|'''|;)")


def extract(source: Source) -> ExtractedDocument:
    """Read code in any language, with its indentation.

    Raises:
        Empty: only white space.
    """
    limit = 4 * source.limits.characters
    decoded = decode(source.read_beginning(limit + 1), limit=limit)
    builder = DocumentBuilder("code", limit=source.limits.characters)
    holder = False
    for piece in _pieces(decoded.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        holder = _place_piece(builder, piece, within=holder)
    if decoded.truncated:
        builder.warn(f"The text was cut after {source.limits.characters:,} characters.")
    return builder.build()


def _place_piece(builder: DocumentBuilder, piece: list[str], *, within: bool) -> bool:
    """Place a piece under the name of what it defines; a long class is cut before its methods, each under its own name.

    `within` says that a class is open which the piece may go on with; whether one is open behind it.
    """
    goes_on = within and next(line for line in piece if line.strip())[0].isspace()
    name, kind = ("", "class") if goes_on else _symbol(piece, "")
    if not goes_on:
        builder.section(name, 1)
    if kind not in _HOLDERS or (len(piece) <= _BLOCK_LINES and not goes_on):
        builder.code("\n".join(piece))
        return kind in _HOLDERS
    margin = _inner_margin(piece)
    for number, part in enumerate(_methods(piece, margin)):
        if (number or goes_on) and (method := _symbol(part, " " * margin)[0]):
            builder.section(method, 2)
        builder.code("\n".join(part))
    return True


def _inner_margin(piece: list[str]) -> int:
    """Return how far the lines below the first that are indented stand in at least."""
    return min((len(line) - len(line.lstrip()) for line in piece[1:] if line.strip() and line[:1].isspace()), default=0)


def _methods(piece: list[str], margin: int) -> list[list[str]]:
    """Return a class cut before each of its methods, with what stands above it."""
    parts: list[list[str]] = [[]]
    for line in piece:
        if margin and len(line) - len(line.lstrip()) == margin and _METHOD.match(line.lstrip()):
            carried: list[str] = []
            while parts[-1] and parts[-1][-1][:1].isspace() and _ABOVE.match(parts[-1][-1].lstrip()):
                carried.insert(0, parts[-1].pop())
            parts.append(carried)
        parts[-1].append(line)
    return [part for part in parts if any(line.strip() for line in part)]


def _symbol(piece: list[str], margin: str) -> tuple[str, str]:
    """Return the name of what begins at the margin ("class Box", "add"), and the word that says what it is; "" for loose lines."""
    for line in piece:
        text = line.removeprefix(margin)
        if not text.strip() or text[0].isspace() or _ABOVE.match(text):
            continue
        if match := _NAMED.match(text):
            kind = match["kind"].lower().split()[-1]
            name = match["name"].rstrip(":.")
            return (f"{kind} {name}" if kind in _HOLDERS else name), kind
        match = _METHOD.match(text)
        return (match["method"], "") if match and match["method"] else ("", "")
    return "", ""


def _pieces(lines: list[str]) -> list[list[str]]:
    """Cut before each definition at the margin (with the comment above it) and, in long stretches, at blank lines."""
    pieces: list[list[str]] = [[]]
    for index, line in enumerate(lines):
        if _begins_piece(lines, index, pieces[-1]):
            carried: list[str] = []
            while pieces[-1] and _DEFINITION.match(line) and _ABOVE.match(pieces[-1][-1]):
                carried.insert(0, pieces[-1].pop())
            pieces.append(carried)
        pieces[-1].append(line)
    return [piece for piece in pieces if any(line.strip() for line in piece)]


def _begins_piece(lines: list[str], index: int, piece: list[str]) -> bool:
    line = lines[index]
    if not piece or not line.strip() or line[0].isspace():
        return len(piece) >= 3 * _BLOCK_LINES and bool(line.strip()) and not lines[index - 1].strip()
    if _DEFINITION.match(line) and any(not _ABOVE.match(previous) for previous in piece if previous.strip()):
        return True
    return not lines[index - 1].strip() and len(piece) >= (_SMALL if _ABOVE.match(line) else _BLOCK_LINES)
