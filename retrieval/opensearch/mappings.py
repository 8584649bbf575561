"""The two kinds of indices in OpenSearch, and their explicit mappings.

`words` holds an entry for each chunk (its text) and one for each document (title, file name, keywords, summary), `vectors` an entry for each chunk
and one for each document that says that all of them are there. Lucene counts per field, so that the two kinds of entries do not mix their
statistics. Texts come as the terms of `retrieval.analysis`, separated by spaces: OpenSearch only splits them, so that stemming, stop words and
scripts without spaces are the embedded engine's by construction.

The template holds for every index of a kind; one index is one version, and an alias names the version that is in use.
"""

from __future__ import annotations

from typing import Any, Literal

from retrieval.analysis import ANALYSER
from retrieval.lexical_index import K1

Kind = Literal["words", "vectors"]
SCHEMA = 1  # whoever changes a mapping raises it: indices of another number are made anew, from the library
TEXT_FIELDS = ("text", "title", "filename", "keywords", "summary")
KEYWORD_FIELDS = ("tenant", "collection", "document", "path", "file_type", "doc_type", "language", "key")
_B = 0.75  # of BM25, as in tantivy
_HNSW = {"m": 16, "ef_construction": 128}


def index_meta(kind: Kind, library: str, dimension: int) -> dict[str, Any]:
    """Return what an index says of itself: whoever finds it knows by this whether it fits."""
    meta: dict[str, Any] = {"schema": SCHEMA, "library": library}
    return meta | ({"analyser": ANALYSER} if kind == "words" else {"dimension": dimension})


def index_template(pattern: str, kind: Kind, meta: dict[str, Any]) -> dict[str, Any]:
    """Return the template of the indices of a kind. `meta` as `index_meta` returns it."""
    settings = {
        "number_of_shards": 1,
        "auto_expand_replicas": "0-1",
        "refresh_interval": "-1",  # a commit refreshes: what is not committed is not seen
        "merge.policy.expunge_deletes_allowed": 0,  # so that nothing of what was deleted stays when that is asked for
        "similarity": {"default": {"type": "BM25", "k1": K1, "b": _B}},
    }
    fields = _word_fields() if kind == "words" else _vector_fields(meta["dimension"])
    mappings = {
        "dynamic": "strict",
        "_meta": meta,
        "_source": {"excludes": [*TEXT_FIELDS, "vector"]},
        "properties": {**_common_fields(), **fields},
    }
    knn = {"knn": True} if kind == "vectors" else {}
    return {"index_patterns": [pattern], "priority": 500, "template": {"settings": {"index": settings | knn}, "mappings": mappings}}


def _common_fields() -> dict[str, Any]:
    fields: dict[str, Any] = {name: {"type": "keyword"} for name in KEYWORD_FIELDS}
    fields |= {name: {"type": "long"} for name in ("chunk", "revision", "modified")}
    return fields | {"record": {"type": "object", "enabled": False}}


def _word_fields() -> dict[str, Any]:
    return {name: {"type": "text", "analyzer": "whitespace", "index_options": "freqs"} for name in TEXT_FIELDS}


def _vector_fields(dimension: int) -> dict[str, Any]:
    method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil", "parameters": _HNSW}
    return {"vector": {"type": "knn_vector", "dimension": dimension, "method": method}, "float16": {"type": "binary"}}
