"""Versions of a statement: the one of several about the same thing that holds, the one before and since when; and where nobody can tell, both.

    versions_of(statements, relations) -> [ClaimVersions(...)]
    versions.describe()                -> "8 km/h since 15 January 2026 (before: 10 km/h)"

Statements are compared by what they claim (`core.claims`), of the same thing (`core.claim_comparison`), and the grounds on which one holds over
another are tried in order (`core.claim_precedence`). The order in which the statements come changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from core.claim_comparison import is_same_thing, is_same_value
from core.claim_precedence import Ground, Relation, are_related, precedence_ground
from core.claims import Claim, DocumentStatement, claims_of
from core.language.months import ENGLISH_MONTHS

_MOST_CLAIMS = 2_000  # claims that are compared with each other: the time grows with their square


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """One claim with the statement that makes it."""

    statement: DocumentStatement
    claim: Claim


@dataclass(frozen=True, slots=True)
class ClaimVersions:
    """The versions of one thing that several statements give.

    `valid` holds, `earlier` did before, the latest first; `value_before` is the earlier value as it stands, also where only the valid statement
    itself gives it ("from 4 to 7 minutes"). `upcoming` holds from a day on that is not yet there. `since` is the day from which the valid one holds
    (ISO, or as the sentence says it; "" where nothing does). Where nobody can tell which holds, `valid` is None and `sides` are the statements, one
    for each value.
    """

    valid: StatedClaim | None
    earlier: tuple[StatedClaim, ...] = ()
    value_before: str = ""
    since: str = ""
    ground: Ground | None = None
    sides: tuple[StatedClaim, ...] = ()
    upcoming: StatedClaim | None = None

    @property
    def is_conflict(self) -> bool:
        return self.valid is None

    @property
    def statements(self) -> tuple[DocumentStatement, ...]:
        """All statements of the group, the one that holds first."""
        claims = (*((self.valid,) if self.valid else ()), *((self.upcoming,) if self.upcoming else ()), *self.sides, *self.earlier)
        return tuple(dict.fromkeys(each.statement for each in claims))

    def describe(self, language: str = "en") -> str:
        """Return the versions in words: "8 km/h since 1 January 2026 (before: 10 km/h)"; of a conflict its values, "8 km/h · 10 km/h"; "" where a
        whole clause was replaced."""
        since, before = ("seit", "vorher") if language == "de" else ("since", "before")
        if self.valid is None:
            return " · ".join(each.claim.text for each in self.sides)
        if self.valid.claim.kind == "clause":
            return ""
        held = f" {since} {day_in_words(self.since, language)}" if self.since and self.since != self.valid.claim.value else ""
        return f"{self.valid.claim.text}{held}" + (f" ({before}: {self.value_before})" if self.value_before else "")


def versions_of(statements: Iterable[DocumentStatement], relations: Collection[Relation] = (), today: date | None = None) -> list[ClaimVersions]:
    """Return the groups of statements that say different things of the same thing, in the order of their documents' ids and texts.

    With `today`, what holds only from a later day on is `upcoming`, and what it will replace still holds.
    """
    unique = sorted(set(statements), key=_sort_key)
    claims = [StatedClaim(stated, claim) for stated in unique for claim in claims_of(stated)][:_MOST_CLAIMS]
    found = [version for group in _groups(claims, relations) if (version := _version(group, relations, today)) is not None]
    figured = {pair for version in found if version.valid and version.valid.claim.kind != "clause" for pair in _pairs(version)}
    return [version for version in found if version.valid is None or version.valid.claim.kind != "clause" or not _pairs(version) <= figured]


def day_in_words(day: str, language: str = "en") -> str:
    """Return "2026-01-15" as "15 January 2026"; what is no such day as it is."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found:%d.%m.%Y}" if language == "de" else f"{found.day} {ENGLISH_MONTHS[found.month - 1]} {found.year}"


def _sort_key(stated: DocumentStatement) -> tuple[str, str, tuple[str, ...], str, str]:
    return stated.document_id, stated.text, stated.section, stated.title, str(stated.document_date)


