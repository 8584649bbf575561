"""Capitalised phrases: where they stand in a sentence, and what kind of thing their words and their surroundings make of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.graph import EntityType
from core.language.months import MONTHS
from core.language.stop_words import NAMELESS_WORDS
from graph.gazetteer import (
    ERAS,
    GENERIC_HEADINGS,
    GIVEN_NAMES,
    ORGANISATION_HEADS,
    ORGANISATION_STARTS,
    PERSON_TITLES,
    PLACE_HEADS,
    PLACE_STARTS,
    PLACES,
    ROLE_HEADS,
    WEEKDAYS,
)
from graph.normalisation import key_from, token_of, tokens_in

_SAINTS = frozenset({"saint"})  # it belongs to the name: Saint Helier is a town, and Helier none
_LABELS = GENERIC_HEADINGS | frozenset("objective objectives aim aims findings interpretation importance design setting measurements context".split())
_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
TOKEN = re.compile(r"\w+(?:['’.&-]\w+)*|&")
_JOINERS = frozenset("of de der den van von du la le di da del bin ibn al zu dos das & y".split())
_NAME_STARTERS = frozenset(
    "new old great first second third north south east west high big little grand united all general national last major left right".split()
)
_HEADS = ORGANISATION_HEADS | ORGANISATION_STARTS
_UNNAMED = frozenset(MONTHS) | WEEKDAYS | ERAS
_ABBREVIATED = frozenset("mr mrs ms dr prof st no nr sr jr gen col capt lt sgt rev hon gov sen rep ft mt messrs vol".split())
_PARTICLES = frozenset("van von de der den da di du la le bin al dos das del ter ten".split())
_CAPITALS_SHARE = 0.85  # of the longer words of a line: above it the capitals are typography
_OF = frozenset("of for de del der".split())
_PLACE_FIRST = frozenset("lake mount cape fort port quay pier dock".split())
MAX_WORDS = 10
PLAIN_SHARE = 0.6  # a single word counts as a name when at least this share of its uses is capitalised

Token = tuple[int, int, str]  # start, end and the word as it stands


class CapitalisedRun(NamedTuple):
    """A capitalised phrase: its span, its words as compared (one for each part of "Jean-Luc"), whether it opens the sentence, is an acronym, is a
    single word as written, follows a title ("Mr"), and mixes words in capitals with others."""

    start: int
    end: int
    words: tuple[str, ...]
    opens_sentence: bool
    is_acronym: bool
    is_single_word: bool
    follows_title: bool = False
    mixes_capitals: bool = False


@dataclass(slots=True)
class Casing:
    """Counts of how each word of the document is written inside sentences: `upper` and `lower` count uses that a sentence's start does not
    explain.
    """

    upper: Counter[str] = field(default_factory=Counter)
    lower: Counter[str] = field(default_factory=Counter)

    def is_name(self, word: str) -> bool:
        """Return whether the word is a name by its casing."""
        upper = self.upper[word]
        return upper > 0 and upper >= PLAIN_SHARE * (upper + self.lower[word])


def tokens_of(text: str, start: int, end: int) -> list[Token]:
    return [(match.start(), match.end(), match.group()) for match in TOKEN.finditer(text, start, end)]


def is_typography(tokens: Sequence[Token], *, sentence: bool) -> bool:
    """Return whether the capitals of a line are its style and say nothing: a line of capitals, or "Five Words Each With One" that is no
    `sentence`.
    """
    longer = [word for _, _, word in tokens if len(word) > 3 and not word[0].isdigit()]
    if len(longer) > 3 and sum(word.isupper() for word in longer) > 0.5 * len(longer):
        return True
    return not sentence and len(longer) > 4 and sum(word[0].isupper() for word in longer) > _CAPITALS_SHARE * len(longer)


def find_runs(text: str, tokens: Sequence[Token], masked: Sequence[bool]) -> list[CapitalisedRun]:
    """Return the capitalised phrases of one sentence. `masked` marks tokens that belong to a date, an amount or an address."""
    runs: list[CapitalisedRun] = []
    place, count = 0, len(tokens)
    while place < count:
        if masked[place] or not _is_capital(tokens[place][2]):
            place += 1
            continue
        last = _find_run_end(text, tokens, masked, place)
        pieces = (_trim_run(tokens, *piece) for piece in _split_names(tokens, place, last))
        runs += [made for made in pieces if made is not None]
        place = last + 1
    return runs


def _split_names(tokens: Sequence[Token], first: int, last: int) -> list[tuple[int, int]]:
    """Return the names of a phrase that holds two, the second a person's: "Morwenna Pascoe Tobias Renn", "Harbour Board Ines Okafor", and "Estonian
    President Karl Saar", where the office goes with neither.
    """
    words = [tokens[place][2].lower() for place in range(first, last + 1)]
    if words[-1] in _HEADS | PLACE_HEADS | ROLE_HEADS:
        return [(first, last)]
    for place in range(2, len(words) - 1):
        if words[place] in GIVEN_NAMES and 1 < len(words) - place <= 3 and (left := _end_of_first_name(words, place)):
            return [(first, first + left - 1), (first + place, last)]
    return [(first, last)]


def _end_of_first_name(words: Sequence[str], place: int) -> int:
    """Return how many words the name before `place` has; 0 where what stands there is its own continuation."""
    before = words[place - 1]
    if before in PERSON_TITLES | ROLE_HEADS:
        return place - (2 if words[place - 2] in {"prime", "vice", "deputy"} and place > 2 else 1)
    ends_body = before in ORGANISATION_HEADS or (words[place - 2] == "of" and any(word in _HEADS for word in words[: place - 2]))
    pair = place == 2 and before not in GIVEN_NAMES and words[0] not in PERSON_TITLES | _NAME_STARTERS and len(words) == 4
    return place if ends_body or (pair and words[1] not in _JOINERS and len(words[1]) > 2) else 0


def _is_capital(word: str) -> bool:
    """Return whether the word begins with a capital; a Latin letter before Hangul or Chinese characters is a symbol, not a name."""
    return word[0].isupper() and (word.isascii() or not _EASTERN.search(word))


def _find_run_end(text: str, tokens: Sequence[Token], masked: Sequence[bool], first: int) -> int:
    """Return the last token of the phrase that begins at `first`."""
    last, place = first, first + 1
    while place < len(tokens) and place - first < MAX_WORDS:
        if masked[place] or not _is_joined(text, tokens[place - 1], tokens[place]):
            break
        word = tokens[place][2]
        if _is_capital(word):
            last = place
        elif _is_number(text, tokens, place) and last == place - 1:
            last = place
            if not (place + 1 < len(tokens) and _is_capital(tokens[place + 1][2])):
                break
        elif not _may_join(tokens, first, place):
            break
        place += 1
    return last


def _is_number(text: str, tokens: Sequence[Token], place: int) -> bool:
    """Return whether the token numbers the name before it ("Quay 7", "Budget 2026"); a quantity goes on behind its mark ("Yard 1,150")."""
    _, end, word = tokens[place]
    return word.isdigit() and len(word) in {1, 2, 4} and not re.match(r"[.,:]\d|\s?[%°]", text[end : end + 2])


def _may_join(tokens: Sequence[Token], first: int, place: int) -> bool:
    """Return whether a word in lower case may stand inside the phrase: "of", "van der", "Ministry of Health and Welfare"."""
    word, before = tokens[place][2].lower(), tokens[place - 1][2].lower()
    if word == "of" and place - first > 1 and (opening := tokens[first][2].lower()) in PERSON_TITLES | GIVEN_NAMES and opening not in _HEADS:
        return False  # "Mr Osei of Brackwater Logistics"
    if word in _JOINERS:
        return before not in NAMELESS_WORDS or before in _NAME_STARTERS
    opening = tokens[first][2].lower()
    if word == "the":
        return before in {"of", "for"}
    if word in {"and", "und"} and place == first + 1 and _names_office(tokens, place + 1) and opening not in GIVEN_NAMES:
        return True  # "Health and Safety Manager"
    if word in {"and", "for", "und", "für"}:
        heads = before in ORGANISATION_HEADS and word in {"for", "für"}
        return (heads or opening in ORGANISATION_STARTS) and before not in {"of", "for", "and"}
    return False


def _names_office(tokens: Sequence[Token], place: int) -> bool:
    """Return whether capitalised words from `place` on end in an office."""
    last = place
    while last + 1 < len(tokens) and _is_capital(tokens[last + 1][2]) and last - place < 3:
        last += 1
    return last > place and last < len(tokens) and _is_capital(tokens[place][2]) and tokens[last][2].lower() in ROLE_HEADS


def _is_joined(text: str, left: Token, right: Token) -> bool:
    gap = text[left[1] : right[0]]
    if gap in {" ", "\u00a0"}:
        return not left[2].endswith(("'s", "’s"))
    if gap in {". ", ".\u00a0", "."}:
        return (len(left[2]) == 1 and left[2].isupper()) or left[2].lower() in _ABBREVIATED
    return False


def _trim_run(tokens: Sequence[Token], first: int, last: int) -> CapitalisedRun | None:
    """Return the phrase without what is not its name: a sentence's first word, a title, a month; None where nothing is left."""
    opens = first == 0
    titled = False
    while first <= last:
        word = tokens[first][2].lower()
        alone = first == last
        labels = opens and not alone and tokens[first][2].isupper() and word in _LABELS  # "METHODS We searched"
        if labels or word in _JOINERS or word in {"the", "a", "an"} or (word in NAMELESS_WORDS and (alone or (opens and word not in _NAME_STARTERS))):
            first += 1
        elif (
            (word in PERSON_TITLES or word in ROLE_HEADS)
            and word not in _SAINTS
            and not alone
            and tokens[first + 1][2].lower() not in _JOINERS | ORGANISATION_HEADS | ROLE_HEADS | {"and"}
        ):
            first, titled = first + 1, True
        else:
            break
    while last - first > 1 and tokens[last][2].lower() in ROLE_HEADS and token_of(tokens[first][2]) in GIVEN_NAMES:
        last -= 1
    if last > first and len(tokens[last - 1][2]) == 1 and tokens[last][2].lower() in NAMELESS_WORDS:
        last -= 1  # "as in C. Because of it"
    if first > last:
        return None
    words = [token for place in range(first, last + 1) for token in tokens_in(tokens[place][2])]
    if len(words) == 1 and (words[0] in _UNNAMED or words[0].isdigit() or len(words[0]) < 2):
        return None
    kept = [word for word in words if word]
    name = tokens[first][2]
    end = tokens[last][1] - (2 if tokens[last][2].endswith(("'s", "’s")) else 0)
    acronym = first == last and name.isupper() and 2 <= len(name) <= 8 and name.replace(".", "").isalpha()
    long = [tokens[place][2].isupper() for place in range(first, last + 1) if len(tokens[place][2]) > 2]
    mixed = any(long) and not all(long)
    return CapitalisedRun(tokens[first][0], end, tuple(kept), opens and first == 0, acronym, first == last, titled, mixed) if kept else None


