"""Text: spans, edits, lines, columns and the incremental store.

Knows nothing of message files. Every other layer builds on it.
"""
