"""Compiled networks are kept in files: read back as they were, made anew where they cannot be."""

from __future__ import annotations

import hashlib
import logging
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.embedders.compiled_networks import CompiledNetworks, NetworkRecipe
from retrieval.embedders.openvino_embedder import ComputeOptions, OpenVinoEmbedder
from retrieval.embedders.runtime import openvino, ops
from retrieval.embedders.transformer_models import GRANITE

OPTIONS: dict[str, object] = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}


class Graph:
    """A network that adds 2 to what it is given, and how often it was put together."""

    def __init__(self) -> None:
        self.built = 0

    def build(self) -> openvino.Model:
        self.built += 1
        given = ops.parameter([-1], np.float32)
        return openvino.Model([ops.result(ops.add(given, ops.constant(np.float32(2))))], [given], "adding")

    def recipe(self, **options: object) -> NetworkRecipe:
        return NetworkRecipe("adding", self.build, OPTIONS | options)


def result(network: Any) -> list[float]:
    request = network.create_infer_request()
    request.infer({0: np.array([1, 5], np.float32)})
    values: list[float] = request.get_output_tensor(0).data.tolist()
    return values


def kept(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_a_network_is_compiled_once_and_read_afterwards(tmp_path: Path) -> None:
    graph, folder, core = Graph(), tmp_path / "compiled", openvino.Core()
    for _ in range(3):
        assert result(CompiledNetworks(folder).load_or_compile(core, graph.recipe())) == [3, 7]
    assert graph.built == 1
    [path] = kept(folder)
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(path.stat().st_mode)) == (0o700, 0o600)


def test_without_a_folder_nothing_is_kept() -> None:
    graph = Graph()
    for _ in range(2):
        assert result(CompiledNetworks().load_or_compile(openvino.Core(), graph.recipe())) == [3, 7]
    assert graph.built == 2


def test_other_options_are_another_network_and_replace_it(tmp_path: Path) -> None:
    graph, core = Graph(), openvino.Core()
    networks = CompiledNetworks(tmp_path)
    networks.load_or_compile(core, graph.recipe())
    first = kept(tmp_path)
    networks.load_or_compile(core, graph.recipe(INFERENCE_NUM_THREADS=2))
    assert graph.built == 2
    assert len(kept(tmp_path)) == 1
    assert kept(tmp_path) != first


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _changed(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def _of_another_runtime(_: bytes) -> bytes:
    body = b"what no runtime wrote"
    return hashlib.sha256(body).digest() + body


@pytest.mark.parametrize("harm", [_cut, _changed, _of_another_runtime, lambda _: b""], ids=["cut", "changed", "another runtime's", "empty"])
def test_a_damaged_file_is_told_and_made_anew(harm: Callable[[bytes], bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    graph, core = Graph(), openvino.Core()
    networks = CompiledNetworks(tmp_path)
    networks.load_or_compile(core, graph.recipe())
    [path] = kept(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(harm(whole))
    with caplog.at_level(logging.WARNING):
        assert result(networks.load_or_compile(core, graph.recipe())) == [3, 7]
    assert graph.built == 2
    assert [str(path) in record.getMessage() and "compiled anew" in record.getMessage() for record in caplog.records] == [True]
    caplog.clear()
    assert result(networks.load_or_compile(core, graph.recipe())) == [3, 7]
    assert (graph.built, caplog.records, kept(tmp_path)) == (2, [], [path])


def test_where_nothing_can_be_kept_it_is_told_and_works(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("no folder")
    with caplog.at_level(logging.WARNING):
        assert result(CompiledNetworks(tmp_path / "file" / "compiled").load_or_compile(openvino.Core(), Graph().recipe())) == [3, 7]
    assert "cannot be kept" in caplog.text


@pytest.mark.skipif(not GRANITE.is_installed, reason=f"{GRANITE.name} is not installed: {GRANITE.install_command}")
async def test_an_embedder_makes_the_same_vectors_of_a_kept_network(tmp_path: Path) -> None:
    """Also in the lane of long texts, which is made when it is needed first."""
    texts = [f"The rent of hall {number} is due in May." for number in range(9)]
    found = []
    for folder in (None, tmp_path, tmp_path):
        embedder = OpenVinoEmbedder(GRANITE, ComputeOptions("f32", 1, CompiledNetworks(folder)))
        try:
            found.append(((await embedder.embed_query(texts[0])).tolist(), (await embedder.embed_passages(texts)).vectors.tolist()))
        finally:
            await embedder.close()
    assert found[0] == found[1] == found[2]
    assert len(kept(tmp_path)) == 1
