"""Trees of summaries (RAPTOR): passages grouped by meaning, level upon level, each group with sentences of its own."""
