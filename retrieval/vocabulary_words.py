"""What of a tokenizer's vocabulary is left out: its tokens that are stop words or punctuation; and the words that it holds whole."""

from __future__ import annotations

from collections.abc import Mapping

from core.language.stop_words import SEARCH_STOP_WORDS

SHORTEST_WORD = 4  # letters of a word that a vocabulary is asked for
_LONGEST_STOP_WORD = max(map(len, SEARCH_STOP_WORDS))


def ignorable_ids(vocabulary: Mapping[str, int]) -> frozenset[int]:
    """Return ids of the tokens that are only punctuation or a whole stop word; pieces inside a word ("##ing") are never stop words.

    Reads the marks of WordPiece ("##" inside a word) and of SentencePiece and byte-level BPE ("▁", "Ġ" at its start).
    """
    return frozenset(number for token, number in vocabulary.items() if _is_ignorable(token.lstrip("▁Ġ"), token.startswith("##")))


def _is_ignorable(plain: str, inside: bool) -> bool:
    """Return whether a token is ignored. `plain` is the token without the mark of a word's start. Most of the 50,000 are letters alone: asked first,
    they cost no look at each.
    """
    if plain.isalnum() or any(map(str.isalnum, plain)):
        return len(plain) <= _LONGEST_STOP_WORD and not inside and plain.lower() in SEARCH_STOP_WORDS
    return True


def whole_words(vocabulary: Mapping[str, int]) -> frozenset[str]:
    """Return the words of a tokenizer's vocabulary that are one piece, in lower case: of WordPiece, byte-level BPE and SentencePiece."""
    marked = [token for token in vocabulary if token[:1] in "▁Ġ"]
    pieces = (token[1:] for token in marked) if marked else (token for token in vocabulary if not token.startswith(("##", "[")))
    return frozenset(piece.lower() for piece in pieces if piece.isalpha() and len(piece) >= SHORTEST_WORD)
