"""A reader's weights: low-rank differences to the transformer that they name, and two heads (Hu et al. 2021, https://arxiv.org/abs/2106.09685).

A safetensors file. For a layer n and a product (`query_key_value`, `attended`, `widened`, `narrowed`), `{n}.{product}.left` int8 [outputs, rank] with
`left_scale` float16 [outputs] and `right` int8 [rank, inputs] with `right_scale` float16 [rank]; the difference is the product of both, each row
times its scale. Biases and norms are replaced where the file has them. `span` reads start and end of an answer off each token, `passage` "answered
here" and "relevant" off the first; both `.weight` [2, width], `.bias` [2].
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import ConfigurationError
from retrieval.embedders.transformer_graph import QuantisedTable, TransformerWeights
from retrieval.embedders.transformer_models import ModelFiles, TransformerModel, find_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "1"
PRODUCTS = ("query_key_value", "attended", "widened", "narrowed")
HEADS = ("span", "passage")
SHIPPED_WEIGHTS = Path(str(files("retrieval.readers"))) / "data" / "reader.safetensors"
_FACTORS = {"left": "I8", "left_scale": "F16", "right": "I8", "right_scale": "F16"}
_SPECIAL_TOKENS = 4
_WHAT_TO_DO = "Reinstall Vantage, or make them anew (docs/reader.md)"


@dataclass(frozen=True, slots=True)
class ReaderWeights:
    """The content of a weights file. `window`, `question_tokens` and `overlap` count tokens. A passage's logit of "answered here" is taken times
    `answerable_scale` plus `answerable_offset`. `path` is for messages, `version` tells this file from any other.
    """

    path: Path
    version: str
    base: TransformerModel
    window: int
    question_tokens: int
    overlap: int
    answerable_scale: float
    answerable_offset: float
    tensors: Mapping[str, NDArray[Any]]

    def apply_to(self, base: ModelFiles) -> TransformerWeights:
        """Return the base's weights with the differences added, the replacements and the heads; vocabulary and products in 8 bits. Raises
        ConfigurationError where a tensor does not fit the base.
        """
        found, own = dict(base.weights.tensors), dict(self.tensors)
        if self.window > len(found["places"]):
            raise damaged_error(self.path, f"its windows of {self.window} tokens are longer than the {len(found['places'])} of {self.base.name}")
        products = {}
        for number in range(base.shape.layers):
            for name in (f"{number}.{product}" for product in PRODUCTS):
                exact = found.pop(f"{name}.weight")
                products[f"{name}.weight"] = QuantisedTable.quantise(exact + self._difference(name, own, exact.shape))
        for head in HEADS:
            found |= {f"{head}.weight": np.empty((2, base.shape.width), np.float32), f"{head}.bias": np.empty(2, np.float32)}
        replaceable = {name for name in found if name != "places"}
        for name, value in own.items():
            if name not in replaceable or value.shape != found[name].shape:
                raise damaged_error(self.path, f"{name} {list(value.shape)} does not fit {self.base.name}")
            found[name] = value.astype(np.float32)
        words = base.weights.words
        return TransformerWeights(words if isinstance(words, QuantisedTable) else QuantisedTable.quantise(words), found, products)

    def _difference(self, name: str, own: dict[str, NDArray[Any]], shape: tuple[int, ...]) -> NDArray[np.float32] | np.float32:
        """Return [outputs, inputs] of a product, its factors taken out of `own`; 0 for one that stays as it is."""
        parts = {factor: own.pop(f"{name}.{factor}", None) for factor in _FACTORS}
        if all(part is None for part in parts.values()):
            return np.float32(0)
        given: list[NDArray[Any]] = [np.empty(0) if part is None else part for part in parts.values()]
        left, left_scale, right, right_scale = given
        rank = len(right)
        if (left.shape, left_scale.shape, right.shape, right_scale.shape) != ((shape[0], rank), shape[:1], (rank, shape[1]), (rank,)):
            raise damaged_error(self.path, f"the factors of {name} do not fit {self.base.name}")
        difference: NDArray[np.float32] = _dequantise(left, left_scale) @ _dequantise(right, right_scale)
        return difference


def read_weights(path: Path = SHIPPED_WEIGHTS) -> ReaderWeights:
    """Return the file, checked but for what only its base can tell. Raises ConfigurationError, which says what to do, for one that is missing,
    damaged, of another format, or made for a base that is unknown or has other weights.
    """
    about, tensors = _read_tensors(path)
    if about.get("format") != FORMAT:
        raise damaged_error(path, f"format {about.get('format', 'none')!r} where {FORMAT!r} is read")
    if "digest" in about and about["digest"] != tensors_digest(tensors):
        raise damaged_error(path, "their digest is another than the one they carry")
    window, asked, overlap = (_parse_count(path, about, key) for key in ("window", "question_tokens", "stride"))
    if not overlap < window - asked - _SPECIAL_TOKENS:
        raise damaged_error(path, f"a window of {window} tokens leaves no room beside {asked} of the question and {overlap} in common")
    scale, offset = (_parse_number(path, about, f"answerable_{key}", default) for key, default in (("scale", 1.0), ("offset", 0.0)))
    if scale <= 0:
        raise damaged_error(path, f"answerable_scale is {scale}, which turns yes into no")
    version = hashlib.sha256(f"{sorted(about.items())} {tensors_digest(tensors)}".encode()).hexdigest()[:8]
    return ReaderWeights(path, version, _find_base(path, about), window, asked, overlap, scale, offset, tensors)


def tensors_digest(tensors: Mapping[str, NDArray[Any]]) -> str:
    """Return the sha256 over names, types, shapes and values; a file that carries it in its metadata as `tensors_digest` is checked against it."""
    found = hashlib.sha256()
    for name in sorted(tensors):
        value = tensors[name]
        found.update(f"{name} {value.dtype.str} {value.shape}\n".encode())
        found.update(np.ascontiguousarray(value).tobytes())
    return found.hexdigest()


def damaged_error(path: Path, why: str) -> ConfigurationError:
    return ConfigurationError(f"The reader's weights {path} cannot be used: {why}. {_WHAT_TO_DO}.")


def _read_tensors(path: Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return metadata and tensors, each of the type that its name asks for, all numbers finite."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise ConfigurationError(f"The reader's weights {path} are missing. {_WHAT_TO_DO}.")
    tensors: dict[str, NDArray[Any]] = {}
    try:
        with safe_open(path, framework="np") as file:
            about = file.metadata() or {}
            for name in file.keys():  # noqa: SIM118 - the file is no mapping
                _check_type(path, name, file.get_slice(name).get_dtype())
                tensors[name] = file.get_tensor(name)
    except (SafetensorError, OSError) as error:
        raise damaged_error(path, str(error)) from error
    for name, value in tensors.items():
        if not np.isfinite(value).all():
            raise damaged_error(path, f"{name} holds numbers that are none")
    missing = [name for name in (f"{head}.{kind}" for head in HEADS for kind in ("weight", "bias")) if name not in tensors]
    if missing:
        raise damaged_error(path, f"{' and '.join(missing)} missing")
    return about, tensors


def _check_type(path: Path, name: str, found: str) -> None:
    expected = _FACTORS.get(name.rpartition(".")[2])
    if found not in ((expected,) if expected else ("F16", "F32")):
        raise damaged_error(path, f"{name} is of type {found}")


def _find_base(path: Path, about: Mapping[str, str]) -> TransformerModel:
    name = about.get("base", "")
    base = find_model(name)
    if base is None:
        raise damaged_error(path, f"they are for the model {name!r}, which is unknown here")
    if about.get("base_sha256") != base.sha256:
        raise damaged_error(
            path, f"they are for other weights of {name} (sha256 {about.get('base_sha256', 'none')}) than {base.distribution} carries"
        )
    return base


def _parse_count(path: Path, about: Mapping[str, str], key: str) -> int:
    text = about.get(key, "")
    if not (text.isascii() and text.isdigit()):
        raise damaged_error(path, f"{key} is {text!r} where a number of tokens is asked for")
    return int(text)


def _parse_number(path: Path, about: Mapping[str, str], key: str, default: float) -> float:
    text = about.get(key, str(default))
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise damaged_error(path, f"{key} is {text!r} where a number is asked for")
    return value


def _dequantise(values: NDArray[Any], scales: NDArray[Any]) -> NDArray[np.float32]:
    exact: NDArray[np.float32] = values.astype(np.float32) * scales.astype(np.float32)[:, None]
    return exact
