"""OpenVINO for the networks of this package, imported so that it reports to nobody: its telemetry would look up a host at the first import."""

from __future__ import annotations

import sys

__all__ = ["openvino", "ops"]

sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # the import system's own way to say "absent"
import openvino  # noqa: E402
from openvino import opset15 as ops  # noqa: E402
