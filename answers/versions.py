"""Which of several statements about the same thing holds, what it was before and since when; and where nobody can tell, both.

    versions_of(statements, relations) -> [Version(...)]
    version.in_words()                 -> "8 km/h since 15 January 2026 (before: 10 km/h)"

Statements are compared by what they claim (`core.claims`), of the same thing (`core.sameness`), and the grounds on which one holds over
another are tried in order (`core.validity`). The order in which the statements come changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from core.claims import Claim, Stated, claims_of
from core.dates import ENGLISH_MONTHS
from core.sameness import same_thing, same_value
from core.validity import Ground, Relation, holds_over, related

_MOST = 2_000  # claims that are compared with each other: the time grows with their square


@dataclass(frozen=True, slots=True)
class Told:
    """One claim with the statement that makes it."""

    stated: Stated
    claim: Claim


@dataclass(frozen=True, slots=True)
class Version:
    """What several statements say of one thing.

    `valid` holds, `earlier` did before, the latest first; `before` is the earlier value as it stands, also where only the valid statement itself
    tells it ("from 4 to 7 minutes"). `coming` holds from a day on that is not yet there. `since` is the day from which the valid one holds (ISO,
    or as the sentence says it; "" where nothing does). Where nobody can tell which holds, `valid` is None and `sides` are the statements, one for
    each value.
    """

    valid: Told | None
    earlier: tuple[Told, ...] = ()
    before: str = ""
    since: str = ""
    ground: Ground | None = None
    sides: tuple[Told, ...] = ()
    coming: Told | None = None

    @property
    def conflict(self) -> bool:
        return self.valid is None

    @property
    def statements(self) -> tuple[Stated, ...]:
        """All statements of the group, the one that holds first."""
        told = (*((self.valid,) if self.valid else ()), *((self.coming,) if self.coming else ()), *self.sides, *self.earlier)
        return tuple(dict.fromkeys(each.stated for each in told))

    def in_words(self, language: str = "en") -> str:
        """ "8 km/h since 1 January 2026 (before: 10 km/h)"; of a conflict its values, "8 km/h · 10 km/h"; "" where a whole clause was replaced."""
        since, before = ("seit", "vorher") if language == "de" else ("since", "before")
        if self.valid is None:
            return " · ".join(each.claim.shown for each in self.sides)
        if self.valid.claim.kind == "clause":
            return ""
        held = f" {since} {day_in_words(self.since, language)}" if self.since and self.since != self.valid.claim.value else ""
        return f"{self.valid.claim.shown}{held}" + (f" ({before}: {self.before})" if self.before else "")


def versions_of(statements: Iterable[Stated], relations: Collection[Relation] = (), today: date | None = None) -> list[Version]:
    """The groups of statements that say different things of the same thing, in the order of their documents' ids and texts.

    With `today`, what holds only from a later day on is `coming`, and what it will replace still holds.
    """
    unique = sorted(set(statements), key=_place)
    told = [Told(stated, claim) for stated in unique for claim in claims_of(stated)][:_MOST]
    found = [version for group in _groups(told, relations) if (version := _version(group, relations, today)) is not None]
    figured = {pair for version in found if version.valid and version.valid.claim.kind != "clause" for pair in _pairs(version)}
    return [version for version in found if version.valid is None or version.valid.claim.kind != "clause" or not _pairs(version) <= figured]


def day_in_words(day: str, language: str = "en") -> str:
    """ "2026-01-15" as "15 January 2026"; what is no such day as it is."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found:%d.%m.%Y}" if language == "de" else f"{found.day} {ENGLISH_MONTHS[found.month - 1]} {found.year}"


def _place(stated: Stated) -> tuple[str, str, tuple[str, ...], str, str]:
    return stated.document_id, stated.text, stated.section, stated.title, str(stated.dated)


def _groups(told: Sequence[Told], relations: Collection[Relation]) -> list[list[Told]]:
    """Claims about one thing, each with every other of its group: what is like two things that differ joins the first of them."""
    groups: dict[str, list[list[Told]]] = {}
    for each in told:
        alike = groups.setdefault(each.claim.kind, [])
        home = next((group for group in alike if all(_same(each, other, relations) for other in group)), None)
        if home is None:
            alike.append([each])
        else:
            home.append(each)
    return [group for alike in groups.values() for group in alike]


def _same(one: Told, other: Told, relations: Collection[Relation]) -> bool:
    close = related(one.stated, other.stated, relations)
    return same_thing(one.claim, other.claim, one.stated, other.stated, related=close)


def _version(group: Sequence[Told], relations: Collection[Relation], today: date | None) -> Version | None:
    """None where all say the same, and where one document alone says two things without saying which holds."""
    coming = [each for each in group if today and each.claim.since > today.isoformat()]
    present = [each for each in group if each not in coming] or list(group)
    standing = _distinct([each for each in present if not any(_beats(other, each, relations) for other in present if other is not each)])
    later = max(coming, key=lambda each: each.claim.since, default=None) if len(present) < len(group) else None
    if len(standing) != 1:
        sides = standing or _distinct(present)
        documents = {each.stated.document_id for each in sides}
        return Version(None, sides=tuple(sides), coming=later) if len(sides) > 1 and len(documents) > 1 else None
    valid = standing[0]
    earlier = [each for each in present if not _equal(each, valid)]
    if not earlier and valid.claim.before is None and (later is None or _equal(later, valid)):
        return None
    earlier = sorted(_distinct(earlier), key=lambda each: (str(each.stated.dated or ""), each.claim.since), reverse=True)
    before = valid.claim.before[1] if valid.claim.before else earlier[0].claim.shown if earlier else ""
    grounds = [ground for each in earlier if (ground := _ground(valid, each, relations))]
    ground = min(grounds, key=list(Ground).index, default=Ground.CHANGED if valid.claim.before else None)
    return Version(valid, tuple(earlier), before, _since(valid, present, earlier), ground, coming=later)


def _distinct(told: Iterable[Told]) -> list[Told]:
    """One claim for each value: the one that says most of it (what it was before, since when)."""
    kept: list[Told] = []
    for each in sorted(told, key=lambda one: (one.claim.before is None, not one.claim.since, _place(one.stated), one.claim.start)):
        if not any(_equal(each, other) for other in kept):
            kept.append(each)
    return kept


def _equal(one: Told, other: Told) -> bool:
    return same_value(one.claim, other.claim)


def _beats(one: Told, other: Told, relations: Collection[Relation]) -> bool:
    return not _equal(one, other) and _ground(one, other, relations) is not None


def _ground(one: Told, other: Told, relations: Collection[Relation]) -> Ground | None:
    return holds_over(one.claim, other.claim, one.stated, other.stated, relations)


def _since(valid: Told, present: Sequence[Told], earlier: Sequence[Told]) -> str:
    """The day that a statement of this value names, else the end of what was before, else its document's day where that is later than the others'."""
    saying = [each for each in (valid, *present) if _equal(each, valid)]
    for each in saying:
        if each.claim.since or each.claim.since_words:
            return each.claim.since or each.claim.since_words
    days = sorted(each.stated.dated for each in saying if each.stated.dated)
    return days[0].isoformat() if days and all(not each.stated.dated or each.stated.dated < days[0] for each in earlier) else ""


def _pairs(version: Version) -> set[frozenset[Stated]]:
    first = version.valid.stated if version.valid else None
    return {frozenset((first, each.stated)) for each in version.earlier if first is not None}
