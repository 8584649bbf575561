"""The deadline of a reading: a time for each file and member, more for each page that is done, and a bound on the whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingestion.readers.base.source import ExtractionLimits

PAGES_PER_FILE_TIME = 600  # that are read have the time of a file once more: thousands of them end on a slow or busy machine, too


@dataclass(slots=True)
class ReadingDeadline:
    """Seconds that a reading has left. The parent spends them only while it waits for the worker."""

    limits: ExtractionLimits
    _allowed: float = field(init=False)
    _spent: float = 0.0
    _spent_in_all: float = 0.0
    _pages: int = 0
    _recognized: int = 0

    def __post_init__(self) -> None:
        self._allowed = self.limits.seconds

    @property
    def seconds_left(self) -> float:
        return max(0.0, min(self._allowed - self._spent, self.limits.most_seconds - self._spent_in_all))

    @property
    def reason(self) -> str:
        """Why there is no time left, as the ledger says it."""
        if self._spent_in_all >= self.limits.most_seconds:
            return f"Reading it took longer than {self.limits.most_seconds:,.0f} s in all (ingestion.max_seconds)."
        if self._recognized:
            page, of = self._recognized, self.limits.ocr.seconds_per_page
            return f"Reading it stopped behind page {page:,}: what came next took longer than {of:g} s (ingestion.ocr.seconds_per_page)."
        if self._pages:
            return f"Reading it stopped behind page {self._pages:,}: it took longer than {self._allowed:,.0f} s (ingestion.seconds_per_file)."
        return f"Reading it took longer than {self.limits.seconds:g} s (ingestion.seconds_per_file)."

    def restart(self) -> None:
        """Start the time of another member: it has that of a file."""
        self._allowed, self._spent, self._pages, self._recognized = self.limits.seconds, 0.0, 0, 0

    def extend_for_pages(self, done: int, *, recognized: bool) -> None:
        """Extend the time because `done` pages are through.

        The first time, each page gives the six-hundredth part of a file's time, up to as many pages as may be read.

        Where pages are recognised, which comes behind the reading of all and counts from the first page again, each sign of progress gives
        `ocr.seconds_per_page`, too. What a page left of that is not saved up: a reader that hangs behind a hundred pages is ended as soon as one
        that hangs at the first.
        """
        if self._pages < done <= self.limits.pages:
            self._allowed += (done - self._pages) * self.limits.seconds / PAGES_PER_FILE_TIME
            self._pages = done
        if recognized and self.limits.ocr.enabled:
            per_page = self.limits.ocr.seconds_per_page
            most = self._spent + self.limits.seconds * (1 + self._pages / PAGES_PER_FILE_TIME) + per_page
            self._allowed = max(self._allowed, min(self._allowed + per_page, most))
            self._recognized = done

    def spend(self, seconds: float) -> None:
        self._spent += seconds
        self._spent_in_all += seconds
