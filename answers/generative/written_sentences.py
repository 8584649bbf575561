"""Sentences that a model wrote, read strictly, with the passage numbers they cite, and whether they are an answer at all."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.documents import BlockKind
from core.language.sentences import split_sentences, word_count
from core.lazy_patterns import compile_when_used

_MARKS = compile_when_used(r"[\[【]\s*(?:passages?\s*|source\s*|quelle\s*)?(\d+(?:\s*(?:[,;–-]|and|und)\s*\d+)*)\s*[\]】]", re.IGNORECASE)
_MARKS_BEHIND = compile_when_used(
    r"([.!?][\"”’»)]*|[。！？][」』”]*)[ \t]*((?:[\[【][^\[\]【】\n]{1,24}[\]】][ \t]*)+)(?=\s|$|(?<=[\]】])[^\x00-\x7f])"
)
_BULLET = compile_when_used(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_EMPTY_LINE = compile_when_used(r"\n\s*\n")
_SHORT = 3
_PICTURE = compile_when_used(r"!\[[^\]\n]*\](?:\([^)\n]*\)?|\[[^\]\n]*\])|<(?:img|script|iframe|a|/a)\b[^>\n]*>?", re.IGNORECASE)
_LINK = compile_when_used(r"\[([^\]\n]*[^\W\d_][^\]\n]*)\](?:\([^)\n]*\)?|\[[^\]\n]*\])")
_ADDRESS = compile_when_used(r"<?\b(?:https?|ftp|data|javascript|file)://?[^\s<>\])]*>?", re.IGNORECASE)
_EMPHASIS = compile_when_used(r"(?<![\w*])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*])|^#{1,6}\s+|`", re.MULTILINE)
_SOURCES = r"(?:passages?|documents?|texts?|context|excerpts?|sources?)"
_REFUSAL = compile_when_used(
    r"\bas an ai\b|\bi(?:'|’)?m sorry\b|\bi am sorry\b|\bi (?:cannot|can't|can not|do not|don't) (?:help|assist|know|have|answer)\b|"
    rf"\b{_SOURCES} (?:do|does|did)(?: not|n['’]t) (?:\w+ly )?(?:contain|mention|say|provide|answer|include|give|state|specify|indicate|address|"
    r"describe|explain|list|disclose|define|discuss|cover|detail|tell|offer|have|show|refer)\b|"
    rf"\b(?:not|n['’]t|never) (?:\w+ly )?(?:mentioned|specified|stated|provided|given|indicated|available|included|listed|found|clear|explained|"
    rf"described|defined|known) (?:in|by|from|within) (?:any of )?(?:(?:the|this|these|any) )?(?:\w+ )?{_SOURCES}|"
    r"\bno (?:\w+ )?(?:information|passage|answer|mention|indication|details?) (?:is|was|are|about|on|that|of|regarding|in)\b|"
    r"\b(?:not|in)(?: enough|sufficient) information\b|\b(?:cannot|can['’]t|could not) be determined\b|"
    r"\b(?:passagen?|dokumente?n?|texte?n?|auszüge?n?|unterlagen) (?:enthält|enthalten|sagt|sagen|nennt|nennen|erwähnt|erwähnen|gibt|geben)\b"
    r"[^.]*\b(?:nicht|keine?n?)\b|\bkeine (?:angaben?|informationen?|antwort)\b|\bich (?:weiß es nicht|kann (?:das|dir|ihnen) nicht)\b|\bno lo sé\b",
    re.IGNORECASE,
)
_TAIL, _REPEATS = 48, 4


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence without its marks; `cited_numbers` the numbers that exist, `has_invented` whether it named one that does not."""

    text: str
    cited_numbers: tuple[int, ...]
    has_invented: bool
    paragraph: int
    kind: BlockKind


def read_sentences(text: str, passages: int) -> list[WrittenSentence]:
    """Return the sentences of a written answer in order; marks behind a full stop belong to the sentence that it ends."""
    sentences: list[WrittenSentence] = []
    for paragraph, block in enumerate(block for block in re.split(r"\n\s*\n", _move_marks_inside(text.strip())) if block.strip()):
        for line in block.splitlines():
            kind = BlockKind.LIST_ITEM if _BULLET.match(line) else BlockKind.PARAGRAPH
            pieces = [line[start:end] for start, end in split_sentences(line)] if kind is BlockKind.PARAGRAPH else [line.strip()]
            sentences += [_sentence(piece, passages, paragraph, kind) for piece in _merge_short(pieces)]
    return [sentence for sentence in sentences if any(character.isalnum() for character in sentence.text)]


