"""Opens texts as documents, according to the settings; for the server and the command line."""

from datetime import datetime
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain

from msgls.document.document import Document, Text
from msgls.document.snapshot import Settings, Snapshot, Surroundings
from msgls.formats.base import Format
from msgls.formats.registry import HEAD_LENGTH, detect, variant
from msgls.text.garbage import without_collection
from msgls.text.spans import Span
from msgls.text.tokens import ESTIMATE, TokenCounter
from msgls.text.work import Work, done

_DEFAULT_SECTION = Settings().section


def open_document(
    path: str,
    text: Text,
    settings: Settings,
    format: Format | None = None,
    version: int | None = None,
    *,
    agents: frozenset[str],
) -> Document:
    """A document; without a ``format``, that follows from its name, its start and the settings.

    Of runs of lines, the first must hold what a format is detected by.
    ``agents`` are those registered in an ``agents.json``: the roles of cells depend on them.
    """
    with without_collection():
        return done(reading(path, text, settings, format, version)).with_agents(agents)


def reading(
    path: str,
    text: Text,
    settings: Settings,
    format: Format | None = None,
    version: int | None = None,
) -> Work[Document]:
    """The same with pauses, and without the agents of an ``agents.json``."""
    given = format is not None
    if format is None:
        if not isinstance(text, str):
            runs = iter(text)
            first = next(runs, "")
            text = chain((first,), runs)
        found = detect(path, (text if isinstance(text, str) else first)[:HEAD_LENGTH])
        format = _variant(found, settings)
        given = format is not found
    return Document.reading(path, text, format, version, format_given=given)


def _token_counter(wanted: str) -> TokenCounter:
    # Imported here, because few people have installed a tokenizer, and the import takes time.
    if not _has_tokenizer():
        return ESTIMATE
    from msgls.host.tokenizer import token_counter

    return token_counter(wanted)


@lru_cache(maxsize=1)
def _has_tokenizer() -> bool:
    return find_spec("tiktoken") is not None


def open_snapshot(
    path: str,
    text: Text,
    settings: Settings,
    surroundings: Surroundings,
    format: Format | None = None,
    version: int | None = None,
) -> Snapshot:
    """A snapshot of a text, opened as by ``open_document``, at this moment."""
    agents = surroundings.other_agents
    document = open_document(path, text, settings, format, version, agents=agents)
    return snapshot_now(document, surroundings, settings)


def snapshot_now(document: Document, surroundings: Surroundings, settings: Settings) -> Snapshot:
    """A snapshot of a document at this moment; the settings choose the token counter."""
    surroundings = surroundings._replace(tokens=_token_counter(settings.tokens))
    return Snapshot(document, surroundings, settings, now())


def followed(document: Document, settings: Settings) -> Document:
    """The document, opened again if its format has changed, by its text or the settings."""
    head = document.store.slice(Span(0, HEAD_LENGTH))
    if _variant(detect(document.path, head), settings) is document.format:
        return document
    return open_document(
        document.path,
        document.text,
        settings,
        version=document.version,
        agents=document.agents_around,
    )


def _variant(format: Format, settings: Settings) -> Format:
    section = None if settings.section == _DEFAULT_SECTION else settings.section
    return variant(format, section, settings.dialect)


# -- time ------------------------------------------------------------------------------------


def now() -> datetime:
    """The current time, with the local time zone."""
    return datetime.now().astimezone()
