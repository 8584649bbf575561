"""How long a worker may take: a time for each file and member, more for each page that is recognised, and a bound on the whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingestion.extractors.source import ExtractionLimits


@dataclass(slots=True)
class Clock:
    """Seconds that are left. The parent spends them only while it waits for the worker."""

    limits: ExtractionLimits
    _allowed: float = field(init=False)
    _spent: float = 0.0
    _whole: float = 0.0
    _pages: int = 0

    def __post_init__(self) -> None:
        self._allowed = self.limits.seconds

    @property
    def left(self) -> float:
        return max(0.0, min(self._allowed - self._spent, self.limits.most_seconds - self._whole))

    @property
    def reason(self) -> str:
        """Why there is no time left, as the ledger says it."""
        if self._whole >= self.limits.most_seconds:
            return f"Reading it took longer than {self.limits.most_seconds:,.0f} s in all (ingestion.max_seconds)."
        if self._pages:
            page, of = self._pages + 1, self.limits.ocr.seconds_per_page
            return f"Reading it stopped at page {page}, which took longer than {of:g} s (ingestion.ocr.seconds_per_page)."
        return f"Reading it took longer than {self.limits.seconds:g} s (ingestion.seconds_per_file)."

    def restart(self) -> None:
        """Another member begins: it has the time of a file."""
        self._allowed, self._spent, self._pages = self.limits.seconds, 0.0, 0

    def page(self, done: int, *, recognized: bool) -> None:
        """`done` pages are through. Each gives the time of one more, where pages are recognised, up to as many as may be."""
        ocr = self.limits.ocr
        if recognized and ocr.enabled and self._pages < done <= ocr.max_pages:
            self._allowed += (done - self._pages) * ocr.seconds_per_page
            self._pages = done

    def spend(self, seconds: float) -> None:
        self._spent += seconds
        self._whole += seconds
