"""English function words: they carry no topic, so the lexical field and late interaction leave them out."""

from __future__ import annotations

from collections.abc import Mapping

SHORTEST_WORD = 4  # letters of a word that a vocabulary is asked for
STOP_WORDS = frozenset(
    """
    a an the and or but nor so yet if then else than as of at by for from in into on onto to up down with within without about above below
    over under between among through during before after against until while since
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself
    they them their theirs themselves one this that these those there here
    who whom whose which what when where why how
    am is are was were be been being do does did doing done have has had having can could may might must shall should will would
    not no any some such both each either neither all other another same own only just also too very more most much many few
    s t d ll m re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn
    """.split()
)

_LONGEST_STOP_WORD = max(map(len, STOP_WORDS))


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
        return len(plain) <= _LONGEST_STOP_WORD and not inside and plain.lower() in STOP_WORDS
    return True


def whole_words(vocabulary: Mapping[str, int]) -> frozenset[str]:
    """Return the words of a tokenizer's vocabulary that are one piece, in lower case: of WordPiece, byte-level BPE and SentencePiece."""
    marked = [token for token in vocabulary if token[:1] in "▁Ġ"]
    pieces = (token[1:] for token in marked) if marked else (token for token in vocabulary if not token.startswith(("##", "[")))
    return frozenset(piece.lower() for piece in pieces if piece.isalpha() and len(piece) >= SHORTEST_WORD)
