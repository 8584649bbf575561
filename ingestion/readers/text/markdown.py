"""Markdown, by its own parser: the text keeps what a reader sees; markers, link targets and HTML tags are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import Source
from ingestion.readers.base.timestamps import parse_timestamp
from ingestion.readers.text.latex_text import write_out_formulas

FORMATS = (
    Format(
        name="markdown",
        title="Markdown",
        kind=FileKind.TEXT,
        viewer=Viewer.TEXT,
        suffixes=(".md",),
        rare_suffixes=(".markdown", ".mdown", ".mkd", ".mdx", ".qmd"),
        name_role=NameRole.CHOOSES,
        spoken_with_files=("md",),
        is_streamed=True,
        inline=((".md", "text/plain; charset=utf-8"),),
    ),
)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^>]*>", re.S)
_FRONT_MATTER_LIMIT = 1 << 16
_KNOWN_ENTRIES = frozenset({"title", "author", "authors", "date", "created", "updated", "lastmod", "lang", "language"})


def extract(source: Source) -> ExtractedDocument:
    """Read CommonMark with tables and strike-through, and YAML front matter.

    Raises:
        Empty: nothing to read.
    """
    limit = 4 * source.limits.characters
    decoded = decode(source.read_beginning(limit + 1), limit=limit)
    builder = DocumentBuilder("markdown", limit=source.limits.characters)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    if match := _FRONT_MATTER.match(text):
        builder.metadata = _metadata(match[1])
        text = text[match.end() :]
    place_markdown(builder, text)
    if decoded.truncated:
        builder.warn(f"The text was cut after {source.limits.characters:,} characters.")
    return builder.build()


def place_markdown(builder: DocumentBuilder, text: str) -> None:
    """Put the blocks of Markdown without front matter into `builder`."""
    tokens = MarkdownIt("commonmark", {"maxNesting": 60}).enable(["table", "strikethrough"]).parse(text)
    _MarkdownWalker(builder).walk_blocks(tokens)


class _MarkdownWalker:
    """Goes through the flat list of tokens; lists and quotes nest, everything else is placed where it stands."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._lists: list[int | None] = []
        self._marker = ""
        self._quotes = 0

    def walk_blocks(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens) and not self._builder.full:
            token = tokens[index]
            if token.type == "table_open":
                index = self._place_table(tokens, index)
            elif token.type == "heading_open":
                self._builder.heading(_inline_text(tokens[index + 1]), int(token.tag[1]))
                self._place_links(tokens[index + 1])
                index += 2
            else:
                self._walk_block(token)
            index += 1

    def _walk_block(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._open_item()
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "fence" | "code_block":
                self._builder.code(token.content)
            case "html_block":
                self._place_text(_TAG.sub(" ", token.content))
            case "inline":
                self._place_text(_inline_text(token))
                self._place_links(token)

    def _open_item(self) -> None:
        number = self._lists[-1]
        if number is None:
            self._marker = "•"
        else:
            self._marker = f"{number}."
            self._lists[-1] = number + 1

    def _place_text(self, text: str) -> None:
        if self._lists and (self._marker or not self._quotes):
            self._builder.list_item(f"{self._marker} {text}" if self._marker else text, len(self._lists))
            self._marker = ""
        elif self._quotes:
            self._builder.block(BlockKind.QUOTE, text)
        else:
            self._builder.paragraph(text)

    def _place_links(self, *tokens: Token) -> None:
        """Place the links of the block that was just placed."""
        for token in tokens:
            target, anchor = "", ""
            for child in token.children or []:
                if child.type == "link_open":
                    target, anchor = str(child.attrGet("href") or ""), ""
                elif child.type == "link_close":
                    self._builder.link(anchor, target)
                    target = ""
                elif target:
                    anchor += child.content

    def _place_table(self, tokens: Sequence[Token], index: int) -> int:
        """Place the table that opens at `index`; the index of its closing token."""
        rows: list[list[str]] = []
        inline: list[Token] = []
        while tokens[index].type != "table_close":
            if tokens[index].type == "tr_open":
                rows.append([])
            elif tokens[index].type == "inline":
                rows[-1].append(_inline_text(tokens[index]))
                inline.append(tokens[index])
            index += 1
        self._builder.table(rows, header_rows=1)
        self._place_links(*inline)
        return index


def _inline_text(token: Token) -> str:
    """Return what a reader sees of a paragraph's content: words, code, the text of links and of images, line breaks."""
    parts: list[str] = []
    for child in token.children or []:
        match child.type:
            case "text" | "code_inline":
                parts.append(child.content)
            case "softbreak" | "hardbreak":
                parts.append("\n")
            case "image":
                parts.append(child.content)
            case "html_inline":
                parts.append("\n" if child.content.lower().startswith("<br") else "")
    text = "".join(parts)
    in_code = any("$" in child.content or "\\" in child.content for child in token.children or [] if child.type == "code_inline")
    return text if in_code else write_out_formulas(text)


def _metadata(front: str) -> Metadata:
    """Return front matter as metadata; what is no valid YAML mapping says nothing."""
    if len(front) > _FRONT_MATTER_LIMIT:
        return Metadata()
    try:
        values: Any = yaml.safe_load(front)
    except (yaml.YAMLError, RecursionError, ValueError):
        return Metadata()
    if not isinstance(values, dict):
        return Metadata()
    entries = {str(key).lower(): value for key, value in values.items()}

    def first(*names: str) -> Any:
        return next((entries[name] for name in names if entries.get(name)), None)

    authors = first("authors", "author") or ()
    return Metadata(
        title=str(first("title") or ""),
        authors=tuple(str(author) for author in (authors if isinstance(authors, list) else [authors]) if author),
        created_at=_parse_date(first("date", "created")),
        modified_at=_parse_date(first("updated", "lastmod")),
        language=str(first("lang", "language") or ""),
        extra={key: text for key, value in entries.items() if key not in _KNOWN_ENTRIES and (text := _flat_text(value))},
    )


def _flat_text(value: object) -> str:
    """Return a scalar or a list of scalars as text. Nested values are left out: aliases make them larger than the file."""
    parts = value if isinstance(value, list) else [value]
    return ", ".join(str(part) for part in parts if isinstance(part, str | int | float | bool | date))


def _parse_date(value: object) -> datetime | None:
    if isinstance(value, str):
        return parse_timestamp(value)
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime(value.year, value.month, value.day, tzinfo=UTC) if isinstance(value, date) else None
