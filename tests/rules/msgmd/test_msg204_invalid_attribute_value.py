"""MSG204: a value that its attribute cannot have."""

import re

import pytest

from msgls.formats.msgmd.attributes import ATTRIBUTES, ValueKind
from msgls.rules.documentation import page_of
from msgls.rules.registry import rule
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG204"


def message(rest: str) -> str:
    return f"# %% Q[^q1]\n\n[^q1]: [markdown] {rest}\n"


def answer(rest: str) -> str:
    return f"# %%% A[^a1]\n\n[^a1]: [gpt] {rest}\n"


def result(rest: str) -> str:
    return f"# %%% R[^a1.9f3d.1]\n\n[^a1.9f3d.1]: [tool] {rest}\n"


def run(rest: str) -> str:
    return f"# %%% R[^c1.1]\n\n[^c1.1]: [python] {rest}\n"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            message('role="«assistant»"'),
            "invalid value `assistant` for `role`: use one of `user`, `system`",
        ),
        (message("definition=«agnet»"), "invalid value `agnet` for `definition`: use `agent`"),
        (
            answer('time="«yesterday»"'),
            (
                "invalid value `yesterday` for `time`: use a time with an offset, such as "
                "`2025-05-30T09:30:00+08:00`"
            ),
        ),
        (
            answer('time="«2025-02-30T09:30:00Z»"'),
            "invalid value `2025-02-30T09:30:00Z` for `time`: this date or time does not exist",
        ),
        (
            answer("time=«2025-02-03T29:30:00Z»"),
            "invalid value `2025-02-03T29:30:00Z` for `time`: this date or time does not exist",
        ),
        (
            answer("reasoning=«2»"),
            "invalid value `2` for `reasoning`: use one of `1`, `0`, `true`, `false`",
        ),
        (run('status="«ok»"'), "invalid value `ok` for `status`: use one of `success`, `failure`"),
        (
            result("duration=«fast»"),
            (
                "invalid value `fast` for `duration`: use a number with `ms`, "
                "`s`, `m` or `h`, or a number of seconds"
            ),
        ),
        (
            run("mime_type=«png»"),
            "invalid value `png` for `mime_type`: use a type such as `text/plain` or `image/png`",
        ),
    ],
)
def test_a_value_of_each_kind_is_found(source: str, text: str) -> None:
    expect(CODE, source, text)


@pytest.mark.parametrize(
    "source",
    [
        answer("virtual=«yes» boot=«2» reset='«on»'"),
        answer('time=«""»'),
        # Of two, the last one counts.
        run("status=success status=«x»"),
        run("summary='🙂 文' duration=«x»"),
        "# %%% 答 🙂[^答]\r\n\r\n[^答]: [gpt] reasoning=«ja»\r\n",
        "# %%% A[^a]\n\nText\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a]: [gpt] reasoning=«maybe»\n",
    ],
)
def test_it_stands_on_the_value(source: str) -> None:
    expect(CODE, source)


@pytest.mark.parametrize(
    "time",
    [
        "2025-05-30T00:00:00+08:00",
        "2025-05-30T00:00:00Z",
        "2025-05-30T00:00:00.123456789-03:30",
        "2025-05-30T00:00+08",
        "20250530T000000Z",
        "2024-02-29T23:59:60Z",
        "2025-05-30T24:00:00Z",
    ],
)
def test_times_that_can_be_read(time: str) -> None:
    expect_nothing(CODE, answer(f'time="{time}"'))


@pytest.mark.parametrize(
    "time",
    [
        "2025-05-30T00:00:00",
        "2025-05-30",
        "2025-02-29T00:00:00Z",
        "2025-13-01T00:00:00Z",
        "2025-05-30T25:00:00Z",
        "2025-05-30T24:00:01Z",
        "2025-05-30T00:60:00Z",
        "2025-05-30T00:00:00+24:00",
        "0000-01-01T00:00:00Z",
        "2025-0530T00:00:00Z",
        "２０２５-05-30T00:00:00Z",
    ],
)
def test_times_that_cannot_be_read(time: str) -> None:
    expect(CODE, answer(f'time="«{time}»"'))
    assert fixes(CODE, answer(f'time="{time}"')) == []


