"""Two versions of one conversation: what differs between them, and both put together.

Owns the matching of cells, the difference by cell and the merge by cell. Pure: documents
and texts in, values out. Knows nothing of files, of git and of terminals.
"""
