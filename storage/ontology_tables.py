"""The tables of ontologies: what is listed of each, with its classes and properties in one compressed value, and the classes of entities. What a
document gave goes with the document, and what an ontology gave with the ontology."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Integer, Table

from storage.schema import blob_column, document_column, integer_column, json_column, metadata, text_column, time_column

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


def _of_an_ontology() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant", "ontology_id"], ["ontologies.tenant", "ontologies.id"], ondelete="CASCADE")


# One row for each document's graph and ontology that were read together: the work that is done.
typed_documents = Table(
    "typed_documents",
    metadata,
    document_column(primary_key=True),
    text_column("ontology_id", primary_key=True),
    text_column("tenant"),
    _of_an_ontology(),
    Index("typed_documents_by_ontology", "tenant", "ontology_id"),
)

# The sentence [start, end) gives a class to the entity that the document writes as (key, entity_type).
entity_classes = Table(
    "entity_classes",
    metadata,
    document_column(primary_key=True),
    text_column("ontology_id", primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    text_column("key"),
    text_column("entity_type"),
    text_column("class_uri"),
    text_column("rule"),
    integer_column("start"),
    integer_column("end"),
    _of_an_ontology(),
    Index("entity_classes_by_key", "tenant", "key"),
    Index("entity_classes_by_class", "tenant", "class_uri"),
    Index("entity_classes_by_ontology", "tenant", "ontology_id"),
)
TYPING_TABLES = (entity_classes, typed_documents)
