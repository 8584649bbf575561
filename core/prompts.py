"""Prompts as files, <name>.md beside the agent or adapter that asks with it: read once, rendered with string.Template, known by the hash of their
text.

The instruction stands above the first line `---`, the person's part below it. Values are put in as they are and never scanned for placeholders.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template

from core.errors import ConfigurationError

PACKAGES = ("agents", "answers", "graph", "ingestion", "llm")  # that ask models
_DIVIDER = "\n---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `sha` (16 hex digits) identifies its text in traces and caches."""

    name: str
    text: str
    sha: str

    def variables(self) -> frozenset[str]:
        """Return the names of the placeholders."""
        return frozenset(Template(self.text).get_identifiers())

    def render(self, variables: Mapping[str, str]) -> tuple[str, str]:
        """Return (instruction, person's part). Raises ConfigurationError unless the variables are exactly the placeholders."""
        if self.variables() != variables.keys():
            raise ConfigurationError(f"The prompt {self.name} wants {sorted(self.variables())} and was given {sorted(variables)}.")
        instruction, _, person = self.text.partition(_DIVIDER)
        return Template(instruction).substitute(variables).strip(), Template(person).substitute(variables).strip()


@cache
def load_prompt(name: str) -> Prompt:
    """Read the only <name>.md of PACKAGES. Raises ConfigurationError where there is none, or more than one."""
    found = [file for file in prompt_files() if file.name == f"{name}.md"]
    if len(found) != 1:
        raise ConfigurationError(f"There are {len(found)} prompts named {name}.md, and one is needed. Install Vantage again.")
    try:
        text = found[0].read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"The prompt {found[0]} cannot be read: {error}. Install Vantage again.") from error
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest()[:16])


@cache
def prompt_files() -> tuple[Traversable, ...]:
    """Return all prompts: the Markdown files in PACKAGES and their folders."""
    return tuple(file for package in PACKAGES for file in _markdown_files(files(package)))


def _markdown_files(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            yield from _markdown_files(entry)
        elif entry.name.endswith(".md"):
            yield entry
