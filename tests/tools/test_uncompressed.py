"""``tools/uncompressed.py``: a wheel is packed otherwise, and stays what it was."""

import zipfile
from pathlib import Path

from tools import uncompressed


def test_a_wheel_is_the_same_but_for_its_compression(tmp_path: Path) -> None:
    wheel = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("b.py", "a.py"):
            entry = zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0))
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, "pass\n" * 100, zipfile.ZIP_DEFLATED)
    before = entries(wheel)
    uncompressed.main([str(wheel)])
    assert entries(wheel) == before
    with zipfile.ZipFile(wheel) as archive:
        assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_STORED}
    assert list(tmp_path.iterdir()) == [wheel]


def entries(wheel: Path) -> list[tuple[str, tuple[int, ...], int, bytes]]:
    with zipfile.ZipFile(wheel) as archive:
        return [
            (entry.filename, entry.date_time, entry.external_attr, archive.read(entry))
            for entry in archive.infolist()
        ]
