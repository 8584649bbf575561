"""The table of ontologies: what is listed of each, and its classes and properties in one compressed value."""

from __future__ import annotations

from sqlalchemy import Index, Table

from storage.schema import blob_column, integer_column, json_column, metadata, text_column, time_column

ontologies = Table(
    "ontologies",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("uri"),
    text_column("name"),
    text_column("filename"),
    text_column("format"),
    integer_column("triples"),
    integer_column("class_count"),
    integer_column("property_count"),
    integer_column("individuals"),
    json_column("imports"),
    json_column("notes"),
    time_column("loaded_at"),
    blob_column("content"),
    Index("ontologies_by_time", "tenant", "loaded_at", "id"),
)
