"""Properties of memory over any history: nobody reaches another's, and what is forgotten is nowhere."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.memory import MemoryItem
from core.ports import MemoryQuestion
from storage.database import Database
from tests.support.databases import open_backend
from tests.support.memory_world import MemoryWorld, count_rows_holding

SETTINGS = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
# Names that are parts of one another, so that a missing boundary is noticed.
TENANTS, PEOPLE, SESSIONS = ("t", "tt"), ("ann", "ann1", "1:ann"), ("s", "s1", "1")
DOCUMENTS = ("doc-one", "doc-two", "doc-three")
QUESTIONS = ("What is the yearly rent of the hall?", "How much notice does the tenant give?", "Who mended the roof?")
SIGNS = ("", "click", "thumbs_up", "thumbs_down", "correction")

Run = tuple[str, str, str, int, list[str], str]
RUNS = st.lists(
    st.tuples(
        st.sampled_from(TENANTS),
        st.sampled_from(PEOPLE),
        st.sampled_from(SESSIONS),
        st.integers(0, len(QUESTIONS) - 1),
        st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=3, unique=True),
        st.sampled_from(SIGNS),
    ),
    min_size=1,
    max_size=10,
)


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp())
    yield made
    shutil.rmtree(made, ignore_errors=True)


def mark(tenant: str, person: str, session: str) -> str:
    """A word that stands in everything that belongs to one session of one person."""
    return f"mark{TENANTS.index(tenant)}{PEOPLE.index(person)}{SESSIONS.index(session)}x"


async def live(world: MemoryWorld, runs: list[Run]) -> None:
    """Every run, with feedback where there is some; each of its texts bears the session's mark and the names of what it rests on."""
    for tenant, person, session, question, documents, sign in runs:
        word = mark(tenant, person, session)
        run = await world.ask_question(
            f"{QUESTIONS[question]} {word}",
            f"The {word} contract of number {question} says {world.runs} euros.",
            tenant=tenant,
            user_id=person,
            session_id=session,
            conversation_id=f"talk-{word}",
            results=documents,
            cited=documents[:2],
            remember=f"the {word} desk is {world.runs}" if sign == "click" else "",
        )
        if sign:
            more: dict[str, Any] = {"correction": f"The {word} price is {world.runs} euros."} if sign == "correction" else {}
            await world.give_feedback(run, sign, tenant=tenant, user_id=person, **more)


async def everything_of(world: MemoryWorld, tenant: str, person: str) -> str:
    """All that a person can reach, as text."""
    seen = await world.memory.overview(tenant, person, 500)
    words = [mark(tenant, person, "s"), *(mark(other, who, "s1") for other in TENANTS for who in PEOPLE)]
    asked = [
        await world.memory.recall(MemoryQuestion(tenant, person, f"{QUESTIONS[number % len(QUESTIONS)]} {word}", SESSIONS[number % len(SESSIONS)]))
        for number, word in enumerate(words)
    ]
    return seen.model_dump_json() + "".join(each.model_dump_json() for each in asked)


def fresh(database: Database) -> MemoryWorld:
    database.write_sync(lambda connection: [connection.execute(table.delete()) for table in reversed(_tables())])
    return MemoryWorld(database)


def _tables() -> list[Any]:
    from storage.schema import metadata

    return metadata.sorted_tables


@SETTINGS
@given(RUNS)
def test_nobody_reaches_what_another_did(folder: Path, runs: list[Run]) -> None:
    async def check(world: MemoryWorld) -> None:
        await live(world, runs)
        await world.memory.consolidate()
        for tenant in TENANTS:
            for person in PEOPLE:
                reached = await everything_of(world, tenant, person)
                own = {mark(*run[:3]) for run in runs if run[:2] == (tenant, person)}
                for run in runs:
                    word = mark(*run[:3])
                    assert (f"{word} " in reached or f'{word}"' in reached) == (word in own)
        for tenant, person, session, *_ in runs:
            turns = (await world.memory.recall(MemoryQuestion(tenant, person, "x", session))).turns
            assert turns
            assert all(mark(tenant, person, session) in question for question, _ in turns)

    with open_backend("sqlite", folder) as database:
        asyncio.run(check(fresh(database)))


@SETTINGS
@given(RUNS, st.integers(0, 9))
def test_a_forgotten_session_is_nowhere_and_the_others_stay(folder: Path, runs: list[Run], choice: int) -> None:
    tenant, person, session, *_ = runs[choice % len(runs)]

    async def check(world: MemoryWorld) -> None:
        await live(world, runs)
        await world.memory.consolidate()
        others = {name for run in runs if (name := run[:3]) != (tenant, person, session)}
        await world.memory.forget(tenant, person, session_id=session)
        await world.memory.consolidate()
        assert count_rows_holding(world.database, mark(tenant, person, session)) == {}
        assert mark(tenant, person, session) not in (await everything_of(world, tenant, person)).replace("talk-", "")
        for other in others:
            assert count_rows_holding(world.database, mark(*other)) != {}

    with open_backend("sqlite", folder) as database:
        asyncio.run(check(fresh(database)))


@SETTINGS
@given(RUNS, st.sampled_from(DOCUMENTS), st.booleans())
def test_a_forgotten_document_is_nowhere(folder: Path, runs: list[Run], document: str, deleted: bool) -> None:
    async def check(world: MemoryWorld) -> None:
        await live(world, runs)
        await world.memory.consolidate()
        for tenant in TENANTS:
            if deleted:
                await world.memory.forget_documents(tenant, [document])
            else:
                for person in PEOPLE:
                    await world.memory.forget(tenant, person, document_id=document)
        assert count_rows_holding(world.database, document) == {}
        for tenant in TENANTS:
            for person in PEOPLE:
                assert document not in await everything_of(world, tenant, person)
        await world.memory.consolidate()
        assert count_rows_holding(world.database, document) == {}

    with open_backend("sqlite", folder) as database:
        asyncio.run(check(fresh(database)))


@SETTINGS
@given(RUNS, st.integers(0, 9))
def test_a_forgotten_person_is_nowhere_and_all_of_it_comes_back_in_the_answer(folder: Path, runs: list[Run], choice: int) -> None:
    tenant, person, *_ = runs[choice % len(runs)]

    async def check(world: MemoryWorld) -> None:
        await live(world, runs)
        before = await world.memory.overview(tenant, person, 500)
        others = {who: await everything_of(world, *who) for run in runs if (who := run[:2]) != (tenant, person)}
        gone = await world.memory.forget(tenant, person)
        sections = (before.session, before.episodic, before.procedural, before.profile, before.notes)
        assert _ids(gone.items) == _ids([item for section in sections for item in section.items])
        assert sum(gone.removed.values()) == sum(section.total for section in sections)
        for session in SESSIONS:
            assert count_rows_holding(world.database, mark(tenant, person, session)) == {}
        assert await world.store.people(tenant) == sorted(who for who in others if who[0] == tenant)
        for who, seen in others.items():
            assert await everything_of(world, *who) == seen

    with open_backend("sqlite", folder) as database:
        asyncio.run(check(fresh(database)))


def _ids(items: list[MemoryItem]) -> list[str]:
    return sorted(item.id for item in items)
