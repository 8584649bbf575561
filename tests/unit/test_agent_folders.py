"""Each agent has a folder of its own: agent.py, its parts, and its prompt beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agents
from core.prompts import prompt_files
from core.runs import AGENTS

ROOT = Path(agents.__file__).parent
FOLDERS = dict(re.findall(r"^    ([A-Z]\w+) +(\w+)", agents.__doc__ or "", re.MULTILINE))
PROMPTS = [
    (path, name) for path in sorted(ROOT.rglob("*.py")) for name in re.findall(r'^PROMPT = "(\w+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
]


def test_the_table_names_all_sixteen() -> None:
    assert {*FOLDERS, "Zeus", "Daedalus"} == {agent.name for agent in AGENTS}


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_each_folder_holds_its_agent(folder: str) -> None:
    assert (ROOT / folder / "agent.py").is_file()


def test_no_module_lies_outside_a_folder() -> None:
    assert [path.name for path in ROOT.glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize(("module", "name"), PROMPTS, ids=[name for _, name in PROMPTS])
def test_a_prompt_lies_beside_the_module_that_names_it(module: Path, name: str) -> None:
    assert (module.parent / f"{name}.md").is_file()


def test_every_prompt_of_an_agent_is_named_by_one() -> None:
    files = {file.name.removesuffix(".md") for file in prompt_files() if ROOT in Path(str(file)).parents}
    assert files == {name for _, name in PROMPTS}
