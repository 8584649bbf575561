"""A German clause in chunks: noun phrases with what belongs to them, phrases with a preposition, pronouns, adjectives and adverbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.german.word_forms import find_noun, function_words, translate_adjective
from agents.german.word_kinds import GENITIVES, PREPOSITIONS, PRONOUNS, TITLES, KnownWords, Token, is_attribute, is_determiner, is_noun
from core.lazy_patterns import compile_when_used

ChunkKind = Literal["noun", "preposition", "pronoun", "adjective", "adverb", "negation", "object"]
_JOINS = frozenset({"und", "oder", "sowie", "bzw", "&", "/", "-", ","})
_MEASURES = compile_when_used(
    r"liter|kilo(?:gramm)?|tonnen?|meter|stück|prozent|euro|pfund|grad|flaschen?|paletten?|kisten?|kartons?|säcke|firma|herr|frau|kran|werk|stunden|"
    r"tage[n]?|wochen|monate[n]?|jahre[n]?|anzahl|menge|art|version|abschnitt|tor|halle|lager|standort|teile?"
)
_LATE_PRONOUN = frozenset({"dem", "den", "die", "der", "das"})
# Prepositions that belong to a noun in front of them where that one says how two things meet.
_NOUN_COMPLEMENTS = {
    "vertrag": ("mit", "zwischen", "über"), "vereinbarung": ("mit", "zwischen", "über"), "unterschied": ("zwischen",), "antrag": ("auf",),
    "anspruch": ("auf",), "zugriff": ("auf",), "recht": ("auf", "zu"), "nachtrag": ("zu", "zum", "zur"), "abstand": ("zwischen", "zu", "zum", "zur"),
    "schaden": ("an", "am"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClauseChunk:
    kind: ChunkKind
    tokens: tuple[Token, ...]

    @property
    def first(self) -> str:
        return self.tokens[0].lower


def split_chunks(tokens: Sequence[Token], known: KnownWords, *, von_is_apart: bool = False) -> list[ClauseChunk]:
    """Return the chunks of what stands in a clause beside its verbs. `von_is_apart` where "von" belongs to the verb ("wurde von … gebaut"), else it
    tells whose something is."""
    chunks: list[ClauseChunk] = []
    place = 0
    while place < len(tokens):
        end, kind = _chunk_end(tokens, place, known, von_is_apart)
        chunks.append(ClauseChunk(kind, tuple(tokens[place:end])))
        place = end
    return chunks


def _chunk_end(tokens: Sequence[Token], place: int, known: KnownWords, von_is_apart: bool) -> tuple[int, ChunkKind]:
    token, lower = tokens[place], tokens[place].lower
    if token.is_english and token.text not in TITLES and token.text != "⟦how many⟧":
        return place + 1, "adverb"
    if lower in {"nicht", "nie"}:
        return place + 1, "negation"
    if lower in PREPOSITIONS:
        return _preposition_end(tokens, place, known, von_is_apart)
    end = noun_phrase_end(tokens, place, known, von_is_apart=von_is_apart)
    if end > place:
        return end, "noun"
    if lower in PRONOUNS or lower in _LATE_PRONOUN:
        return place + 1, "pronoun"
    is_predicate = lower not in function_words() and translate_adjective(lower) is not None
    return place + 1, "adjective" if is_predicate else "adverb"


def _preposition_end(tokens: Sequence[Token], place: int, known: KnownWords, von_is_apart: bool) -> tuple[int, ChunkKind]:
    behind = place + 1
    if behind < len(tokens) and tokens[behind].lower in {"zu", "zum", "zur", "nach", "an", "auf"} and tokens[place].lower in {"bis", "von"}:
        behind += 1
    end = noun_phrase_end(tokens, behind, known, von_is_apart=von_is_apart)
    if end > behind:
        return end, "preposition"
    if behind >= len(tokens):
        return behind, "adverb"
    if tokens[place].lower == "am" and not tokens[behind].is_english:
        return behind + 1, "adjective"  # "am günstigsten"
    return behind + 1, "preposition"


def noun_phrase_end(tokens: Sequence[Token], start: int, known: KnownWords, *, von_is_apart: bool = False) -> int:
    """Return where the noun phrase that begins at `start` ends; `start` where none begins there."""
    place = start
    while place < len(tokens) and _stands_before_noun(tokens[place], known):
        place += 1
    if place >= len(tokens) or not is_noun(tokens[place], known):
        return _figure_end(tokens, start, place, known, von_is_apart)
    first = place
    while place < len(tokens) and _continues_noun(tokens, place, first, known):
        place += 1
    return _with_complement(tokens, place, known, von_is_apart)


def _stands_before_noun(token: Token, known: KnownWords) -> bool:
    return not is_noun(token, known) and (is_determiner(token) or is_attribute(token) or token.text in TITLES)


def _figure_end(tokens: Sequence[Token], start: int, place: int, known: KnownWords, von_is_apart: bool) -> int:
    """ "7.900 £", "die neuen": a phrase without a noun."""
    has_figure = any(token.text[0].isdigit() for token in tokens[start:place])
    if has_figure and place < len(tokens) and tokens[place].text in "£€$%":
        return _with_complement(tokens, place + 1, known, von_is_apart)
    return place if has_figure or (place - start > 1 and not tokens[place - 1].is_english) else start


def _continues_noun(tokens: Sequence[Token], place: int, first: int, known: KnownWords) -> bool:
    """ "Kran C2", "Firma Kestrel", "Liter Farbe" and "7.900 £" are one phrase; "gab die Anlage Fehlalarme" has two."""
    token = tokens[place]
    if place == first or token.text[0].isdigit() or token.text in "£€$%":
        return True
    if not is_noun(token, known):
        return False
    is_name = find_noun(token.lower) is None or any(letter.isdigit() for letter in token.text) or token.lower in known.own_words
    before, opens = tokens[place - 1], tokens[first - 1 if first else 0]
    stands_alone = not is_determiner(opens) and opens.lower not in PREPOSITIONS
    return is_name or stands_alone or before.text in TITLES or _MEASURES.fullmatch(before.lower) is not None


def _with_complement(tokens: Sequence[Token], place: int, known: KnownWords, von_is_apart: bool) -> int:
    """Genitives, "von …", what is joined by "und", and complements of the noun."""
    if place >= len(tokens):
        return place
    lower = tokens[place].lower
    if lower.startswith("⟦that "):  # a relative clause that is English already
        return place + 1
    if lower in GENITIVES or is_bare_genitive(tokens, place, known):
        end = noun_phrase_end(tokens, place, known, von_is_apart=von_is_apart)
        return end if end > place else place
    owns = lower in {"von", "vom"} and not von_is_apart
    if owns or lower in _NOUN_COMPLEMENTS.get(_base(tokens[place - 1].lower), ()):
        return max(place, noun_phrase_end(tokens, place + 1, known, von_is_apart=von_is_apart))
    if lower in _JOINS:
        end = noun_phrase_end(tokens, place + 1, known, von_is_apart=von_is_apart)
        return end if end > place + 1 else place
    return place


def _base(noun: str) -> str:
    return next((base for base in _NOUN_COMPLEMENTS if noun.startswith(base) or noun.endswith((base, base.replace("a", "ä") + "e"))), "")


def is_bare_genitive(tokens: Sequence[Token], place: int, known: KnownWords) -> bool:
    """Return whether "schwerer Lasten" behind a noun is "of heavy loads"."""
    token = tokens[place]
    if not token.text.islower() or not token.lower.endswith("er") or translate_adjective(token.lower) is None or not is_attribute(token):
        return False
    return place > 0 and place + 1 < len(tokens) and is_noun(tokens[place - 1], known) and is_noun(tokens[place + 1], known)
