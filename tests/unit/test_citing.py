"""Numbers of citations, the text with them, and several answers as one."""

from __future__ import annotations

from core.answers import Answer, AnswerSentence, Citation, Lead
from core.cited_answers import CitationNumbers, cited_text, join_answers, lead_line
from core.documents import BlockKind


def citation(number: int, start: int = 0, document: str = "a") -> Citation:
    return Citation(
        number=number, document_id=document, generation=1, filename=f"{document}.txt", page=None, start=start, end=start + 5, quote="quote",
        section=[], passage_start=0, passage_end=99,
    )  # fmt: skip


def sentence(text: str, *numbers: int, paragraph: int = 0, kind: BlockKind = BlockKind.PARAGRAPH) -> AnswerSentence:
    return AnswerSentence(text=text, citations=list(numbers), support="quoted", paragraph=paragraph, kind=kind)


def test_a_span_has_one_number_in_the_order_of_first_use() -> None:
    numbers = CitationNumbers()
    found = [numbers.assign(citation(7, start)) for start in (0, 9, 0)]
    assert found == [1, 2, 1]
    assert [each.number for each in numbers.ordered_citations()] == [1, 2]


def test_rows_stand_on_lines_of_their_own_and_paragraphs_apart() -> None:
    told = [
        sentence("One.", 1),
        sentence("Two.", 1, 2),
        sentence("a | b", 2, kind=BlockKind.TABLE),
        sentence("Three.", paragraph=1),
    ]
    assert cited_text(told) == "One. [1] Two. [1][2]\na | b [2]\n\nThree."


def part(text: str, number: int, start: int, lead: str = "", signal: float = 0.5) -> Answer:
    told = [sentence(text, number)]
    found = Lead(text=lead, kind="span", citation=number, start=start, end=start + 5, chance=signal) if lead else None
    front = lead_line(found, [number]) if found is not None else ""
    return Answer(text=front + cited_text(told), sentences=told, citations=[citation(number, start)], lead=found, signals={"lead": signal})


def test_two_answers_become_one_with_both_leads_in_front() -> None:
    one = join_answers([part("It costs £5.", 1, 0, "£5", 0.9), part("Ada pays.", 1, 9, "Ada", 0.4)])
    assert one.text == "£5; Ada [1][2]\n\nIt costs £5. [1]\n\nAda pays. [2]"
    assert one.lead is not None
    assert (one.lead.kind, one.lead.chance, one.lead.citation) == ("list", 0.4, 1)
    assert [(each.number, each.start) for each in one.citations] == [(1, 0), (2, 9)]
    assert one.signals == {"lead": 0.4}


def test_the_same_sentence_is_told_once() -> None:
    one = join_answers([part("Ada pays £5.", 1, 0, "£5"), part("Ada pays £5.", 1, 0, "Ada")])
    assert one.text == "£5; Ada [1]\n\nAda pays £5. [1]"


def test_a_part_without_a_lead_adds_its_sentences() -> None:
    one = join_answers([part("It rains.", 1, 0), part("Ada pays.", 1, 9, "Ada")])
    assert one.text == "Ada [2]\n\nIt rains. [1]\n\nAda pays. [2]"
