"""What every reader builds on: the source, the document builder, character sets, containers and grids. Knows no reader."""
