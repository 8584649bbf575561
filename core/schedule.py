"""Times in the five fields of cron: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

_FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_LONGEST = timedelta(days=366 * 8)  # 29 February comes at least once in so many


@dataclass(frozen=True, slots=True)
class Schedule:
    """When something is due. Where both days are restricted either is enough, as cron has it."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool

    def next_after(self, time: datetime) -> datetime | None:
        """Return the first minute after `time` at which it is due; None where there is none (30 February)."""
        minute = time.replace(second=0, microsecond=0) + timedelta(minutes=1)
        last = time + _LONGEST
        while minute < last:
            if not self._is_day(minute):
                minute = (minute + timedelta(days=1)).replace(hour=0, minute=0)
            elif minute.hour not in self.hours:
                minute = (minute + timedelta(hours=1)).replace(minute=0)
            elif minute.minute not in self.minutes:
                minute += timedelta(minutes=1)
            else:
                return minute
        return None

    def _is_day(self, time: datetime) -> bool:
        by_month, by_week = time.day in self.days, time.isoweekday() % 7 in self.weekdays
        return time.month in self.months and ((by_month or by_week) if self.either_day else (by_month and by_week))


def parse_schedule(text: str) -> Schedule:
    """Return a schedule. Raises ValueError, which says what is wrong."""
    fields = text.split()
    if len(fields) != len(_FIELDS):
        raise ValueError(f"{text!r} has to have five fields: minute, hour, day, month, day of the week, as in '0 3 * * 0'")
    minutes, hours, days, months, weekdays = (_read_field(field, *bounds) for field, bounds in zip(fields, _FIELDS, strict=True))
    either = fields[2] != "*" and fields[4] != "*"
    return Schedule(minutes, hours, days, months, frozenset(day % 7 for day in weekdays), either)


def _read_field(field: str, least: int, most: int) -> frozenset[int]:
    found: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        numbers = (first, last or first) if span != "*" else (str(least), str(most))
        if not all(each.isascii() and each.isdecimal() for each in (*numbers, step or "1")) or int(step or 1) < 1:
            raise ValueError(f"{part!r} is no number, no range and no *")
        start, end = int(numbers[0]), most if step and span != "*" and not last else int(numbers[1])
        if not least <= start <= end <= most:
            raise ValueError(f"{part!r} is not within {least} to {most}")
        found.update(range(start, end + 1, int(step or 1)))
    return frozenset(found)
