"""The canonical conversation: read from every format, written to every format, sent to a model.

Owns the conversion between the canonical conversation and our formats, requests of chat services,
exports, notebooks, transcripts and Markdown; and the answer to "what does the model see of this
document". Knows nothing about files and terminals.
"""