class SentenceReader:
    """A reader of a text as it is written: `feed` gives the sentences that a further piece has ended, `finish` those that are left at the end.

    A sentence is ended when the next one begins, so that its marks ("It ends. [1]") and abbreviations are all there.
    """

    def __init__(self, passages: int) -> None:
        self._passages = passages
        self._text = ""
        self._paragraph = 0

    def feed(self, piece: str) -> list[WrittenSentence]:
        self._text = _move_marks_inside(self._text + piece)
        end = _find_open_start(self._text)
        if not end:
            return []
        ended, self._text = self._text[:end], self._text[end:]
        found = self._parse(ended)
        self._paragraph += len(_EMPTY_LINE.findall(ended))
        return found

    def finish(self) -> list[WrittenSentence]:
        left, self._text = self._text, ""
        return self._parse(left)

    def _parse(self, text: str) -> list[WrittenSentence]:
        return [replace(each, paragraph=each.paragraph + self._paragraph) for each in read_sentences(text, self._passages)]


def _find_open_start(text: str) -> int:
    """Return where the last sentence of a text begins that may still go on; 0 where nothing before it is whole. Under three words are no sentence
    yet: they are read with what follows ("Yes. The landlord …"), and so is what has under three in front of it."""
    line = text.rfind("\n") + 1
    starts = [line + start for start, _ in split_sentences(text[line:])] or [line]
    for start in [*reversed(starts), line]:
        opened = text[start:].lstrip()
        if opened[:1] in "[【" or word_count(_MARKS.sub("", opened)) < _SHORT:
            continue
        if start == line or word_count(_MARKS.sub("", text[line:start])) >= _SHORT:
            return start
    return 0


def _move_marks_inside(text: str) -> str:
    """Return "It ends. [1]" as "It ends [1]." so that sentence ends and marks do not cross."""

    def moved(match: re.Match[str]) -> str:
        end, marks = match.group(1), match.group(2)
        return f" {marks.strip()}{end}{marks[len(marks.rstrip()) :]}" if _MARKS.search(marks) else match.group()

    return _MARKS_BEHIND.sub(moved, text)


def _merge_short(pieces: list[str]) -> list[str]:
    """Return the pieces with those under three words ("Yes.") joined to the next one, or to the one before at the end."""
    merged: list[str] = []
    for piece in pieces:
        if merged and (word_count(_MARKS.sub("", merged[-1])) < _SHORT or word_count(_MARKS.sub("", piece)) == 0):
            merged[-1] += " " + piece
        else:
            merged.append(piece)
    if len(merged) > 1 and word_count(_MARKS.sub("", merged[-1])) < _SHORT:
        last = merged.pop()
        merged[-1] += " " + last
    return merged


def _sentence(piece: str, passages: int, paragraph: int, kind: BlockKind) -> WrittenSentence:
    piece = without_markup(piece)
    numbers = [number for match in _MARKS.finditer(piece) for number in _numbers(match.group(1))]
    text = re.sub(r"\s+([.,;:!?。，；：！？])", r"\1", _MARKS.sub("", piece))
    known = tuple(dict.fromkeys(number for number in numbers if 1 <= number <= passages))
    return WrittenSentence(" ".join(text.split()), known, len(known) < len(set(numbers)), paragraph, kind)


def without_markup(text: str) -> str:
    """Return a model's text without pictures and addresses, which would carry what it read elsewhere when they are loaded or followed; of a link its
    words, of emphasis the words alone."""
    text = _LINK.sub(r"\1", _PICTURE.sub("", text))
    text = _EMPHASIS.sub(lambda match: match.group(2) or "", _ADDRESS.sub("", text))
    return re.sub(r"[(\[]\s*[)\]]", "", text)


def _numbers(marks: str) -> list[int]:
    """Return "1, 3" as [1, 3] and "2-4" as [2, 3, 4]; numbers are read to four digits, a wide range by its ends."""
    numbers: list[int] = []
    for part in re.split(r"\s*(?:[,;]|and|und)\s*", marks):
        ends = [int(number[:4]) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] <= ends[1] <= ends[0] + 20:
            numbers += range(ends[0], ends[1] + 1)
        else:
            numbers += ends
    return numbers


def is_refusal(text: str) -> bool:
    """Return whether a sentence says that there is no answer, or that the documents say nothing: of no use beside what they do say, whatever it
    cites."""
    return _REFUSAL.search(text) is not None


def is_looping(text: str) -> bool:
    """Return whether the end of a text has been said four times."""
    tail = text[-_TAIL:]
    return len(tail) == _TAIL and text.count(tail) >= _REPEATS


def nonsense(text: str) -> str:
    """Return why a whole reply is no answer (a phrase that goes on from "The model … "), or "" where it is one."""
    if not text.strip():
        return "returned nothing"
    letters = sum(character.isalnum() or character.isspace() for character in text)
    if letters < 0.7 * len(text) or "\ufffd\ufffd" in text or not any(character.isalpha() for character in text):
        return "returned garbled text"
    if is_looping(text.rstrip()):
        return "repeated itself without end"
    if is_refusal(text) and not _MARKS.search(text):
        return "did not answer from the passages"
    return ""
