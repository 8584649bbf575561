"""The check that finds names which say nothing, and names that two things have."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.check_names import Name, bare_names, public_names, repeated_names, says_nothing


@pytest.mark.parametrize("name", ["told", "found_in", "beside", "Told", "looked_at", "Within", "asking", "into"])
def test_participles_and_prepositions_alone_say_nothing(name: str) -> None:
    assert says_nothing(name)


@pytest.mark.parametrize(
    "name", ["tell_cell", "rows_told", "reading", "feed", "reciprocal_rank_fusion", "TokenStore", "embedding", "string", "run_query", "need"]
)
def test_nouns_and_verbs_say_something(name: str) -> None:
    assert not says_nothing(name)


def names_in(source: str, path: str = "core/example.py") -> list[Name]:
    return list(public_names(Path(path), source))


def test_a_method_is_asked_a_property_and_an_error_are_not() -> None:
    source = "class Box:\n    @property\n    def closed(self): ...\n    def taken(self): ...\nclass Vanished(ValueError): ...\n"
    assert [line.split(": ")[1] for line in bare_names(names_in(source))] == ["method taken names nothing"]


def test_a_private_name_is_not_asked() -> None:
    assert list(bare_names(names_in("def _told(): ...\nclass _Told: ...\n"))) == []


def test_a_module_by_such_a_name_is_found() -> None:
    assert [line.partition(":")[0] for line in bare_names(names_in("", "core/telling.py"))] == ["core/telling.py"]


def test_two_types_of_one_name_are_found() -> None:
    names = [*names_in("class Part: ..."), *names_in("class Part: ...\nclass _Part: ...", "answers/other.py")]
    assert list(repeated_names(names)) == ["type Part is the name of 2: core/example.py:1, answers/other.py:1"]


def test_two_modules_of_one_name_are_found_but_agents_share_theirs() -> None:
    paths = ["core/lines.py", "graph/lines.py", "agents/a/agent.py", "agents/b/agent.py"]
    names = [name for path in paths for name in names_in("", path)]
    assert list(repeated_names(names)) == ["module lines is the name of 2: core/lines.py, graph/lines.py"]
