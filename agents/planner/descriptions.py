"""Things that a question describes instead of naming them: "the person who approved X", "the firm that Y works for", "Z's birthplace".

A description can be looked up by itself, and what it turns out to be can stand in its place: that is how a bridge question becomes steps.
Only nouns that mean one person, organisation, place, work or date are taken, because only these have a name that a next search can use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from agents.planner.clause_ends import name_end, relative_clause_end


class DescribedKind(StrEnum):
    """The kind of thing that a description stands for."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    DATE = "date"
    WORK = "work"
    ANYTHING = "anything"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ROLES = _words(
    "author writer director composer producer performer singer founder cofounder owner manager head chair chairman chairwoman chairperson "
    "president ceo cfo cto leader minister mayor governor king queen editor publisher developer inventor creator designer architect engineer "
    "lawyer solicitor attorney agent broker tenant landlord landlady lessee lessor buyer seller vendor supplier contractor client customer "
    "auditor accountant inspector surveyor surgeon doctor teacher professor supervisor boss employer employee colleague assistant secretary "
    "deputy representative spokesperson signatory approver applicant contact captain coach trainer driver pilot painter artist sculptor poet "
    "novelist actor actress player mother father wife husband spouse partner son daughter brother sister parent child uncle aunt grandfather "
    "grandmother successor predecessor narrator translator photographer star protagonist winner champion recipient guarantor insurer carrier "
    "manufacturer maker"
)
KIND_OF_NOUN: dict[str, DescribedKind] = (
    dict.fromkeys(ROLES, DescribedKind.PERSON)
    | dict.fromkeys(
        _words(
            "person man woman someone somebody individual politician scientist musician lady guy girl boy character candidate expert officer member "
            "adviser advisor consultant biographer guitarist drummer"
        ),
        DescribedKind.PERSON,
    )
    | dict.fromkeys(
        _words(
            "company firm organisation organization association agency bank university college school institute club team band group party ministry "
            "department authority council committee subsidiary corporation business employer supplier vendor manufacturer publisher label "
            "studio network station airline brand charity insurer carrier contractor distributor"
        ),
        DescribedKind.ORGANISATION,
    )
    | dict.fromkeys(
        _words(
            "city town village country state county district province region place location birthplace hometown capital island continent river lake "
            "street neighbourhood neighborhood municipality headquarters site building area nation territory"
        ),
        DescribedKind.PLACE,
    )
    | dict.fromkeys(_words("year date day month"), DescribedKind.DATE)
    | dict.fromkeys(
        _words(
            "film movie book novel song album series show play game magazine newspaper journal poem opera episode single sequel programme "
            "program product model war battle event conference tournament competition award project ship aircraft"
        ),
        DescribedKind.WORK,
    )
)
_PERSON_OR_FIRM = _words(
    "employer supplier vendor manufacturer publisher contractor client customer buyer seller tenant landlord agent lessee lessor maker carrier "
    "insurer"
)
_PLACE_ROLES = _words("birthplace hometown capital headquarters place")  # "X's birthplace", "the capital of X": places that belong to something
_HELD_ROLES = ROLES | _PLACE_ROLES | _words("employer subsidiary")  # "the … of"; a school of thought and the city of Paris are no such things
_OWNED_ROLES = _HELD_ROLES | _words("employer company firm band team club university label country city party publisher school subsidiary successor")


def kind_of(head: str) -> DescribedKind:
    """Return what a noun stands for; a role that firms have as well as people is anything."""
    word = head.lower()
    return DescribedKind.ANYTHING if word in _PERSON_OR_FIRM else KIND_OF_NOUN.get(word, DescribedKind.ANYTHING)


@dataclass(frozen=True, slots=True)
class Description:
    """text[start:end] of the question describes one thing of this kind; `head` is its noun."""

    start: int
    end: int
    head: str

    @property
    def kind(self) -> DescribedKind:
        return kind_of(self.head)


