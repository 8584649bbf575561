"""The two tasks over documents: Aristotle's comparison and analysis, and Thoth's summary."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from agents import analysis, summarization
from agents.analysis import Side, Told, differs, fill_row, line_kind, renumbered
from agents.sides import read_sides
from agents.statements import Statement, stems
from agents.summarization import Length, choose_documents, choose_sentences, heading_of, is_named_by, length_of, shares, to_condense, topic_of
from agents.trends import Series, findings_of, series_of
from core.answers import Answer, AnswerSentence, Citation, Support
from core.citing import CitationNumbers, cited_text
from core.documents import BlockKind, Document
from core.insights import Comparison, ComparisonCell, ComparisonRow, ComparisonSide
from core.ports import Writer
from core.search import Intent, Passage
from orchestration.adapter import Done, Tools
from orchestration.answering import prompts_of
from orchestration.comparing import Book, Laid, catalogue, citation_of, lay_out, passage_of, signals
from orchestration.evidence import gather, open_sections, results_of
from orchestration.nodes.searching import computed_from_table, document_search, signals_of
from orchestration.response import counted
from orchestration.state import State
from orchestration.telling import Telling, tell

_READ_FOR_TRENDS = 6
_FINDINGS, _FINDING_WORDS = 3, 150  # documents whose key findings are told, and the words for all of them


class Quotes:
    """The citations of an answer that is built from statements, each span once, with the passages that they stand in."""

    def __init__(self, book: Book, documents: dict[str, Document]) -> None:
        self._book, self._documents = book, documents
        self._numbers = CitationNumbers()
        self.passages: dict[tuple[str, int, int], Passage] = {}

    def cite(self, told: Told) -> list[int]:
        """The numbers of the statement and, for a row that cannot be read without it, of the row that names its columns."""
        header = told.statement.header_span
        if not told.statement.wide or header is None:
            return [self._number(told)]
        named = replace(told.statement, text=" | ".join(told.statement.header), start=header[0], end=header[1], cells=(), header_span=None)
        return [self._number(told), self._number(replace(told, statement=named))]

    def _number(self, told: Told) -> int:
        def made(number: int) -> Citation:
            passage = passage_of(told, self._book)
            passage = self.passages.setdefault((told.document_id, passage.start, passage.end), passage)
            return citation_of(number, told, passage, self._book, self._documents[told.document_id].filename)

        return self._numbers.number(told.document_id, told.statement.start, told.statement.end, made)

    @property
    def citations(self) -> list[Citation]:
        return self._numbers.listed()


async def analyze(state: State, tools: Tools) -> Done:
    """The sides side by side. Where the question names no two that the library knows, the documents are searched like for any other question."""
    question = _question(state)
    book = Book(tools, state["retrieval_request"])
    if state["classification"].intent is Intent.ANALYSIS and (computed := await computed_from_table(state, tools)) is not None:
        return computed
    if state["classification"].intent is Intent.ANALYSIS and (trend := await _trend(question, state, book)) is not None:
        return await _written(state, tools, book, trend)
    laid = await lay_out(read_sides(question), state, book)
    made = await _compared(laid, book, tools) if laid is not None else None
    if made is None and (findings := await _findings(question, state, book)) is not None:
        return await _written(state, tools, book, findings)
    if made is None:
        done = await document_search(state, tools)
        return Done(done.writes, f"Nothing to set side by side was found, so the question is answered as it stands. {done.details}", *_rest_of(done))
    comparison, answer, passages = made
    telling = _comparison_told(question, comparison, answer, _available(tools.deps.comparison_writer, state))
    done = await _written(state, tools, book, Made(answer, passages, _compared_in_words(comparison), telling))
    table, written = renumbered(comparison, answer.citations, done.writes["answer"])
    return replace(done, writes={**done.writes, "comparison": table, "answer": written})


def _comparison_told(question: str, comparison: Comparison, answer: Answer, writer: Writer | None) -> Telling | None:
    instead = "The table stands as it is, in the documents' own words."
    return Telling(writer, analysis.task_of(question, comparison), answer, instead) if writer is not None else None


def _available(writer: Writer | None, state: State) -> Writer | None:
    return writer if state["model"].available else None


async def _trend(question: str, state: State, book: Book) -> Made | None:
    """The figures of the first document whose table has a column that the question names; None where none has."""
    documents, _ = await catalogue(book, state["retrieval"])
    found = list(dict.fromkeys(each.document_id for each in state["retrieval"].candidates))[:_READ_FOR_TRENDS]
    for document in (each for each in documents if each.id in found):
        await book.open(document.id)
        series = await asyncio.to_thread(series_of, question, book.statements.get(document.id, []))
        if series:
            return _figures(document, series, book)
    return None


def _figures(document: Document, series: Sequence[Series], book: Book) -> Made:
    quotes = Quotes(book, {document.id: document})
    sentences = []
    for paragraph, column in enumerate(series):
        header = quotes.cite(Told(document.id, column.rows[0], 1.0))[1:]
        for finding in findings_of(column):
            numbers = list(dict.fromkeys([number for row in finding.rows for number in quotes.cite(Told(document.id, row, 1.0))[:1]] + header))
            support: Support = "supported" if finding.computed else "quoted"
            sentences.append(AnswerSentence(text=finding.text, citations=numbers, support=support, score=1.0, paragraph=paragraph))
    notes = ["What is called computed was worked out from the cited cells; every other figure stands in its cell."]
    answer = Answer(text=cited_text(sentences), sentences=sentences, citations=quotes.citations, notes=notes)
    columns = ", ".join(f"“{column.name}”" for column in series)
    return Made(answer, list(quotes.passages.values()), f"{document.filename}: {columns} over {counted(len(series[0].rows), 'row')}.")


async def _findings(question: str, state: State, book: Book) -> Made | None:
    """What the documents that the question names say, a paragraph each; None where it names none that the search found, or the search seems
    silent: a matter that documents speak of in passing is told better by the plain answer."""
    found, deps = state["retrieval"], book.tools.deps
    if state["classification"].intent is not Intent.ANALYSIS or deps.probability(signals_of(state, found)) < deps.options.not_found_below:
        return None
    topic = topic_of(state["classification"].search_text)
    documents, _ = await catalogue(book, found)
    ids = {each.document_id for each in found.candidates}
    chosen = [document for document in documents if document.id in ids and is_named_by(topic, document)][:_FINDINGS]
    picked = await _summed_up(chosen, Length(_FINDING_WORDS), "", book)
    if not picked:
        return None
    answer, passages = _told(picked, book)
    telling = None
    if (writer := _available(deps.summary_writer, state)) is not None:
        task = summarization.task_of(question, Length(_FINDING_WORDS), len(picked))
        telling = Telling(writer, task, answer, "The findings are the documents' own sentences.")
    names = ", ".join(document.filename for document, _ in picked)
    return Made(answer, passages, f"Key findings of {names}: {counted(len(answer.sentences), 'sentence')} chosen.", telling)


def _rest_of(done: Done) -> tuple[Any, ...]:
    return done.degraded, done.skipped, done.tokens, done.prompts, done.memory_used


def _question(state: State) -> str:
    return state["classification"].read_as or state["query"].text


def _is_of_elsewhere(sides: Sequence[Side], rows: Sequence[Sequence[Told | None]]) -> bool:
    """Whether a side that is no name ("females" beside "male ducks") is told by statements that do not speak of it, or only in documents that speak
    of none of the others."""
    told = [[cell for cells in rows if (cell := cells[place]) is not None] for place in range(len(sides))]
    spoken = [{cell.document_id for cell in cells} for cells in told]
    for place, side in enumerate(sides):
        if side.document is not None or side.name != side.name.lower() or not told[place]:
            continue
        others = set[str]().union(*(found for other, found in enumerate(spoken) if other != place))
        if not any(stems(side.name) & stems(cell.statement.text) for cell in told[place]) or (others and not spoken[place] & others):
            return True
    return False


async def _compared(laid: Laid, book: Book, tools: Tools) -> tuple[Comparison, Answer, list[Passage]] | None:
    """None where fewer than two sides have a cell, unless the one that has is a document that the question names."""
    rows = [fill_row(attribute, laid.sides, laid.texts) for attribute in laid.attributes]
    filled = [side for place, side in enumerate(laid.sides) if any(cells[place] is not None for cells in rows)]
    if not filled or (len(filled) < 2 and filled[0].document is None) or _is_of_elsewhere(laid.sides, rows):
        return None
    told = [cell for cells in rows for cell in cells if cell is not None]
    documents = await tools.deps.library.documents(tools.run.tenant, list(dict.fromkeys(each.document_id for each in told)))
    quotes = Quotes(book, documents)
    sentences, table = [], []
    for place, (attribute, cells) in enumerate(zip(laid.attributes, rows, strict=True)):
        cited = [[] if cell is None else quotes.cite(cell) for cell in cells]
        lines = zip(laid.sides, cells, cited, strict=True)
        sentences += [_line(side, attribute, cell, numbers, place) for side, cell, numbers in lines if cell is not None]
        table.append(
            ComparisonRow(attribute=_titled(attribute), cells=[_cell(*each) for each in zip(cells, cited, strict=True)], differs=differs(cells))
        )
    sides = [_side(side) for side in laid.sides]
    note = _note(sides, table)
    answer = Answer(text=cited_text(sentences), sentences=sentences, citations=quotes.citations, notes=[note] if note else [])
    return Comparison(sides=sides, rows=table, note=note), answer, list(quotes.passages.values())


def _cell(told: Told | None, numbers: list[int]) -> ComparisonCell:
    return ComparisonCell() if told is None else ComparisonCell(text=told.statement.shown, citations=numbers, found=True)


def _side(side: Side) -> ComparisonSide:
    document = side.document
    return ComparisonSide(name=side.name, document_id=document.id if document else None, filename=document.filename if document else "")


def _line(side: Side, attribute: str, told: Told, numbers: list[int], paragraph: int) -> AnswerSentence:
    what = f"{_titled(attribute)}, {side.name}" if attribute else _titled(side.name)
    return AnswerSentence(
        text=f"{what}: {told.statement.shown}",
        citations=numbers,
        support="quoted",
        score=min(1.0, told.strength),
        paragraph=paragraph,
        kind=BlockKind.LIST_ITEM if line_kind(told.statement) is BlockKind.LIST_ITEM else BlockKind.TABLE,
    )


def _titled(words: str) -> str:
    return words[:1].upper() + words[1:]


def _note(sides: Sequence[ComparisonSide], rows: Sequence[ComparisonRow]) -> str:
    """What is missing, in a sentence for each side."""
    missing = [(side.name, [row.attribute for row in rows if not row.cells[place].found]) for place, side in enumerate(sides)]
    return " ".join(
        f"{_titled(name)} says nothing of {', '.join(f'“{each}”' for each in absent) if any(absent) else 'this'}."
        for name, absent in missing
        if absent
    )


def _compared_in_words(comparison: Comparison) -> str:
    found = sum(cell.found for row in comparison.rows for cell in row.cells)
    sides = ", ".join(side.name for side in comparison.sides)
    return f"{sides}: {counted(len(comparison.rows), 'attribute')}, {found} of {counted(len(comparison.rows) * len(comparison.sides), 'cell')} found."


async def summarize(state: State, tools: Tools) -> Done:
    """The documents that are meant, each in a paragraph of its own sentences. Where nothing can be summed up the documents are searched."""
    question, request = _question(state), state["retrieval_request"]
    book = Book(tools, request)
    topic = topic_of(question)
    documents, ranked = await catalogue(book, state["retrieval"], (topic,) if topic else ())
    given = bool(request.filters.document_ids)
    order = list(dict.fromkeys([*(each.document_id for each in state["retrieval"].candidates), *ranked.get(topic, [])]))
    chosen = choose_documents(question, documents, order, given=given)
    length = length_of(question)
    picked = await _summed_up(chosen, length, topic, book)
    if not picked:
        done = await document_search(state, tools)
        return Done(done.writes, f"No text to sum up was found, so the question is answered as it stands. {done.details}", *_rest_of(done))
    answer, passages = _told(picked, book)
    if answer.found and not _known(chosen, order):
        answer = answer.model_copy(update={"notes": [*answer.notes, "The documents were chosen by their names."]})
    names = ", ".join(document.filename for document, _ in picked)
    made = Made(answer, passages, names)
    if (writer := _available(tools.deps.summary_writer, state)) is not None:
        tools.tell(f"Writing the summary of {names}")
        material, read = _told(await _summed_up(chosen, to_condense(length), topic, book), book)
        task = summarization.task_of(question, length, len(picked))
        made = Made(answer, [*passages, *read], names, Telling(writer, task, material, "The summary is made of the documents' own sentences."))
    done = await _written(state, tools, book, made)
    return replace(done, writes={**done.writes, "summary": done.writes["answer"].text}, details=_summed_up_in_words(names, done.writes["answer"]))


def _summed_up_in_words(names: str, answer: Answer) -> str:
    words = sum(len(sentence.text.split()) for sentence in answer.sentences)
    by = "" if answer.generated_by == "extractive" else f", written by {answer.generated_by}"
    return f"{names}: {counted(len(answer.sentences), 'sentence')}, {counted(words, 'word')}{by}."


def _known(chosen: Sequence[Document], order: Sequence[str]) -> bool:
    return any(document.id in order for document in chosen)


Picked = tuple[Document, list[Statement]]


async def _summed_up(documents: Sequence[Document], length: Length, topic: str, book: Book) -> list[Picked]:
    """Each document with its sentences; those without a sentence are left out."""
    part = shares(length, len(documents))
    found: list[Picked] = []
    for document in documents:
        content = await book.open(document.id)
        if content is None:
            continue
        focus = topic if len(documents) > 1 else ""
        lines = await asyncio.to_thread(choose_sentences, content.document, document.title, part, focus)
        if lines:
            found.append((document, [Statement(line.text, line.start, line.end, line.kind, line.section, line.page) for line in lines]))
    return found


def _told(picked: Sequence[Picked], book: Book) -> tuple[Answer, list[Passage]]:
    quotes = Quotes(book, {document.id: document for document, _ in picked})
    sentences = []
    for paragraph, (document, statements) in enumerate(picked):
        title = document.title or document.filename
        several = len({statement.section for statement in statements}) > 1 and len(picked) == 1
        for place, statement in enumerate(statements):
            opens = several and (not place or statements[place - 1].section != statement.section)
            heading = heading_of(statement.section, statement.text, title) if opens else ""
            opening = f"{title}: " if len(picked) > 1 and not place else f"{heading}: " if heading else ""
            numbers = quotes.cite(Told(document.id, statement, 1.0))
            kind = statement.kind if statement.kind is BlockKind.LIST_ITEM else BlockKind.PARAGRAPH
            sentences.append(
                AnswerSentence(text=f"{opening}{statement.text}", citations=numbers, support="quoted", score=1.0, paragraph=paragraph, kind=kind)
            )
    return Answer(text=cited_text(sentences), sentences=sentences, citations=quotes.citations), list(quotes.passages.values())


class Made(NamedTuple):
    """An answer that is quoted already, with the passages of its quotes, what was done in words, and how a model would tell it."""

    answer: Answer
    passages: list[Passage]
    details: str
    telling: Telling | None = None


async def _written(state: State, tools: Tools, book: Book, made: Made) -> Done:
    """What document_search writes, for an answer that is made already: told by the model where one is meant to, with its text streamed."""
    found = state["retrieval"]
    passages = list({(each.document_id, each.start, each.end): each for each in made.passages}.values())
    gathered = await gather(passages, tools.run.tenant, tools.deps.library)
    kept = [evidence.passage for evidence in gathered.evidence]
    results = results_of(kept, gathered.documents, max(state["request"].top_k, len({passage.document_id for passage in kept})))
    writes: dict[str, Any] = {
        "retrieval": found.model_copy(update={"signals": signals(found, book)}),
        "passages": kept,
        "evidence": gathered.evidence,
        "results": results,
    }
    tools.run.state |= cast(State, writes)  # kept if the run stops while the model writes
    answer, lost = await tell(made.answer, made.telling, gathered.evidence, state, tools)
    writes |= {"sections": open_sections(results, gathered, answer), "answer": answer}
    prompts = prompts_of(made.telling.writer, answer) if made.telling is not None else {}
    by = "" if answer.generated_by == "extractive" else f" Told by {answer.generated_by}."
    return Done(writes, f"{made.details}{by}", lost, tokens=answer.tokens, prompts=prompts)
