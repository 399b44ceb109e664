"""Packs wheels again for the VS Code extension: ``tools/uncompressed.py WHEEL``.

The extension's build compresses the wheel as a whole, and finds more to save in one long file than
in hundreds of short ones that were compressed each by itself. The man page is left out, since
nothing looks for it there, and so is the licence, which the VSIX holds too. Comments are left out
as well, a twenty-fifth of the whole; every line keeps its number, so a traceback says the same.
"""

from __future__ import annotations

import base64
import hashlib
import io
import sys
import tokenize
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

_LEFT_OUT = (".data/data/share/man/", ".dist-info/licenses/")


def unpack_inside(wheel: Path) -> None:
    """Store the files of a wheel as they are; names, order, times and modes stay."""
    packed = wheel.with_suffix(".packed")
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(packed, "w") as after:
        rows: dict[str, str] = {}
        for entry in before.infolist():
            if _is_left_out(entry.filename):
                continue
            content = before.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                # The last one: it says what the others are now.
                content = _record(content.decode("utf-8"), rows).encode("utf-8")
            changed = _changed(entry.filename, content)
            if changed != content:
                content, rows[entry.filename] = changed, _row(entry.filename, changed)
            entry.compress_type = zipfile.ZIP_STORED
            after.writestr(entry, content)
    packed.replace(wheel)


def _changed(name: str, content: bytes) -> bytes:
    if name.endswith(".dist-info/METADATA"):
        # The long description is the project's README, which the VSIX has its own of.
        return content.partition(b"\n\n")[0] + b"\n"
    return _without_comments(content) if name.endswith(".py") else content


def _without_comments(source: bytes) -> bytes:
    lines = source.decode("utf-8").split("\n")
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:column].rstrip(" ") + line[token.end[1] :]
    return "\n".join(lines).encode("utf-8")


def _row(name: str, content: bytes) -> str:
    """What a wheel's RECORD says of a file."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def _record(rows: str, changed: Mapping[str, str]) -> str:
    """RECORD without what is left out, and with the rows of what is changed."""
    kept = [row for row in rows.splitlines(keepends=True) if not _is_left_out(row)]
    return "".join(changed.get(row.partition(",")[0], row) for row in kept)


def _is_left_out(name: str) -> bool:
    return any(part in name for part in _LEFT_OUT)


def main(wheels: Sequence[str]) -> int:
    """Pack all of them."""
    for wheel in wheels:
        unpack_inside(Path(wheel))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
