"""An answer about attached files as a whole: lines that Mnemosyne kept, quoted and cited, without a search."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.attached.insight_requests import InsightRequest
from agents.explanation.agent import WHOLE_READ_STAGE
from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import cite_span, cited_text
from core.documents import BlockKind
from core.errors import NotFound
from core.insights import ActionItem, AttachedFile, CitedText
from core.ports import DocumentContent, Library
from core.search import Passage, Retrieval, StageReport, StageScore

_NOUNS: dict[InsightRequest, str] = {
    "summary": "sentences to sum up",
    "key_points": "key points",
    "action_items": "actions",
    "questions_raised": "open questions",
}


@dataclass(frozen=True, slots=True)
class InsightAnswer:
    """The answer with the passages that its lines stand in, best documents first, and the retrieval that took the place of a search."""

    answer: Answer
    passages: list[Passage]
    retrieval: Retrieval


@dataclass(frozen=True, slots=True)
class _QuotedLine:
    file: AttachedFile
    content: DocumentContent
    line: CitedText
    kind: BlockKind
    paragraph: int


async def answer_from_insights(wishes: Sequence[InsightRequest], files: Sequence[AttachedFile], library: Library, tenant: str) -> InsightAnswer:
    """Quote each file's lines of each kind that is wished for, in the order in which the files were attached."""
    contents = await asyncio.gather(*(_content(library, tenant, file) for file in files))
    read = [(file, content) for file, content in zip(files, contents, strict=True) if content is not None]
    quoted = list(_lines(wishes, read))
    passages = _passages(quoted)
    report = StageReport(
        stage=WHOLE_READ_STAGE, entered=len(read), left=len(passages), duration_ms=0.0, note="The files were read whole; nothing was searched."
    )
    # Every word of the files was read: what was asked of them as a whole is covered, whatever its own words are.
    signals = {"coverage": 1.0} if quoted else {}
    return InsightAnswer(_answer(quoted, wishes, files), passages, Retrieval(reports=[report], signals=signals))


async def _content(library: Library, tenant: str, file: AttachedFile) -> DocumentContent | None:
    """Return the document's content; None where the document went or changed since it was studied: its spans would be wrong."""
    try:
        content = await library.content(tenant, file.document_id)
    except NotFound:
        return None
    return content if content.generation == file.generation else None


def _lines(wishes: Sequence[InsightRequest], read: Sequence[tuple[AttachedFile, DocumentContent]]) -> Iterator[_QuotedLine]:
    paragraph = 0
    for file, content in read:
        for wish in wishes:
            kind = BlockKind.PARAGRAPH if wish == "summary" else BlockKind.LIST_ITEM
            for line in _wished_lines(wish, file):
                yield _QuotedLine(file, content, line, kind, paragraph)
            paragraph += 1


def _wished_lines(wish: InsightRequest, file: AttachedFile) -> Sequence[CitedText]:
    if file.insights is None:
        return []
    match wish:
        case "summary":
            return file.insights.executive_summary
        case "key_points":
            return file.insights.key_points
        case "action_items":
            return file.insights.action_items
        case "questions_raised":
            return file.insights.questions_raised


def _answer(quoted: Sequence[_QuotedLine], wishes: Sequence[InsightRequest], files: Sequence[AttachedFile]) -> Answer:
    if not quoted:
        names = ", ".join(f"“{file.filename}”" for file in files)
        return Answer(text=f"I found no {' and no '.join(_NOUNS[wish] for wish in wishes)} in {names}.", generated_by="none", found=False)
    sentences = [
        AnswerSentence(text=line_with_details(each.line), citations=[number], support="quoted", score=1.0, paragraph=each.paragraph, kind=each.kind)
        for number, each in enumerate(quoted, 1)
    ]
    citations = [_citation(number, each) for number, each in enumerate(quoted, 1)]
    by = {each.file.generated_by for each in quoted}
    notes = [f"The lines were chosen by {', '.join(sorted(by))}; every one is quoted from its file."]
    return Answer(text=cited_text(sentences), sentences=sentences, citations=citations, notes=notes)


def line_with_details(line: CitedText) -> str:
    """Return the line; behind a task who has to do it and by when, where its own words do not say so."""
    if not isinstance(line, ActionItem):
        return line.text
    missing = [each for each in (line.owner, line.due) if each and each.casefold() not in line.text.casefold()]
    return f"{line.text} ({', '.join(missing)})" if missing else line.text


def _citation(number: int, each: _QuotedLine) -> Citation:
    line, passage = each.line, _passage(each, 0)
    cited = cite_span((line.start, line.end), passage, each.file.filename, each.content.generation, line.page, passage.section)
    return cited.model_copy(update={"number": number})


def _block_around(each: _QuotedLine) -> tuple[int, int]:
    """Return the block that the line stands in."""
    line = each.line
    blocks = [block for block in each.content.document.blocks if block.start < line.end and block.end > line.start]
    return min([line.start, *(block.start for block in blocks)]), max([line.end, *(block.end for block in blocks)])


def _section(each: _QuotedLine) -> list[str]:
    sections = each.content.document.sections
    return next((list(section.path) for section in sections if section.start <= each.line.start < section.end), [])


def _passages(quoted: Sequence[_QuotedLine]) -> list[Passage]:
    """Return the blocks that are quoted, each once."""
    found: dict[tuple[str, int, int], Passage] = {}
    for each in quoted:
        place = (each.file.document_id, *_block_around(each))
        found[place] = found.get(place) or _passage(each, len(found))
    return list(found.values())


def _passage(each: _QuotedLine, before: int) -> Passage:
    start, end = _block_around(each)
    return Passage(
        content=each.content.text[start:end],
        section=_section(each),
        document_id=each.file.document_id,
        start=start,
        end=end,
        chunks=[],
        page=each.line.page,
        anchor=0,
        anchor_score=1.0,
        coherence_score=1.0,
        stages={WHOLE_READ_STAGE: StageScore(rank=before + 1, score=1.0)},
    )
