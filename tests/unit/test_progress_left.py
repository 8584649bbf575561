"""The time that is left is told by bytes, and where only recognition is left, by files."""

from __future__ import annotations

from ingestion.indexing.run_progress import ProgressMeter


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def _meter() -> tuple[ProgressMeter, _Clock]:
    clock = _Clock()
    return ProgressMeter(lambda _: None, clock), clock


def test_bytes_tell_the_time_that_is_left() -> None:
    meter, clock = _meter()
    for size in (100, 300):
        meter.count_found(size)
    clock.now = 2.0
    meter.count_finished("indexed", 100)
    assert meter.state.seconds_left == 6.0


def test_scans_that_wait_are_not_done_in_no_time() -> None:
    meter, clock = _meter()
    for _ in range(9):
        meter.count_found(100)
    for _ in range(5):
        clock.now += 0.5
        meter.count_finished("indexed", 100)
    for _ in range(4):
        meter.count_postponed(100)
    clock.now = 3.0
    meter.show_file("/a scan.pdf")
    assert meter.state.seconds_left is None
    clock.now = 6.0
    meter.count_finished("indexed")
    assert meter.state.seconds_left == 9.0
    for clock.now in (7.0, 8.0, 9.0):
        meter.count_finished("indexed")
    assert meter.state.seconds_left == 0.0
