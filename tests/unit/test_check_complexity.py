"""The check of complexity: what it counts, and a list that may only shrink."""

from __future__ import annotations

from pathlib import Path

from scripts.check_complexity import LIMIT, ComplexFunction, complex_functions, list_problems


def branches(count: int) -> str:
    return "def choose(a):\n" + "".join(f"    if a == {number}:\n        return {number}\n" for number in range(count))


def test_a_function_may_have_as_many_ways_as_the_limit() -> None:
    path = Path("core/choice.py")
    assert list(complex_functions(path, branches(LIMIT - 1))) == []
    (found,) = complex_functions(path, branches(LIMIT))
    assert (found.name, found.line, found.complexity, found.folder) == ("choose", 1, LIMIT + 1, "core")


def test_conditions_in_one_line_count_and_methods_are_looked_at_once() -> None:
    one_line = " and ".join(f"a != {number}" for number in range(LIMIT))
    code = f"class Choice:\n    def fits(self, a):\n        return [each for each in a if each] if {one_line} else []\n"
    (found,) = complex_functions(Path("agents/sources/choice.py"), code)
    assert (found.name, found.complexity, found.folder) == ("fits", LIMIT + 3, "agents/sources")


def test_more_than_allowed_are_named_and_fewer_lower_the_number() -> None:
    two = [ComplexFunction(Path("core/one.py"), 7, "choose", 16), ComplexFunction(Path("core/two.py"), 9, "find", 20)]
    assert list(list_problems(two, {"core": 2})) == []
    named = list(list_problems(two, {"core": 1}))
    assert named[:2] == ["core/one.py:7: choose has a complexity of 16, at most 15", "core/two.py:9: find has a complexity of 20, at most 15"]
    assert named[2:] == ["core: 2 functions are over the limit, at most 1"]
    assert [line.split(":")[0] for line in list_problems(two, {"core": 3, "storage": 1})] == ["core", "storage"]
    assert list(list_problems(two, {})) == [*named[:2], "core: 2 functions are over the limit, at most 0"]
