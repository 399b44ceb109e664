"""Writes a conversation as one self-contained HTML page.

Owns what of a document is shown, and how. The page is safe by construction: every text
goes through ``elements``, which escapes it; no script, style or unchecked address of a
transcript gets into the page; and should that fail, a content security policy forbids the
browser to load or run anything.
"""
