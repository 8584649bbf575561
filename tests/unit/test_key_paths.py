"""Values of JSON, YAML and TOML by the path of their keys, letter for letter or by its words."""

from __future__ import annotations

import pytest

from answers.finders.key_paths import asks_for_path
from answers.units.line_kinds import is_keyed
from core.answers import Evidence
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

KEYS = """limits

limits.chamber_a.max: -18.5
limits.chamber_a.min: -25
limits.chamber_b.max: 6

server

server.port: 8443
server.tls.minVersion: 1.2

contacts

name | role | phone
Ada Lund | duty engineer | 01632 960001
Ben Ito | site manager | 01632 960002"""


def settings() -> Evidence:
    return evidence(KEYS, document="plant", title="plant")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("limits.chamber_a.max", "-18.5"),
        ("what is server.port?", "8443"),
        ("chamber_b.max", "6"),
        ("What is the maximum of chamber a?", "-18.5"),
        ("what's the server port", "8443"),
        ("tls min version", "1.2"),
        ("contacts[1].phone", "01632 960002"),
    ],
)
async def test_the_value_under_the_path(question: str, value: str) -> None:
    answer = await compose_answer(question, [settings()])
    assert lead_text(answer) == value
    assert len(answer.sentences) == 1
    assert question.rpartition(".")[2] in answer.sentences[0].text or " " in question or "[" in question


async def test_what_no_path_or_several_say_is_left_to_the_others() -> None:
    assert lead_text(await compose_answer("limits.chamber_c.max", [settings()])) == ""
    assert lead_text(await compose_answer("contacts[7].phone", [settings()])) == ""
    other = evidence("server.port: 9000\nserver.host: b", document="other", title="other")
    assert lead_text(await compose_answer("server.port", [settings(), other])) == ""


def test_paths_in_questions_and_lines() -> None:
    assert asks_for_path("what is server.port?")
    assert asks_for_path("contacts[1].phone")
    assert not any(asks_for_path(text) for text in ("What is the rent of Quay 7?", "ask a.b@example.org", "in 2.5 hours", "Ends here. Then."))
    assert is_keyed("server.port: 8443")
    assert is_keyed("width_mm: 62")
    assert not is_keyed("Deposit: £80,000")
    assert not is_keyed("He said: no")


async def test_constants_of_code_by_their_words() -> None:
    code = "Z_NORMAL = 1.65\nZ_CRITICAL = 2.33  # 99 of 100\nMAX_WEEKS: int = 26"
    program = evidence(code, document="points", title="points")
    assert lead_text(await compose_answer("What is the Z value for critical parts?", [program])) == "2.33"
    assert lead_text(await compose_answer("What are the max weeks?", [program])) == "26"
    assert lead_text(await compose_answer("What is Z?", [program])) == ""
