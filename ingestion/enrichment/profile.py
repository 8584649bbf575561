"""Profiles a document by statistics: title, summaries, keywords, topics, language and type. No model, no network.

Sentences are scored by how central their words are (tf-idf against the document's own centroid, as in extractive summarisation since Luhn 1958 and
MEAD 2004), with a bonus for standing early; keywords are words and pairs scored by frequency against a list of common words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

from core.documents import BlockKind, DocumentProfile, ExtractedDocument, PageUnit
from core.format_table import FORMATS
from core.language.sentences import opens_mid_thought, split_sentences
from core.language.stop_words import COMMON_KEYWORDS, ENGLISH_KEYWORD_STOP_WORDS, KEYWORD_STOP_WORDS
from core.references import title_from_name
from ingestion.enrichment.authorship import authors_of, find_document_date
from ingestion.enrichment.doc_types import document_type
from ingestion.enrichment.document_references import find_references
from ingestion.enrichment.language_model import identify_language

_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*[^\W_])?|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]{2,8}")
_READ_CHARACTERS = 300_000  # characters that statistics are made of: the rest changes them little
_SENTENCES = 1_500
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE})
_EMPTY_TITLES = re.compile(
    r"""
        ^(?:
              untitled|document[ ]?\d*|dokument[ ]?\d*|powerpoint[- ]pr[eä]sentation|slide[ ]?\d*|presentation[ ]?\d*
            | title|new|none|null|page[ ]\d+|sheet[ ]?\d*|book[ ]?\d*|microsoft[ ]word|microsoft[ ]powerpoint|no[ ]title
            | kein[ ]titel|sans[ ]titre|template|\(?anonymous\)?
        )\b\W*\d*$
    """,
    re.I | re.VERBOSE,
)
# What stands at the top of a page and is no title: its number, where a table comes from, a line in brackets, the mark of a trial version.
_NO_OPENING = re.compile(
    r"""
        ^\W*(?:source|note|from|to|date|subject|cc|quelle|von|datum|an)\s*:
        | ^\(.*\)$ | ^\W*(?:table[ ]of[ ])?(?:contents|inhalt(?:sverzeichnis)?|sommaire|índice|header|footer)\W*$
        | \b(?:page|seite|página|pagina)\s+\d+\s+(?:of|von|de|sur|di)\s+\d+
        | \b(?:trial|evaluation)[ ](?:version|edition|copy)\b | \bleft[ ]blank\b | ^\W*click[ ]here\b
    """,
    re.I | re.VERBOSE,
)
_BROKEN_WORDS = 4  # from which on a line that begins with a small letter goes on from another one
_FILE_LIKE = re.compile(r"\.(?:docx?|pdf|xlsx?|pptx?|indd|tex|dvi|qxd|rtf|odt|txt|html?|p65|pmd|fm|wpd|ai|eps|tif)$|^[\w.-]*[\\/]|^\S*_\S*$", re.I)
_TITLE_LENGTH = 150
# Words of a title: in the first line of a paragraph, and in a paragraph of its own; the full stop behind fewer words than _NAME_WORDS may be that of
# a name ("Acme Ltd."). `_INSIDE`: a sentence ends before the end.
_LINE_WORDS, _TITLE_WORDS, _NAME_WORDS = 14, 30, 3
_ENDS_NO_TITLE = (".", ",", ";", ":")
_INSIDE = re.compile(r"[.!?]\s+\S")
_SECTION, _SECTIONS_ASKED = 160, 200  # characters that can tell a section's language; sections of one document that are asked about
# Of the text whose language is guessed: blocks that are looked at, those that are enough where none is long, characters of a long one, of the whole
# sample, and from which on it is enough.
_READ_BLOCKS, _FIRST_BLOCKS, _LONG_LINE, _SAMPLE, _ENOUGH = 600, 200, 60, 6_000, 200
_NAMED_BY_FILE = frozenset(parser for each in FORMATS if each.doc_type in {"code", "data"} for parser in each.parsers)
# Words of programming languages: they stand in every program and say nothing about one.
_KEYWORDS = frozenset(
    "def class function return import from const let var none null true false self int float str string bool void public private static final "
    "elif lambda async await try except catch throw throws raise yield struct enum interface impl fn func type val include namespace using "
    "switch break continue".split()
)


def profile_document(document: ExtractedDocument, filename: str) -> DocumentProfile:
    """Return the profile of an extracted document. `language` is an ISO 639-1 code, "" for too little text to tell."""
    title = _title(document, filename)
    words = _Words(document, title)
    sentences = _rank(_sentences(document), words)
    language = _language(document)
    return DocumentProfile(
        title=title,
        summary=_summary(document, sentences, 3, 420),
        detailed_summary=_summary(document, sentences, 7, 1_200),
        keywords=words.keywords(),
        topics=words.topics(),
        language=language,
        doc_type=document_type(document, title, filename),
        authors=authors_of(document),
        written_on=find_document_date(document),
        section_languages=_section_languages(document, language),
        references=find_references(document, title),
    )


# -- title -------------------------------------------------------------------------------------------------------------------------------


def _title(document: ExtractedDocument, filename: str) -> str:
    """Return the file's own title if it is one, else the first heading, else what stands in front of the text, else the file's name."""
    if document.parser in _NAMED_BY_FILE:
        return title_from_name(filename)
    own = re.sub(r"^microsoft (?:word|powerpoint|excel) - ", "", document.metadata.title, flags=re.I).strip()
    if _is_title(own) and _is_about(own, document, filename):
        return own[:_TITLE_LENGTH]
    if document.page_unit is not PageUnit.SHEET and (found := _opening_title(document)):
        return found
    return title_from_name(filename)


def _opening_title(document: ExtractedDocument) -> str:
    blocks = document.blocks[:12]
    headings = sorted((block for block in blocks if block.kind is BlockKind.HEADING), key=lambda block: (block.level, block.start))
    if headings:
        texts = [document.text[block.start : block.end] for block in headings]
        said = next((text for text in texts if not (_is_no_opening(text) or _goes_on(text))), "")
        return said if _is_title(said) and len(said) <= _TITLE_LENGTH else ""
    paragraphs = [document.text[block.start : block.end] for block in blocks if block.kind is BlockKind.PARAGRAPH]
    return _title_in_front(paragraphs[0], paragraphs[1] if len(paragraphs) > 1 else "") if paragraphs else ""


def _title_in_front(first: str, following: str) -> str:
    """Return a title that stands in front of the text, "" where none does.

    It is a short first line; or a short first paragraph that stands alone in front of a longer one, also one that is broken into lines or ends in
    a full stop, as titles of papers do. Of a sentence that is broken into lines no line is a title by itself.
    """
    lines = [line.strip() for line in first.strip().split("\n")]
    is_broken = len(lines) > 1 and all(line[:1].islower() for line in lines[1:])
    said = " ".join(first.split())
    words = len(said.split())
    if (is_broken or len(lines) == 1) and words <= min(_TITLE_WORDS, len(following.split())) and not _INSIDE.search(said):
        bare = said.rstrip(" .") if said.endswith(" .") or words > _NAME_WORDS else said
        return _shorten_title(bare) if _may_end_title(bare) else ""
    line = "" if is_broken else lines[0]
    return line if _may_end_title(line) and len(line.split()) <= _LINE_WORDS else ""


def _may_end_title(text: str) -> bool:
    return _is_title(text) and not text.endswith(_ENDS_NO_TITLE) and not _is_no_opening(text)


def _is_no_opening(text: str) -> bool:
    """Return whether a line at the top is a note or the number of a page, no title."""
    return _NO_OPENING.search(" ".join(text.split())) is not None


def _goes_on(heading: str) -> bool:
    """Return whether a line that looks like a heading is the second half of a sentence."""
    return heading[:1].islower() and len(heading.split()) >= _BROKEN_WORDS


def _shorten_title(title: str) -> str:
    """Return at most _TITLE_LENGTH characters, to the end of a word."""
    return title if len(title) <= _TITLE_LENGTH else title[: _TITLE_LENGTH + 1].rpartition(" ")[0] or title[:_TITLE_LENGTH]


def _is_title(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    return 3 <= len(text) <= 300 and letters >= max(2, 0.4 * len(text)) and not _EMPTY_TITLES.match(text) and not _FILE_LIKE.search(text)


def _is_about(title: str, document: ExtractedDocument, filename: str) -> bool:
    """Return whether most words of a stored title occur in the text or the file's name: many are left over from a template."""
    words = [word for word in _tokens(title) if word not in KEYWORD_STOP_WORDS]
    around = set(_tokens(document.text[:20_000])) | set(_tokens(title_from_name(filename)))
    return bool(words) and sum(word in around for word in words) >= 0.5 * len(words)


