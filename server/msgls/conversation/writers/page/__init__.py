"""A conversation as one page of HTML that people read and pass on.

Owns the page: what of a document is shown and how. It is safe by construction: every text
goes through ``elements``, which escapes it; no script, no style and no address of a
transcript gets into the page as such; and a policy in its head forbids the browser to load
or to run anything, should all that fail.
"""
