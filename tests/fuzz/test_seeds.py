"""The inputs that are kept, each for a reason, hold every day; and the fuzzer can find faults."""

from pathlib import Path

import pytest

from msgls.document.document import Document
from msgls.text.spans import Span
from tests.fuzz import guided, oracles, targets
from tests.fuzz.targets import SEEDS, TARGETS, Seed, read_seed, seeds


@pytest.mark.parametrize("seed", list(seeds()), ids=lambda seed: f"{seed.target}-{seed.name}")
def test_what_is_kept_holds(seed: Seed) -> None:
    assert seed.reason
    TARGETS[seed.target](seed.data)


def test_every_folder_is_that_of_a_target_and_every_target_has_one() -> None:
    assert {folder.name for folder in SEEDS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_what_fuzzing_starts_from_holds(target: str) -> None:
    for data in targets.first_inputs(target):
        assert len(data) <= targets.MOST_BYTES
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\xfe", b"\xed\xa0\x80", "⟦9+9⟧⟦0+0⟧".encode()])
def test_any_bytes_are_an_input(target: str, data: bytes) -> None:
    TARGETS[target](data)


def test_an_edit_is_done_where_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(oracles.Watched, "check", lambda _, document: seen.append(document.text))
    data = "a.stf\nwords 😀x\n⟦0+5⟧more⟦utf-16 0:7 0:8⟧y⟦999+3⟧z".encode()
    TARGETS["edits-stf"](data)
    # Offsets beyond the end begin again, so that any number is a place.
    assert seen == ["more 😀x\n", "more 😀y\n", "ze 😀y\n"]


def test_a_wrong_reparse_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(
        document: Document, span: Span, text: str, version: int | None = None
    ) -> Document:
        return document

    monkeypatch.setattr(Document, "edit", forgetful)
    with pytest.raises(AssertionError):
        TARGETS["edits-msgmd"]("a.msg.md\n# %% [^a]\n⟦0+0⟧x".encode())


def test_a_seed_without_a_reason_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_bytes(b"a.stf\nwords\n")
    with pytest.raises(ValueError, match="why"):
        read_seed(file)


def test_a_kept_input_can_be_replayed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = tmp_path / "crash-1"
    found.write_bytes(b"a.stf\n@user\nwords\n")
    assert guided.main(["--replay", str(found), "whole-stf"]) == 0
    assert "nothing is wrong" in capsys.readouterr().out


def test_that_atheris_is_missing_is_said_loudly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert guided.main([]) == 0
    assert "atheris is missing" in capsys.readouterr().err
