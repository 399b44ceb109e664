"""Documents: text, placed cells and the index, one frozen snapshot a version."""
