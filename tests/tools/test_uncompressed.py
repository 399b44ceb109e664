"""``tools/uncompressed.py``: a wheel is packed otherwise, and stays what it was."""

import zipfile
from base64 import urlsafe_b64encode
from hashlib import sha256
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


def test_comments_are_left_out_and_lines_stay(tmp_path: Path) -> None:
    wheel = tmp_path / "a-1-py3-none-any.whl"
    source = '# One.\n"""Not # one."""\n\nx = [  # Two.\n    "#",\n]\n'
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("a/b.py", source)
        archive.writestr("a-1.dist-info/METADATA", "Name: a\n\n# Read me\n")
        archive.writestr("a-1.dist-info/RECORD", "a/b.py,sha256=x,9\na-1.dist-info/RECORD,,\n")
    uncompressed.main([str(wheel)])
    with zipfile.ZipFile(wheel) as archive:
        written = archive.read("a/b.py")
        record = archive.read("a-1.dist-info/RECORD").decode()
    assert written.decode() == '\n"""Not # one."""\n\nx = [\n    "#",\n]\n'
    digest = urlsafe_b64encode(sha256(written).digest()).decode().rstrip("=")
    assert record == f"a/b.py,sha256={digest},{len(written)}\na-1.dist-info/RECORD,,\n"


def entries(wheel: Path) -> list[tuple[str, tuple[int, ...], int, bytes]]:
    with zipfile.ZipFile(wheel) as archive:
        return [
            (entry.filename, entry.date_time, entry.external_attr, archive.read(entry))
            for entry in archive.infolist()
        ]
