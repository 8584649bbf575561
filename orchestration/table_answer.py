"""Questions over one table: the tables that the search came upon are read as rows, and the answer is computed from them and cites them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agents.summarization.document_choice import topic_of
from agents.table_qa.agent import calculate, may_hold_answer
from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.operations import Operation
from agents.table_qa.result_wording import TableAnswer
from agents.table_qa.table_question import TableQuestion, parse_table_question
from agents.text.document_names import is_named_by
from core.answers import Answer, AnswerSentence, Citation, Lead
from core.cited_answers import CitationNumbers, cite_span, cited_text
from core.claim_words import label_words
from core.documents import BlockKind, Document
from core.errors import NotFound
from core.labels import MIN_LABEL_WORDS, labelled_values
from core.language.content_words import stems
from core.language.figures import figures_of
from core.memory import Recollection
from core.ports import DocumentContent, Library, TableStore
from core.search import Passage, StageScore
from core.table_queries import QueryResult, TableQuery
from core.tables import UNCOUNTED, Calculation, StoredTable, TableRow
from orchestration.events import AnswerStream
from orchestration.evidence import GatheredEvidence, gather_evidence, make_results, unquoted_sections
from orchestration.node_adapter import NodeResult
from orchestration.note_answers import find_related_notes
from orchestration.passages import ReadPassages
from orchestration.question_text import whole_question
from orchestration.state import State

_MAX_LOOKUP_ROWS = 10_000  # rows of a table in which a single cell is looked for: in a longer one the search finds its row sooner
_TABLES = 12
_BEST_DOCUMENTS = 3  # of the best documents all tables are looked at, not only those that a passage stands in
_COUNTING = label_words("many much number sum count")
_OPENING, _BEFORE_TABLE, _BEHIND_TABLE = 400, 800, 300  # characters of the text around a table
_MAX_ANSWERS = 3  # tables that answer equally well and are all told


@dataclass(frozen=True, slots=True)
class ComputedAnswer:
    """A computed answer with the passages that its rows stand in; `calculations` are empty where nothing was computed and `answer` says why."""

    answer: Answer
    passages: list[Passage]
    calculations: list[Calculation]
    details: str


async def compute_answer(state: State, read: ReadPassages, *, store: TableStore | None) -> ComputedAnswer | None:
    """Compute the answer to the question from the tables of its passages."""
    return await compute_from_tables(whole_question(state), read.gathered.passages, read.gathered, tenant=state["query"].tenant, store=store)


async def show_computed(
    worked: ComputedAnswer, state: State, read: ReadPassages, *, library: Library, stream: AnswerStream, near: float
) -> NodeResult:
    """Show an answer that was computed from a table: its document first, the rows that it rests on among the passages. Notes of memory that are
    `near` enough stand beside it."""
    stream.show(worked.answer.text)
    gathered, cited = read.gathered, {citation.document_id for citation in worked.answer.citations}
    rows = await gather_evidence(worked.passages, state["query"].tenant, library)
    kept = sorted(gathered.passages, key=lambda each: each.document_id not in cited) + rows.passages
    results = make_results(kept, gathered.documents, state["request"].top_k)
    writes = {
        "passages": kept,
        "retrieval": read.retrieval,
        "evidence": [*gathered.evidence, *rows.evidence],
        "results": results,
        "sections": unquoted_sections(results, gathered, worked.answer),
        "answer": worked.answer,
        **({"calculations": worked.calculations} if worked.calculations else {}),
    }
    return NodeResult(writes, worked.details, memory_used=find_related_notes(state.get("memory", Recollection()), near))


async def compute_from_tables(
    question: str, passages: Sequence[Passage], gathered: GatheredEvidence, *, tenant: str, store: TableStore | None
) -> ComputedAnswer | None:
    """Return the computed answer; None where the question asks for no calculation, or no table at hand clearly holds it."""
    asked = parse_table_question(question) if passages else None
    if asked is None or store is None:
        return None
    looks_up = asked.operation is Operation.LOOKUP
    if not looks_up and _is_stated(question, passages):
        return None
    found = await _find_tables(asked, passages, gathered, store, tenant)
    hands = await _load_whole_tables(found, gathered, store, tenant, most_rows=_MAX_LOOKUP_ROWS if looks_up else None)

    async def select(hand: CandidateTable, query: TableQuery) -> QueryResult:
        return await store.execute_query(tenant, hand.table, query)

    try:
        results = await calculate(asked, hands, select)
    except NotFound:
        return None  # a document was removed or read anew meanwhile: its passages are gone, too
    if results:
        return _compose_answer(results, passages, gathered)
    return None if looks_up else _explain_too_large([table for table in found if not _is_whole(table)], gathered, asked)


def _is_whole(table: StoredTable) -> bool:
    return table.kept >= table.rows


async def _load_whole_tables(
    found: Sequence[StoredTable], gathered: GatheredEvidence, store: TableStore, tenant: str, *, most_rows: int | None
) -> list[CandidateTable]:
    """Return the tables all of whose rows are kept, at most `most_rows`; those that are gone meanwhile are left out."""
    whole = [table for table in found if _is_whole(table) and (most_rows is None or table.kept <= most_rows)]
    several = {each.document_id for each in found if each.ordinal > 0}
    hands = [hand for table in whole if (hand := await _load_table(table, gathered, store, tenant)) is not None]
    return [replace(hand, is_only_table=hand.table.document_id not in several) for hand in hands]


def _is_stated(question: str, passages: Sequence[Passage]) -> bool:
    """Return whether a document says the figure itself, under the very label that is asked for: "Total Variance Cost: $4,287.50"."""
    asked = label_words(question) - _COUNTING
    if len(asked) < MIN_LABEL_WORDS:
        return False
    values = ((passage.content, each) for passage in passages for each in labelled_values(asked, passage.content))
    return any(each.label == asked and figures_of(text[each.label_start : each.end]) for text, each in values)


async def _find_tables(
    asked: TableQuestion, passages: Sequence[Passage], gathered: GatheredEvidence, store: TableStore, tenant: str
) -> list[StoredTable]:
    """Return the tables that the passages stand in, then the others of the best documents and of those that the question names."""
    found = await store.tables_at(tenant, [(each.document_id, each.start, each.end) for each in passages])
    ids = list(dict.fromkeys(each.document_id for each in passages))
    topic = topic_of(asked.text)
    named = [each for each in ids if each in gathered.documents and is_named_by(topic, gathered.documents[each])]
    for document_id in dict.fromkeys([*named, *ids[:_BEST_DOCUMENTS]]):
        try:
            found += await store.tables(tenant, document_id)
        except NotFound:
            continue  # deleted since the index was asked
    unique = {(each.document_id, each.ordinal): each for each in found}
    return [each for each in unique.values() if may_hold_answer(asked, each, _document_words(gathered.documents.get(each.document_id)))][:_TABLES]


def _document_words(document: Document | None) -> str:
    return f"{document.filename} {document.title}" if document is not None else ""


async def _load_table(table: StoredTable, gathered: GatheredEvidence, store: TableStore, tenant: str) -> CandidateTable | None:
    """Return the table with its facts; None where the document is another than the one whose text is cited."""
    content, document = gathered.contents.get(table.document_id), gathered.documents.get(table.document_id)
    if content is None or document is None or content.generation != table.generation:
        return None
    try:
        facts = await store.facts(tenant, table)
    except NotFound:
        return None
    around = text_around(content, table)
    return CandidateTable(table, facts, document.filename, document.title, surroundings=around, document_text=content.text)


def text_around(content: DocumentContent, table: StoredTable) -> str:
    """Return what says of what a table is: how its document begins, and the text before and behind it; not the rows of other tables."""
    places = ((0, _OPENING), (table.start - _BEFORE_TABLE, table.start), (table.end, table.end + _BEHIND_TABLE))
    texts = [block for block in content.document.blocks if block.kind is not BlockKind.TABLE]
    cut = ((max(start, block.start), min(end, block.end)) for start, end in places for block in texts)
    return "\n".join(content.text[start:end] for start, end in cut if start < end)


def _explain_too_large(tables: Sequence[StoredTable], gathered: GatheredEvidence, asked: TableQuestion) -> ComputedAnswer | None:
    """Said where the question names a column of a table of which not all rows are kept."""
    topic = stems(asked.text)
    for table in tables:
        content, document = gathered.contents.get(table.document_id), gathered.documents.get(table.document_id)
        if content is not None and document is not None and any(stems(column.name) & topic for column in table.columns):
            of_all = f"its table has {table.rows:,} rows, of which the first {table.kept:,} are kept."
            uncounted = f"of its table only the first {table.kept:,} rows are kept{UNCOUNTED}"
            said = f"Nothing was computed from {document.filename}: {uncounted if table.note.endswith(UNCOUNTED) else of_all}"
            quotes = _RowCitations({table.document_id: content}, gathered, [])
            header = TableRow(ordinal=-1, start=table.start, end=min(table.end, table.start + 200), cells=[], values=[])
            sentence = AnswerSentence(text=said, citations=[quotes.cite(table, header)], support="supported", score=1.0)
            return ComputedAnswer(_join_sentences([sentence], quotes.citations, computed=False), quotes.passages, [], said)
    return None


# -- the answer ----------------------------------------------------------------------------------------------------------------------


class _RowCitations:
    """The citations of rows, each once, with passages for rows that lie outside those found."""

    def __init__(self, contents: dict[str, DocumentContent], gathered: GatheredEvidence, found: Sequence[Passage]) -> None:
        self._contents, self._gathered, self._found = contents, gathered, list(found)
        self._numbers = CitationNumbers()
        self.passages: list[Passage] = []

    def cite(self, table: StoredTable, row: TableRow) -> int:
        filename, passage = self._gathered.documents[table.document_id].filename, self._row_passage(table, row)
        return self._numbers.assign(cite_span((row.start, row.end), passage, filename, table.generation, self._row_page(table, row), table.section))

    @property
    def citations(self) -> list[Citation]:
        return self._numbers.ordered_citations()

    def _row_passage(self, table: StoredTable, row: TableRow) -> Passage:
        for each in [*self._found, *self.passages]:
            if each.document_id == table.document_id and each.start <= row.start and row.end <= each.end:
                return each
        passage = Passage(
            content=self._contents[table.document_id].text[row.start : row.end],
            section=table.section,
            document_id=table.document_id,
            start=row.start,
            end=row.end,
            chunks=[],
            page=self._row_page(table, row),
            anchor=0,
            anchor_score=max((each.anchor_score for each in self._found if each.document_id == table.document_id), default=0.5),
            coherence_score=1.0,
            stages={"read": StageScore(rank=1, score=1.0)},
        )
        self.passages.append(passage)
        return passage

    def _row_page(self, table: StoredTable, row: TableRow) -> int | None:
        """Return the page that the row stands on, which is not the table's first where it goes on over several."""
        if table.page is None or table.last_page in {None, table.page}:
            return table.page
        pages = self._contents[table.document_id].document.pages
        return next((page.number for page in pages if page.start <= row.start < page.end), table.page)


