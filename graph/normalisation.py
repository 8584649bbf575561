"""Names compared: the normalised key of a name, its tokens, and when two different keys may be the same thing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.fuzz import ratio

from core.graph import EntityType
from core.language.stop_words import ARTICLES

MIN_SIMILARITY = 0.85  # SPEC: names above this may be one entity
WORD = re.compile(r"\w+(?:['’.]\w+)*|&")

# Legal forms at the end of a name say how a company is registered, not which one it is.
_FORMS = frozenset(
    "ltd limited llp llc lp inc incorporated corp corporation plc gmbh ag kg kgaa ohg se sa sas sarl spa srl bv nv ab asa oy oyj pty kk co".split()
)
_ROMAN = re.compile(r"[ivxlc]+")
_ADDITION = re.compile(r"\s+[·|–—]\s+|\s*\([^)]*\)$")
# Letters that stand for another with a mark but do not decompose.
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe"})
_ALNUM = re.compile(r"[^\W_]+")
# Types whose names say exactly one thing: never similar, only equal.
EXACT_TYPES = frozenset({EntityType.DATE, EntityType.AMOUNT, EntityType.IDENTIFIER, EntityType.EMAIL})


def fold_name(text: str) -> str:
    """Return `text` in lower case without accents; one result for all ways to encode a character."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return unicodedata.normalize("NFC", "".join(each for each in decomposed if not unicodedata.combining(each)))


def name_tokens(text: str) -> list[str]:
    """Return the words of a text as they are compared: plain, "&" as "and", "U.S." as "us", "Jean-Luc" as two, a possessive without its s."""
    return [token for word in WORD.findall(text) if (token := token_of(word))]


@lru_cache(maxsize=1 << 16)
def tokens_in(word: str) -> tuple[str, ...]:
    """Return `name_tokens` of one word, remembered."""
    return tuple(name_tokens(word))


@lru_cache(maxsize=1 << 16)
def token_of(word: str) -> str:
    """Return a word as it is compared; "" for one without letters and digits."""
    if word == "&":
        return "and"
    made = fold_name(word).replace("’", "'")
    made = made.removesuffix("'s")
    return "".join(_ALNUM.findall(made))


def key_from(tokens: Sequence[str]) -> str:
    """Return the key of a name that is cut into tokens: without its article and its legal form."""
    start, end = 0, len(tokens)
    if end - start > 1 and tokens[start] in ARTICLES:
        start += 1
    while end - start > 1 and tokens[end - 1] in _FORMS:
        end -= 1
    while end - start > 1 and tokens[end - 1] == "and":
        end -= 1
    return " ".join(tokens[start:end])


@lru_cache(maxsize=1 << 16)
def key_of(name: str) -> str:
    """Return the normalised name: what two spellings of one name share. "" for a name without letters and digits."""
    return key_from(name_tokens(name))


def title_forms(title: str) -> list[str]:
    """Return a title as it stands, and without what only tells it from others: "Lilu (mythology)", "Who is who · Merrow Chandlers"."""
    name = " ".join(title.split())
    bare = _ADDITION.split(name)[0]
    return [name, bare] if bare and bare != name else [name]


def similarity(left: str, right: str, kind: EntityType) -> float:
    """Return how alike two keys of one type are, 0..1; 0 where something forbids that they name the same.

    The ratio of rapidfuzz (1 - indel distance / length of both) over the sorted tokens, under these conditions: all tokens but one are equal, in
    whatever order; the one that differs is a word, not a number, an initial or a Roman number ("Amendment No. 1" is not "Amendment No. 2"),
    begins alike and is alike by itself ("Mark Ellison" is not "Mary Ellison", "Austria" is not "Australia"); a person's names do not differ by
    their last letter alone ("Daniel", "Daniela").
    """
    if left == right:
        return 1.0
    if kind in EXACT_TYPES:
        return 0.0
    one, other = sorted(left.split()), sorted(right.split())
    if len(one) != len(other):
        return 0.0
    only_one, only_other = _list_difference(one, other), _list_difference(other, one)
    if not only_one:
        return 1.0
    if len(only_one) > 1 or not _is_spelt_alike(only_one[0], only_other[0], kind, 93.0 if len(one) == 1 else 80.0):
        return 0.0
    return ratio(" ".join(one), " ".join(other)) / 100


def signatures(key: str, kind: EntityType) -> list[str]:
    """Return the blocking keys; two keys of a type whose `similarity` is above 0 share one of them: the tokens without one of them, and how that one
    begins.
    """
    if kind in EXACT_TYPES:
        return []
    tokens = sorted(key.split())
    if len(tokens) == 1:
        return [f"{kind.value} {tokens[0][:3]}"] if len(tokens[0]) > 4 else []
    found = (" ".join([kind.value, *tokens[:place], *tokens[place + 1 :], tokens[place][0]]) for place in range(len(tokens)))
    return list(dict.fromkeys(found))  # a word that is there twice gives the same one twice


def _list_difference(tokens: list[str], others: list[str]) -> list[str]:
    left, taken = [], list(others)
    for token in tokens:
        if token in taken:
            taken.remove(token)
        else:
            left.append(token)
    return left


def _is_spelt_alike(one: str, other: str, kind: EntityType, least: float) -> bool:
    if min(len(one), len(other)) < 5 or not (one.isalpha() and other.isalpha()):
        return False
    if _ROMAN.fullmatch(one) or _ROMAN.fullmatch(other):
        return False
    if kind is EntityType.PERSON and (one[:-1] in {other[:-1], other} or other[:-1] == one):
        return False
    return one[:3] == other[:3] and ratio(one, other) > least
