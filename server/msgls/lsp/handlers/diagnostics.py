"""Diagnostics for clients that ask for them: of a document, and of the whole workspace."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from msgls.lsp.params import Encoded
from msgls.lsp.progress import Partial, Progress, unchanged
from msgls.lsp.publisher import checking
from msgls.lsp.session import Session
from msgls.text.phrases import Phrase
from msgls.text.work import Work

# Reports are sent on in parcels: one message a file would be mostly envelope.
_PARCEL_BYTES = 64_000
_WHOLE = "workspace"
_CHECKING = Phrase("Checking message files")


def document_diagnostic(session: Session, params: lsp.DocumentDiagnosticParams) -> Work[Encoded]:
    """Everything, or that nothing changed, when all of the document is checked."""
    opened = session.get(params.text_document.uri)
    if opened.settings.has("diagnostics"):
        yield from unchanged(session, opened, checking(opened))
    return Encoded(session.publisher.report(opened, params.previous_result_id))


def workspace_diagnostic(
    session: Session, params: lsp.WorkspaceDiagnosticParams
) -> Generator[Progress | Partial | None, None, Encoded]:
    """The same for every file, parcel by parcel for a client that can take it."""
    previous = {item.uri: item.value for item in params.previous_result_ids}
    # A client that closes a document keeps what it shows of it, and forgets that it was told.
    gone = {*previous, *session.publisher.closed}
    reports: list[bytes] = []
    files = list(_files(session))
    for done, path in enumerate(files):
        yield Progress(_CHECKING, done, len(files))
        uri = uris.from_fs_path(str(path)) or ""
        report = session.publisher.report_file(path, previous.get(uri))
        if report is not None:
            gone.discard(uri)
            reports.append(_placed(report, uri, None))
        size = sum(map(len, reports))
        if params.partial_result_token is not None and size > _PARCEL_BYTES:
            yield Partial(_parcel(reports))
            reports.clear()
    # What is gone must go from the list of problems too.
    nothing = b'{"kind":"full","items":[]}'
    reports += [_placed(nothing, uri, None) for uri in gone - session.documents.keys()]
    for uri in list(session.documents):
        while (opened := session.documents.get(uri)) is not None and opened.checker.advance():
            yield None
        if opened is None:
            continue
        report = session.publisher.report(opened, previous.get(uri))
        reports.append(_placed(report, uri, opened.version))
    return Encoded(_parcel(reports))


def _files(session: Session) -> Iterator[Path]:
    """Those that are not open, of the folders whose problems are all to be shown."""
    opened = {document.place for document in session.documents.values()}
    folders = [
        folder
        for folder in session.workspace.folders
        if session.configured.settings(folder / "any").scope == _WHOLE
    ]
    files = session.workspace.files() if folders else ()
    for path in files:
        if path not in opened and any(path.is_relative_to(folder) for folder in folders):
            yield path


def _placed(report: bytes, uri: str, version: int | None) -> bytes:
    """A report with the document that it is about."""
    return json.dumps({"uri": uri, "version": version})[:-1].encode() + b"," + report[1:]


def _parcel(reports: list[bytes]) -> bytes:
    return b'{"items":[' + b",".join(reports) + b"]}"
