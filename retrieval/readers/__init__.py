"""Adapters of the `AnswerReader` port: `openvino_reader`, a shipped embedding model with low-rank differences to its weights and two heads."""