_NOUNS = "|".join(sorted(KIND_OF_NOUN, key=len, reverse=True))
_OWNED_NOUNS = "|".join(sorted(_OWNED_ROLES, key=len, reverse=True))
_HELD_NOUNS = "|".join(sorted(_HELD_ROLES, key=len, reverse=True))
_BEFORE = r"(?:[\w'’-]+\s+){0,3}?"  # adjectives between the article and its noun
_RELATIVE = re.compile(
    rf"\b(?:the|an?|that|this)\s+{_BEFORE}(?P<head>{_NOUNS})\s*,?\s+"
    r"(?:(?P<before>in|of|for|by|at|on|from|with|to|after)\s+(?:which|whom|whose)|who|whom|which|that|whose|where)\s+(?!is\s+it\b)",
    re.IGNORECASE,
)
_CONTACT = re.compile(  # a clause without its pronoun: "the company Mara works for", "the country Signmark is from"
    rf"\b(?:the|that)\s+{_BEFORE}(?P<head>{_NOUNS})\s+(?=(?:the\s+)?[^\W\d_a-z][\w.’'-]*(?:\s+[^\W\d_a-z][\w.’'-]*)*\s+"
    r"(?:is|was|are|were|works?|worked|lives?|lived|plays?|played|belongs?|belonged|comes?|came|wrote|founded|owns?|owned|directed|signed|approved|bought|"
    r"attended|studied|died|runs?|ran|leads?|led|represents?|represented|created|made)\b)",
)
_REDUCED = re.compile(
    rf"\b(?:the|an?)\s+{_BEFORE}(?P<head>{_NOUNS})\s+(?:(?:\w{{3,}}ed|written|born|held|known|built|made|sung|drawn|shot|sold|led|run|won|drawn)\s+"
    r"(?:by|after|in|at|from|for|on|to|as|with|near)|producing|starring|containing|featuring|publishing|owning|operating|bordering|supplying|employing|"
    r"representing|managing|near|behind|named|called)\s+",
    re.IGNORECASE,
)
_OF = re.compile(rf"\b(?:the|an?)\s+{_BEFORE}(?P<head>{_HELD_NOUNS})(?:\s+of\s+birth)?\s+(?:of|for|behind|from)\s+(?=\S)", re.IGNORECASE)
_NAMED = r"\b[^\W\d_a-z][\w.&-]*(?:\s+(?:(?:of|the|and|&|von|van|de|der|du|la)\s+){0,2}[^\W\d_a-z][\w.&-]*)*"
_OWNER = rf"(?:\b(?:the|an?|my|our)\s+(?:[a-z][\w-]*\s+)?[a-z][\w-]*|\{{sq\d\}}|{_NAMED})"
_POSSESSIVE = re.compile(rf"(?P<owner>{_OWNER})(?:['’]s|(?<=s)['’])\s+(?:[a-z][\w-]*\s+){{0,2}}?(?P<head>{_OWNED_NOUNS})\b(?P<more>\s+of\s+birth)?")
_QUESTION_WORD = _words("who whom whose what which where when why how is are was were do does did can could will would has have had should")

_PREDICATE = re.compile(  # what somebody is, not who it is
    r"\b(?:become|became|becoming|be|been|being|as|called|named|(?:who|which|that)\s+(?:is|was|are|were))\s+$", re.IGNORECASE
)
_DO = re.compile(r"\b(?:do|does|did|will|would|can|could|should|may|might|must)\s+$", re.IGNORECASE)
_DO_ANYWHERE = re.compile(r"\b(?:do|does|did|will|would|can|could|should|may|might|must)\b", re.IGNORECASE)
_ALSO_VERBS = _words("show play star project award label model head host book partner coach place date")
_BE = re.compile(r"\b(?:is|are|was|were)\s+$", re.IGNORECASE)
_HAVE = re.compile(r"\b(?:has|have|had)\s+$", re.IGNORECASE)
_BASE_VERBS = (
    "work live reside attend study become approve sign write take play win leave start begin end open close have die produce make sell buy pay say "
    "receive manage report belong dissolve join found run own use charge cost earn do get give go come move teach marry lead serve visit meet travel "
    "fight compete record perform appear direct publish release support supply deliver operate employ represent speak want need offer propose agree "
    "expire stand merge retire resign call ask tell know see train graduate grow build border cover contain hold host employ recommend "
    "refuse invade surrender stop happen occur handle enter conquer declare win host ban allow change gain lose reach extend feature star sing "
    "think believe use refer mean like help kill defeat elect name choose adopt join cross export import produce abolish"
)
_BASE = re.compile(rf"(?<!to )(?<!will )(?<!can )\b(?:{'|'.join(sorted(set(_BASE_VERBS.split()), key=len, reverse=True))})\b", re.IGNORECASE)
_PARTICIPLE = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbeen )(?<!\bbe )"
    r"\b(?:\w{3,}ed|born|held|built|made|known|taken|given|written|sold|won|paid|bought|begun|from)\b"
    r"(?=\W*$|\s+(?:in|at|on|by|to|from|for|as|with|into|of|near|after|before)\b|\s*\?)",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|was|are|were|has|had|works?|worked|lives?|lived|plays?|played|comes?|came|died|wrote|won|studied|attended|received|belongs?|belonged|owns?)\b"
    r"(?=[^,]*\b(?:what|which|whom|who|where|when|how)\b)",
    re.IGNORECASE,
)
_COMMA = re.compile(  # the full stop of "Mr." ends nothing
    r",\s+(?=[a-z{])(?!(?:and|or|a|an|the|in|of)\s)|[?;]|(?<![A-Z])(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bJr)\.(?:\s|$)|,\s*$|,\s+(?=the\s)"
)


