"""Whether a statement speaks of all that is asked, and of nothing else in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from answers.verdicts.asked_statement import AskedStatement, general_words
from answers.verdicts.statement_sense import VERB, segments_of
from answers.verdicts.verdict_words import verdict_words
from answers.verdicts.word_match import Match, SaidWord, StatementSurroundings, count_held, find_word, holds_word, read_tokens

_LEAST_OWN = 0.5  # of the words that are asked, in the statement itself
_MOST_FAR, _LEAST_LONG = 0.25, 7  # of them, in its document alone, of a question with many words
_NEAR_WEIGHT, _FAR_WEIGHT = 0.8, 0.5  # of a word around a statement, and of one in its document alone, in its strength
_LEAST_CONTEXT = 0.5  # of the words that say where it stands, in the document and its name
_PRONOUN = re.compile(
    r"\W*(?:\w+\W+){0,2}?(?:it|its|they|them|their|this|these|those|such|both|he|she|es|er|sie|diese[rs]?|il|elle|ils|elles|ce|lo|la|ellos)\b",
    re.IGNORECASE,
)
_BEGINS_BESIDE = re.compile(r"\W*(?:if|when|after|before|unless|under|with|without|in|during|wenn|falls|bei|nach|si|quand|cuando)\b", re.IGNORECASE)
_LEADS_TO_PLACE = re.compile(r"\b(?:in|with|of|for|at|on|to|from|mit|bei|für|im|auf|dans|avec|de|en|con)\s+(?:\S+\s+){0,3}$", re.IGNORECASE)
_MOST_ADDED = 3  # words that a question adds at its end
_LEADS_TO_END = re.compile(
    r"\b(?:(?P<where>in|at|on|inside|im|am|auf|bei|dans|sur|en)|to|with|for|by|during|an|mit|für|von|à|avec|pour|par|a|con|para)\s+(?:\S+\s+){0,2}$",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:in|at|on|to|with|for|during|after|before|within|from|under|inside|outside|between|near|beside|while|when|if|im|am|auf|bei|mit|für|nach|vor|während|"
    r"wenn|dans|sur|à|avec|pour|après|avant|en|con|para|después|antes)\s+(?!no\b|all\b|any\b|keine\w*\b)",
    re.IGNORECASE,
)
_BY = frozenset("by von par por".split())


class Coverage(NamedTuple):
    """The words of a statement that say what is asked, each with how; `strength` is their share."""

    found: tuple[tuple[SaidWord, SaidWord, Match], ...]
    strength: float

    @property
    def span(self) -> tuple[int, int]:
        """[start:end] of the text from the first to the last of them."""
        return min(said.start for _, said, _ in self.found), max(said.end for _, said, _ in self.found)


def fits_context(asked: AskedStatement, tokens: Sequence[SaidWord], around: StatementSurroundings) -> bool:
    """Return whether a statement stands where the question says that it does ("In the survey, did …")."""
    said = around.near | around.far | {token.word for token in tokens}
    held = count_held([token.word for token in asked.context], said)
    return held >= _LEAST_CONTEXT * len(asked.context)


def cover_question(asked: AskedStatement, text: str, around: StatementSurroundings) -> Coverage | None:
    """Return where a statement says what is asked, in one of its parts with a subject of their own; None where a word of it is said neither there
    nor around it, or too few there, or where it says so of something else."""
    segments = [(text[start:end], start) for start, end in segments_of(text)]
    beside = [token for said, start in segments if _BEGINS_BESIDE.match(said) for token in _tokens_at(said, start)]
    covered = [found for said, start in segments if (found := _cover_segment(asked, said, start, beside, around)) is not None]
    return max(covered, key=lambda each: each.strength, default=None)


def _tokens_at(text: str, start: int) -> list[SaidWord]:
    return [SaidWord(token.word, token.start + start, token.end + start, token.is_name) for token in read_tokens(text)]


def _cover_segment(asked: AskedStatement, text: str, start: int, beside: Sequence[SaidWord], around: StatementSurroundings) -> Coverage | None:
    own = _tokens_at(text, start)
    tokens = [*own, *(token for token in beside if token not in own)]
    found: list[tuple[SaidWord, SaidWord, Match]] = []
    missing: list[int] = []
    for place, term in enumerate(asked.terms):
        here = find_word(term.word, tokens)
        if here is not None:
            found.append((term, *here))
        elif not _may_be_missing(term, tokens):
            missing.append(place)
    added = _added_at_end(asked, missing, text)
    missing = [place for place in missing if place not in added]
    near = [place for place in missing if _stands_near(asked, place, (text, start), found, around)]
    far = [asked.terms[place] for place in missing if place not in near]
    if not _is_enough(asked, found, far, len(missing), around):
        return None
    covered = Coverage(tuple(found), 1.0 - ((1 - _NEAR_WEIGHT) * len(near) + (1 - _FAR_WEIGHT) * (len(far) + len(added))) / len(asked.terms))
    return None if _names_another(asked, own, around) or _has_other_doer(asked, covered, own) else covered


def _added_at_end(asked: AskedStatement, missing: Sequence[int], text: str) -> list[int]:
    """Return the places of the last words of a question, which say with whom, where or when ("to a colleague"), where a statement holds without any
    limit ("is never lent", "are worn everywhere") and gives none of its own."""
    lists, count = verdict_words(), len(asked.terms)
    added = [place for place in missing if all(each in missing for each in range(place, count))]
    before = asked.text[: asked.terms[added[0]].start] if added else ""
    leads = _LEADS_TO_END.search(before)
    if leads is None or len(added) > _MOST_ADDED or any(asked.terms[place].is_name for place in added):
        return []
    unlimited = lists.never.search(text) is not None or (leads["where"] and lists.everywhere.search(text) is not None)
    return added if unlimited and _LIMITS.search(text) is None else []


def _is_enough(
    asked: AskedStatement,
    found: Sequence[tuple[SaidWord, SaidWord, Match]],
    far: Sequence[SaidWord],
    missing: int,
    around: StatementSurroundings,
) -> bool:
    """Return whether a statement has enough of what is asked itself, and its document the rest."""
    count = len(asked.terms)
    if not found or count - missing < _LEAST_OWN * count:
        return False
    if len(found) < 2 and count > 1 and not asked.figures:
        return False
    if far and (count < _LEAST_LONG or len(far) > _MOST_FAR * count):
        return False
    return all(not term.is_name and holds_word(term.word, around.near | around.far) for term in far)


def _may_be_missing(term: SaidWord, tokens: Sequence[SaidWord]) -> bool:
    """Return whether a word says nothing that a document would repeat: anybody, where it names nobody else, and the document itself."""
    lists = verdict_words()
    if term.word in lists.general_doers:
        return not any(is_doer(token.word) for token in tokens)
    return term.word in general_words() or term.word in lists.idle


def _stands_near(
    asked: AskedStatement,
    place: int,
    segment: tuple[str, int],
    found: Sequence[tuple[SaidWord, SaidWord, Match]],
    around: StatementSurroundings,
) -> bool:
    """Return whether a missing word stands in the heading or the document's name, and may be left out in the statement (`segment`: its text and where
    that begins): what it is about where it begins with "it" or says its kind ("the clamp" of "the Tern clamp"), a name, and where or with what
    something is ("… in the Tern quote")."""
    term = asked.terms[place]
    if not holds_word(term.word, around.near):
        return False
    if place == 0:
        return _PRONOUN.match(segment[0]) is not None or _says_kind_of_first(asked, segment, found) or not _has_subject(segment[0])
    return term.is_name or (place == len(asked.terms) - 1 and _LEADS_TO_PLACE.search(asked.text[: term.start]) is not None)


def _says_kind_of_first(asked: AskedStatement, segment: tuple[str, int], found: Sequence[tuple[SaidWord, SaidWord, Match]]) -> bool:
    """Return whether a statement speaks of what is asked about by its kind alone: its subject, in front of the verb, is the second word."""
    (text, start), second = segment, asked.terms[1] if len(asked.terms) > 1 else None
    verb = VERB.search(text)
    return verb is not None and any(each is second and said.end <= start + verb.start() for each, said, _ in found)


_SUBJECT = re.compile(r"\W*(?:the|a|an|each|every|all|der|die|das|ein|eine|le|la|les|un|une|el|los|las|[A-ZÀ-Þ]\w+\s+\w+s?\s+(?:is|are|was|were))\b")


def _has_subject(text: str) -> bool:
    """Return whether a statement begins with a thing of its own."""
    return _SUBJECT.match(text[:1].lower() + text[1:]) is not None or _SUBJECT.match(text) is not None


def is_doer(word: str) -> bool:
    """Return whether a word is the part that somebody has in a contract or a firm."""
    return word.removesuffix("s") in verdict_words().parties


def _has_other_doer(asked: AskedStatement, covered: Coverage, tokens: Sequence[SaidWord]) -> bool:
    """Return whether somebody else does in the statement what is asked of one: the asked one stands behind him there, without "by"."""
    first = asked.terms[0]
    if not is_doer(first.word):
        return False
    said = next((token for term, token, _ in covered.found if term is first), None)
    if said is None:
        return any(is_doer(token.word) for token in tokens)
    before = [token for token in tokens if token.end <= said.start]
    return any(is_doer(token.word) for token in before) and not any(token.word in _BY for token in before[-3:])


def _names_another(asked: AskedStatement, tokens: Sequence[SaidWord], around: StatementSurroundings) -> bool:
    """Return whether a statement names something that is not asked about while what is asked about is named only around it."""
    names = [term for term in asked.terms if term.is_name]
    if all(find_word(term.word, tokens) is not None for term in names):
        return False
    known = {token.word for token in (*asked.terms, *asked.context)} | around.near
    return any(token.is_name and token.word not in known and not token.word[0].isdigit() for token in tokens)
