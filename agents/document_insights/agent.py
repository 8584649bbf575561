"""Mnemosyne: what to keep of a document: a summary of two or three of its sentences, key points, names, what is to be done, and what is open.

Every line is the document's own, with its span. By rules; where a model answers it chooses, and what it chose must stand in the text or is dropped.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field

from agents.attached.agent import Material
from agents.attached.document_excerpt import excerpt
from agents.document_insights.action_items import action_items
from agents.document_insights.quote_locator import QuoteLocator
from agents.text.document_lines import MOST_CHARACTERS, DocumentLine, centrality, is_item, is_whole, lines_of, overlap
from agents.text.question_words import find_names
from core.documents import BlockKind, ExtractedDocument
from core.errors import ModelUnavailable
from core.insights import ActionItem, CitedText, DocumentInsights
from core.ports import ChatModel
from core.prompts import load_prompt
from core.search import Degradation
from core.structured_output import ask_model

VERSION = "1"
PROMPT = "document_insights"
_SUMMARY_SENTENCES = 3
_REPLY_TOKENS = 1500
_SUMMARY_CHARACTERS = 600
_MOST_KEY_POINTS = 7
_MOST_ENTITIES = 15
_MOST_QUESTIONS = 8
_FACTS = re.compile(r"[£$€]\s?\d|\d[\d.,]*\s?(?:%|per cent|percent|eur|usd|gbp|euros?|days|months|weeks|years|kg|km|tonnes)|\b(?:19|20)\d\d\b", re.I)
_DECISION_WORDS = re.compile(
    r"\b(?:decided|decision|agreed|approved|must|shall|require[sd]?|result|conclu\w+|therefore|recommend\w*|beschlossen|ergebnis)\b", re.I
)
_UNDECIDED_WORDS = re.compile(
    r"\bTB[DCA]\b|\bto\s+be\s+(?:decided|confirmed|determined|agreed|clarified|defined|announced)\b|\b(?:is|are|remains?|still|was)\s+(?:still\s+)?"
    r"(?:unclear|unknown|undecided|open|unresolved|not\s+(?:yet\s+)?(?:clear|known|decided|agreed|confirmed))\b|\bnot\s+yet\s+"
    r"(?:been\s+)?(?:decided|agreed|known|clear|confirmed|settled)\b|\bremains\s+to\s+be\b|\bopen\s+(?:question|point|issue)s?\b|\bstill\s+open\b|"
    r"\bnoch\s+(?:offen|unklar|zu\s+klären)\b|\bpor\s+(?:definir|confirmar)\b|\bà\s+(?:définir|confirmer)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class InsightsResult:
    """The insights with what they took. `generated_by` is "rules" or the model's name."""

    insights: DocumentInsights
    generated_by: str = "rules"
    dropped: int = 0
    degraded: tuple[Degradation, ...] = ()
    tokens: dict[str, int] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)


class ActionReply(BaseModel):
    model_config = ConfigDict(extra="ignore")
    text: str
    owner: str = ""
    due: str = ""


class InsightsReply(BaseModel):
    """The shape of the model's reply."""

    model_config = ConfigDict(extra="ignore")
    executive_summary: list[str] = Field(default_factory=list, max_length=10)
    key_points: list[str] = Field(default_factory=list, max_length=30)
    entities: list[str] = Field(default_factory=list, max_length=60)
    action_items: list[ActionReply] = Field(default_factory=list, max_length=40)
    questions_raised: list[str] = Field(default_factory=list, max_length=30)


async def find_insights(material: Material, *, entities: Sequence[str], llm: ChatModel | None) -> InsightsResult:
    """Find insights by rules and, where there is one, by a model. `entities` are names that the graph knows in the document, most mentioned first.
    Never fails for want of a model."""
    by_rules = await asyncio.to_thread(find_insights_by_rules, material, entities)
    if llm is None:
        return InsightsResult(by_rules)
    prompt = load_prompt(PROMPT)
    about = {"filename": material.document.filename, "text": await asyncio.to_thread(excerpt, material)}
    try:
        asked = await ask_model(llm, prompt, about, InsightsReply, max_tokens=_REPLY_TOKENS, share=0.5)
    except ModelUnavailable as error:
        return InsightsResult(by_rules, degraded=(Degradation(part="insights", reason=f"{error} The insights are by rules."),))
    written, dropped = await asyncio.to_thread(_locate_reply, asked.reply, by_rules, material)
    spent = {"input": asked.input_tokens, "output": asked.output_tokens}
    return InsightsResult(written, llm.name, dropped, (), spent, {prompt.name: prompt.sha})


def find_insights_by_rules(material: Material, entities: Sequence[str]) -> DocumentInsights:
    """Find insights without a model."""
    document, extracted = material.document, material.content.document
    code = document.doc_type == "code"
    lines = [] if code else lines_of(extracted)
    summary = _summary(extracted, lines, document.title)
    return DocumentInsights(
        executive_summary=[line.to_cited_text() for line in summary] or _opening_lines(extracted),
        key_points=[line.to_cited_text() for line in _key_points(lines, summary, document.title)],
        entities=list(entities[:_MOST_ENTITIES]) or _names(material.content.text),
        action_items=action_items(extracted, lines, code=code),
        questions_raised=[line.to_cited_text() for line in lines if _is_open_question(line)][:_MOST_QUESTIONS],
    )


