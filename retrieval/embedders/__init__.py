"""Adapters of the `Embedder` port: `openvino_embedder` (OpenVINO, the shipped models), `sentence_transformers` (any other model, extra `models`)."""
