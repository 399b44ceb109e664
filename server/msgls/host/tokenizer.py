"""Counts tokens exactly, if a tokenizer is installed: ``pip install msgls[tokens]``.

Owns the choice between the estimate and tiktoken. Tiktoken is used only if its table is on this
machine: it would download a missing one, and msgls opens no connection. The table, of some
megabytes, is loaded when the first text is counted.
"""

import hashlib
import os
import tempfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from msgls.text.tokens import ESTIMATE, Counter, TokenCounter

AUTO = "auto"
ENCODINGS = ("o200k_base", "cl100k_base")
CHOICES = (AUTO, "estimate", *ENCODINGS)

# The addresses of tiktoken's tables: the names in its cache are their hashes.
_TABLES = "https://openaipublic.blob.core.windows.net/encodings/{encoding}.tiktoken"
# Texts whose counts are cached, because the same cells are counted at every edit.
_REMEMBERED = 20_000


@lru_cache(maxsize=len(CHOICES))
def token_counter(wanted: str) -> TokenCounter:
    """The token counter that a setting asks for, or the estimate if it is not available."""
    encoding = ENCODINGS[0] if wanted == AUTO else wanted
    if encoding not in ENCODINGS or find_spec("tiktoken") is None:
        return ESTIMATE
    return TokenCounter(_tokenizer(encoding)) if table_path(encoding).is_file() else ESTIMATE


def table_path(encoding: str) -> Path:
    """The path of a table in tiktoken's cache."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    name = hashlib.sha1(_TABLES.format(encoding=encoding).encode()).hexdigest()
    return Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache") / name


def _tokenizer(encoding: str) -> Counter:
    @lru_cache(maxsize=_REMEMBERED)
    def count(text: str) -> int:
        import tiktoken

        # What looks like a special token is text here, as in a conversation.
        return len(tiktoken.get_encoding(encoding).encode(text, disallowed_special=()))

    return count
