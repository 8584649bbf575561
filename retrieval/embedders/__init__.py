"""Adapters of the `Embedder` port: `minilm` (OpenVINO, the default model), `sentence_transformers` (any other model, extra `models`)."""
