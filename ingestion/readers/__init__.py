"""Readers of files: each module declares in `FORMATS` which formats its `extract` reads; `registry` picks the module by the detected type."""
