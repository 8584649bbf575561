"""German phrases in English, word by word: articles, adjectives, nouns in the number that their article asks for, genitives."""

from __future__ import annotations

from collections.abc import Sequence

from agents.german.clause_chunks import is_bare_genitive
from agents.german.verb_forms import gerund, translate_verb
from agents.german.word_forms import NounForm, find_listed_noun, find_noun, function_words, is_listed_noun, proper_nouns, translate_adjective
from agents.german.word_kinds import (
    AUXILIARIES,
    DETERMINERS,
    PLURAL,
    PREPOSITIONS,
    SINGULAR,
    TITLES,
    KnownWords,
    Token,
    is_attribute,
    is_noun,
)  # fmt: skip
from core.language.inflections import is_uncountable, pluralize_english
from core.language.months import english_month_of
from core.language.weekdays import english_weekday_of
from core.lazy_patterns import compile_when_used

_NUMBER = compile_when_used(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+")
_SIGNS = str.maketrans(".,", ",.")
_AMOUNT = compile_when_used(r"\d.*|[£€$]|hundert|tausend|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|fünfzig")
_BEFORE_AMOUNTS = {"als": "than", "über": "above", "unter": "below", "um": "about", "gegen": "about"}
_EMERGENCY = compile_when_used(
    r"unfall|unfälle|brand$|feuer$|diebstahl|einbruch|notfall|krankheit|stromausfall|alarm|schaden|schäden|leck|überschwemmung|verletzung|verlust|ausfall|störung"
)
_HEAD_END = compile_when_used(r" (?:of|and|with) ")
_IN_CASE = {"bei": "in case of", "beim": "in case of the"}
_GENITIVES = {"der": "of the", "des": "of the", "eines": "of a", "einer": "of a"}
_FEMININE = tuple(
    "nummer kammer mauer steuer feder mutter tochter schwester butter leiter leber schulter ziffer dauer trauer faser oper ader feier".split()
)
_AUF_BEHIND = {"antrag": "for", "anspruch": "to", "recht": "to", "zugriff": "to"}


def translate_tokens(tokens: Sequence[Token], known: KnownWords, *, is_plural: bool | None = None) -> str:
    """Return tokens in their order. `is_plural` is what a verb says of the first noun."""
    out = ""
    for place, token in enumerate(tokens):
        told = _translate(tokens, place, known, is_plural if _is_first_noun(tokens, place, known) else None)
        if told:
            out += told if token.is_glued or not out else f" {told}"
    return out


def _is_first_noun(tokens: Sequence[Token], place: int, known: KnownWords) -> bool:
    return is_noun(tokens[place], known) and not any(is_noun(token, known) for token in tokens[:place])


def _translate(tokens: Sequence[Token], place: int, known: KnownWords, is_plural: bool | None) -> str:
    """One token; what is not known stays as it is, and is added to the missing ones."""
    token = tokens[place]
    if token.is_english:
        return token.text[1:-1]
    if not token.is_word or any(letter.isdigit() for letter in token.text):
        return _translate_figure(tokens, place)
    if place and tokens[place - 1].text in TITLES:
        return token.text
    found = _translate_joint(tokens, place, known) or _translate_word(tokens, place, known, is_plural)
    if found is None:
        known.missing.append(token.text)
    return token.text if found is None else found


def _translate_joint(tokens: Sequence[Token], place: int, known: KnownWords) -> str:
    """Return the English of a genitive or a preposition by its neighbours; "" for any other word."""
    lower = tokens[place].lower
    if place and lower in _GENITIVES and _follows_noun(tokens, place, known):
        return _GENITIVES[lower]
    if is_bare_genitive(tokens, place, known):
        head = _translate_word(tokens, place, known, None) or tokens[place].text
        return head if place > 1 and tokens[place - 2].lower == "beim" else f"of {head}"
    return _translate_preposition(tokens, place) if lower in PREPOSITIONS else ""


def _translate_preposition(tokens: Sequence[Token], place: int) -> str:
    """Return what a preposition means by what stands around it; "" where it means what the list says."""
    lower, before = tokens[place].lower, tokens[place - 1] if place else None
    if before is not None and (lower == "auf" and before.text[0].isupper()):
        return next((english for noun, english in _AUF_BEHIND.items() if noun in before.lower), "")
    if before is not None and lower == "als" and before.lower.endswith(("er", "mehr")):
        return "than"
    if lower in _IN_CASE and any(_EMERGENCY.search(token.lower) for token in tokens[place + 1 : place + 4]):
        return _IN_CASE[lower]
    return _translate_before(lower, tokens[place + 1]) if place + 1 < len(tokens) else ""


def _translate_before(lower: str, behind: Token) -> str:
    """Return what a preposition means by the word behind it: "über 500", "bis zu", "beim Heben", "am Montag", "zu schnell"."""
    is_capital = behind.text[0].isupper()
    if lower in _BEFORE_AMOUNTS and _AMOUNT.fullmatch(behind.lower):
        return _BEFORE_AMOUNTS[lower]
    if lower == "bis" and behind.lower in {"zu", "zum", "zur"}:
        return "up"
    if lower == "beim" and is_capital and _is_infinitive_noun(behind):
        return "when"
    if lower == "am" and is_capital:
        return "on" if behind.lower in english_weekday_of("de") else "at the"
    return "too" if lower == "zu" and not is_capital and translate_adjective(behind.lower) is not None else ""


def _translate_figure(tokens: Sequence[Token], place: int) -> str:
    text = tokens[place].text
    if text.endswith(".") and text[0].isdigit():
        month = place + 1 < len(tokens) and tokens[place + 1].lower in english_month_of("de")
        return text[:-1] if month else _ordinal(text[:-1])
    return text.translate(_SIGNS) if _NUMBER.fullmatch(text) else text


def _ordinal(number: str) -> str:
    ending = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return f"{number}{ending}"


def _translate_word(tokens: Sequence[Token], place: int, known: KnownWords, is_plural: bool | None) -> str | None:
    token, lower = tokens[place], tokens[place].lower
    if is_noun(token, known):
        return _translate_noun(tokens, place, known, is_plural)
    found = function_words().get(lower)
    if found is None:
        is_before_noun = place + 1 < len(tokens) and is_noun(tokens[place + 1], known)
        bare = lower.removesuffix("er") if is_before_noun else lower
        found = translate_adjective(bare) or translate_adjective(lower)
    if found is None:
        found = _translate_verb(tokens, place)
    if found is None and (known.is_lower_case or token.at_start):
        found = _number_noun(find_noun(lower), lower, None)
    if found is None and lower in known.own_words and (token.text != lower or known.is_lower_case):
        return token.text
    return found


def _translate_verb(tokens: Sequence[Token], place: int) -> str | None:
    lower = tokens[place].lower
    found = translate_verb(lower, after_auxiliary=any(token.lower in AUXILIARIES for token in tokens[:place]) or place == len(tokens) - 1)
    return found.to_english if found is not None else None


def _translate_noun(tokens: Sequence[Token], place: int, known: KnownWords, is_plural: bool | None) -> str | None:
    """A name that the library has stays, but where the lists have the very word."""
    token, lower = tokens[place], tokens[place].lower
    if lower in known.own_words and not is_listed_noun(lower) and lower not in proper_nouns():
        return token.text
    found = find_noun(lower)
    if found is not None:
        return _number_noun(found, lower, is_plural if is_plural is not None else _article_number(tokens, place))
    verb = translate_verb(lower)
    if verb is not None:
        return gerund(verb) if verb.kind == "base" else verb.to_english
    found_word = translate_adjective(lower) or function_words().get(lower)
    return found_word or (token.text if lower in known.own_words else None) or _own_compound(token, known)


def _own_compound(token: Token, known: KnownWords) -> str | None:
    """ "Kestrelvertrag" with a name of the library: "Kestrel contract"."""
    for cut in range(4, len(token.text) - 3):
        name, rest = token.text[:cut], find_listed_noun(token.lower[cut:])
        if rest is not None and name.lower() in known.own_words:
            return f"{name} {_number_noun(rest, '', None)}"
    return None


def _is_infinitive_noun(token: Token) -> bool:
    found = translate_verb(token.lower)
    return found is not None and found.kind == "base" and find_noun(token.lower) is None


def _article_number(tokens: Sequence[Token], place: int) -> bool | None:
    """Return what the article or number in front of a noun says: True for several, False for one, None where it may be both."""
    at = place - 1
    if at > 0 and tokens[at].lower.endswith("er") and tokens[at - 1].text[0].isupper() and tokens[place].lower.endswith("er"):
        return True  # "ehemaliger Mitarbeiter" of several
    while at >= 0 and is_attribute(tokens[at]) and tokens[at].lower not in DETERMINERS:
        text = tokens[at].text
        if tokens[at].lower in PLURAL or (text.isdigit() and text != "1"):
            return True
        at -= 1
    if at < 0:
        return None
    return _number_by_article(tokens[at].lower, tokens[place].lower)


def _number_by_article(before: str, noun: str) -> bool | None:
    if before == "die" and noun.endswith("er") and not noun.endswith(_FEMININE):
        return True  # "die Stapler", "die Fahrer"
    return True if before in PLURAL else False if before in SINGULAR and before not in {"am", "im"} else None


def _number_noun(found: NounForm | None, word: str, is_plural: bool | None) -> str | None:
    if found is None:
        return None
    many = is_plural if is_plural is not None else found.is_plural
    return pluralize_english(found.english) if many and not is_uncountable(found.english) else found.english


def _follows_noun(tokens: Sequence[Token], place: int, known: KnownWords) -> bool:
    """Return whether a noun, or a noun with its number ("Version 2"), stands right before an article."""
    at = place - 1
    if tokens[at].text[0].isdigit() and at:
        at -= 1
    return is_noun(tokens[at], known) or (
        tokens[at].at_start and find_noun(tokens[at].lower) is not None and tokens[at].lower not in function_words()
    )


def is_plural_in_english(english: str, *, is_plural: bool) -> bool:
    """Return the number of a phrase's English noun: "die Möbel" are one thing, "das Protokoll" several."""
    head = _HEAD_END.split(english, maxsplit=1)[0]
    if is_uncountable(head) and " and " not in english:
        return False
    return is_plural or (pluralize_english(head) == head and head.endswith("s") and not head.endswith("ss"))
