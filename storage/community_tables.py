"""The tables of communities. They hold ids and spans; words (keywords) stand only in the rows of a document, which go with it."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table

from storage.schema import PLAIN, document_column, integer_column, json_column, large_column, metadata, text_column, time_column

community_states = Table(
    "community_states",
    metadata,
    text_column("tenant", primary_key=True),
    large_column("graph_documents"),
    large_column("graph_sequence"),
    text_column("options"),
    time_column("refreshed_at"),
    integer_column("smaller_groups"),
    integer_column("smaller_group_entities"),
)

# `fingerprint` covers the row and its shares: a refresh writes only what differs.
communities = Table(
    "communities",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    integer_column("level"),
    Column("parent_id", PLAIN),
    text_column("part"),
    json_column("entity_ids"),
    json_column("central_ids"),
    text_column("generated_by"),
    text_column("fingerprint"),
)

community_shares = Table(
    "community_shares",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("community_id", primary_key=True),
    document_column(primary_key=True),
    integer_column("generation"),
    json_column("keywords"),
    json_column("sentences"),
    ForeignKeyConstraint(["tenant", "community_id"], ["communities.tenant", "communities.id"], ondelete="CASCADE"),
    Index("community_shares_by_document", "document_id"),
)
