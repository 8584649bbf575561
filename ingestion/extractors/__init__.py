"""One file per format; `registry.EXTRACTORS` is the table from the detected type to the function that reads it."""
