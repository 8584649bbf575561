"""German questions in English: for a library whose documents are all in English, where an English question finds, reads and computes far more.

Phrases of questions first, then clause by clause in English order (`agents.german.clause_order`), each word by the lists. No translation to show to
anybody, but one that says what was asked, and only where each word that carries the topic is known: by a list, or by the library itself (names).
Words that nobody knows are named, and the question stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.german.clause_order import translate_clause, translate_relative
from agents.german.clause_parts import JOINING, is_asking
from agents.german.question_phrases import COMPARISON_PHRASE, COURTESY, GREETING, PHRASES
from agents.german.verb_forms import find_finite
from agents.german.word_kinds import AUXILIARIES, PREPOSITIONS, PRONOUNS, KnownWords, Token, split_tokens
from core.language.months import ENGLISH_MONTH
from core.lazy_patterns import compile_when_used

_ENDS = frozenset("?.!;:")
_JOINS = frozenset({"und", "oder", "aber"})
_CLOTHES = r"(?:helmet|glove|shoe|goggles|clothing|clothes|mask|waistcoat|equipment|protection|harness)s?"
_NOMINATIVES = frozenset({"der", "die", "das"})
_RELATIVE = frozenset("der die das dem den denen deren dessen".split())
_ENGLISH_CORRECTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_when_used(pattern), told)
    for pattern, told in (
        (rf"\b(\d{{1,2}})\. ?((?:{ENGLISH_MONTH}))", r"\1 \2"),
        (rf"\b(?P<word>in|on|of|from|until|since) the ((?:\d{{1,2}} )?(?:{ENGLISH_MONTH}))", r"\g<word> \2"),
        (r"\s+([?.!,;:])", r"\1"),
        (r",(?=\s*[?.!]*$)", ""),
        (r"\b(of the|the|in the)(?: the| a)\b", r"\1"),
        (r"(\d[\d,.]*) ([£€$])", r"\2\1"),
        (r"\ba (?=[aeio])", "an "),
        (r", (?=that\b)", " "),
        (r"\bthe (Switzerland|Turkey|Ukraine|Slovakia|Mongolia|Normandy|Brittany|Tuscany)\b", r"\1"),
        (r"\b(away|far) of\b", r"\1 from"),
        (r"\bload(?=s?\b.*\bbatter(?:y|ies)\b)", "charge"),
        (r"\bloaded\b(?=.*\bbatter(?:y|ies)\b)", "charged"),
        (r"(?P<before>\bbatter(?:y|ies)\b.*\b)loade?(?P<ending>d?)\b", r"\g<before>charge\g<ending>"),
        (rf"\bbear(?P<ending>s|ing)?\b(?=.*\b{_CLOTHES})", r"wear\g<ending>"),
        (rf"(?P<before>\b{_CLOTHES}\b.*)\bbear\b", r"\g<before>wear"),
        (rf"(?P<before>\b{_CLOTHES}\b.*)\bborne\b", r"\g<before>worn"),
        # "am günstigsten"
        (
            r"\bon (?=(?:(?:cheap|low|high|short|long|larg|small|fast|old|new|young|heavi|light|bigg|great)est|most (?:expensive|important))\b)",
            "the ",
        ),
        (
            r"\b(?i:how many) (?!people|staff|goods|men|women)([a-z]*(?:[^sy\W]|ey))(?= (?:do|does|did|is|are|was|were|have|has|may|can|must)\b)",
            r"how many \1s",
        ),
        (r"\bdoes (the|our|these) minutes\b", r"do \1 minutes"),
        (r"\b(is|are|was|were) (first|second|third|last) ([a-z]+(?:ed|en|ld|ught))\b", r"\1 \3 \2"),
        (r"^(?i:for|at|with) (?:which|what) ([a-z]+) (do|does|did) (.+?) work(?=\W*$)", r"Which \1 \2 \3 work for"),
        (
            r"\bthe ((?:\w+ )?\w+) of the (landlord|tenant|owner|customer|supplier|buyer|seller|manager|director|employee|driver)\b(?!')",
            r"the \2's \1",
        ),
        (r"\b(holds?|keeps?|has|bears?|uses?|wrote|owns?|pays?|signed|approved|checks?|manages?) they(?=\W*$)", r"\1 it"),
    )
)


@dataclass(frozen=True, slots=True)
class QuestionTranslation:
    """`text` in English, `unknown_words` the words that nobody knows: with one of them the question stays as it is."""

    text: str
    unknown_words: tuple[str, ...] = ()


def translate_question(text: str, *, own: frozenset[str] = frozenset()) -> QuestionTranslation:
    """Return the German question in English. `own` are words (lower case) that the library has itself, which stay."""
    body = GREETING.sub("", COURTESY.sub("", text, count=1), count=1)
    for german, english in PHRASES:
        body = german.sub(english, body)
    if COMPARISON_PHRASE.search(body):
        body = re.sub(r"\b(?:bei|beim)\b", "⟦about⟧", body)
    known = KnownWords(own, text == text.lower())
    plain = " ".join(_translate_piece(piece, known) for piece in _split_pieces(_read_relatives(split_tokens(body), known)))
    for pattern, told in _ENGLISH_CORRECTIONS:
        plain = pattern.sub(told, plain)
    plain = plain.strip()
    return QuestionTranslation(plain[:1].upper() + plain[1:], tuple(dict.fromkeys(known.missing)))


def _read_relatives(tokens: list[Token], known: KnownWords) -> list[Token]:
    """Put the English of each relative clause in its place, as a part of the noun before it."""
    for place, token in enumerate(tokens):
        end = next((at for at in range(place + 1, len(tokens)) if tokens[at].text in {",", *_ENDS}), len(tokens))
        inside = tokens[place + 1 : end]
        if token.text == "," and len(inside) > 2 and inside[0].lower in _NOMINATIVES and _ends_with_verb(inside):
            told = translate_relative(inside, known)
            if not told:
                continue
            closes = end < len(tokens) - 1 and tokens[end].text == ","
            return [*tokens[:place], Token(f"⟦{told}⟧"), *_read_relatives(tokens[end + closes :], known)]
    return tokens


def _ends_with_verb(tokens: Sequence[Token]) -> bool:
    return tokens[-1].text.islower() and tokens[-2].lower != "zu" and (tokens[-1].lower in AUXILIARIES or find_finite(tokens[-1].lower) is not None)


def _split_pieces(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return clauses, and what stands between them, each on its own."""
    pieces: list[list[Token]] = [[]]
    for place, token in enumerate(tokens):
        if (
            token.text in _ENDS
            or (token.text == "," and _begins_clause(tokens, place + 1))
            or (token.lower in _JOINS and _begins_clause(tokens, place + 1))
        ):
            pieces += [[token], []]
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def _begins_clause(tokens: Sequence[Token], start: int) -> bool:
    """Return whether a clause of its own begins behind a comma or "und"."""
    end = next((place for place in range(start, len(tokens)) if tokens[place].text in {",", *_ENDS}), len(tokens))
    inside = tokens[start:end]
    if not inside:
        return True
    first = inside[0].lower
    if first in JOINING | AUXILIARIES or is_asking(inside[0]) or (first in PREPOSITIONS and is_asking(inside[min(1, len(inside) - 1)])):
        return True
    if len(inside) > 1 and inside[1].lower in PRONOUNS and find_finite(first) is not None:
        return True  # "und kam sie …"
    if tokens[start - 1].text != ",":
        return False
    return first in _RELATIVE or first in PREPOSITIONS or (len(inside) > 1 and inside[-2].lower == "zu")


def _translate_piece(piece: Sequence[Token], known: KnownWords) -> str:
    if len(piece) == 1 and piece[0].text in {",", *_ENDS}:
        return piece[0].text
    if piece[0].lower in _RELATIVE or (
        piece[0].lower in PREPOSITIONS - {"bis", "während", "seit"} and len(piece) > 2 and piece[1].lower in _RELATIVE
    ):
        told = translate_relative(piece, known)
        if told:
            return told
    return translate_clause(piece, known)