def _compose_answer(found: Sequence[TableAnswer], passages: Sequence[Passage], gathered: GatheredEvidence) -> ComputedAnswer:
    """Return the first of the answers; they have a lead where those that are nearest to the question, copies of one table, all say the same."""
    results = found[:_MAX_ANSWERS]
    agree = len({each.calculation.value for each in found if each.is_nearest}) == 1
    quotes = _RowCitations(gathered.contents, gathered, passages)
    sentences: list[AnswerSentence] = []
    for each in results:
        where = (
            f"{each.candidate.filename}{f', “{each.candidate.display_name}”' if each.candidate.table.caption else ''}: " if len(results) > 1 else ""
        )
        sentences += _sentences(each, quotes, where, paragraph=2 * len(sentences))
    computed = [each.calculation for each in results if not each.is_ambiguous]
    details = f"{'Computed' if computed else 'Not computed'}: {' '.join(each.calculation.sentence for each in results)}"
    answer = _join_sentences(sentences, quotes.citations, computed=bool(computed))
    lead = _lead(results[0], sentences[0], answer.citations) if agree and computed else None
    return ComputedAnswer(answer.model_copy(update={"lead": lead}), quotes.passages, computed, details)


def _lead(found: TableAnswer, told: AnswerSentence, citations: Sequence[Citation]) -> Lead | None:
    """Return the computed figure behind what is asked for beside it, with the first row that it rests on; None where the calculation has no single
    value."""
    value = found.calculation.value
    row = next((citation for citation in citations if citation.number in told.citations), None)
    if not value or row is None or told.highlight is None:
        return None
    text = f"{found.asked}: {value}" if found.asked else value
    return Lead(text=text, kind="computed", citation=row.number, start=row.start, end=row.end, chance=found.calculation.confidence)


