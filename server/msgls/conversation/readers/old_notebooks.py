"""Converts notebooks of nbformat 3 to nbformat 4.

Owns the differences: cells were in worksheets, data was keyed by names such as ``png`` and not by
MIME types, and a heading was a cell of its own.
"""

import json
from collections.abc import Iterator
from contextlib import suppress

from msgls.conversation.notebook_outputs import joined_text
from msgls.conversation.parts import Wire, dict_of, list_of
from msgls.formats.jsontree import Path

_CODE = {"input": "source", "prompt_number": "execution_count"}
_OUTPUT = {"pyout": "execute_result", "pyerr": "error"}
_MIME_TYPES = {
    "text": "text/plain",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "latex": "text/latex",
    "json": "application/json",
    "javascript": "application/javascript",
}
_NOT_DATA = ("output_type", "metadata", "prompt_number")
_DEEPEST = 6


def is_old(value: Wire) -> bool:
    """Whether it is a notebook of nbformat 3."""
    return value.get("nbformat") == 3 and isinstance(value.get("worksheets"), list)


def cells_of(value: Wire, path: Path) -> Iterator[tuple[Wire, Path]]:
    """Its cells, converted, each with its path."""
    for number, sheet in enumerate(list_of(value["worksheets"])):
        for place, cell in enumerate(list_of(dict_of(sheet).get("cells"))):
            yield _cell(dict_of(cell)), (*path, "worksheets", number, "cells", place)


def metadata_of(value: Wire) -> Wire:
    """The metadata of a notebook, without signature and name, which belong to the old file."""
    metadata = dict_of(value.get("metadata"))
    return {key: value for key, value in metadata.items() if key not in ("signature", "name")}


def _cell(cell: Wire) -> Wire:
    kind = cell.get("cell_type")
    if kind == "heading":
        level = cell.get("level")
        depth = level if isinstance(level, int) and 0 < level <= _DEEPEST else 1
        words = " ".join((joined_text(cell.get("source")) or "").splitlines())
        rest = {key: value for key, value in cell.items() if key != "level"}
        return rest | {"cell_type": "markdown", "source": f"{'#' * depth} {words}"}
    if kind == "html":
        return cell | {"cell_type": "markdown"}
    if kind != "code":
        return cell
    metadata = dict_of(cell.get("metadata"))
    if "collapsed" in cell:
        metadata = metadata | {"collapsed": cell["collapsed"]}
    left_out = ("language", "collapsed")
    found = {_CODE.get(key, key): value for key, value in cell.items() if key not in left_out}
    outputs = [_output(dict_of(output)) for output in list_of(cell.get("outputs"))]
    return found | {"metadata": metadata, "outputs": outputs}


def _output(output: Wire) -> Wire:
    kind = output.get("output_type")
    if kind == "stream":
        return {"output_type": kind, "name": output.get("stream", "stdout"),
                "text": output.get("text")}  # fmt: skip
    if kind == "pyerr":
        return output | {"output_type": _OUTPUT["pyerr"]}
    if kind not in ("pyout", "display_data"):
        return output
    data = {_MIME_TYPES.get(k, k): value for k, value in output.items() if k not in _NOT_DATA}
    text = joined_text(data.get("application/json"))
    if text is not None:
        # It was JSON text.
        with suppress(ValueError):
            data["application/json"] = json.loads(text)
    metadata = dict_of(output.get("metadata"))
    found: Wire = {
        "output_type": _OUTPUT.get(kind, kind),
        "data": data,
        "metadata": {_MIME_TYPES.get(key, key): value for key, value in metadata.items()},
    }
    return found | ({"execution_count": output.get("prompt_number")} if kind == "pyout" else {})