def _summary(document: ExtractedDocument, lines: Sequence[DocumentLine], title: str) -> list[DocumentLine]:
    """The most central sentences that differ from each other, in the order of the text."""
    whole = [line for line in lines if is_whole(line) and line.kind is not BlockKind.NOTE]
    scores = centrality(whole, title)
    chosen: list[DocumentLine] = []
    for line in sorted(whole, key=lambda line: (-scores[line], line.place)):
        fits = sum(len(other.text) for other in chosen) + len(line.text) <= _SUMMARY_CHARACTERS
        if (
            len(chosen) < _SUMMARY_SENTENCES
            and (fits or not chosen)
            and not line.text.endswith("?")
            and all(overlap(line, other) < 0.5 for other in chosen)
        ):
            chosen.append(line)
    return sorted(chosen, key=lambda line: line.place)


def _key_points(lines: Sequence[DocumentLine], summary: Sequence[DocumentLine], title: str) -> list[DocumentLine]:
    """Further sentences and items, one from each section before a second from any: those with facts and decisions first."""
    speaking = [line for line in lines if (is_whole(line) or is_item(line)) and line not in summary and not line.text.endswith("?")]
    central = centrality(speaking, title)

    def worth(line: DocumentLine) -> float:
        return (central[line] + 0.2) * (1.0 + 0.4 * bool(_FACTS.search(line.text)) + 0.4 * bool(_DECISION_WORDS.search(line.text)))

    ordered = sorted(speaking, key=lambda line: (-worth(line), line.place))
    chosen: list[DocumentLine] = []
    for most in (1, 2, _MOST_KEY_POINTS):
        for line in ordered:
            held = sum(other.section == line.section for other in chosen)
            differs = all(overlap(line, other) < 0.5 for other in [*chosen, *summary])
            if len(chosen) < _MOST_KEY_POINTS and held < most and line not in chosen and differs:
                chosen.append(line)
    return sorted(chosen, key=lambda line: line.place)


def _opening_lines(document: ExtractedDocument) -> list[CitedText]:
    """For a text without sentences: the first lines of its first two blocks that say anything, a table's header among them."""
    found: list[CitedText] = []
    for block in document.blocks[:50]:
        line = re.search(r"\S[^\n]*", document.text[block.start : min(block.end, block.start + 2_000)])
        if line is None or block.kind in {BlockKind.HEADING, BlockKind.FURNITURE} or sum(each.isalpha() for each in line.group()) < 3:
            continue
        shown = line.group()[:300].rstrip()
        start = block.start + line.start()
        found.append(CitedText(text=" ".join(shown.split()), start=start, end=start + len(shown), page=block.page))
        if len(found) == 2:
            break
    return found


def _is_open_question(line: DocumentLine) -> bool:
    """A question of the text, or what it calls undecided."""
    if not 8 <= len(line.text) <= 420:
        return False
    asks = line.text.rstrip("\"'”’»)").endswith(("?", "？")) and "://" not in line.text
    return asks or bool(_UNDECIDED_WORDS.search(line.text))


def _names(text: str) -> list[str]:
    """Names that occur at least twice, in the order in which they come; a single word only where it stands within a sentence, for any word may
    begin one with a capital."""
    head = text[:60_000]

    def within(name: str) -> bool:
        return " " in name or not name.isalpha() or bool(re.search(rf"[a-z,] {re.escape(name)}\b", head))

    return [name for name in find_names(head) if len(name) > 2 and head.count(name) > 1 and within(name)][:_MOST_ENTITIES]


def _locate_reply(reply: InsightsReply, by_rules: DocumentInsights, material: Material) -> tuple[DocumentInsights, int]:
    """The model's choice as the document's own words; the rules' where nothing of a kind could be found."""
    find = QuoteLocator(material.content.document)
    text = material.content.text[:MOST_CHARACTERS]
    summary, points = find.locate_all(reply.executive_summary)[:_SUMMARY_SENTENCES], find.locate_all(reply.key_points)[:_MOST_KEY_POINTS]
    questions = find.locate_all(reply.questions_raised)[:_MOST_QUESTIONS]
    actions = [
        ActionItem(**place.model_dump(), owner=each.owner if each.owner in text else "", due=each.due if each.due in text else "")
        for each in reply.action_items
        if (place := find.locate(each.text))
    ]
    standing = list(dict.fromkeys(name for name in reply.entities if len(name) > 1 and name in text))
    given = len(reply.executive_summary) + len(reply.key_points) + len(reply.questions_raised) + len(reply.action_items)
    kept = len(summary) + len(points) + len(questions) + len(actions)
    written = DocumentInsights(
        executive_summary=summary or by_rules.executive_summary,
        key_points=points or by_rules.key_points,
        entities=standing[:_MOST_ENTITIES] or by_rules.entities,
        action_items=actions,
        questions_raised=questions,
    )
    return written, given - kept
