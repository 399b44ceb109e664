"""MSG406: a binary output that is not base64."""

import base64

import pytest

from tests.measure import seconds
from tests.rules.support import expect, expect_follows, expect_nothing, find

CODE = "MSG406"


def run(body: str, kind: str = "image/png") -> str:
    return f"# %%% R[^c1.1]\n\n[^c1.1]: [python] status=success mime_type={kind}\n\n{body}"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (run("iVBO«-»Rw0\n"), "`-` is not base64, which `image/png` must be encoded in"),
        (run("stdout«>» x\n"), None),
        (run("iVBO«🙂文»Rw0K\n"), "`🙂文` is not base64, which `image/png` must be encoded in"),
        (
            run("iVBO\nRw0K\n«```»\n"),
            "`image/png` must be base64 without a fence: remove the fence",
        ),
        (
            run("«~~~»base64\niVBO\n~~~\n"),
            "`image/png` must be base64 without a fence: remove the fence",
        ),
        (
            run("AAAA\n```\niVBO\n```\n").replace("\n```\ni", "\n«```»\ni"),
            "`image/png` must be base64 without a fence: remove the fence",
        ),
        (run("iVBO« »Rw0K\n"), "` ` is not base64, which `image/png` must be encoded in"),
        (
            run("data«:»image/png;base64,iVBO"),
            ("`:` is not base64, which `image/png` must be encoded in"),
        ),
        (run("iVBORw0K«A»\n"), "the base64 is truncated: its length is not a multiple of four"),
        (run("iVBO\n«Rw0»\n"), "the base64 is truncated: its length is not a multiple of four"),
        (
            run("iVBO\r\nA\r\n«B»\r\n"),
            "the base64 is truncated: its length is not a multiple of four",
        ),
        (run("i«===»\n"), "`===` is too much padding: base64 ends in two `=` at most"),
        (
            run("iV==\n«Rw0K»\nabcd\n"),
            "`Rw0K` follows the end of the base64: nothing may follow `=`",
        ),
        (run("iVBO«-»\n", "application/octet-stream"), None),
        (run("iVBO\n«!»").replace("\n", "\r\n"), None),
        # After a definition of another cell, and with the own one elsewhere.
        ("# %%% A[^a1]\n\n" + run("iVBO\n[^a1]: [gpt]\nRw0«!»\n"), None),
        (
            "# %%% R[^c1.1]\n\niVBO«!»\n\n# %% Q[^q]\n\n[^c1.1]: [python] mime_type=image/png\n",
            None,
        ),
    ],
)
def test_the_first_bad_piece_is_found(source: str, text: str | None) -> None:
    expect(CODE, source, *([] if text is None else [text]))


@pytest.mark.parametrize(
    "source",
    [
        run(""),
        run("iVBORw0KGgo=\n"),
        run("iVBO\nRw0K\n\nGg==\n\n"),
        run("iVBO\r\nRw0K\r\n"),
        run("  iVBO  \n\tRw0K\n"),
        run("i\nV\nBO"),
        run("iVBO\n<!-- msgls: ignore MSG207 -->\nRw0K\n"),
        "# %%% A[^a1]\n\n" + run("iVBO\n[^a1]: [gpt]\nRw0K\n"),
        # Not binary, or nobody knows.
        run("no!", "text/plain"),
        run("{}", "application/json"),
        run("{}", "application/vnd.api+json"),
        run("<x/>", "application/xml"),
        run("<svg/>", "image/svg+xml"),
        run("no!", "png"),
        "# %%% R[^c1.1]\n\n[^c1.1]: [python]\n\nno!\n",
        # Other cells.
        "# %%% R[^a.n.1]\n\n[^a.n.1]: [tool] mime_type=image/png\n\nno!\n",
        "```\n" + run("no!\n") + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_a_long_piece_is_shown_shortened() -> None:
    expect(
        CODE,
        run("iVBO«" + "!" * 30 + "»"),
        "`!!!!!!!!!!!!!!!!!!!!…` is not base64, which `image/png` must be encoded in",
    )


LARGE = base64.encodebytes(bytes(range(256)) * 4_000).decode() + "A" * 400_000
TAILS = pytest.mark.parametrize(
    "tail", ["", "=", "A", " !", "\n" * 50_000 + "!", " " * 50_000 + "A"]
)


@TAILS
def test_large_contents_are_read(tail: str) -> None:
    _, problems = find(CODE, run(LARGE + tail))
    assert len(problems) == 1


@pytest.mark.fuzz
@TAILS
def test_large_contents_are_read_in_linear_time(tail: str) -> None:
    assert seconds(lambda: find(CODE, run(LARGE + tail))) < 2


def test_it_follows_what_the_cell_is() -> None:
    source = "---\nagents: {python: {}}\n---\n" + run("no!\n")
    counts = expect_follows(
        CODE, source, ("python: {}", "x: {}"), ("image/png", "text/png"), ("text/", "image/")
    )
    assert counts == [0, 1, 0, 1]
