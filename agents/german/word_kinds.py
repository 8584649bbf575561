"""What the words of a German clause are: tokens, and which of them are articles, pronouns, prepositions, nouns and verbs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.german.verb_forms import VerbForm, find_finite, find_participle, translate_verb
from agents.german.word_forms import find_noun, function_words, is_listed_noun, translate_adjective
from core.lazy_patterns import compile_when_used

_WORD = r"[^\W\d_]\w*(?:[-'’]\w+)*"
_TOKEN = compile_when_used(rf"⟦[^⟧]*⟧|\d+(?:[.,:/-]\d+)*\w*(?:\.(?=\s+[A-ZÄÖÜ]))?|{_WORD}|[^\w\s]|\s+")


def _decline(stems: str, endings: str = " e en em er es") -> list[str]:
    return [f"{stem}{ending}" for stem in stems.split() for ending in endings.split(" ")]


_ARTICLES = "der die das den dem des"
_MANY = frozenset(_decline("viel wenig einig mehrer beid all sämtlich manch", "e en er"))
_NUMBERS = frozenset("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig".split())
DETERMINERS = frozenset(
    [*_ARTICLES.split(), *_decline("ein kein unser mein dein ihr"), *_decline("sein dies jed jen welch solch manch all", "e en em er es"), *_MANY,
     "deren", "dessen", "derselbe", "derselben", "dieselbe", "dieselben", "dasselbe"]
)  # fmt: skip
GENITIVES = frozenset(["der", "des", *_decline("ein kein dies jed all beid unser mein ihr sein welch", "er es")])
SINGULAR = frozenset(
    ["des", "dem", "das", "im", "am", "ins", "zum", "zur", "beim", "vom", "ans", "ein", "kein", "diesem", "dieses",
     *_decline("ein kein jed", "e en em er es"), *_decline("unser mein ihr sein", " em es")]
)  # fmt: skip
PLURAL = _MANY | _NUMBERS | {"⟦how many⟧"}
PRONOUNS = frozenset(
    "ich wir man sie er es du mich mir uns dich dir ihn ihm ihnen sich jemand jemanden jemandem niemand niemanden niemandem etwas nichts alles "
    "wer wen wem was dies einander".split()
)
PREPOSITIONS = frozenset(
    "in im ins an am ans auf aufs aus bei beim mit nach von vom zu zum zur für fürs um durch gegen ohne bis seit über unter vor zwischen "
    "während wegen laut gemäß pro je ab innerhalb außerhalb neben hinter trotz per außer gegenüber aufgrund anhand statt anstelle oberhalb "
    "unterhalb mithilfe entlang einschließlich inklusive hinsichtlich bezüglich dank binnen zufolge entgegen als".split()
)
BEING = frozenset("ist sind war waren bin bist sei seien".split())
BECOMING = frozenset("wird werden wurde wurden".split())
HAVING = frozenset("hat haben hatte hatten habe".split())
MODALS = frozenset(
    "kann können konnte konnten könnte könnten darf dürfen durfte durften dürfte dürften muss müssen musste mussten müsste müssten soll sollen "
    "sollte sollten will wollen wollte wollten möchte möchten würde würden wäre wären hätte hätten".split()
)
AUXILIARIES = BEING | BECOMING | HAVING | MODALS
NON_FINITE_AUXILIARIES = frozenset("werden worden sein gewesen haben gehabt können müssen dürfen lassen geworden".split())
# Forms of verbs among the function words.
_VERBS_TOO = frozenset("gibt gilt gelten galt heißt bedeutet kommt".split())
TITLES = frozenset({"⟦Ms⟧", "⟦Mr⟧"})


@dataclass(frozen=True, slots=True)
class Token:
    """`is_glued` to what stands before it; `at_start` where a capital says nothing."""

    text: str
    is_glued: bool = False
    at_start: bool = False

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def is_english(self) -> bool:
        return self.text.startswith("⟦")

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha()


@dataclass(frozen=True, slots=True)
class KnownWords:
    """What the library has itself. In a text that is all small a name or noun may be written small, too; else "half" is a German verb that nobody
    knows. `missing` gathers what nobody knows."""

    own_words: frozenset[str]
    is_lower_case: bool = False
    missing: list[str] = field(default_factory=list)


def split_tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    is_glued = True
    for found in _TOKEN.findall(text):
        if not found.isspace():
            at_start = not any(each.is_word or each.is_english for each in tokens)
            tokens.append(Token(found, is_glued, at_start))
        is_glued = not found.isspace()
    return tokens


def is_noun(token: Token, known: KnownWords) -> bool:
    """German writes nouns with a capital; at the start of a text, or where all is small, the lists tell."""
    lower = token.lower
    if not token.is_word:
        return False
    if token.at_start or known.is_lower_case:
        return lower not in function_words() and lower not in DETERMINERS and _is_noun_by_lists(token, known)
    if lower in function_words():
        return token.text[0].isupper() and (find_noun(lower) is not None or len(lower) > 3)
    return token.text[0].isupper() and (find_noun(lower) is not None or translate_adjective(lower) is None)  # "der Schwarze Tod"


def _is_noun_by_lists(token: Token, known: KnownWords) -> bool:
    lower = token.lower
    is_adjective = translate_adjective(lower) is not None
    if find_noun(lower) is not None and not is_adjective and (find_finite(lower) is None or (token.text[0].isupper() and is_listed_noun(lower))):
        return True
    return lower in known.own_words and not is_adjective and translate_verb(lower) is None


def is_determiner(token: Token) -> bool:
    return token.lower in DETERMINERS or token.lower in PLURAL


def is_attribute(token: Token) -> bool:
    """Return whether a word may stand between article and noun: "neue", "bestellten", "letzten", "25.000"."""
    lower = token.lower
    if token.text[0].isdigit():
        return True
    if not token.is_word or lower in AUXILIARIES or lower in PREPOSITIONS or lower in PRONOUNS:
        return lower in {"viel", "mehr"}
    if lower in {"viel", "wenig", "mehr", "weniger", "hundert", "tausend"}:
        return True
    if lower in function_words():
        return re.search(r"(?:te|ste|ere|tzte)[nrsm]?$", lower) is not None or lower in PLURAL or lower.startswith("ander")
    if re.search(r"e[nrsm]?$", lower) is None:
        return False
    return translate_adjective(lower) is not None or _is_participle_attribute(lower)


def _is_participle_attribute(lower: str) -> bool:
    found = translate_verb(lower)
    bare = next((lower.removesuffix(each) for each in ("en", "er", "es", "em", "e") if lower.endswith(each)), "")
    return found is not None and find_participle(bare) is not None


def finite_verb(tokens: Sequence[Token], place: int, known: KnownWords) -> VerbForm | None:
    """Return the verb that a token may be the finite form of; auxiliaries are `AUXILIARIES`."""
    token, lower = tokens[place], tokens[place].lower
    if not token.is_word or (token.text[0].isupper() and not token.at_start):
        return None
    if lower in function_words() and lower not in _VERBS_TOO:
        return None
    if place and (tokens[place - 1].lower in {"zu", "am", "beim"} or _is_before_noun(tokens, place, known)):
        return None
    if token.text[0].isupper() and is_listed_noun(lower):
        return None  # "Kosten der Reparatur"
    return find_finite(lower)


def _is_before_noun(tokens: Sequence[Token], place: int, known: KnownWords) -> bool:
    """Return whether a word stands between an article or a preposition and a noun."""
    before = tokens[place - 1]
    if place + 1 >= len(tokens) or not (is_noun(tokens[place + 1], known) or is_attribute(tokens[place + 1])):
        return False
    return is_attribute(tokens[place]) and (is_determiner(before) or is_attribute(before) or before.lower in PREPOSITIONS)
