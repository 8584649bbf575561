"""Hypatia: what kind of document it is, what it is about, how it is built, in what tone, and how hard it is to read.

By rules; where a model answers, it names kind, concepts and tone, and the rules keep what is counted. A concept that does not stand in the text is
dropped.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.attached.agent import Material
from agents.attached.document_excerpt import excerpt
from agents.document_analyzer.readability import readability
from agents.document_analyzer.tone import tone
from agents.text.document_lines import MOST_CHARACTERS, is_whole, lines_of
from agents.text.question_words import tokens
from core.documents import BlockKind, PageUnit
from core.errors import ModelUnavailable
from core.insights import SemanticAnalysis
from core.language.sentences import word_count
from core.language.stop_words import STOP_WORDS
from core.ports import ChatModel
from core.prompts import load_prompt
from core.search import Degradation
from core.structured_output import ask_model

VERSION = "1"
PROMPT = "document_analyzer"
_MOST_CONCEPTS = 10
_REPLY_TOKENS = 500
_GENERIC_TYPES = frozenset({"document", "note", "text"})
_TYPE_SIGNS = {
    "minutes": re.compile(
        r"\b(?:minutes|present:|attendees|apologies|chair|next meeting|agenda|actions?|decision:|teilnehmer|protokoll|tagesordnung|nächste sitzung)",
        re.I,
    ),
    "letter": re.compile(
        r"\b(?:dear|sincerely|yours|regards|enclosed|sehr geehrte|mit freundlichen|madame|cordialement|estimad[oa]|atentamente)\b", re.I
    ),
    "instructions": re.compile(r"\b(?:step \d|first,|then|click|press|open the|select|make sure|warning:|note:)", re.I),
}
_NOT_PROSE = frozenset({"code", "data", "spreadsheet"})


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """The analysis with what it took. `generated_by` is "rules" or the model's name."""

    analysis: SemanticAnalysis
    generated_by: str = "rules"
    degraded: tuple[Degradation, ...] = ()
    tokens: dict[str, int] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)


class AnalyzerReply(BaseModel):
    """The shape of the model's reply."""

    model_config = ConfigDict(extra="ignore")
    document_type: str = Field(max_length=60)
    key_concepts: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=30)
    sentiment: Literal["positive", "neutral", "negative", "mixed"] = "neutral"


async def analyze(material: Material, *, entities: Sequence[str], llm: ChatModel | None) -> AnalysisResult:
    """Analyse a document by rules and, where there is one, by a model. `entities` are names that the graph knows in the document, most mentioned
    first. Never fails for want of a model."""
    by_rules = await asyncio.to_thread(analyze_by_rules, material, entities)
    if llm is None:
        return AnalysisResult(by_rules)
    prompt = load_prompt(PROMPT)
    about = {"filename": material.document.filename, "text": await asyncio.to_thread(excerpt, material)}
    try:
        asked = await ask_model(llm, prompt, about, AnalyzerReply, max_tokens=_REPLY_TOKENS, share=0.5)
    except ModelUnavailable as error:
        return AnalysisResult(by_rules, degraded=(Degradation(part="analysis", reason=f"{error} The analysis is by rules."),))
    written = _merge_reply(asked.reply, by_rules, material)
    return AnalysisResult(written, llm.name, (), {"input": asked.input_tokens, "output": asked.output_tokens}, {prompt.name: prompt.sha})


def analyze_by_rules(material: Material, entities: Sequence[str]) -> SemanticAnalysis:
    """Analyse a document without a model."""
    document, content = material.document, material.content
    sentences = [line.text for line in lines_of(content.document) if is_whole(line)]
    prose = document.doc_type not in _NOT_PROSE
    hard = readability(sentences if prose else [], document.language)
    feeling, counted = tone(" ".join(sentences), document.language) if prose else ("neutral", {})
    return SemanticAnalysis(
        document_type=kind(material),
        key_concepts=concepts(material, entities),
        structure=structure(material),
        sentiment=feeling,
        complexity=hard.complexity,
        complexity_note=hard.note if prose else "It is no prose: readability formulas do not apply.",
        measures={**hard.measures, **counted, "words": float(word_count(content.text[:MOST_CHARACTERS])), "sentences": float(len(sentences))},
    )


def kind(material: Material) -> str:
    """Return what the indexer made of it; a text that it could not place is looked at whole for the signs of minutes, a letter or instructions."""
    known = material.document.doc_type or "document"
    if known not in _GENERIC_TYPES:
        return known
    text = material.content.text[:MOST_CHARACTERS]
    signs = {name: len({match.lower() for match in pattern.findall(text)}) for name, pattern in _TYPE_SIGNS.items()}
    best = max(signs, key=lambda name: signs[name])
    return best if signs[best] >= 4 else known


def concepts(material: Material, entities: Sequence[str]) -> list[str]:
    """Return its keywords, then the names that the graph found in it; none twice, nor one that is part of another."""
    found: list[str] = []
    for phrase in [*material.document.keywords[:7], *entities]:
        words = {word for word in tokens(phrase) if word not in STOP_WORDS}
        if words and not any(words <= set(tokens(other)) or set(tokens(other)) <= words for other in found):
            found.append(phrase)
    return found[:_MOST_CONCEPTS]


def structure(material: Material) -> str:
    """Describe what there is of each: "9 sections, 3 tables, 12 pages, 1,530 words"."""
    document, extracted = material.document, material.content.document
    unit = {PageUnit.SHEET: "sheet", PageUnit.SLIDE: "slide"}.get(document.page_unit, "page")
    sections = sum(block.kind is BlockKind.HEADING for block in extracted.blocks)
    items = sum(block.kind is BlockKind.LIST_ITEM for block in extracted.blocks)
    counts = [
        (sections, "heading"),
        (len(extracted.tables), "table"),
        (sum(len(table.rows) - table.header_rows for table in extracted.tables), "table row"),
        (items, "list item"),
        (document.pages if document.page_unit is not PageUnit.NONE else 0, unit),
        (word_count(material.content.text), "word"),
    ]
    return ", ".join(f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counts if number)


def _merge_reply(reply: AnalyzerReply, by_rules: SemanticAnalysis, material: Material) -> SemanticAnalysis:
    """The model's words where they hold: a concept must stand in the text, the kind is a few plain words."""
    text = " ".join(tokens(material.content.text[:MOST_CHARACTERS]))
    standing = [each.strip() for each in reply.key_concepts if tokens(each) and f" {' '.join(tokens(each))} " in f" {text} "]
    kind = re.sub(r"[^\w /-]+", " ", reply.document_type).strip().lower()
    return by_rules.model_copy(
        update={
            "document_type": kind or by_rules.document_type,
            "key_concepts": list(dict.fromkeys(standing))[:_MOST_CONCEPTS] or by_rules.key_concepts,
            "sentiment": reply.sentiment,
        }
    )
