"""Prompts as files: agents/prompts/<name>.md, read once, rendered with string.Template, known by the hash of their text.

The instruction stands above the first line `---`, the person's part below it. Values are put in as they are and never scanned for placeholders.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from core.errors import ConfigurationError

FOLDER = Path(__file__).resolve().parents[1] / "agents" / "prompts"
_DIVIDER = "\n---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `sha` (16 hex digits) identifies its text in traces and caches."""

    name: str
    text: str
    sha: str

    def variables(self) -> frozenset[str]:
        return frozenset(Template(self.text).get_identifiers())

    def render(self, variables: Mapping[str, str]) -> tuple[str, str]:
        """(instruction, person's part). Raises ConfigurationError unless the variables are exactly the placeholders."""
        if self.variables() != variables.keys():
            raise ConfigurationError(f"The prompt {self.name} wants {sorted(self.variables())} and was given {sorted(variables)}.")
        instruction, _, person = self.text.partition(_DIVIDER)
        return Template(instruction).substitute(variables).strip(), Template(person).substitute(variables).strip()


@cache
def load_prompt(name: str) -> Prompt:
    """Read agents/prompts/<name>.md. Raises ConfigurationError where there is none."""
    path = FOLDER / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"The prompt {path} cannot be read: {error}. Install Vantage again.") from error
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest()[:16])
