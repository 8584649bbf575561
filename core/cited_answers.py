"""The numbers of an answer's citations, its text with these numbers, and several answers as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.answers import Answer, AnswerSentence, Citation, Lead
from core.documents import BlockKind
from core.search import Passage

_OWN_LINE = frozenset({BlockKind.TABLE, BlockKind.LIST_ITEM, BlockKind.CODE})


class CitationNumbers:
    """The citations of one answer: the same span of a document has one number, numbers count from 1 in the order of first use."""

    def __init__(self) -> None:
        self._citations: dict[tuple[str, int, int], Citation] = {}

    def assign(self, citation: Citation) -> int:
        """Return the number of the citation's span, whatever number it bears itself."""
        key = (citation.document_id, citation.start, citation.end)
        if key not in self._citations:
            self._citations[key] = citation.model_copy(update={"number": len(self._citations) + 1})
        return self._citations[key].number

    def ordered_citations(self) -> list[Citation]:
        return list(self._citations.values())


def cite_span(span: tuple[int, int], passage: Passage, filename: str, generation: int, page: int | None, section: Sequence[str]) -> Citation:
    """Return the citation of text[start:end] of the passage's document, without a number yet."""
    start, end = span
    return Citation(
        number=0,
        document_id=passage.document_id,
        generation=generation,
        filename=filename,
        page=page,
        start=start,
        end=end,
        quote=passage.content[start - passage.start : end - passage.start],
        section=list(section),
        passage_start=passage.start,
        passage_end=passage.end,
    )


def cited_text(sentences: Sequence[AnswerSentence]) -> str:
    """Return the sentences with their numbers as [1]; a paragraph starts after an empty line, a table row, list item or code line on its own line."""
    text = ""
    before: AnswerSentence | None = None
    for sentence in sentences:
        if before is not None:
            text += _separator(before, sentence)
        text += sentence.text + "".join(f" [{number}]" if place == 0 else f"[{number}]" for place, number in enumerate(sentence.citations))
        before = sentence
    return text


def _separator(before: AnswerSentence, sentence: AnswerSentence) -> str:
    if before.paragraph != sentence.paragraph:
        return "\n\n"
    return "\n" if {before.kind, sentence.kind} & _OWN_LINE else " "


def lead_line(lead: Lead, numbers: Sequence[int]) -> str:
    """Return the lead as the first line of a text, with an empty line behind it."""
    return f"{lead.text} {''.join(f'[{number}]' for number in dict.fromkeys(numbers))}\n\n"


def join_answers(parts: Sequence[Answer]) -> Answer:
    """Return the answers to the parts of one question as one: their leads in one line, then their sentences, each once, with numbers of their own.
    Signals are those of the weakest part."""
    numbers, sentences, leads = CitationNumbers(), list[AnswerSentence](), list[Lead]()
    for part in parts:
        own = {each.number: numbers.assign(each) for each in part.citations}
        _add_sentences(sentences, part, own)
        if part.lead is not None and all(part.lead.text != lead.text for lead in leads):
            leads.append(part.lead.model_copy(update={"citation": own[part.lead.citation]}))
    lead = _join_leads(leads)
    return parts[0].model_copy(
        update={
            "text": _lead_in_front(lead, leads, parts) + cited_text(sentences),
            "sentences": sentences,
            "citations": numbers.ordered_citations(),
            "lead": lead,
            "notes": [note for part in parts for note in part.notes],
            "degraded": list({(each.part, each.reason): each for part in parts for each in part.degraded}.values()),
            "signals": {name: min(part.signals.get(name, 1.0) for part in parts) for name in parts[0].signals},
        }
    )


def _add_sentences(sentences: list[AnswerSentence], part: Answer, own: Mapping[int, int]) -> None:
    """Add a part's sentences that are not there yet, in paragraphs of their own. `own` are the new numbers of its citations."""
    paragraph = max((sentence.paragraph for sentence in sentences), default=-1) + 1
    for sentence in part.sentences:
        cited = [own[number] for number in sentence.citations]
        if all((sentence.text, cited) != (other.text, other.citations) for other in sentences):
            sentences.append(sentence.model_copy(update={"citations": cited, "paragraph": paragraph + sentence.paragraph}))


def _lead_in_front(lead: Lead | None, leads: Sequence[Lead], parts: Sequence[Answer]) -> str:
    """Return the first line of the text: the lead, where there are several or where a part's text has it."""
    if lead is None or not (len(leads) > 1 or any(part.text.startswith(f"{lead.text} [") for part in parts)):
        return ""
    return lead_line(lead, [each.citation for each in leads])


def _join_leads(leads: Sequence[Lead]) -> Lead | None:
    if len(leads) < 2:
        return leads[0] if leads else None
    return leads[0].model_copy(update={"text": "; ".join(lead.text for lead in leads), "kind": "list", "chance": min(lead.chance for lead in leads)})
