"""Two versions of one conversation: matching, difference and merge, cell by cell.

Pure: documents and texts in, values out. Knows nothing about files, git and terminals.
"""
