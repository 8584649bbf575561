"""Compiled networks, kept in files: what OpenVINO makes of a graph is the same each time, and reading it back costs a process a third of making it.

A file is private (0600), begins with the sha256 of what follows, and is named after all that it depends on: the network, the options it was compiled
with, the runtime's version and the processor. One that is damaged, or that the runtime refuses, is logged and made anew.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import openvino

logger = logging.getLogger(__name__)

_DIGEST_BYTES = 32
_SUFFIX = ".network"


@dataclass(frozen=True, slots=True)
class NetworkRecipe:
    """Instructions for building a network. `name` stands for its weights and its shape, `build` puts its graph together, `options` are the
    compiler's.
    """

    name: str
    build: Callable[[], openvino.Model]
    options: Mapping[str, object]


class CompiledNetworks:
    """The networks of one folder; without a folder each is compiled when it is asked for, and none is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def load_or_compile(self, core: openvino.Core, recipe: NetworkRecipe) -> Any:
        """Return the network, ready for infer requests. Blocks. Raises what `recipe.build` raises."""
        if self._folder is None:
            return core.compile_model(recipe.build(), "CPU", dict(recipe.options))
        path = self._folder / f"{recipe.name}-{_key(core, recipe)}{_SUFFIX}"
        kept = self._load_stored(core, path, recipe)
        if kept is not None:
            return kept
        made = core.compile_model(recipe.build(), "CPU", dict(recipe.options))
        self._store_network(path, recipe.name, made)
        return made

    def _load_stored(self, core: openvino.Core, path: Path, recipe: NetworkRecipe) -> Any | None:
        try:
            with path.open("rb") as file:
                digest, network = file.read(_DIGEST_BYTES), file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            logger.warning("The compiled network %s cannot be read (%s); it is compiled anew.", path, error.strerror or error)
            return None
        if hashlib.sha256(network).digest() != digest:
            logger.warning("The compiled network %s is damaged; it is compiled anew.", path)
            return None
        try:
            return core.import_model(network, "CPU", dict(recipe.options))
        except RuntimeError as error:
            logger.warning("The runtime refuses the compiled network %s (%s); it is compiled anew.", path, error)
            return None

    def _store_network(self, path: Path, name: str, made: Any) -> None:
        """Write it whole or not at all, and take away what earlier options, runtimes or processors left of the same network."""
        network = made.export_model().getbuffer()
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with TemporaryDirectory(dir=path.parent) as beside:
                part = Path(beside, "network")
                part.write_bytes(hashlib.sha256(network).digest() + network)
                part.chmod(0o600)
                part.replace(path)
            for other in path.parent.glob(f"{name}-*{_SUFFIX}"):
                if other != path:
                    other.unlink(missing_ok=True)
        except OSError as error:
            logger.warning("The compiled network %s cannot be kept (%s); it is compiled anew at the next start.", path, error.strerror or error)


def _key(core: openvino.Core, recipe: NetworkRecipe) -> str:
    from retrieval.embedders.runtime import openvino

    depends = [recipe.name, openvino.get_version(), core.get_property("CPU", "FULL_DEVICE_NAME"), str(sorted(recipe.options.items()))]
    capabilities = str(sorted(core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")))
    return hashlib.sha256("\n".join([*depends, capabilities]).encode()).hexdigest()[:16]
