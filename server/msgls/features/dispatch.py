"""From a feature to the format that provides it: the one place where formats part.

A feature has a neutral module, ``features/NOUN.py``. It owns the types and the *entries*:
functions that take a document (or something that holds one), and that ``lsp`` and ``cli``
call whatever the document is. An entry hands over to the function of its own name in
``features/FORMAT/NOUN.py``, where ``FORMAT`` is the name of the document's format, and has
an empty answer, or a refusal, where there is none.

How a format gets a feature: write ``features/FORMAT/NOUN.py`` with a function of the
entry's name and signature, and nothing else. There is no list to add it to;
``tests/features/test_dispatch.py`` sees to it that names and signatures agree. What several
modules of a format share stands beside them in ``features/FORMAT/``, under a name that no
feature has; what several formats share, in ``features/``.

Modules are loaded when a document of their format first asks, so that a server starts
without them and never loads those of a format that nobody opens.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar, cast

from msgls.document.document import Document

_Entry = TypeVar("_Entry", bound=Callable[..., Any])


def provided(document: Document, entry: _Entry) -> _Entry | None:
    """What the document's format has for ``entry``, or nothing."""
    return cast("_Entry | None", _find(document.format.name, entry))


@cache
def _find(format_name: str, entry: Callable[..., Any]) -> Callable[..., Any] | None:
    features, _, noun = entry.__module__.rpartition(".")
    package = f"{features}.{format_name}"
    module = f"{package}.{noun}"
    # Asked for first, so that a module which fails to load is an error and no empty answer.
    if find_spec(package) is None or find_spec(module) is None:
        return None
    return cast("Callable[..., Any] | None", getattr(import_module(module), entry.__name__, None))
