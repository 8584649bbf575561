"""Adds what a vision model says of a document's pictures, as text that can be found: behind the document's own, under headings that name the model.

No word of it is mixed with what the file says: each description is a section of its own, its text a block of its own kind, its page that of the
picture. Offsets of what was read before it stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.documents import Block, BlockKind, DocumentFigure, DocumentProfile, ExtractedDocument, PageUnit, Section, description_heading
from core.ports import ShownPicture

_CAPTION = re.compile(
    r"^(?:figure|fig\.|chart|exhibit|graph|photo|map|plate|abbildung|abb\.|bild|figura|schéma|рис\.?|図|图)\s*\S{0,8}\d", re.IGNORECASE
)
_LONGEST_CAPTION = 600
_MATCHED_LETTERS = 40  # letters by which a caption is found again
_MAX_LEVEL = 6
_SUMMARY = 300


@dataclass(frozen=True, slots=True)
class DescribedFigure:
    """A picture with what the model says of it."""

    figure: DocumentFigure
    text: str


def make_shown_picture(document: ExtractedDocument, figure: DocumentFigure, title: str) -> ShownPicture:
    """Return a picture as the model is shown it, with what stands around it."""
    block = _caption_block(document, figure)
    caption = figure.caption or (document.text[block.start : block.end] if block is not None else "")
    return ShownPicture(figure.data, figure.media_type, title, " › ".join(_path(document, figure, block)), caption)


def append_descriptions(document: ExtractedDocument, described: Sequence[DescribedFigure], model: str) -> ExtractedDocument:
    """Return the document with the descriptions behind its own text."""
    if not described:
        return document
    text = document.text if document.text.strip() else ""
    blocks, sections = list(document.blocks), [section for section in document.sections if section.start < len(text)]
    for each in described:
        page = each.figure.page
        path = _path(document, each.figure, _caption_block(document, each.figure))
        heading = description_heading(_picture_name(document, each.figure), model)
        level = min(_MAX_LEVEL, len(path) + 1)
        start = len(text) + 2 if text else 0
        body = start + len(heading) + 1
        sections = [*sections[:-1], *(replace(section, end=start) for section in sections[-1:])]
        text = f"{text}\n\n{heading}\n{each.text}" if text else f"{heading}\n{each.text}"
        blocks += [
            Block(BlockKind.HEADING, start, start + len(heading), page, level),
            Block(BlockKind.DESCRIPTION, body, len(text), page),
        ]
        sections.append(Section((*path, heading), start, len(text), level, page))
    return replace(document, text=text, blocks=tuple(blocks), sections=tuple(sections))


def profile_of(described: Sequence[DescribedFigure], profile: DocumentProfile, model: str) -> DocumentProfile:
    """Return the profile of a document without any text of its own: what is said of its first picture sums it up, in the model's name."""
    said = described[0].text
    summary = said if len(said) <= _SUMMARY else said[:_SUMMARY].rsplit(" ", 1)[0] + " …"
    return replace(profile, summary=summary, detailed_summary=said, generated_by=model)


def _picture_name(document: ExtractedDocument, figure: DocumentFigure) -> str:
    """Return "Picture on page 12" or "Picture on slide 3"; a picture file is just a picture."""
    if figure.page is None or document.page_unit is PageUnit.NONE or len(document.pages) < 2:
        return "Picture"
    return f"Picture on {document.page_unit.value} {figure.page}"


def _caption_block(document: ExtractedDocument, figure: DocumentFigure) -> Block | None:
    """Return the block with a picture's caption: the one that is known by its text, else the next block behind or before it that is a caption."""
    if figure.caption:
        known = _letters(figure.caption)[:_MATCHED_LETTERS]
        same = (block for block in document.blocks if block.page == figure.page and block.kind is not BlockKind.FURNITURE)
        return next((block for block in same if _letters(document.text[block.start : block.end][:_LONGEST_CAPTION]).startswith(known)), None)
    if document.page_unit is PageUnit.PAGE:
        return None  # its reader looked for one by where it stands
    behind = bisect_right(document.blocks, figure.offset, key=lambda block: block.start)
    near = [document.blocks[index] for index in (behind, behind - 1) if 0 <= index < len(document.blocks)]
    return next((block for block in near if block.page == figure.page and _is_caption(document, block)), None)


def _is_caption(document: ExtractedDocument, block: Block) -> bool:
    if block.end - block.start > _LONGEST_CAPTION or block.kind is BlockKind.HEADING:
        return False
    return block.kind is BlockKind.CAPTION or _CAPTION.match(document.text[block.start : block.end]) is not None


def _path(document: ExtractedDocument, figure: DocumentFigure, caption: Block | None) -> tuple[str, ...]:
    """Return the headings above a picture: those of its caption, else of the place where it stands or its page ends."""
    offset = figure.offset if caption is None else caption.start
    if caption is None and document.page_unit is PageUnit.PAGE:
        offset = next((page.end - 1 for page in document.pages if page.number == figure.page), offset)
    at = bisect_right(document.sections, max(0, offset - 1 if caption is None else offset), key=lambda section: section.start) - 1
    return document.sections[at].path if at >= 0 else ()


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