@pytest.mark.parametrize(
    "duration", ["0.5s", "500ms", "1m", "2h", "3", "0", ".5s", "1e-05s", "1.s"]
)
def test_durations_that_can_be_read(duration: str) -> None:
    expect_nothing(CODE, run(f"status=success duration={duration}"))


@pytest.mark.parametrize(
    "source",
    [
        message("role=user"),
        message("role=system definition=agent name=x"),
        answer("reasoning=true virtual=1 boot=true reset=0"),
        result("status=error"),
        result("status=failed"),
        run('mime_type="Text/Plain; charset=utf-8"'),
        run("mime_type=application/vnd.api+json"),
        # Attributes that mean nothing on such a cell say what they like.
        answer("role=boss status=fine mime_type=x duration=long definition=x"),
        message("time=now reasoning=maybe status=open virtual=x"),
        result("mime_type=x"),
        # Free text, unknown attributes, and what another rule speaks of.
        message("history=x summary=x name='' foo=bar output_file=?"),
        # Half-written, or not read at all.
        run("status= duration=2s"),
        run("status="),
        run('status="succ'),
        run("status"),
        run("status=x status=success"),
        "# %%% R[^c1.1]\n\n```\n[^c1.1]: [python] status=x\n```\n",
        "[^c1.1]: [python] status=x\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (run('status="ok"'), run('status="success"')),
        (run("status='Success'"), run("status='success'")),
        (run("status=sucess"), run("status=success")),
        (run("status=fail"), run("status=failure")),
        (run("status=success,"), run("status=success")),
        (run('status="ERROR"'), run('status="error"')),
        (run('duration="0.5 s"'), run('duration="0.5s"')),
        (run("duration=2sec"), run("duration=2s")),
        (run("duration=500MS"), run("duration=500ms")),
        (run('duration="3 minutes"'), run('duration="3m"')),
        (run('duration="0,5s"'), run('duration="0.5s"')),
        (run("mime_type=png"), run("mime_type=image/png")),
        (run('mime_type="text / plain"'), run('mime_type="text/plain"')),
        (run("mime_type=JPG"), run("mime_type=image/jpeg")),
        (message("role=System"), message("role=system")),
        (message("role=sytem"), message("role=system")),
        (message("role=human"), message("role=user")),
        (message("definition='Agent'"), message("definition='agent'")),
        (answer("reasoning=True"), answer("reasoning=true")),
        (answer("reasoning=yes"), answer("reasoning=1")),
        (answer("virtual=off"), answer("virtual=0")),
        (answer('time="2025-05-30 00:00:00+08:00"'), answer('time="2025-05-30T00:00:00+08:00"')),
        (answer('time="2025-05-30 00:00:00 UTC"'), answer('time="2025-05-30T00:00:00Z"')),
        (answer("time=2025-05-30t00:00:00z"), answer("time=2025-05-30T00:00:00Z")),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_fix_where_it_is_certain(source: str, fixed: str, newline: str) -> None:
    expect_fix(CODE, source.replace("\n", newline), fixed.replace("\n", newline), safe=False)


@pytest.mark.parametrize(
    "source",
    [
        run("status=pending"),
        run("duration=1,500ms"),
        run("duration=-1s"),
        run("duration=soon"),
        run("mime_type=picture"),
        message("role=assistant"),
        answer("reasoning=2"),
        answer('time="2025-05-30 00:00:00"'),
    ],
)
def test_no_fix_where_it_is_not(source: str) -> None:
    assert len(find(CODE, source)[1]) == 1
    assert fixes(CODE, source) == []


def test_it_follows_what_the_cell_is() -> None:
    source = "# %%% R[^c1.1]\n\n[^c1.1]: [python] mime_type=x\n"
    agents = "---\nagents: {python: {}}\n---\n"
    counts = expect_follows(
        CODE,
        agents + source,
        ("python: {}", "pythom: {}"),
        ("[^c1.1]\n", "[^c1]\n"),
        ("[^c1.1]:", "[^c1]:"),
    )
    assert counts == [0, 1, 0, 0]


def test_the_page_names_every_attribute_that_is_checked() -> None:
    free = (ValueKind.TEXT, ValueKind.PATH)
    keys = {key for key, spec in ATTRIBUTES.items() if spec.kind not in free}
    page = page_of(rule(CODE)).sections["What it does"]
    named = set(re.findall("`([a-z_]+)`", page))
    assert named == keys, "the docstring of the rule names what is checked"
