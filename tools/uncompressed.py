"""Packs wheels anew without compressing what is in them: ``tools/uncompressed.py WHEEL``.

For wheels that are packed once more. A VSIX is compressed itself, and finds more to save in one
long file than in hundreds of short ones that were compressed each by itself.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path


def unpack_inside(wheel: Path) -> None:
    """Store every file of a wheel as it is; names, order, times and modes stay."""
    packed = wheel.with_suffix(".packed")
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(packed, "w") as after:
        for entry in before.infolist():
            content = before.read(entry)
            entry.compress_type = zipfile.ZIP_STORED
            after.writestr(entry, content)
    packed.replace(wheel)


def main(wheels: Sequence[str]) -> int:
    """Pack all of them."""
    for wheel in wheels:
        unpack_inside(Path(wheel))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
