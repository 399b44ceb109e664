"""Transcripts of agents, read: what each record becomes, and that nothing makes it fail."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.parts import Wire, dict_of, json_value
from msgls.conversation.readers.sessions import KINDS, kind_of, reader_of
from msgls.conversation.readers.transcripts import Draft, LeftOut, records_of
from msgls.conversation.sources import Incoming, read
from tests.conversation.test_sources import brief

DATA = Path(__file__).parents[1] / "data" / "transcripts"
CLAUDE = "claude-code/aaaaaaaa-0000-4000-8000-000000000001.jsonl"
OLD_CLAUDE = "claude-code/old.jsonl"
CODEX = "codex/rollout-2026-03-04T09-00-00-019c0000-0000-7000-8000-000000000001.jsonl"
OLD_CODEX = "codex/rollout-old.jsonl"
GEMINI = "gemini-cli/session-2026-01-02T08-00-cccccccc.json"
GEMINI_LINES = "gemini-cli/session-2026-05-06T08-00-dddddddd.jsonl"
SAVED_GEMINI = "gemini-cli/checkpoint-mine.json"
OPENCODE = "opencode/session.json"
AIDER = "aider/.aider.chat.history.md"
EVERY = (
    CLAUDE, OLD_CLAUDE, CODEX, OLD_CODEX, GEMINI, GEMINI_LINES, SAVED_GEMINI, OPENCODE, AIDER
)  # fmt: skip
LINES = (CLAUDE, OLD_CLAUDE, CODEX, OLD_CODEX, GEMINI_LINES)


def text_of(name: str) -> str:
    return (DATA / name).read_text("utf-8")


def incoming(name: str) -> Incoming:
    # The name says nothing: they are recognised by what is in them.
    return read("transcript", text_of(name))[0]


def said(name: str) -> list[str]:
    return said_in(incoming(name))


def said_in(incoming: Incoming) -> list[str]:
    """Each message in a line: role, whether the model sees it, and its parts."""
    lines = []
    one = incoming.conversation
    for message, (role, parts) in zip(one.messages, brief(one), strict=True):
        seen = message.visibility
        marks = ["history=none"] if seen.history == "exclude" else []
        marks += ["virtual=1"] if seen.is_virtual else []
        marks += ["reset=1"] if seen.is_reset else []
        lines.append(" ".join([role, *marks, " | ".join(parts)]))
    return lines


@pytest.mark.parametrize("name", EVERY)
def test_each_is_recognised_by_its_content(name: str) -> None:
    assert kind_of(text_of(name)) == name.split("/")[0]
    assert incoming(name).kind == name.split("/")[0]


def test_claude_code() -> None:
    assert incoming(CLAUDE).title == "Fix the total of an empty cart"
    assert said(CLAUDE) == [
        "user The total is wrong when the cart is empty. Fix it.",
        (
            "assistant (An empty cart: sum of nothing.) | I will look at the cart first. | "
            'toolu_01AAAA1111=Read{"file_path": "/srv/shop/cart.py"} | '
            'toolu_01BBBB2222=Bash{"command": "pytest -q", "description": "Run the tests"}'
        ),
        (
            'tool toolu_01AAAA1111->"     1\\u2192# %% prices\\n     2\\u2192def total(items):\\n'
            '     3\\u2192    return max(items)\\n# %% not a cell\\n```python\\nunclosed"'
        ),
        'tool toolu_01BBBB2222->!"1 failed in 0.10s"',
        (
            'assistant toolu_01CCCC3333=Edit{"file_path": "/srv/shop/cart.py", '
            '"old_string": "    return max(items)\\n", "new_string": "    return sum(items)\\n", '
            '"replace_all": false}'
        ),
        'tool toolu_01CCCC3333->"The file /srv/shop/cart.py has been updated."',
        (
            "assistant Done: `total` adds up now. See [cart.py](cart.py).\n\n"
            "```python\nreturn sum(items)\n```"
        ),
        # The person went back to this prompt.
        "user history=none Rewrite it in Rust.",
        "assistant history=none That is a large change.",
        "user What does this picture show? | [image/png]",
        (
            'assistant toolu_01DDDD4444=Task{"description": "Look at the picture", '
            '"prompt": "Describe cart.png", "subagent_type": "Explore"}'
        ),
        (
            'tool toolu_01DDDD4444->[{"kind": "text", "payload": {"text": "One red pixel."}}, '
            '{"kind": "text", "payload": {"text": "agentId: abc123 (for resuming)"}}]'
        ),
        "assistant One red pixel.",
        "assistant virtual=1 reset=1 The conversation was compacted here, at 150000 tokens.",
        "user This session is being continued. Summary: the cart was fixed.",
        "user <command-name>/status</command-name>",
        "assistant All tests pass.",
    ]
    (loss,) = incoming(CLAUDE).conversation.losses
    assert (loss.what, loss.line) == ("a record of the kind `brand-new-kind` is left out", 22)


def compacted(anchor: str, about: Wire) -> list[Wire]:
    """A session that was compacted: after its summary, the model still saw what was said last."""
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "cart.py"}
    contents: list[tuple[str, object]] = [
        ("user", "One."), ("assistant", "Two."), ("user", "Three."), ("assistant", [call]),
        ("user", [result]),
    ]  # fmt: skip
    records: list[Wire] = [
        {"type": role, "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None}
        | {"message": {"role": role, "id": f"g{n}", "content": content}}
        for n, (role, content) in enumerate(contents)
    ]
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
    about = {key: {"anchorUuid": anchor, **value} for key, value in about.items()}
    records.append(boundary | {"logicalParentUuid": "u4", "compactMetadata": about})
    summary = {"role": "user", "content": "Summary."}
    records.append({"type": "user", "uuid": "s", "parentUuid": "b", "message": summary})
    records[-1]["isCompactSummary"] = True
    after = {"role": "assistant", "content": "Four."}
    records.append({"type": "assistant", "uuid": "a", "parentUuid": "s", "message": after})
    return [{"sessionId": "one"} | record for record in records]


LISTED = {"preservedMessages": {"uuids": ["u2", "u3", "u4"]}}
BOUNDED = {"preservedSegment": {"headUuid": "u2", "tailUuid": "u4"}}


@pytest.mark.parametrize("about", [LISTED, BOUNDED, LISTED | BOUNDED])
def test_what_a_compaction_keeps_is_seen_after_its_summary(about: Wire) -> None:
    records = list(enumerate(compacted("s", about)))
    lines = "".join([json.dumps(record) + "\n" for _, record in records])
    assert said_in(read("transcript", lines)[0])[5:] == [
        "assistant virtual=1 reset=1 The conversation was compacted here.",
        "user Summary.",
        "user Three.",
        'assistant t-kept=Bash{"command": "ls"}',
        'tool t-kept->"cart.py"',
        "assistant Four.",
    ]
    # A reader that did not know that when the records went by has to begin again.
    reader = reader_of("claude-code")
    for line, record in records:
        reader.feed(record, line)
    assert reader.is_stale


def test_what_a_compaction_keeps_may_come_before_its_summary() -> None:
    records = list(enumerate(compacted("b", LISTED)))
    reader = reader_of("claude-code", records)
    drafts = [draft for line, record in records for draft in reader.feed(record, line)]
    titles = [draft.title for draft in drafts if draft.title]
    assert titles == ["Kept from before", "Summary of what was said before"]


def test_a_compaction_that_names_what_is_not_there_keeps_nothing() -> None:
    for about in (
        {"preservedMessages": {"uuids": ["x", 7]}},
        {"preservedSegment": {"headUuid": "x", "tailUuid": "u4"}},
    ):
        records = list(enumerate(compacted("s", about)))
        reader = reader_of("claude-code", records)
        drafts = [draft for line, record in records for draft in reader.feed(record, line)]
        assert len(drafts) == len(records) + 1


def test_old_claude_code_has_sub_agents_between_the_lines() -> None:
    assert incoming(OLD_CLAUDE).title == "Count the files"
    assert said(OLD_CLAUDE) == [
        "user How many files are there?",
        (
            "assistant I ask an agent. | toolu_01FFFF6666=Task"
            '{"description": "Count files", "prompt": "Count all files."}'
        ),
        "user history=none Count all files.",
        "assistant history=none There are 3.",
        'tool toolu_01FFFF6666->"There are 3."',
        "assistant 3.",
    ]


def claude(kind: str, uuid: str, parent: str | None, content: object, **more: object) -> str:
    message = {"role": kind, "id": f"msg-{uuid}", "content": content}
    record = {"type": kind, "sessionId": "s", "uuid": uuid, "parentUuid": parent}
    return json.dumps({**record, "message": message, **more}) + "\n"


def task(call: str) -> Wire:
    return {"type": "tool_use", "id": call, "name": "Task", "input": {"prompt": f"Do {call}."}}


def result(call: str) -> list[Wire]:
    return [{"type": "tool_result", "tool_use_id": call, "content": f"Done {call}."}]


PARALLEL = [
    claude("user", "u1", None, "Go."),
    claude("assistant", "u2", "u1", [task("A")]),
    claude("assistant", "u3", "u2", [task("B")]),
    claude("user", "a1", None, "Do A.", isSidechain=True),
    claude("user", "b1", None, "Do B.", isSidechain=True),
    claude("assistant", "a2", "a1", [{"type": "text", "text": "A works."}], isSidechain=True),
    claude("assistant", "b2", "b1", [{"type": "text", "text": "B works."}], isSidechain=True),
    claude("user", "u4", "u3", result("A")),
    claude("assistant", "b3", "b2", [{"type": "text", "text": "B goes on."}], isSidechain=True),
    claude("user", "u5", "u4", result("B")),
]


def in_brief(drafts: list[Draft]) -> list[str]:
    """Each draft by what it is: how deep, and its text, its call or its result."""
    lines = []
    for draft in drafts:
        payload = dict_of(draft.parts[0]["payload"]) if draft.parts else {}
        what = payload.get("text") or payload.get("content") or payload.get("toolCallId", "-")
        lines.append(f"{draft.depth} {what}")
    return lines


def test_sub_agents_that_work_at_the_same_time_stand_each_at_its_own_call() -> None:
    text = "".join(PARALLEL)
    assert in_brief(drafts(text, "claude-code")) == [
        "0 Go.", "0 -", "0 A", "0 -", "0 B",
        "1 Do B.", "1 B works.",
        "0 Done A.", "1 Do A.", "1 A works.",
        "0 Done B.", "1 B goes on.",
    ]  # fmt: skip


def test_what_a_sub_agent_said_whose_result_is_missing_is_named_or_given_out() -> None:
    text = "".join(PARALLEL[:6])
    reader = reader_of("claude-code")
    for line, record in records_of(text):
        reader.feed(record, line)
    assert reader.left_out == {"sidechain": LeftOut(2, 3)}
    last = claude("user", "u9", "u3", "Stop.")
    assert in_brief(reader.feed(json_value(last), 9)) == ["1 Do A.", "1 A works.", "0 Stop."]
    assert reader.left_out == {}


@given(st.permutations(range(3, 10)), st.integers(0, 10))
def test_any_prefix_of_sub_agents_in_any_order_gives_a_prefix(order: list[int], end: int) -> None:
    lines = [*PARALLEL[:3], *[PARALLEL[at] for at in order]]
    whole = drafts("".join(lines), "claude-code")
    part = drafts("".join(lines[:end]), "claude-code")
    assert part == whole[: len(part)]


def test_codex() -> None:
    assert said(CODEX) == [
        "system You are a coding agent.",
        "system <permissions instructions>Read only.</permissions instructions>",
        "user <environment_context>\n  <cwd>/srv/shop</cwd>\n</environment_context>",
        "user Which tests fail? | [image/png]",
        (
            "assistant (**Running the tests**) | "
            'call_one11111=exec_command{"cmd": "pytest -q", "workdir": "/srv/shop"} | '
            'call_two22222=exec_command"{\\"cmd\\":\\"git status"'
        ),
        'tool call_one11111->!"Exit code: 1\\nOutput:\\n1 failed"',
        'tool call_two22222->!"not a repository"',
        (
            'assistant call_thr33333=apply_patch{"input": "*** Begin Patch\\n*** Update File: '
            'cart.py\\n@@\\n-    return max(items)\\n+    return sum(items)\\n*** End Patch\\n"}'
        ),
        'tool call_thr33333->"Success."',
        'assistant call-15=web_search{"type": "search", "query": "python sum"}',
        'tool call-15->"completed"',
        "assistant `test_total` failed; it passes now.",
        "user history=none Delete everything.",
        "assistant history=none No.",
        "assistant virtual=1 reset=1 The conversation was compacted here.",
        "user The tests were fixed.",
        "user Thanks.",
        "assistant You are welcome.",
    ]


def test_codex_without_a_summary_keeps_what_stands_in_for_all() -> None:
    kept = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]}
    payload = {"message": "", "replacement_history": [kept, {"type": "compaction"}]}
    reader = reader_of("codex")
    made = reader.feed({"type": "compacted", "payload": payload}, 0)
    assert in_brief(made) == ["0 The conversation was compacted here.", "0 Go."]


def test_old_codex_has_bare_items() -> None:
    assert said(OLD_CODEX) == [
        "user List the files.",
        (
            'assistant (I list them.) | call_ls=local_shell{"type": "exec", "command": ["ls"], '
            '"timeout_ms": 1000}'
        ),
        'tool call_ls->"cart.py"',
        "assistant There is `cart.py`.",
    ]


GEMINI_ANSWER = [
    (
        "assistant (**Reading**\n\nThe file first.) | I read it. | "
        'read_file-1700000000001-aa=read_file{"file_path": "cart.py"}'
    ),
    'tool read_file-1700000000001-aa->"def total(items):\\n    return sum(items)"',
    'assistant run-1700000000002-bb=run_shell_command{"command": "false"}',
    'tool run-1700000000002-bb->!"exit 1"',
    "assistant One function, `total`.",
]


def test_gemini_cli() -> None:
    assert incoming(GEMINI).title == "What is in cart.py"
    assert said(GEMINI) == [
        "user What is in cart.py?",
        "assistant virtual=1 Gemini CLI update available!",
        *GEMINI_ANSWER,
    ]


def test_gemini_cli_by_line_says_messages_again_and_takes_them_back() -> None:
    assert said(GEMINI_LINES) == [
        "user What is in cart.py?",
        *GEMINI_ANSWER,
        "user history=none Wrong question",
        "user Who calls it?",
        "assistant Nobody.",
    ]


def test_gemini_cli_takes_back_what_a_compression_dropped() -> None:
    def said(given: str, text: str) -> Wire:
        return {"id": given, "type": "user", "content": text}

    lines = [
        {"sessionId": "s", "projectHash": "p"}, said("1", "Old."), said("2", "Kept."),
        {"$set": {"messages": [said("3", "Summary."), said("2", "Kept.")]}},
    ]  # fmt: skip
    text = "".join([json.dumps(line) + "\n" for line in lines])
    found = drafts(text, "gemini-cli")
    assert in_brief(found) == ["0 Old.", "0 Kept.", "0 Summary."]
    assert [draft.is_hidden for draft in found] == [True, False, False]


def test_gemini_cli_saved_by_hand() -> None:
    assert said(SAVED_GEMINI) == [
        "user Run it.",
        'assistant call-0-0=run_shell_command{"command": "ls"}',
        'tool call-0-0->"cart.py"',
        "assistant There is one file.",
    ]


def test_opencode() -> None:
    assert incoming(OPENCODE).title == "Fix the cart"
    assert said(OPENCODE) == [
        "user Fix the cart. | [image/png]",
        (
            "assistant (Read first.) | Reading. | "
            'toolu_oc1111=read{"filePath": "/srv/shop/cart.py"} | '
            'toolu_oc2222=bash{"command": "make"}'
        ),
        'tool toolu_oc1111->"return max(items)"',
        'tool toolu_oc2222->!"no rule"',
        "assistant It is fixed.",
        "assistant virtual=1 The request was aborted.",
    ]
    (loss,) = incoming(OPENCODE).conversation.losses
    assert loss.what == "a record of the kind `part sparkle` is left out"


def test_opencode_is_waited_for_while_it_writes() -> None:
    done = {"type": "text", "text": "First.", "time": {"start": 1, "end": 2}}
    begun = {"type": "text", "text": "Sec", "time": {"start": 3}}
    for more, expected in (({}, ["0 First."]), ({"completed": 4}, ["0 First.", "0 Sec"])):
        info = {"id": "m", "role": "assistant", "time": {"created": 1, **more}}
        export = {"info": {"id": "s"}, "messages": [{"info": info, "parts": [done, begun]}]}
        assert in_brief(reader_of("opencode").feed(export, 0)) == expected


def test_the_history_of_aider_holds_several_sessions() -> None:
    first, second = read("transcript", text_of(AIDER))
    assert first.title == "Add the numbers up instead of taking the largest."
    assert second.title == "What does this file do?"
    assert [line.split("\n")[0] for line in said(AIDER)] == [
        "assistant virtual=1 /usr/bin/aider cart.py",
        "user Add the numbers up",
        "assistant I will change `total`:",
        "assistant virtual=1 Tokens: 2.5k sent, 120 received. Cost: $0.01 message, $0.01 session.",
        "user /run pytest",
        "assistant virtual=1 1 passed",
    ]


# -- while they grow ------------------------------------------------------------------------


def drafts(text: str, kind: str) -> list[Draft]:
    records = records_of(text)
    reader = reader_of(kind, records)
    return [draft for line, record in records for draft in reader.feed(record, line)]


def seen(draft: Draft) -> Draft:
    """A branch may be left later on: only whether the model sees it may change."""
    return draft._replace(is_hidden=False)


@pytest.mark.parametrize("name", LINES)
def test_any_prefix_gives_a_prefix(name: str) -> None:
    text, kind = text_of(name), name.split("/")[0]
    whole = [seen(draft) for draft in drafts(text, kind)]
    # Every line, and in each one somewhere in between: the last line is half written then.
    ends = [at for at, character in enumerate(text) if character == "\n"]
    for place in [place for end in ends for place in (end - 7, end, end + 1)]:
        part = [seen(draft) for draft in drafts(text[:place], kind)]
        assert part == whole[: len(part)]


@pytest.mark.parametrize("name", LINES)
def test_reading_on_gives_what_reading_anew_gives(name: str) -> None:
    text, kind = text_of(name), name.split("/")[0]
    reader = reader_of(kind)
    found: list[Draft] = []
    for line, record in records_of(text):
        found += reader.feed(record, line)
    assert [seen(draft) for draft in found] == [seen(draft) for draft in drafts(text, kind)]
    # What went back says so, and is to be read again.
    assert reader.is_stale == any(
        draft.is_hidden and not draft.depth for draft in drafts(text, kind)
    )


WORDS = sorted({
    word
    for name in EVERY
    for word in "".join([c if c.isalnum() or c in "_-$" else " " for c in text_of(name)]).split()
    if len(word) < 20
})  # fmt: skip
KEYS = st.sampled_from(WORDS) | st.text(max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, str]:
    """A transcript with lines that nobody thought of: other values, cuts, repetitions."""
    name = draw(st.sampled_from(LINES))
    lines = text_of(name).split("\n")[:-1]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        what = draw(st.sampled_from(["value", "cut", "again", "inside", "text"]))
        if what == "value":
            lines.insert(at, json.dumps(draw(VALUES)))
        elif what == "cut":
            lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
        elif what == "again":
            lines.insert(draw(st.integers(0, len(lines))), lines[at])
        elif what == "text":
            lines.insert(at, draw(st.text(max_size=20)))
        else:
            lines[at] = json.dumps(_damage(draw, dict_of(json_value(lines[at]))))
    return name.split("/")[0], "\n".join(lines)


def _damage(draw: st.DrawFn, value: Wire) -> object:
    """Another value somewhere inside."""
    try:
        keys = sorted(value)
    except (TypeError, AttributeError):
        return draw(VALUES)
    if not keys or not isinstance(value, dict):
        return draw(VALUES)
    key = draw(st.sampled_from(keys))
    deeper = isinstance(value[key], dict) and draw(st.booleans())
    return {**value, key: _damage(draw, value[key]) if deeper else draw(VALUES)}


@given(damaged())
def test_no_line_makes_it_fail(case: tuple[str, str]) -> None:
    kind, text = case
    for one in read("transcript", text, kind) if drafts(text, kind) else []:
        for message in one.conversation.messages:
            message.to_wire()


@given(st.sampled_from(KINDS), VALUES)
def test_nor_does_any_value(kind: str, value: object) -> None:
    if kind != "aider":
        reader_of(kind).feed(value, 0)
