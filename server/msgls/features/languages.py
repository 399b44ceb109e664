"""The names of programming languages, as fences and code cells write them."""

from __future__ import annotations

from functools import lru_cache

USUAL_LANGUAGES = (
    "python",
    "bash",
    "javascript",
    "typescript",
    "json",
    "sql",
    "html",
    "css",
    "xml",
    "yaml",
    "c",
    "cpp",
    "csharp",
    "go",
    "java",
    "kotlin",
    "lua",
    "perl",
    "php",
    "powershell",
    "r",
    "ruby",
    "rust",
    "scala",
    "swift",
    "toml",
    "markdown",
    "diff",
    "text",
)


@lru_cache(maxsize=1)
def known_languages() -> tuple[str, ...]:
    """The usual languages first, then every other one by its usual name."""
    # Imported late: most sessions never need it.
    from pygments.lexers import get_all_lexers

    others = sorted(aliases[0] for _, aliases, _, _ in get_all_lexers(plugins=False) if aliases)
    return tuple(dict.fromkeys([*USUAL_LANGUAGES, *others]))
