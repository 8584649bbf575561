"""The reader as answers use it: opened once, in the background, and told as lost where it cannot be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import cast

import pytest

from composition.answer_reader import ReaderService, reader_part
from core.errors import ConfigurationError, Unavailable
from core.ports import AnswerReader, AnswerSpan, PassageReading
from retrieval.readers.openvino_reader import OpenVinoReader
from tests.support.word_reader import WordsReader

QUESTION, PASSAGE = "When is the crane oiled?", "The crane is oiled on Friday."


class Opened(WordsReader):
    """A reader that is closed for good."""

    def __init__(self) -> None:
        super().__init__({"Friday": 2.0})
        self.closed = 0

    async def read_passages(self, question: str, passages: Sequence[str]) -> tuple[PassageReading, ...]:
        if self.closed:
            raise Unavailable("The reader is closed.")
        return await super().read_passages(question, passages)

    async def close(self) -> None:
        self.closed += 1


class Opening:
    """Counts how often the reader is opened, on which thread, and can be held up; `error` is raised in its place."""

    def __init__(self, error: Exception | None = None) -> None:
        self.reader, self.error = Opened(), error
        self.threads: list[int] = []
        self.running, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def __call__(self) -> OpenVinoReader:
        self.threads.append(threading.get_ident())
        self.running.set()
        assert self.go_on.wait(20)
        if self.error is not None:
            raise self.error
        return cast(OpenVinoReader, self.reader)


def service(opening: Callable[[], OpenVinoReader]) -> ReaderService:
    return ReaderService(opening)


async def until_running(opening: Opening) -> None:
    assert await asyncio.to_thread(opening.running.wait, 20)


async def test_the_first_question_opens_it_and_the_next_does_not() -> None:
    opening = Opening()
    reader: AnswerReader = service(opening)
    assert opening.threads == []
    for _ in range(2):
        [reading] = await reader.read_passages(QUESTION, [PASSAGE])
        assert reading.spans == (AnswerSpan(22, 28, 2.0),)
    assert len(opening.threads) == 1
    assert opening.threads[0] != threading.get_ident()  # opening blocks
    assert reader.name == "words"


async def test_two_questions_at_once_open_it_once() -> None:
    opening = Opening()
    opening.go_on.clear()
    reader = service(opening)
    both = [asyncio.create_task(reader.read_passages(QUESTION, [PASSAGE])) for _ in range(2)]
    await until_running(opening)
    assert not any(task.done() for task in both)
    opening.go_on.set()
    one, other = await asyncio.gather(*both)
    assert one == other
    assert len(opening.threads) == 1


async def test_started_before_it_is_there_for_the_first_question() -> None:
    opening = Opening()
    reader = service(opening)
    assert reader.start() is reader.start()
    await reader.start()
    await reader.read_passages(QUESTION, [PASSAGE])
    assert len(opening.threads) == 1


async def test_a_question_that_is_given_up_leaves_it_to_the_next() -> None:
    opening = Opening()
    opening.go_on.clear()
    reader = service(opening)
    first = asyncio.create_task(reader.read_passages(QUESTION, [PASSAGE]))
    await until_running(opening)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    opening.go_on.set()
    assert len(await reader.read_passages(QUESTION, [PASSAGE])) == 1
    assert len(opening.threads) == 1


async def test_health_says_how_far_it_is() -> None:
    opening = Opening()
    reader = service(opening)
    assert (reader.health_part().name, reader.health_part().state) == ("reader", "ok")
    assert reader.name == "reader"
    assert "first question" in reader.health_part().detail
    await reader.read_passages(QUESTION, [PASSAGE])
    assert (reader.health_part().state, reader.health_part().detail) == ("ok", "words")
    assert reader_part(reader, enabled=True) == reader.health_part()


async def test_one_that_cannot_be_opened_is_unavailable_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    opening = Opening(ConfigurationError("The reader's weights are missing. Reinstall Vantage."))
    reader = service(opening)
    for _ in range(2):
        with pytest.raises(Unavailable, match=r"^The reader's weights are missing\. Reinstall Vantage\.$"):
            await reader.read_passages(QUESTION, [PASSAGE])
    assert len(opening.threads) == 1  # not tried again with every question
    part = reader.health_part()
    assert part.state == "degraded"
    assert part.detail.startswith("The reader's weights are missing. Reinstall Vantage.")
    assert reader.name == "reader"
    assert len([record for record in caplog.records if "was not opened" in record.getMessage()]) == 1
    await reader.close()
    assert opening.reader.closed == 0


def test_switched_off_it_is_off() -> None:
    part = reader_part(service(Opening()), enabled=False)
    assert (part.name, part.state) == ("reader", "off")


def test_switched_on_nothing_is_loaded_yet() -> None:
    opening = Opening()
    reader = service(opening)
    assert opening.threads == []
    assert reader.health_part().state == "ok"
    assert reader.name == "reader"


async def test_closed_before_it_was_opened_it_is_never_opened() -> None:
    opening = Opening()
    reader = service(opening)
    await reader.close()
    with pytest.raises(Unavailable, match="closed"):
        await reader.read_passages(QUESTION, [PASSAGE])
    assert opening.threads == []


async def test_closed_while_it_is_opened_it_is_closed_once_it_is() -> None:
    opening = Opening()
    opening.go_on.clear()
    reader = service(opening)
    asked = asyncio.create_task(reader.read_passages(QUESTION, [PASSAGE]))
    await until_running(opening)
    closing = asyncio.create_task(reader.close())
    await asyncio.sleep(0.01)
    assert not closing.done()
    opening.go_on.set()
    await closing
    assert opening.reader.closed == 1
    [read] = await asyncio.gather(asked, return_exceptions=True)  # it was in time, or it is told
    assert isinstance(read, tuple | Unavailable)
    with pytest.raises(Unavailable):
        await reader.read_passages(QUESTION, [PASSAGE])


async def test_closed_after_it_was_opened() -> None:
    opening = Opening()
    reader = service(opening)
    await reader.read_passages(QUESTION, [PASSAGE])
    await reader.close()
    assert opening.reader.closed == 1
    with pytest.raises(Unavailable, match="closed"):
        await reader.read_passages(QUESTION, [PASSAGE])
    assert len(opening.threads) == 1