def descriptions(text: str) -> list[Description]:
    """Return all descriptions in the question, the innermost (last to begin) first."""
    found: dict[int, Description] = {}
    for pattern in (_RELATIVE, _CONTACT, _REDUCED, _OF):
        for match in _overlapping_matches(pattern, text):
            each = _clause(text, match, pattern)
            if each is not None and (each.start not in found or pattern is _RELATIVE):
                found[each.start] = each
    for match in _POSSESSIVE.finditer(text):
        each = _possessive_description(text, match)
        if each is not None:
            found[each.start] = each
    return [_clip_to_outer(each, found.values()) for each in sorted(found.values(), key=lambda each: -each.start)]


def _clip_to_outer(inner: Description, others: Iterable[Description]) -> Description:
    """A description inside another ends no later than that one: the verb behind the outer one is not the inner one's."""
    ends = [other.end for other in others if other.start < inner.start < other.end < inner.end]
    return replace(inner, end=min(ends)) if ends else inner


def _overlapping_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The last match at each noun: "the director of the film that …" holds two."""
    place = 0
    while (match := pattern.search(text, place)) is not None:
        yield match
        place = match.start() + 1


def _clause(text: str, match: re.Match[str], pattern: re.Pattern[str]) -> Description | None:
    start = _article(text, match)
    if match["head"][0].isupper() or _PREDICATE.search(text[:start]) or _is_definition(text, start) or _is_verb(text, match):
        return None
    end = _end(text, start, match.end())
    if pattern is _RELATIVE:
        subject_opens = match.group().split()[-1].lower() in {"who", "that", "which"} and match["before"] is None
        end = relative_clause_end(text, match.end(), end, subject_opens=subject_opens)
    elif pattern is _REDUCED:
        end = relative_clause_end(text, match.end(), end, verbs=0)
    elif pattern is _OF:
        end = name_end(text, match.end(), end)
    words = text[match.end() : end].split()
    return Description(start, end, match["head"].lower()) if words else None


def _is_verb(text: str, match: re.Match[str]) -> bool:
    """Return whether a noun is the verb that "does" waits for: "How does a card show that it is locked?"."""
    waits = _DO_ANYWHERE.search(text[: match.start("head")]) is not None and match["head"].lower() in _ALSO_VERBS
    return waits and _BASE.search(text, match.end("head")) is None


def _is_definition(text: str, start: int) -> bool:
    """Return whether an indefinite description is what the sentence says something is ("X is a film that …"): that names nothing to look up."""
    said_to_be = _BE.search(text[:start]) is not None and not re.search(r"\bthere\s+\w+\s+$", text[:start], re.IGNORECASE)
    return said_to_be and re.match(r"an?\s", text[start:], re.IGNORECASE) is not None


def _article(text: str, match: re.Match[str]) -> int:
    """The last article before the head: "the" of "the director of the film" is not the film's."""
    articles = [found.start() for found in re.finditer(r"\b(?:the|an?|that|this)\s", text[match.start() : match.start("head")], re.IGNORECASE)]
    return match.start() + (articles[-1] if articles else 0)


def _end(text: str, start: int, inside: int) -> int:
    """Return where the description ends: at a comma that a new thought follows, before the main verb of the question, or with the question."""
    comma = _COMMA.search(text, inside)
    limit = comma.start() if comma else len(text)
    before, rest = text[:start], text[inside:limit]
    if not before.strip():
        found = [match.start() for match in _FINITE.finditer(rest)]
        return len(text[: inside + found[-1]].rstrip()) if found else limit
    pattern = _BASE if _DO.search(before) else _PARTICIPLE if _BE.search(before) or _HAVE.search(before) else None
    if pattern is None:
        return limit
    verbs = [match.start() for match in pattern.finditer(rest) if match.start() > 0]
    return len(text[: inside + verbs[-1]].rstrip()) if verbs else limit


def _possessive_description(text: str, match: re.Match[str]) -> Description | None:
    """The thing that belongs to a named or known one; a question's first word is no owner ("What's")."""
    owner = match["owner"].split()
    start = match.start()
    while owner and owner[0].lower() in _QUESTION_WORD:
        start += len(owner[0]) + len(text[start + len(owner[0]) :]) - len(text[start + len(owner[0]) :].lstrip())
        owner = owner[1:]
    return Description(start, match.end(), match["head"].lower()) if owner else None
