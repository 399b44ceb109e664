"""Pull diagnostics: of a document, and of the whole workspace."""

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
from msgls.text.work import Work, done

# Partial results are batches of reports: one notification for each file would be mostly overhead.
_BATCH_BYTES = 64_000
_WHOLE = "workspace"
_CHECKING = Phrase("Checking message files")


def document_diagnostic(session: Session, params: lsp.DocumentDiagnosticParams) -> Work[Encoded]:
    """The report of a document once all of it is checked: full, or unchanged."""
    opened = session.get(params.text_document.uri)
    if opened.settings.has("diagnostics"):
        yield from unchanged(session, opened, checking(opened))
    report = session.publisher.report(opened, params.previous_result_id)
    return Encoded((yield from unchanged(session, opened, report)))


def workspace_diagnostic(
    session: Session, params: lsp.WorkspaceDiagnosticParams
) -> Generator[Progress | Partial | None, None, Encoded]:
    """The reports of every file, batch by batch for a client that takes partial results."""
    previous = {item.uri: item.value for item in params.previous_result_ids}
    # A client that closes a document goes on showing its problems, but forgets their result id.
    gone = {*previous, *session.publisher.closed}
    reports: list[bytes] = []
    files = list(_files(session))
    for number, path in enumerate(files):
        yield Progress(_CHECKING, number, len(files))
        uri = uris.from_fs_path(str(path)) or ""
        report = session.publisher.report_file(path, previous.get(uri))
        if report is not None:
            gone.discard(uri)
            reports.append(_placed(report, uri, None))
        size = sum(map(len, reports))
        if params.partial_result_token is not None and size > _BATCH_BYTES:
            yield Partial(_batch(reports))
            reports.clear()
    # The client must remove the problems of files that are gone.
    nothing = b'{"kind":"full","items":[]}'
    reports += [_placed(nothing, uri, None) for uri in gone - session.documents.keys()]
    for uri in list(session.documents):
        while (opened := session.documents.get(uri)) is not None and opened.checker.advance():
            yield None
        if opened is None:
            continue
        report = done(session.publisher.report(opened, previous.get(uri)))
        reports.append(_placed(report, uri, opened.version))
    return Encoded(_batch(reports))


def _files(session: Session) -> Iterator[Path]:
    """The files that are not open, in folders whose scope is the whole workspace."""
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


def _batch(reports: list[bytes]) -> bytes:
    return b'{"items":[' + b",".join(reports) + b"]}"
