"""The file system as msgls sees it: shared by the server and the command line.

The only package besides ``lsp`` and ``cli`` that opens files. Knows nothing about either.
"""