def _sentences(found: TableAnswer, quotes: _RowCitations, where: str, paragraph: int) -> list[AnswerSentence]:
    """Return the calculation in one sentence with what belongs to it; then its groups, or the first of the rows that it rests on as a table."""
    table, calculation = found.candidate.table, found.calculation
    cited = [quotes.cite(table, row) for row in (found.rows or _header(found.candidate)) if not found.lines]
    told = [_sentence(f"{where}{calculation.sentence}", cited, paragraph, calculation.value)]
    for text, rows in found.lines:
        told.append(_sentence(text, [quotes.cite(table, row) for row in rows], paragraph, kind=BlockKind.LIST_ITEM))
    # What the table's own total says stands first among the notes and cites it; the others are remarks.
    total = [[quotes.cite(table, found.total)]] if found.total is not None else []
    cites = [*total, *[[] for _ in calculation.notes[len(total) :]]]
    told += [_sentence(note, cited_by, paragraph) for note, cited_by in zip(calculation.notes, cites, strict=True)]
    return told if found.lines else [*told, *_row_sentences(found, cited, paragraph + 1)]


def _row_sentences(found: TableAnswer, cited: Sequence[int], paragraph: int) -> Iterator[AnswerSentence]:
    """Yield the rows that are shown, with a remark in front where they are not all."""
    used = found.calculation.rows_used
    if len(found.rows) < used and found.calculation.operation not in {"highest", "lowest"}:
        yield _sentence(f"Shown are the first {len(found.rows)} of the {used:,} rows.", [], paragraph)
    if found.rows and not found.is_ambiguous:
        yield from (_row_sentence(row, number, paragraph) for row, number in zip(found.rows, cited, strict=True))


