"""The classes above a class and below it, by a plain walk: classes that are each other's subclass are all above each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from core.ontologies import Ontology, OntologyClass
from graph.normalisation import name_tokens


def find_ancestors(parents: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Return class -> the classes above it, the nearest first, itself left out; parents that are no classes of the mapping are among them."""
    return {uri: tuple(each for each in _walk(uri, parents) if each != uri) for uri in parents}


def _walk(start: str, following: Mapping[str, Collection[str]]) -> dict[str, None]:
    """Return what is reached, in the order of the distance."""
    seen: dict[str, None] = {start: None}
    edge = [start]
    while edge:
        edge = list(dict.fromkeys(after for each in edge for after in following.get(each, ()) if after not in seen))
        seen.update(dict.fromkeys(edge))
    return seen


class ClassHierarchy:
    """The classes of all of a tenant's ontologies together: a class of one file may have its parent in another."""

    def __init__(self, ontologies: Iterable[Ontology]) -> None:
        self.classes: dict[str, OntologyClass] = {}
        self._below: defaultdict[str, list[str]] = defaultdict(list)
        self._parents: defaultdict[str, list[str]] = defaultdict(list)
        self._named: defaultdict[str, list[str]] = defaultdict(list)
        for each in (one for ontology in ontologies for one in ontology.classes):
            self.classes.setdefault(each.uri, each)
            self._parents[each.uri] += each.parent_uris
            for parent in each.parent_uris:
                self._below[parent].append(each.uri)
            for name in {_folded(text) for text in (each.name, *(one for texts in each.labels.values() for one in texts))}:
                self._named[name].append(each.uri)

    def find(self, name: str) -> set[str]:
        """Return the classes of this address, or of this name or label in any language, with all their subclasses; none for an unknown one."""
        asked = [name] if name in self.classes or name in self._below else self._named.get(_folded(name), [])
        return {each for uri in asked for each in _walk(uri, self._below)}

    def ancestors(self, uri: str) -> set[str]:
        """Return the classes above one that are not below it, too."""
        return set(_walk(uri, self._parents)) - set(_walk(uri, self._below))

    def name(self, uri: str) -> str:
        return self.classes[uri].name if uri in self.classes else uri.rstrip("/#").replace("#", "/").rpartition("/")[2] or uri


def _folded(name: str) -> str:
    """Return a name as it is compared, without blanks: "LocalBusiness" is "local business"."""
    return "".join(name_tokens(name.replace("_", " ")))
