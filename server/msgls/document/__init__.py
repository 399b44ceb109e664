"""Documents: text, placed cells and the index; a frozen snapshot for each version."""