def _header(hand: CandidateTable) -> list[TableRow]:
    """Return the rows that name the columns, where no row below them is spoken of."""
    table, first = hand.table, hand.facts.body_start or hand.table.end
    return [TableRow(ordinal=-1, start=table.start, end=max(table.start + 1, first - 1), cells=[], values=[])]


def _sentence(text: str, citations: list[int], paragraph: int, value: str = "", kind: BlockKind = BlockKind.PARAGRAPH) -> AnswerSentence:
    at = text.rfind(value) if value else -1
    highlight = (at, at + len(value)) if at >= 0 else None
    return AnswerSentence(text=text, citations=citations, support="supported", score=1.0, paragraph=paragraph, kind=kind, highlight=highlight)


def _row_sentence(row: TableRow, number: int, paragraph: int) -> AnswerSentence:
    text = " | ".join(cell for cell in row.cells if cell)
    return AnswerSentence(text=text, citations=[number], support="quoted", score=1.0, paragraph=paragraph, kind=BlockKind.TABLE)


def _join_sentences(sentences: Sequence[AnswerSentence], citations: list[Citation], *, computed: bool) -> Answer:
    notes = ["The figures were computed from the typed rows of the cited table."] if computed else []
    return Answer(text=cited_text(sentences), sentences=list(sentences), citations=citations, notes=notes)
