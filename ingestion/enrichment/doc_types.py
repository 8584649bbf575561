"""The type of a document (invoice, contract, report …) by rules over its title, its first page and its build."""

from __future__ import annotations

import re
from collections import Counter

from core.documents import BlockKind, ExtractedDocument, PageUnit
from core.format_table import FORMATS
from core.lazy_patterns import compile_when_used

_HEAD = 4_000
_BY_PARSER = {parser: each.doc_type for each in FORMATS if each.doc_type for parser in each.parsers}
_BY_UNIT = {PageUnit.SHEET: "spreadsheet", PageUnit.SLIDE: "presentation"}
# (type, words in the title or the file's name, words on the first page): `_scores` weighs them.
_CUES: tuple[tuple[str, str, str], ...] = (
    (
        "invoice",
        r"invoice|receipt|\w*rechnung|facture|factura|fattura|quittung|credit note",
        r"invoice (?:no|number|date)|amount due|bill to|subtotal|vat|due date|payment terms|rechnungs(?:nummer|datum)|mwst|ust-id|iban|total ttc",
    ),
    (
        "quote",
        r"quotation|quote\b|angebot|devis|cotización|presupuesto",
        r"valid until|quotation|unit price|delivery time|total price|we are pleased to offer|warranty|gültig bis|lieferzeit",
    ),
    (
        "contract",
        r"agreement|contract|lease\b|licen[cs]e|nda\b|terms (?:of|and)|\w*vertrag|\w*vereinbarung|contrat|contrato|accord|acuerdo",
        r"hereinafter|the parties|party of|whereas|governing law|terminat(?:e|ion)|vertragspartei|kündigung|les parties|las partes",
    ),
    (
        "policy",
        r"policy|policies|guideline|code of conduct|\w*richtlinie|politique|política|privacy notice|directive",
        r"this policy|policy applies|must comply|compliance|scope|responsibilities|exceptions?|geltungsbereich|diese richtlinie",
    ),
    (
        "minutes",
        r"minutes|\w*protokoll|compte rendu|procès-verbal|acta\b",
        r"attendees|present:|apologies|agenda|action items?|adjourned|next meeting|teilnehmer|tagesordnung|asistentes|ordre du jour",
    ),
    (
        "paper",
        r"proceedings|journal of\b|preprint|thesis|dissertation",
        r"abstract|introduction|related work|references|et al|doi|arxiv|keywords|university|zusammenfassung|résumé|we propose|experiments?",
    ),
    (
        "manual",
        r"manual|handbook|guide|instructions|how to|tutorial|\w*handbuch|\w*anleitung|manuel|guía|readme|faq",
        r"install|troubleshooting|step \d|safety|warranty|press the|click|chapter \d|getting started|inbetriebnahme|warnung",
    ),
    (
        "letter",
        r"letter\b|brief an|lettre|carta",
        r"^dear\b|sincerely|yours (?:faithfully|truly)|kind regards|sehr geehrte|mit freundlichen|madame, monsieur|cordialement|estimad[oa]",
    ),
    (
        "report",
        r"report|analysis|assessment|review|survey|\w*bericht|rapport|informe|statistics|findings|study",
        r"executive summary|findings|recommendations?|fiscal year|quarter|in this report|this report|conclusions?|methodology|figure \d|table \d",
    ),
    (
        "form",
        r"form\b|application|questionnaire|\w*formular|\w*antrag|formulaire|formulario",
        r"signature|date of birth|please print|check one|applicant|unterschrift",
    ),
    (
        "resume",
        r"resume\b|résumé|curriculum|cv\b|lebenslauf",
        r"work experience|education|skills|references available|berufserfahrung|employment history",
    ),
)
_COMPILED = [(name, compile_when_used(rf"\b(?:{titles})", re.I), compile_when_used(rf"\b(?:{words})", re.I | re.M)) for name, titles, words in _CUES]


def document_type(document: ExtractedDocument, title: str, filename: str) -> str:
    """Return one of: invoice, quote, contract, policy, minutes, paper, manual, letter, report, form, resume, spreadsheet,
    presentation, email, code, data, note, document.
    """
    known = _BY_PARSER.get(document.parser) or _BY_UNIT.get(document.page_unit)
    if known:
        return known
    if _is_mostly_tables(document):
        return "data"
    scores = _scores(document, title, filename)
    if scores:
        return scores.most_common(1)[0][0]
    return "note" if len(document.text) < 3_000 and len(document.pages) <= 2 else "document"


def types_in_name(filename: str) -> frozenset[str]:
    """Return the types that a file's name speaks for; `document_type` may still find another."""
    name = re.sub(r"[_-]+", " ", filename)
    return frozenset(kind for kind, titles, _ in _COMPILED if titles.search(name))


def _scores(document: ExtractedDocument, title: str, filename: str) -> Counter[str]:
    head = document.text[:_HEAD]
    headings = " ".join(document.text[block.start : block.end] for block in document.blocks[:400] if block.kind is BlockKind.HEADING)
    named = types_in_name(filename)
    scores: Counter[str] = Counter()
    for kind, titles, words in _COMPILED:
        found = {match.lower() for match in words.findall(head + "\n" + headings[:_HEAD])}
        points = 4 * bool(titles.search(title)) + 3 * (kind in named) + min(4, len(found))
        # The title says it; the file's name needs one sign in the text, a text alone three; a salutation and a closing make a letter.
        if points >= 4 or len(found) >= (2 if kind == "letter" else 3):
            scores[kind] = points
    return scores


def _is_mostly_tables(document: ExtractedDocument) -> bool:
    tables = sum(table.end - table.start for table in document.tables)
    return bool(document.tables) and tables > 0.9 * len(document.text)