# -- kinds -------------------------------------------------------------------------------------------------------------------------------

_SPEAKS = re.compile(
    r"\s?,?\s?(?:said|says|told|wrote|writes|asked|replied|added|explained|reported|was born|born|who|whose|resigned|married|died|signed|agreed)\b"
)
_LIVED = re.compile(r"\s?\(\s?(?:born|b\.|\d{1,2} \w{3,9} \d{4}|\d{4}\s?[-–])")
_IN = re.compile(r"(?:^|\W)(?:in|near|from|in der|nach|aus|en)\s$", re.I)
_COMMA_PLACE = re.compile(r",\s?([A-Z]\w+(?: [A-Z]\w+)?)")
_ROLE_BEFORE = re.compile(
    r"""
        (?:
            \b(?:
                  by|manager|director|chairman|president|leader|minister|senator|actor|actress|singer|author|player|wife
                | husband|son|daughter|brother|sister|father|mother|friend|colleague|engineer|professor|coach|writer
                | candidate|politician
            )
        )\s$
    """,
    re.VERBOSE,
)
NAME_COLUMNS: tuple[tuple[EntityType, frozenset[str]], ...] = (
    (EntityType.PERSON, frozenset("name who owner contact manager person driver employee approver author responsible assignee signatory".split())),
    (
        EntityType.ORGANIZATION,
        frozenset("works company supplier customer vendor firm organisation organization client employer carrier manufacturer".split()),
    ),
    (EntityType.LOCATION, frozenset("city country site location place town region destination origin".split())),
)


