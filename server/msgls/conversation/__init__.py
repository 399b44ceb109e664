"""One conversation, many writings: what comes in from elsewhere, goes out, and is sent.

Owns the ways between the canonical conversation and everything that is not one of our formats:
requests of chat services, exports, notebooks, Markdown for reading; and the answer to "what does
the model see of this document". Knows nothing of files and terminals.
"""
