"""Compiles the networks that the package rapidocr carries, by OpenVINO.

Only the package's model files are used: its own code could download others and writes a log, so it is never imported. The recogniser's last layer
is followed by an arg max inside the network: its 18,710 probabilities for each step of a line never reach Python.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from core.errors import ConfigurationError

sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # the import system's own way to say "absent": it would look up a host

import openvino  # noqa: E402
from openvino import opset13  # noqa: E402

DETECTOR = "PP-OCRv6_det_small.onnx"
READER = "PP-OCRv6_rec_small.onnx"
CLASSIFIER = "ch_ppocr_mobile_v2.0_cls_mobile.onnx"

TILE = (480, 1280)  # height and width of what the detector sees at once

Tensor = NDArray[np.float32]


def model_folder() -> Path:
    """Return where the installed package keeps its models. Raises ConfigurationError where it is missing."""
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise ConfigurationError("The package rapidocr, which carries the models of text recognition, is not installed. Run: pip install rapidocr")
    return Path(spec.origin).parent / "models"


def thread_count(wanted: int) -> int:
    """Return `wanted`, or half of the physical cores that this process may run on for 0."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return wanted or max(1, min(allowed, psutil.cpu_count(logical=False) or allowed) // 2)


class Network:
    """A compiled network. A call returns copies of its outputs; `release_memory` gives back what the calls since the last one needed in between."""

    def __init__(self, model: Any, threads: int) -> None:
        precision = "bf16" if "BF16" in _core().get_property("CPU", "OPTIMIZATION_CAPABILITIES") else "f32"
        # No kernels are kept for shapes that were seen before: each would hold some 30 MB of a worker's memory.
        options = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": precision, "CPU_RUNTIME_CACHE_CAPACITY": 0}
        self._compiled = _core().compile_model(model, "CPU", options)
        self._request = self._compiled.create_infer_request()

    def __call__(self, batch: Tensor) -> list[NDArray[Any]]:
        self._request.infer([batch], share_inputs=True)
        return [np.array(tensor.data) for tensor in self._request.output_tensors]

    def release_memory(self) -> None:
        self._compiled.release_memory()


@cache
def _core() -> Any:
    return openvino.Core()


def load_detector(threads: int) -> Network:
    """Load the detector: [1, 3, *TILE] to [1, 1, *TILE], how likely each pixel belongs to the inside of a line of text.

    Its shape is fixed: the runtime then plans its memory, which takes half of what pages of any size would.
    """
    model = _read_model(DETECTOR)
    model.reshape([1, 3, *TILE])
    return Network(model, threads)


def load_classifier(threads: int) -> Network:
    """Load the classifier: [n, 3, 48, 192] to [n, 2], how likely each line stands upright, or on its head."""
    return Network(_read_model(CLASSIFIER), threads)


def load_reader(threads: int) -> tuple[Network, list[str]]:
    """Load the reader: [1, 3, 48, w] to the certainty and the index of the likeliest character for each of w / 8 steps; and the characters, "" for
    none."""
    model = _read_model(READER)
    characters = ["", *model.get_rt_info()["framework"]["character"].value.splitlines(), " "]
    best = opset13.topk(model.get_results()[0].input_value(0), opset13.constant(np.int64(1)), axis=2, mode="max", sort="none")
    return Network(openvino.Model([best.output(0), best.output(1)], model.get_parameters(), "reader"), threads), characters


def _read_model(name: str) -> Any:
    path = model_folder() / name
    if not path.is_file():
        raise ConfigurationError(
            f"The model {path} of text recognition is missing. Install the package rapidocr again: pip install --force-reinstall rapidocr"
        )
    return _core().read_model(str(path))