# -- words -------------------------------------------------------------------------------------------------------------------------------


def _tokens(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


class _Words:
    """Counts of a document's words and pairs of words, and what is worth naming among them."""

    def __init__(self, document: ExtractedDocument, title: str) -> None:
        self.counts: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._forms: dict[str, Counter[str]] = {}
        self._headings: Counter[str] = Counter()
        self.title = set(_content_words(title))
        self._is_code = document.parser == "code"
        for block in document.blocks:
            if block.start > _READ_CHARACTERS:
                break
            if block.kind not in (BlockKind.FURNITURE, BlockKind.CODE) or self._is_code:
                self._count(document.text[block.start : min(block.end, block.start + 20_000)], heading=block.kind is BlockKind.HEADING)

    def _count(self, text: str, *, heading: bool) -> None:
        stop = _KEYWORDS if self._is_code else frozenset()
        for clause in re.split(r"[.,;:!?()\[\]{}|\"“”„«»\n•]+", text):
            previous = ""
            for found in _WORD.findall(clause):
                word = found.lower()
                if not _is_content_word(word) or word in stop:
                    previous = ""
                    continue
                self.counts[word] += 1
                self._forms.setdefault(word, Counter())[found] += 1
                if heading:
                    self._headings[word] += 1
                if previous and previous != word:
                    self._pairs[previous, word] += 1
                previous = word

    def weight(self, word: str) -> float:
        """Return how much a word says here: its frequency, damped, less for common words, more for words of headings and of the title."""
        base = math.log1p(self.counts[word]) * (0.35 if word in COMMON_KEYWORDS else 1.0)
        return base * (1.0 + 0.5 * min(2, self._headings[word])) * (1.6 if word in self.title else 1.0)

    def keywords(self) -> tuple[str, ...]:
        """Return five to ten words and pairs, best first; fewer if the text has no more."""
        scored: dict[tuple[str, ...], float] = {
            (word,): self.weight(word) for word, _ in self.counts.most_common(400) if len(word) > 2 or not word.isascii()
        }
        for pair, count in self._pairs.most_common(200):
            if count >= 2 and count >= 0.3 * min(self.counts[pair[0]], self.counts[pair[1]]):
                scored[pair] = 1.15 * math.log1p(count) * (self.weight(pair[0]) + self.weight(pair[1])) / (
                    2 * math.log(2 + count)
                ) + 0.4 * math.log1p(count)
                scored[pair] = max(scored[pair], 1.05 * max(self.weight(pair[0]), self.weight(pair[1])) * count / max(self.counts[w] for w in pair))
        chosen: list[tuple[str, ...]] = []
        for candidate in sorted(scored, key=lambda phrase: (-scored[phrase], phrase)):
            if len(chosen) == 10:
                break
            if not any(_share_an_idea(candidate, other) for other in chosen):
                chosen.append(candidate)
        return tuple(" ".join(self._form(word) for word in phrase) for phrase in chosen)

    def topics(self) -> tuple[str, ...]:
        """Return up to four words that headings share, or the strongest words where there are no headings."""
        shared = [word for word, count in self._headings.most_common(30) if count >= 2 and word not in COMMON_KEYWORDS and len(word) > 3]
        strongest = sorted(shared or self.counts, key=lambda word: (-self.weight(word), word))
        chosen: list[str] = []
        for word in strongest:
            if len(chosen) == 4:
                break
            if word not in COMMON_KEYWORDS and len(word) > 3 and not any(_share_an_idea((word,), (other,)) for other in chosen):
                chosen.append(word)
        return tuple(self._form(word) for word in chosen)

    def _form(self, word: str) -> str:
        """Return the spelling that is used most, capitals of a heading or a sentence's start aside."""
        forms = self._forms[word]
        lower = forms.get(word, 0)
        return word if lower * 3 >= forms.total() else forms.most_common(1)[0][0]


def _is_content_word(word: str) -> bool:
    return word not in KEYWORD_STOP_WORDS and 1 < len(word) <= 40


def _content_words(text: str) -> list[str]:
    return [word for word in _tokens(text) if _is_content_word(word)]


def _share_an_idea(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two phrases share a word, its plural or another ending of it."""
    return any(a == b or (len(a) > 4 and len(b) > 4 and (a.startswith(b[:-1]) or b.startswith(a[:-1]))) for a in one for b in other)


# -- summary -----------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    place: int
    words: frozenset[str]


def _sentences(document: ExtractedDocument) -> list[_Sentence]:
    """Return whole sentences of the prose, in order: at least six words, not too long, not mostly figures."""
    found: list[_Sentence] = []
    for block in document.blocks:
        if block.start > _READ_CHARACTERS or len(found) >= _SENTENCES:
            break
        if block.kind not in _PROSE:
            continue
        text = document.text[block.start : block.end].replace("\n", " ")
        for start, end in split_sentences(text):
            sentence = text[start:end]
            if _is_quotable(sentence):
                found.append(_Sentence(sentence, len(found), frozenset(_content_words(sentence))))
    return found


def _is_quotable(sentence: str) -> bool:
    if not 25 <= len(sentence) <= 420 or opens_mid_thought(sentence) or "://" in sentence or sentence[-1] not in '.!?…。！？"”»)':
        return False
    letters = sum(character.isalpha() for character in sentence)
    return letters > 0.65 * len(sentence.replace(" ", "")) and (len(sentence.split()) >= 6 or not sentence.isascii()) and "..." not in sentence[:-3]


def _rank(sentences: list[_Sentence], words: _Words) -> list[_Sentence]:
    """Return the sentences, best first."""
    scores = {sentence: _score(sentence, words, len(sentences)) for sentence in sentences}
    return sorted(sentences, key=lambda sentence: (-scores[sentence], sentence.place))


def _score(sentence: _Sentence, words: _Words, count: int) -> float:
    if not sentence.words:
        return 0.0
    central = sum(words.weight(word) for word in sentence.words if words.counts[word] > 1 or word in words.title) / (4.0 + len(sentence.words))
    return central * (1.0 + 0.6 / (1.0 + sentence.place / 3.0) + 0.1 * (1.0 - sentence.place / count))


def _summary(document: ExtractedDocument, ranked: list[_Sentence], count: int, characters: int) -> str:
    """Return the best sentences that differ from each other, in the order of the text; for a text without sentences, how it begins."""
    chosen: list[_Sentence] = []
    for sentence in ranked:
        if len(chosen) == count:
            break
        fits = sum(len(other.text) + 1 for other in chosen) + len(sentence.text) <= characters
        if (fits or not chosen) and all(_overlap(sentence, other) < 0.5 for other in chosen):
            chosen.append(sentence)
    if not chosen:
        return _opening(document, characters // 2)
    return " ".join(sentence.text for sentence in sorted(chosen, key=lambda sentence: sentence.place))


def _overlap(one: _Sentence, other: _Sentence) -> float:
    return len(one.words & other.words) / max(1, min(len(one.words), len(other.words)))


def _opening(document: ExtractedDocument, characters: int) -> str:
    """Return the first words of the text; of tables their columns."""
    if document.tables and document.tables[0].start < 400 and document.tables[0].header_rows:
        parts = [
            f"{', '.join(cell for cell in table.rows[0] if cell)} ({len(table.rows) - table.header_rows:,} rows)" for table in document.tables[:4]
        ]
        return _cut("; ".join(parts), characters)
    text = " ".join(document.text[block.start : block.end] for block in document.blocks[:12] if block.kind is not BlockKind.FURNITURE)
    return _cut(" ".join(text.split()), characters)


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[:characters].rsplit(" ", 1)[0] + " …"


# -- language ----------------------------------------------------------------------------------------------------------------------------


def _language(document: ExtractedDocument) -> str:
    if document.parser == "code":
        return ""
    lines = [
        document.text[block.start : block.end] for block in document.blocks[:_READ_BLOCKS] if block.kind in _PROSE or block.kind is BlockKind.HEADING
    ]
    # Menus say little: a page of Wikipedia begins with the names of two hundred languages, each in its own.
    long = " ".join(line for line in lines if len(line) >= _LONG_LINE)[:_SAMPLE]
    prose = long if len(long) > _ENOUGH else " ".join(lines[:_FIRST_BLOCKS])
    return _classify_language((prose if len(prose) > _ENOUGH else document.text)[:_SAMPLE], 20, 0.6)


def _classify_language(text: str, least: int, sure: float) -> str:
    """Return the language of a text; "" for fewer than `least` ASCII characters, or where it is not sure."""
    sample = " ".join(_WORD.findall(text))[:3_000]
    if len(sample) < (least if sample.isascii() else 4):
        return ""
    language, confidence = identify_language(sample)
    return language if confidence >= (0.9 if len(sample) < 80 else sure) else ""


def _section_languages(document: ExtractedDocument, language: str) -> tuple[str, ...]:
    """Return the language of each section that is in another than the document's; () where none is. Only sections of some length can tell."""
    if not language or document.parser == "code" or len(document.sections) < 2:
        return ()
    found = [""] * len(document.sections)
    asked = 0
    for number, section in enumerate(document.sections):
        text = document.text[section.start : min(section.end, section.start + 1_500)]
        if len(text) < _SECTION or asked >= _SECTIONS_ASKED or _is_mostly_english(language, text):
            continue
        asked += 1
        other = _classify_language(text, _SECTION // 2, 0.95)
        found[number] = other if other != language else ""
    return tuple(found) if any(found) else ()


def _is_mostly_english(language: str, text: str) -> bool:
    """Return whether common words of English make up so much of a text that asking the model is idle: most libraries are English."""
    words = _tokens(text)
    return language == "en" and sum(word in ENGLISH_KEYWORD_STOP_WORDS for word in words) > 0.3 * len(words)
