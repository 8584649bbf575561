"""Rows as windows of token ids, as the reader sees them when it serves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from training.reader.training_rows import TrainingRow

QUESTION_TOKENS = 64
UNKNOWN = -100  # a target that is not counted


@dataclass(frozen=True, slots=True)
class TokenLayout:
    """The layout in which a model joins a question and a text: ids in front, between, behind."""

    front: tuple[int, ...]
    between: tuple[int, ...]
    behind: tuple[int, ...]
    padding: int


def layout_of(tokenizer: Tokenizer) -> TokenLayout:
    """Return `[CLS] question [SEP] text [SEP]` of a BERT, `<s> question </s></s> text </s>` of a RoBERTa."""
    words = tokenizer.get_vocab()
    if "<s>" in words:
        return TokenLayout((words["<s>"],), (words["</s>"], words["</s>"]), (words["</s>"],), words["<pad>"])
    return TokenLayout((words["[CLS]"],), (words["[SEP]"],), (words["[SEP]"],), words["[PAD]"])


@dataclass(frozen=True, slots=True)
class TrainingWindow:
    """`text` is where the passage's tokens begin; `spans` are (first, last) token positions of the answers, none where it does not answer.
    `answered` and `relevant` are 1, 0 or UNKNOWN; `offset` is the passage's token at which the window begins."""

    row: int
    ids: list[int]
    text: int
    spans: tuple[tuple[int, int], ...]
    answered: int
    relevant: int
    offset: int


def training_windows(rows: Sequence[TrainingRow], tokenizer: Tokenizer, length: int, rng: random.Random) -> list[TrainingWindow]:
    """Return one window of at most `length` tokens a row, cut by chance round an answer; of long answered rows now and then one without it."""
    layout, windows = layout_of(tokenizer), []
    questions = tokenizer.encode_batch([row.question for row in rows], add_special_tokens=False)
    for number, (row, asked) in enumerate(zip(rows, questions, strict=True)):
        text = tokenizer.encode(row.context, add_special_tokens=False)
        front = [*layout.front, *asked.ids[:QUESTION_TOKENS], *layout.between]
        room = length - len(front) - len(layout.behind)
        tokens = [span for span in (_tokens(text.offsets, *answer) for answer in row.answers) if span is not None]
        if row.answers and not tokens:
            continue
        begin = _choose_start(len(text.ids), room, tokens[0] if tokens else None, rng)
        inside = [(a - begin, b - begin) for a, b in tokens if a >= begin and b < begin + room]
        if row.answers and not inside:
            continue
        relevant = UNKNOWN if row.relevant is None else int(row.relevant)
        ids = [*front, *text.ids[begin : begin + room], *layout.behind]
        spans = tuple((len(front) + a, len(front) + b) for a, b in inside)
        windows.append(TrainingWindow(number, ids, len(front), spans, int(bool(spans)), relevant, begin))
    return windows


def _tokens(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    inside = [place for place, (a, b) in enumerate(offsets) if b > start and a < end and b > a]
    return (inside[0], inside[-1]) if inside else None


def _choose_start(tokens: int, room: int, answer: tuple[int, int] | None, rng: random.Random) -> int:
    """Return the start of the window: anywhere that keeps the answer whole."""
    if tokens <= room:
        return 0
    if answer is None:
        return rng.randint(0, tokens - room)
    least, most = max(0, answer[1] - room + 1), min(answer[0], tokens - room)
    return rng.randint(least, most) if least <= most else answer[0]


def reading_windows(
    rows: Sequence[TrainingRow], tokenizer: Tokenizer, length: int, stride: int
) -> tuple[list[TrainingWindow], list[list[tuple[int, int]]]]:
    """Return all windows of each row, overlapping by `stride` tokens, and each row's token offsets in characters."""
    layout, windows, offsets = layout_of(tokenizer), [], []
    for number, row in enumerate(rows):
        asked = tokenizer.encode(row.question, add_special_tokens=False)
        text = tokenizer.encode(row.context, add_special_tokens=False)
        offsets.append(list(text.offsets))
        front = [*layout.front, *asked.ids[:QUESTION_TOKENS], *layout.between]
        room, begin = length - len(front) - len(layout.behind), 0
        while True:
            ids = [*front, *text.ids[begin : begin + room], *layout.behind]
            windows.append(TrainingWindow(number, ids, len(front), (), UNKNOWN, UNKNOWN, begin))
            if begin + room >= len(text.ids):
                break
            begin += room - stride
    return windows, offsets
