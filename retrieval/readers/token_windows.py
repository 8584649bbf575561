"""A question and a passage as windows of token ids that a reader can take at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """The ids before the question, between it and the passage, and behind the passage: `[CLS] question [SEP] piece [SEP]` of a BERT,
    `<s> question </s></s> piece </s>` of a RoBERTa. `window`, `question_tokens` and `overlap` count tokens: of a whole window, of the question
    at most, and those that a window has in common with the next."""

    prefix_ids: tuple[int, ...]
    separator_ids: tuple[int, ...]
    suffix_ids: tuple[int, ...]
    window: int
    question_tokens: int
    overlap: int


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """`ids` of one window; the passage's token `first` and those that follow stand in it from place `begin` to before place `end`."""

    passage: int
    ids: list[int]
    first: int
    begin: int
    end: int


def special_ids(joined: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return `prefix_ids`, `separator_ids` and `suffix_ids` of a layout, from what a tokenizer makes of an empty question and an empty passage."""
    return tuple(joined[:1]), tuple(joined[1:-1]), tuple(joined[-1:])


def split_pieces(tokens: int, room: int, overlap: int) -> list[range]:
    """Return the tokens of each window's piece: at most `room`, the first `overlap` of them those that the piece before ends with. One empty piece
    for no tokens.
    """
    last = max(0, tokens - room)
    step = room - overlap
    starts = range(0, last + step, step)  # up to the first start from which the rest fits
    return [range(start, min(start + room, tokens)) for start in starts]


def cut_windows(layout: WindowLayout, question: Sequence[int], passage: Sequence[int], number: int) -> list[TokenWindow]:
    """Return all windows of the passage, which carries the given number; a long question is cut."""
    front = [*layout.prefix_ids, *question[: layout.question_tokens], *layout.separator_ids]
    room = layout.window - len(front) - len(layout.suffix_ids)
    made = []
    for piece in split_pieces(len(passage), room, layout.overlap):
        ids = [*front, *passage[piece.start : piece.stop], *layout.suffix_ids]
        made.append(TokenWindow(number, ids, piece.start, len(front), len(front) + len(piece)))
    return made
