"""The worked example for large corpora: its results, a killed worker, and going on after a stop."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

SCALE = Path(__file__).resolve().parent.parent.parent / "examples" / "scale"
SHARDS, TRANSCRIPTS = 6, 20

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="THE EXAMPLE FOR LARGE CORPORA IS NOT TESTED: pip install 'dask[distributed]'",
)


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCALE / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    run("corpus.py", folder, "--shards", SHARDS, "--transcripts", TRANSCRIPTS)
    return folder


def test_the_corpus_is_the_same_every_time_and_has_a_slip_in_ten(
    corpus: Path, tmp_path: Path
) -> None:
    run("corpus.py", tmp_path, "--shards", 1, "--transcripts", TRANSCRIPTS)
    (again,) = tmp_path.iterdir()
    assert again.read_text("utf-8") == (corpus / again.name).read_text("utf-8")
    rows = [json.loads(line) for line in again.read_text("utf-8").splitlines()]
    assert sum("deadbeef" in row["text"] for row in rows) == TRANSCRIPTS // 10


@needs_dask
def test_a_killed_worker_costs_nothing_and_a_stopped_run_goes_on(
    corpus: Path, tmp_path: Path
) -> None:
    first = run("check_corpus.py", corpus, tmp_path, "--workers", 2, "--kill-after", 1)
    assert f"{SHARDS} shards to do" in first.stderr
    assert "Restarting worker" in first.stderr
    assert f"{SHARDS * TRANSCRIPTS // 10} MSG302" in first.stdout
    results = {path.name: path.read_text("utf-8") for path in sorted(tmp_path.glob("*.jsonl"))}
    assert list(results) == sorted(path.name for path in corpus.iterdir())
    assert all(text.count("\n") == TRANSCRIPTS for text in results.values())

    # As if the run had been stopped with one shard half done.
    (name, expected), *_ = results.items()
    (tmp_path / name).unlink()
    (tmp_path / f".{name}.1").write_text("{", "utf-8")
    second = run("check_corpus.py", corpus, tmp_path, "--workers", 1)
    assert "1 shards to do" in second.stderr
    assert (tmp_path / name).read_text("utf-8") == expected
    assert "0 shards to do" in run("check_corpus.py", corpus, tmp_path).stderr


@needs_dask
def test_transcripts_are_converted_too(corpus: Path, tmp_path: Path) -> None:
    one = tmp_path / "corpus"
    one.mkdir()
    shard = next(corpus.iterdir())
    (one / shard.name).write_text("".join(shard.open(encoding="utf-8").readlines()[:2]), "utf-8")
    run("check_corpus.py", one, tmp_path / "out", "--workers", 1, "--to", "openai")
    (result,) = (tmp_path / "out").glob("*.jsonl")
    rows = [json.loads(line) for line in result.read_text("utf-8").splitlines()]
    messages = json.loads(rows[0]["text"])["messages"]
    assert [message["role"] for message in messages[:3]] == ["user", "assistant", "tool"]