def _groups(claims: Sequence[StatedClaim], relations: Collection[Relation]) -> list[list[StatedClaim]]:
    """Return claims about one thing, each with every other of its group: what is like two things that differ joins the first of them."""
    groups: dict[str, list[list[StatedClaim]]] = {}
    for each in claims:
        alike = groups.setdefault(each.claim.kind, [])
        home = next((group for group in alike if all(_are_about_same(each, other, relations) for other in group)), None)
        if home is None:
            alike.append([each])
        else:
            home.append(each)
    return [group for alike in groups.values() for group in alike]


def _are_about_same(one: StatedClaim, other: StatedClaim, relations: Collection[Relation]) -> bool:
    close = are_related(one.statement, other.statement, relations)
    return is_same_thing(one.claim, other.claim, one.statement, other.statement, related=close)


def _version(group: Sequence[StatedClaim], relations: Collection[Relation], today: date | None) -> ClaimVersions | None:
    """Return the versions of a group of claims; None where all say the same, and where one document alone says two things without saying which
    holds."""
    coming = [each for each in group if today and each.claim.since > today.isoformat()]
    present = [each for each in group if each not in coming] or list(group)
    standing = _distinct_claims([each for each in present if not any(_beats(other, each, relations) for other in present if other is not each)])
    later = max(coming, key=lambda each: each.claim.since, default=None) if len(present) < len(group) else None
    if len(standing) != 1:
        sides = standing or _distinct_claims(present)
        documents = {each.statement.document_id for each in sides}
        return ClaimVersions(None, sides=tuple(sides), upcoming=later) if len(sides) > 1 and len(documents) > 1 else None
    valid = standing[0]
    earlier = [each for each in present if not _are_equal(each, valid)]
    if not earlier and valid.claim.former_value is None and (later is None or _are_equal(later, valid)):
        return None
    earlier = sorted(_distinct_claims(earlier), key=lambda each: (str(each.statement.document_date or ""), each.claim.since), reverse=True)
    before = valid.claim.former_value[1] if valid.claim.former_value else earlier[0].claim.text if earlier else ""
    grounds = [ground for each in earlier if (ground := _ground(valid, each, relations))]
    ground = min(grounds, key=list(Ground).index, default=Ground.CHANGED if valid.claim.former_value else None)
    return ClaimVersions(valid, tuple(earlier), before, _find_since(valid, present, earlier), ground, upcoming=later)


def _distinct_claims(claims: Iterable[StatedClaim]) -> list[StatedClaim]:
    """Return one claim for each value: the one that says most of it (what it was before, since when)."""
    kept: list[StatedClaim] = []
    for each in sorted(claims, key=lambda one: (one.claim.former_value is None, not one.claim.since, _sort_key(one.statement), one.claim.start)):
        if not any(_are_equal(each, other) for other in kept):
            kept.append(each)
    return kept


def _are_equal(one: StatedClaim, other: StatedClaim) -> bool:
    return is_same_value(one.claim, other.claim)


def _beats(one: StatedClaim, other: StatedClaim, relations: Collection[Relation]) -> bool:
    return not _are_equal(one, other) and _ground(one, other, relations) is not None


def _ground(one: StatedClaim, other: StatedClaim, relations: Collection[Relation]) -> Ground | None:
    return precedence_ground(one.claim, other.claim, one.statement, other.statement, relations)


def _find_since(valid: StatedClaim, present: Sequence[StatedClaim], earlier: Sequence[StatedClaim]) -> str:
    """Return the day that a statement of this value names, else the end of what was before, else its document's day where that is later than the
    others'."""
    saying = [each for each in (valid, *present) if _are_equal(each, valid)]
    for each in saying:
        if each.claim.since or each.claim.since_words:
            return each.claim.since or each.claim.since_words
    days = sorted(each.statement.document_date for each in saying if each.statement.document_date)
    return days[0].isoformat() if days and all(not each.statement.document_date or each.statement.document_date < days[0] for each in earlier) else ""


def _pairs(version: ClaimVersions) -> set[frozenset[DocumentStatement]]:
    first = version.valid.statement if version.valid else None
    return {frozenset((first, each.statement)) for each in version.earlier if first is not None}
