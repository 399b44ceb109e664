"""Jupyter notebooks: cells and what came of running them, as a conversation.

Owns what each cell and each output becomes: text of the user's, a code cell as message
files have it, and one execution output for each thing that a run shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgls.conversation.conversation import Conversation
from msgls.conversation.readers.drafts import (
    Drafts,
    Places,
    Wire,
    dict_of,
    image_part,
    list_of,
    quoted,
    said,
    text_of,
    text_part,
)
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])")
_BACKTICKS = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_CELL_ID = re.compile(r"[A-Za-z0-9_-]+")
_LINES = re.compile(r"\r\n|\n|\r")
_PLAIN = "text/plain"
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
# The first that is there is shown: images before texts, plain text before marked-up.
_PREFERENCE = (*_IMAGES, _PLAIN, "text/markdown", "text/html", "image/svg+xml", "application/json")

WHAT = Phrase("a notebook of nbformat 4, with `cells`")


def is_conversation(value: object) -> bool:
    """Whether a value looks like a notebook."""
    return isinstance(value, dict) and isinstance(value.get("cells"), list) and "nbformat" in value


def read(value: Wire, places: Places, path: Path = ()) -> Conversation:
    """The conversation that a notebook holds."""
    drafts = Drafts(places)
    reader = _Reader(drafts, _language(dict_of(value.get("metadata"))))
    cells = value["cells"]
    reader.take_ids(cells)
    for number, cell in enumerate(cells):
        reader.cell(dict_of(cell), (*path, "cells", number))
    if reader.unknown:
        drafts.lose(
            Phrase(
                "not kept: metadata of cells ({keys})",
                keys=quoted(reader.unknown),
            ),
            path,
        )
    rest = said(value, ["cells", "nbformat", "nbformat_minor", "metadata"])
    about = said(dict_of(value.get("metadata")), ["kernelspec", "language_info"])
    left = [*rest, *[f"metadata.{key}" for key in about]]
    if left:
        drafts.lose(
            Phrase(
                "not kept: metadata of the notebook ({keys})",
                keys=quoted(left),
            ),
            path,
        )
    return drafts.conversation()


def _language(metadata: Wire) -> str:
    named = dict_of(metadata.get("language_info")).get("name")
    kernel = dict_of(metadata.get("kernelspec")).get("language")
    return text_of(named) or text_of(kernel) or "python"


def _joined(value: object) -> str:
    """A text that may be written as the list of its lines."""
    return value if isinstance(value, str) else "".join(map(text_of, list_of(value)))


class _Reader:
    def __init__(self, drafts: Drafts, language: str) -> None:
        self.drafts = drafts
        self.language = language
        self.unknown: dict[str, None] = {}
        self.taken: set[str] = set()
        self.number = 0

    def take_ids(self, cells: list[object]) -> None:
        self.taken = {text_of(dict_of(cell).get("id")) for cell in cells}

    def id_of(self, cell: Wire) -> str:
        """The cell's own id, else the next that no cell has."""
        given = text_of(cell.get("id"))
        if _CELL_ID.fullmatch(given):
            return given
        self.number += 1
        while f"c{self.number}" in self.taken:
            self.number += 1
        return f"c{self.number}"

    def cell(self, cell: Wire, path: Path) -> None:
        kind = cell.get("cell_type")
        known = (
            "cell_type",
            "source",
            "id",
            "outputs",
            "execution_count",
            "metadata",
            "attachments",
        )
        self.unknown |= dict.fromkeys(said(cell, known))
        self.unknown |= dict.fromkeys([f"metadata.{k}" for k in dict_of(cell.get("metadata"))])
        source = _joined(cell.get("source"))
        if kind == "code":
            self.code(cell, source, path)
            return
        if kind not in ("markdown", "raw"):
            self.drafts.lose(
                Phrase("a cell of the type {kind} is treated as Markdown", kind=repr(kind)), path
            )
            kind = "markdown"
        parts = [text_part(source)] if source else []
        parts += self.attachments(dict_of(cell.get("attachments")), path)
        self.drafts.add("user", parts, path, {"id": self.id_of(cell), "type": kind})

    def attachments(self, attached: Wire, path: Path) -> Iterator[Wire]:
        for name, bundle in attached.items():
            images = [kind for kind in _IMAGES if _joined(dict_of(bundle).get(kind))]
            if images:
                yield image_part(images[0], data=_base64(dict_of(bundle)[images[0]]))
            else:
                self.drafts.lose(
                    Phrase("the attachment `{name}` was left out", name=name),
                    (*path, "attachments", name),
                )

    # -- code

    def code(self, cell: Wire, source: str, path: Path) -> None:
        cell_id = self.id_of(cell)
        meta: Wire = {"id": cell_id, "type": "code", "language": self.language}
        count = cell.get("execution_count")
        shown = list(self.outputs(list_of(cell.get("outputs")), (*path, "outputs")))
        if isinstance(count, int) and not shown:
            # No id of a run says it.
            meta["executionCount"] = count
        self.drafts.add("user", [text_part(_fenced(source, self.language))], path, meta)
        number = count if isinstance(count, int) and count > 0 else 1
        for place_in_run, (part, about, place) in enumerate(shown, 1):
            status = about.pop("status", "success")
            attributes = {"status": status, **about}
            run: Wire = {"id": f"{cell_id}.{number}", "type": self.language}
            run |= {"executionOf": cell_id, "n": number, "status": status}
            if place_in_run > 1:
                run |= {"id": f"{cell_id}.{number}.{place_in_run}", "m": place_in_run}
            self.drafts.add("user", [part], place, run | {"attributes": attributes})

    def outputs(self, outputs: list[object], path: Path) -> Iterator[tuple[Wire, Wire, Path]]:
        """What a run shows, with the attributes of each; streams in a row are one text."""
        lines: list[str] = []
        started: Path = path
        for number, output in enumerate(map(dict_of, outputs)):
            place = (*path, number)
            if output.get("output_type") == "stream":
                started = started if lines else place
                lines += _marked(_joined(output.get("text")), text_of(output.get("name")))
                continue
            if lines:
                yield text_part("\n".join(lines)), {}, started
                lines = []
            shown = self.output(output, place)
            if shown is not None:
                yield (*shown, place)
        if lines:
            yield text_part("\n".join(lines)), {}, started

    def output(self, output: Wire, path: Path) -> tuple[Wire, Wire] | None:
        kind = output.get("output_type")
        if kind == "error":
            return self.error(output, path)
        if kind not in ("execute_result", "display_data"):
            self.drafts.lose(
                Phrase("an output of the type {kind} was left out", kind=repr(kind)), path
            )
            return None
        bundle = said(dict_of(output.get("data")), ())
        chosen = next((mime for mime in _PREFERENCE if mime in bundle), None)
        others = [mime for mime in bundle if mime != chosen]
        if others:
            self.drafts.lose(
                Phrase("an output is shown in one way, and not as {keys}", keys=quoted(others)),
                path,
            )
        if said(dict_of(output.get("metadata")), ()):
            self.drafts.lose(Phrase("not kept: metadata of an output"), path)
        if chosen is None:
            return None
        value = bundle[chosen]
        if chosen in _IMAGES:
            return image_part(chosen, data=_base64(value)), {"mime_type": chosen}
        if chosen == _PLAIN:
            return text_part("\n".join(_marked(_joined(value), "stdout"))), {}
        return self.marked_up(chosen, value)

    def marked_up(self, mime: str, value: Any) -> tuple[Wire, Wire]:
        if mime == "application/json" and not isinstance(value, str):
            import json

            return text_part(json.dumps(value, ensure_ascii=False, indent=2)), {"mime_type": mime}
        return text_part(_joined(value)), {"mime_type": mime}

    def error(self, output: Wire, path: Path) -> tuple[Wire, Wire]:
        written = "\n".join(map(text_of, list_of(output.get("traceback"))))
        text = _ESCAPES.sub("", written)
        if text != written:
            self.drafts.lose(Phrase("the colours of a traceback are not kept"), path)
        short = f"{text_of(output.get('ename'))}: {text_of(output.get('evalue'))}"
        return text_part("\n".join(_marked(text or short, "stderr"))), {"status": "failure"}


def _marked(text: str, stream: str) -> list[str]:
    """The lines of an output, each with the stream it came by."""
    prefix = "stderr" if stream == "stderr" else "stdout"
    lines = _LINES.split(text)
    while lines and not lines[-1]:
        lines.pop()
    return [f"{prefix}> {line}" if line else f"{prefix}>" for line in lines]


def _base64(value: object) -> str:
    return "".join(_joined(value).split())


def _fenced(source: str, language: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(source)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if not source or source.endswith("\n") else "\n"
    return f"{fence}{language}\n{source}{end}{fence}"
