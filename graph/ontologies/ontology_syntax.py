"""The format of an ontology's file, and what is refused before it is read: other syntaxes, entities that grow, contexts that would be fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Literal
from xml.parsers import expat

from core.errors import InvalidInput

Format = Literal["xml", "turtle", "nt", "json-ld"]

_BY_ENDING: dict[str, Format] = {".ttl": "turtle", ".nt": "nt", ".jsonld": "json-ld", ".json": "json-ld"}
_RDF, _OWL = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2002/07/owl#"
_LONGEST_ENTITY = 1000  # characters; those of ontologies are short names of addresses
_DEEPEST = 200  # objects in objects of JSON
_FUNCTIONAL = (b"Prefix(", b"Ontology(", b"Prefix:", b"Ontology:")
CONVERT = "Convert it: open it in Protégé and save it as RDF/XML or Turtle, or run `robot convert --input FILE --output FILE.ttl`."


def detect_format(data: bytes, filename: str) -> Format:
    """Return the format that a file is written in. Raises InvalidInput for one that is not read, saying how to convert it, and for XML and JSON that
    would grow or fetch when it is read."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(_FUNCTIONAL):
        raise InvalidInput(f"{filename} is written in OWL's functional or Manchester syntax, which is not read. {CONVERT}")
    ending = PurePath(filename).suffix.lower()
    if ending in _BY_ENDING:
        found = _BY_ENDING[ending]
    elif start.startswith((b"<?xml", b"<!", b"<rdf", b"<RDF", b"<Ontology")) or b"<rdf:RDF" in data[:65536]:
        found = "xml"
    else:
        found = "json-ld" if start.startswith((b"{", b"[")) else "turtle"
    if found == "xml":
        _check_xml(data, filename)
    elif found == "json-ld":
        _check_contexts(data, filename)
    return found


def _check_xml(data: bytes, filename: str) -> None:
    """Check the entities and the root. Raises InvalidInput."""
    root: list[str] = []
    parser = expat.ParserCreate(namespace_separator="")

    def declare(name: str, _: bool, value: str | None, *__: object) -> None:
        if value is None:
            raise InvalidInput(f"{filename} declares the entity {name!r} in another file, which is not fetched. Put its text in its place.")
        if "&" in value or len(value) > _LONGEST_ENTITY:
            raise InvalidInput(
                f"{filename} declares the entity {name!r} by others or at a length that can grow without end. Put its text in its place."
            )

    parser.EntityDeclHandler = declare
    parser.StartElementHandler = lambda name, _: root.append(name) if not root else None
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InvalidInput(f"{filename} is not well-formed XML: {error}.") from error
    if root and root[0].startswith(_OWL):
        raise InvalidInput(f"{filename} is written in OWL/XML, which is not read. {CONVERT}")
    if root and not root[0].startswith(_RDF):
        raise InvalidInput(f"{filename} is XML and not RDF/XML: its first element is {root[0]!r}. {CONVERT}")


def _check_contexts(data: bytes, filename: str) -> None:
    """Check that every JSON-LD context stands in the file. Raises InvalidInput."""
    try:
        read = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{filename} is not JSON: {error}.") from error
    for context in _contexts_in(read, filename):
        named = [context] if isinstance(context, str) else context if isinstance(context, list) else [context.get("@import")] if context else []
        address = next((each for each in named if isinstance(each, str)), None)
        if address is not None:
            raise InvalidInput(f"{filename} takes its context from {address}, which is not fetched. Put the context itself in the file.")


def _contexts_in(value: Any, filename: str, depth: int = 0) -> Iterator[Any]:
    if depth > _DEEPEST:
        raise InvalidInput(f"{filename} nests JSON more than {_DEEPEST} deep.")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and "@context" in value:
        yield value["@context"]
    for each in inner:
        yield from _contexts_in(each, filename, depth + 1)
