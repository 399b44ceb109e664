"""Where the pages of the rules are: the one place that knows the address."""

from __future__ import annotations

HOME_URL = "https://github.com/msgls/msgls"
PAGE_URL = HOME_URL + "/blob/main/server/docs/rules/{code}.md"


def page_url(code: str) -> str:
    """The page of a rule."""
    return PAGE_URL.format(code=code)
