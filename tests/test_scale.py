"""The worked example for large corpora: its results, a killed worker, and going on after a stop."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCALE = Path(__file__).resolve().parents[1] / "examples" / "scale"
# One transcript in ten has a slip: one in each shard.
SHARDS, TRANSCRIPTS = 6, 10


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCALE / script), *map(str, arguments)]
    # Whoever runs this may have settings for Dask at home.
    environment = {**os.environ, "DASK_CONFIG": os.devnull}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=120
    )


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


@pytest.mark.fuzz
def test_a_stopped_run_goes_on_and_a_killed_worker_costs_nothing(
    corpus: Path, tmp_path: Path
) -> None:
    done, half, *_ = names = sorted(path.name for path in corpus.iterdir())
    # As a run leaves it that was stopped: one shard is done, and one is half done.
    (tmp_path / done).write_text("done before\n", "utf-8")
    (tmp_path / f".{half}.1").write_text("{", "utf-8")

    options = ("--to", "openai", "--workers", 2, "--kill-after", 1)
    ended = run("check_corpus.py", corpus, tmp_path, *options)
    assert f"{SHARDS - 1} shards to do" in ended.stderr
    assert "killed a worker" in ended.stderr
    assert f"{SHARDS - 1} MSG302" in ended.stdout

    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == names
    assert (tmp_path / done).read_text("utf-8") == "done before\n"
    for name in names[1:]:
        lines = (tmp_path / name).read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        sources = (corpus / name).read_text("utf-8").splitlines()
        assert [row["path"] for row in rows] == [json.loads(line)["path"] for line in sources]
        assert [f["code"] for row in rows for f in row["findings"]] == ["MSG302"]
        roles = [message["role"] for message in json.loads(rows[0]["text"])["messages"]]
        assert roles[:3] == ["user", "assistant", "tool"]