def type_votes(run: CapitalisedRun, before: str, after: str) -> list[tuple[EntityType, float]]:
    """Return one mention's votes for its kind: the words themselves first, else what stands around them (40 characters each side)."""
    said = type_by_words(run)
    if said is not None and said[1] >= 2:
        return [said]
    found = [said] if said is not None else []
    spelt = all(word.isalpha() for word in run.words)
    if spelt and not run.is_acronym and (_SPEAKS.match(after) or _LIVED.match(after)):
        found.append((EntityType.PERSON, 0.7))
    if spelt and _ROLE_BEFORE.search(before) and 1 < len(run.words) <= 4:
        found.append((EntityType.PERSON, 0.3))
    if _IN.search(before) and len(run.words) <= 2 and not run.is_acronym and spelt:
        place = _COMMA_PLACE.match(after)
        known = place is not None and key_from([token_of(word) for word in place[1].split()]) in PLACES
        found.append((EntityType.LOCATION, 1.5 if known else 0.5))
    return found


def type_by_words(run: CapitalisedRun) -> tuple[EntityType, float] | None:
    """Return the kind that the words of a name speak for, with how surely."""
    words = run.words
    if key_from(words) in PLACES:
        return EntityType.LOCATION, 3.0
    if run.follows_title and not any(word.isdigit() for word in words):
        return EntityType.PERSON, 2.5
    if len(words) == 1:
        return _type_by_single_word(words[0])
    if words[-1] in ROLE_HEADS and words[0] not in GIVEN_NAMES:
        return EntityType.CONCEPT, 2.5
    if words[-1] in ORGANISATION_HEADS or "and" in words[1:-1] or (words[0] in ORGANISATION_STARTS and words[1] in _OF):
        return EntityType.ORGANIZATION, 2.5
    if words[-1] in PLACE_HEADS or _opens_place(words):
        return EntityType.LOCATION, 2.0
    return (EntityType.PERSON, 2.0) if not run.mixes_capitals and _reads_as_person(words, written_as_one=run.is_single_word) else None


