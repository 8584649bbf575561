"""The lines of an answer as sentences with their citations, and the lead in front of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answers.citations.citation_numbers import Citations
from answers.extractive.current_statements import CurrentAnswer
from answers.extractive.decontextualization import AnswerLine
from answers.reading.evidence_reading import FoundSpan
from answers.reading.lead import LEAST_LEAD
from answers.reading.short_answers import highlight
from answers.scoring.unit_scores import Question
from core.answers import Answer, AnswerSentence, Evidence, Lead
from core.cited_answers import cited_text, lead_line
from core.documents import BlockKind, describing_model
from core.language.sentences import word_count

LONGEST_LEAD_SHARE = 0.6  # of the words of its sentence: a longer lead is the sentence, and is not shown twice
LEAST_MARKED_SHARE = (
    0.7  # of the question in a sentence whose short answer is marked; right in .8 (SQuAD) to .9 (XQuAD), in a third of multi-hop questions
)

_MAIL_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)


def build_answer(question: Question, evidence: Sequence[Evidence], lines: Sequence[AnswerLine], current: CurrentAnswer) -> Answer:
    """Return the answer of `lines` in their order, the lead's own line marked, and the lead in front of all where it is not the whole line."""
    citations = Citations(evidence)
    # what stands behind what replaced it is not marked
    best = max((line for line in lines if line.lex > 0 and line.paragraph == 0), key=lambda line: line.score, default=None)
    lead = current.lead if current.lead is not None and current.lead.chance >= LEAST_LEAD else None
    leading = next((line for line in lines if lead is not None and _holds(line, lead.span)), None)
    described = [_add_describer(evidence, before, line) for before, line in zip([None, *lines], lines, strict=False)]
    marked = leading is None and not current.conflict
    sentences = [
        _sentence(question, evidence, line, citations, mark=marked and before is best and before.lex >= LEAST_MARKED_SHARE)
        for before, line in zip(lines, described, strict=True)
    ]
    if lead is None or leading is None:
        notes = [f"Documents of yours say different things: {' · '.join(current.conflict)}."] if current.conflict else []
        return Answer(text=cited_text(sentences), sentences=sentences, citations=citations.to_list(), notes=notes)
    place = lines.index(leading)
    shown = unfold_quote(lead.span.text)
    passage = evidence[lead.span.source].passage
    before = passage.content[leading.start - passage.start : lead.span.start - passage.start]
    sentences[place] = sentences[place].model_copy(update={"highlight": _place_of(shown, sentences[place].text, described[place], before)})
    number = sentences[place].citations[0]
    words = current.words or shown
    told_lead = Lead(text=words, kind=lead.kind, citation=number, start=lead.span.start, end=lead.span.end, chance=round(lead.chance, 4))
    apart = current.words or word_count(shown) <= LONGEST_LEAD_SHARE * word_count(sentences[place].text)
    front = lead_line(told_lead, [number]) if apart else ""
    return Answer(text=front + cited_text(sentences), sentences=sentences, citations=citations.to_list(), lead=told_lead)


def _holds(line: AnswerLine, span: FoundSpan) -> bool:
    return line.source == span.source and line.start <= span.start and span.end <= line.end


def _place_of(shown: str, text: str, line: AnswerLine, before: str) -> tuple[int, int] | None:
    """Return where the lead stands in the sentence as it is shown, behind the prefix: of several places the one nearest to its own in the quote,
    which has `before` in front of it."""
    expected = len(line.prefix) + len(unfold_quote(before))
    places = re.compile(re.escape(shown), re.IGNORECASE).finditer(text, len(line.prefix)) if shown else ()  # its first letter may be a capital now
    return min((match.span() for match in places), key=lambda place: abs(place[0] - expected), default=None)


def _add_describer(evidence: Sequence[Evidence], before: AnswerLine | None, line: AnswerLine) -> AnswerLine:
    """Return the line marked as a vision model's words where it describes a picture, never as the file's own; once for sentences that follow one
    another."""
    model = describing_model(evidence[line.source].passage.section)
    if line.kind is not BlockKind.DESCRIPTION or not model:
        return line
    if before is not None and (before.source, before.paragraph, before.kind) == (line.source, line.paragraph, line.kind):
        return line
    return replace(line, prefix=f"A picture as {model} describes it: {line.prefix}")


def _sentence(question: Question, evidence: Sequence[Evidence], line: AnswerLine, citations: Citations, *, mark: bool) -> AnswerSentence:
    """Return the line as a sentence: `text` is the prefix and the quote, its wrapped lines unfolded."""
    number = citations.cite(line.source, line.start, line.end)
    passage = evidence[line.source].passage
    quote = passage.content[line.start - passage.start : line.end - passage.start]
    shown = line.prefix + (line.wording or (quote if line.kind is BlockKind.CODE else unfold_quote(quote)))
    return AnswerSentence(
        text=shown,
        citations=[number],
        support="quoted",
        score=line.score,
        paragraph=line.paragraph,
        kind=line.kind,
        highlight=highlight(question, shown, len(line.prefix)) if mark else None,
    )


def unfold_quote(quote: str) -> str:
    """Return a quote on one line: white space becomes single spaces, the ">" in front of the lines of a quoted mail is dropped."""
    return " ".join(_MAIL_MARK.sub(" ", quote).split())
