"""The log as lines of JSON: whose an event is, and nothing of what was asked or stored."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from composition.json_logs import JsonFormatter, _person_key, write_json_logs
from core.errors import Unavailable
from core.log_context import log_as_job, set_log_context
from storage.home import Home

KEY = b"k" * 32


def format_line(message: str, *args: object, error: BaseException | None = None, key: bytes = KEY, **fields: Any) -> dict[str, Any]:
    exc_info = (type(error), error, error.__traceback__) if error is not None else None
    record = logging.LogRecord("storage.example", logging.WARNING, "example.py", 7, message, args, exc_info)
    if fields:
        record.fields = fields
    made = JsonFormatter(lambda: key).format(record)
    assert "\n" not in made
    parsed: dict[str, Any] = json.loads(made)
    return parsed


def test_a_line_has_time_level_logger_message_and_fields() -> None:
    line = format_line("%d files\nof %s", 3, "a folder", status="success")
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "warning", "logger": "storage.example", "message": "3 files\nof a folder", "status": "success"}


async def test_lines_of_a_task_say_whose_they_are_and_the_person_as_a_hash() -> None:
    async def answer(tenant: str, person: str, run_id: str) -> dict[str, Any]:
        set_log_context(tenant, person, run_id)
        await asyncio.sleep(0)
        return format_line("here")

    one, other = await asyncio.gather(answer("acme", "ann", "r1"), answer("acme", "bob", "r2"))
    assert (one["tenant_id"], one["run_id"], other["run_id"]) == ("acme", "r1", "r2")
    assert one["person"] != other["person"]
    assert one["person"] == (await asyncio.create_task(answer("acme", "ann", "r3")))["person"]
    assert one["person"] != (await asyncio.create_task(answer("other", "ann", "r4")))["person"]
    assert "ann" not in json.dumps(one)
    assert "run_id" not in format_line("outside")


def test_lines_of_a_job_say_so_until_it_is_over() -> None:
    with log_as_job("acme", "j1"):
        line = format_line("reading")
    assert (line["tenant_id"], line["job_id"]) == ("acme", "j1")
    assert "job_id" not in format_line("later")


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:  # noqa: BLE001 - with the place where it was raised
        return caught


def test_what_another_library_s_error_quotes_is_left_out() -> None:
    foreign = raised(RuntimeError("INSERT INTO notes VALUES ('the quincunx')"))
    line = format_line("It failed: %s (%r)", foreign, foreign, error=foreign)
    assert "quincunx" not in json.dumps(line)
    assert line["message"] == "It failed: RuntimeError ('RuntimeError')"
    assert line["error"]["type"] == "RuntimeError"
    assert "test_json_logs.py" in line["error"]["frames"][0]
    own = raised(Unavailable("Redis does not answer."))
    assert format_line("No: %s", own, error=own)["error"]["message"] == "Redis does not answer."


@pytest.fixture
def restored_logging() -> Iterator[None]:
    names = ("", "storage", "orchestration", "uvicorn")
    root, levels = logging.getLogger(), {name: logging.getLogger(name).level for name in names}
    handlers = list(root.handlers)
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.usefixtures("restored_logging")
def test_own_events_are_written_from_info_on_and_a_person_keeps_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path / "home")
    home.create()
    written = tmp_path / "log"
    with written.open("w") as file:
        monkeypatch.setattr(sys, "stderr", file)
        for _ in range(2):  # two starts
            _person_key.cache_clear()
            write_json_logs(home)
            with log_as_job("acme", "j1"):
                set_log_context("acme", "ann")
                logging.getLogger("storage.example").info("stored")
            logging.getLogger("another.library").info("chatter")
            logging.getLogger("uvicorn.error").warning("odd request")
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    assert [line["message"] for line in lines] == ["stored", "odd request"] * 2
    assert lines[0]["person"] == lines[2]["person"]
    assert (home.logs / "person.key").stat().st_mode & 0o777 == 0o600