def _opens_place(words: Sequence[str]) -> bool:
    """Return whether it is a place: "Lake Constance", "Quay 7", "Northern England"."""
    return (words[0] in PLACE_STARTS and words[1] in PLACES) or (words[0] in _PLACE_FIRST and len(words) <= 3)


def _type_by_single_word(word: str) -> tuple[EntityType, float] | None:
    if word in ROLE_HEADS:
        return EntityType.CONCEPT, 2.0
    return (EntityType.PERSON, 1.0) if word in GIVEN_NAMES else None


def _reads_as_person(words: Sequence[str], *, written_as_one: bool = False) -> bool:
    """Return whether it is a person: two to five words that begin with a given name or an initial, or have an initial inside; "of" and numbers do not
    occur in names.
    """
    if not 2 <= len(words) <= 5 or any(not word.isalpha() or word == "of" for word in words):
        return False
    if words[-1] in NAMELESS_WORDS and words[-1] not in GIVEN_NAMES:
        return False
    inner = 1 in map(len, words[:-1]) and not written_as_one  # "N-terminal" is none
    first = words[0].split("-")[0]
    particles = bool(_PARTICLES.intersection(words[1:-1]))
    return (
        first in GIVEN_NAMES
        or (inner and len(words[-1]) > 2)
        or (particles and len(words) <= 4 and words[-1] not in ORGANISATION_HEADS and "von" in words)
    )
