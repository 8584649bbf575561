"""Notices within one process: the twin of those that servers send each other."""

from __future__ import annotations

from collections.abc import Callable


class InProcessNotices:
    """core.ports.NoticeBus. `others` are the ends that hear what is published here."""

    problem, place = "", "in this process"

    def __init__(self) -> None:
        self.others: list[InProcessNotices] = []
        self._receivers: list[Callable[[str], None]] = []

    def connect(self) -> InProcessNotices:
        """Return another end of the same bus."""
        end = InProcessNotices()
        end.others = self.others
        self.others += [each for each in (self, end) if each not in self.others]
        return end

    async def publish(self, notice: str) -> None:
        for end in self.others or [self]:
            for receive in end._receivers:
                receive(notice)

    def subscribe(self, receive: Callable[[str], None]) -> None:
        self._receivers.append(receive)
