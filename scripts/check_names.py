"""Names say what they name: `python -m scripts.check_names` lists those that do not, and fails.

Two rules, for the packages of the product, its root modules and its scripts:

- no module, type, function or method of a public name is called by participles, prepositions and adverbs alone (`told`, `found_in`, `beside`);
- no two modules and no two public types have one name.

Properties and fields are adjectives where they are used (`run.failed`) and are not asked; neither is what a library calls by its name (`__call__`,
`visit_Name`).
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.check_sizes import tracked_files

PACKAGES = (
    "agents/", "answers/", "commands/", "composition/", "core/", "evaluation/", "graph/", "ingestion/", "llm/", "memory/",
    "orchestration/", "retrieval/", "scripts/", "server/", "storage/", "training/",
)  # fmt: skip
ROOT_MODULES = (
    "api.py",
    "bootstrap.py",
    "cli.py",
    "settings.py",
    "settings_features.py",
    "settings_graph.py",
    "settings_ingestion.py",
    "settings_page.py",
    "settings_search.py",
    "settings_server.py",
    "settings_sources.py",
)

PREPOSITIONS = frozenset(
    "about above across after against along among apart around as at away back before behind below beneath beside besides between beyond by "
    "down during elsewhere for from how if in inside instead into meanwhile near nearby of off on onto otherwise out outside over past since "
    "so than then through till to together toward towards under until up upon what when where whether which while who whoever whose why with "
    "within without".split()
)
IRREGULAR = frozenset(
    "asked become been begun bent born bought bound broken brought built burnt caught chosen come dealt done drawn driven dug eaten fallen "
    "fed felt flown forgotten found frozen given gone grown had heard held hidden hung kept known laid lain learnt led left lent lit lost "
    "made meant met paid ridden risen said seen sent shaken shown shrunk slept sold sought spent spoken spun stood stolen struck stuck sung "
    "sunk swept sworn swum taken taught thought thrown told torn understood undone woken won worn woven written".split()
)
# Words that end like a participle and are none, or that the field uses as nouns.
NOUNS = frozenset(
    "bed binding breed building casing ceiling centring chunking during embed embedding encoding engineering evening exceed feed heading "
    "housekeeping indexing king listing meaning morning need nothing numbering offering parsing ping proceed ranking reading reasoning "
    "recording red reembedding rendering reranking rewording ring rounding routing scoring seed setting shed speed spelling spring stemming "
    "string succeed tagging thing timing tracing training tuning warning watching weed wing wording".split()
)
# The tree of errors: they are named as people name what happened (`raise Encrypted(...)`).
ERRORS = Path("core/errors.py")
# Fixed by others: an agent of SPEC.md, and schemas of the API that clients know by these names.
FIXED = frozenset({"attached", "Deleted", "Excluded", "Forgotten", "Included"})
# Every agent's folder and every family of readers has its main module under this name.
SHARED_MODULES = frozenset({"__init__", "__main__", "agent", "base"})


@dataclass(frozen=True, slots=True)
class Name:
    """A public name, and where it stands."""

    text: str
    kind: str  # "module", "type", "function" or "method"
    place: str  # path, with the line for what stands in a module


def is_participle(word: str) -> bool:
    """Return whether an English word is a past or present participle, and no noun of the field."""
    return word not in NOUNS and (word in IRREGULAR or bool(re.fullmatch(r"[a-z]{2,}(?:ed|ing)", word)))


def says_nothing(name: str) -> bool:
    """Return whether a name consists of participles, prepositions and adverbs alone."""
    words = [word.lower() for part in name.split("_") for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", part)]
    return bool(words) and all(word in PREPOSITIONS or is_participle(word) for word in words)


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a method is read like a field."""
    decorators = [ast.unparse(each) for each in function.decorator_list]
    return any(each.endswith(("property", ".setter", "hybrid_property")) for each in decorators)


def is_error(node: ast.ClassDef) -> bool:
    """Return whether a class is raised."""
    return any(re.search(r"Error$|Exception$|Warning$", ast.unparse(base)) for base in node.bases)


def public_names(path: Path, source: str) -> Iterator[Name]:
    """Yield the public names that a module makes: itself, its types, functions and methods."""
    if path.stem != "__init__" or path.parent.name:
        yield Name(path.parent.name if path.stem == "__init__" else path.stem, "module", str(path))
    for node in ast.parse(source, str(path)).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Name(node.name, "function", f"{path}:{node.lineno}")
        elif isinstance(node, ast.ClassDef):
            yield Name(node.name, "error" if is_error(node) or path == ERRORS else "type", f"{path}:{node.lineno}")
            for each in node.body:
                if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and not is_property(each):
                    yield Name(each.name, "method", f"{path}:{each.lineno}")


def bare_names(names: list[Name]) -> Iterator[str]:
    """Yield a line for each public name that says nothing."""
    for name in names:
        if not name.text.startswith("_") and name.text not in FIXED and name.kind != "error" and says_nothing(name.text):
            yield f"{name.place}: {name.kind} {name.text} names nothing: take a noun, or begin with a verb"


def repeated_names(names: list[Name]) -> Iterator[str]:
    """Yield a line for each name that two modules or two public types have."""
    places: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        if name.kind == "module" and (name.place.endswith("__init__.py") or name.text in SHARED_MODULES):
            continue
        if name.kind in {"module", "type", "error"} and not name.text.startswith("_"):
            places["module" if name.kind == "module" else "type", name.text].append(name.place)
    for (kind, text), where in sorted(places.items()):
        if len(where) > 1:
            yield f"{kind} {text} is the name of {len(where)}: {', '.join(where)}"


def main() -> int:
    paths = [path for path in tracked_files("*.py") if str(path).startswith(PACKAGES) or str(path) in ROOT_MODULES]
    names = [name for path in paths if "migrations" not in path.parts for name in public_names(path, path.read_text(encoding="utf-8"))]
    found = [*bare_names(names), *repeated_names(names)]
    for line in found:
        sys.stdout.write(line + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
