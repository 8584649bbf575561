"""What a model wrote, read strictly: sentences with the passage numbers they cite, and whether it is an answer at all."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.documents import BlockKind
from core.sentences import split_sentences, word_count

_MARKS = re.compile(r"[\[【]\s*(?:passages?\s*|source\s*|quelle\s*)?(\d+(?:\s*(?:[,;–-]|and|und)\s*\d+)*)\s*[\]】]", re.IGNORECASE)
_BEHIND = re.compile(r"([.!?][\"”’»)]*|[。！？][」』”]*)[ \t]*((?:[\[【][^\[\]【】\n]{1,24}[\]】][ \t]*)+)(?=\s|$|(?<=[\]】])[^\x00-\x7f])")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_SHORT = 3
_REFUSAL = re.compile(
    r"\bas an ai\b|\bi(?:'|’)?m sorry\b|\bi am sorry\b|\bi (?:cannot|can't|can not|do not|don't) (?:help|assist|know|have|answer)\b|"
    r"\b(?:passages?|documents?|texts?|context) (?:do|does|did)(?: not|n['’]t) (?:contain|mention|say|provide|answer|include|give|state)|"
    r"\bno (?:information|passage|answer) (?:is|was|about|on|that)\b|\bich (?:weiß es nicht|kann (?:das|dir|ihnen) nicht)\b|\bno lo sé\b",
    re.IGNORECASE,
)
_TAIL, _REPEATS = 48, 4


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence without its marks; `cited` the numbers that exist, `invented` whether it named one that does not."""

    text: str
    cited: tuple[int, ...]
    invented: bool
    paragraph: int
    kind: BlockKind


def read_sentences(text: str, passages: int) -> list[WrittenSentence]:
    """The sentences of a written answer in order; marks behind a full stop belong to the sentence that it ends."""
    sentences: list[WrittenSentence] = []
    for paragraph, block in enumerate(block for block in re.split(r"\n\s*\n", _marks_inside(text.strip())) if block.strip()):
        for line in block.splitlines():
            kind = BlockKind.LIST_ITEM if _BULLET.match(line) else BlockKind.PARAGRAPH
            pieces = [line[start:end] for start, end in split_sentences(line)] if kind is BlockKind.PARAGRAPH else [line.strip()]
            sentences += [_sentence(piece, passages, paragraph, kind) for piece in _merged(pieces)]
    return [sentence for sentence in sentences if any(character.isalnum() for character in sentence.text)]


def _marks_inside(text: str) -> str:
    """ "It ends. [1]" as "It ends [1]." so that sentence ends and marks do not cross."""
    return _BEHIND.sub(lambda match: f" {match.group(2).strip()}{match.group(1)}" if _MARKS.search(match.group(2)) else match.group(), text)


def _merged(pieces: list[str]) -> list[str]:
    """Pieces under three words ("Yes.") are joined to the next one, or to the one before at the end."""
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
    numbers = [number for match in _MARKS.finditer(piece) for number in _numbers(match.group(1))]
    text = re.sub(r"\s+([.,;:!?。，；：！？])", r"\1", _MARKS.sub("", piece))
    known = tuple(dict.fromkeys(number for number in numbers if 1 <= number <= passages))
    return WrittenSentence(" ".join(text.split()), known, len(known) < len(set(numbers)), paragraph, kind)


def _numbers(marks: str) -> list[int]:
    """ "1, 3" as [1, 3] and "2-4" as [2, 3, 4]; numbers are read to four digits, a wide range by its ends."""
    numbers: list[int] = []
    for part in re.split(r"\s*(?:[,;]|and|und)\s*", marks):
        ends = [int(number[:4]) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] <= ends[1] <= ends[0] + 20:
            numbers += range(ends[0], ends[1] + 1)
        else:
            numbers += ends
    return numbers


def is_looping(text: str) -> bool:
    """Whether the end of a text has been said four times."""
    tail = text[-_TAIL:]
    return len(tail) == _TAIL and text.count(tail) >= _REPEATS


def nonsense(text: str) -> str:
    """Why a whole reply is no answer (a phrase that goes on from "The model … "), or "" where it is one."""
    if not text.strip():
        return "returned nothing"
    letters = sum(character.isalnum() or character.isspace() for character in text)
    if letters < 0.7 * len(text) or "\ufffd\ufffd" in text or not any(character.isalpha() for character in text):
        return "returned garbled text"
    if is_looping(text.rstrip()):
        return "repeated itself without end"
    if _REFUSAL.search(text) and not _MARKS.search(text):
        return "did not answer from the passages"
    return ""
