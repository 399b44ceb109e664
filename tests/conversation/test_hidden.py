"""What is hidden stays hidden: every source to every target, once and twice."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.api import Severity, check_text
from msgls.conversation.agents import agent_in
from msgls.conversation.context import context_of
from msgls.conversation.conversation import Conversation
from msgls.conversation.model_view import ModelView
from msgls.conversation.sources import Incoming, read, read_folder
from msgls.conversation.targets import (
    ENDINGS,
    NOTEBOOK,
    REQUESTS,
    SAYS_VISIBILITY,
    Output,
    write,
    write_request,
)
from msgls.conversation.writers.page.page import page
from msgls.document.document import Document
from msgls.text.tokens import ESTIMATE
from tests.conversation.corpus import dumped, message, part

TARGETS = tuple(ENDINGS)
READABLE = tuple(target for target in TARGETS if target != "markdown")
_WORD = re.compile(r"(?:secret|open)\d+")

# -- made-up conversations ------------------------------------------------------------------

HIDING = (" history=exclude", " history=none", " history=0", " virtual=1", " virtual=1 boot=1")
SHOWING = ("", " history=include")


class Text:
    """The text of a file in which every word says whether the model may see it."""

    def __init__(self) -> None:
        self.count = 0
        self.resets = 0

    def word(self, is_hidden: bool) -> str:
        self.count += 1
        return f"{'secret' if is_hidden else 'open'}{self.count}"


SIGHTS = st.sampled_from(("seen", "hidden", "summary", "paragraph"))
BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(("user", "system", "code", "answer", "thought", "tool", "reset", "agent")),
        st.lists(SIGHTS, min_size=5, max_size=5),
    ),
    min_size=1,
    max_size=6,
)


def message_file(blocks: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A message file of such blocks; cells before its last reset are hidden."""
    text = Text()
    resets = [number for number, (kind, _) in enumerate(blocks) if kind == "reset"]
    last = resets[-1] if resets else -1
    head = (
        "---\ndefault_agent: bot\nagents:\n  bot:\n    models: [m]\n"
        f"    system_prompt: {text.word(False)}\n  other:\n"
        f"    system_prompt: {text.word(True)}\n---\n\n{text.word(True)} preamble\n\n"
    )
    cells = [head]
    for number, (kind, sights) in enumerate(blocks):
        cells += _block(f"x{number}", kind, iter(sights), text, number <= last)
    return "".join(cells)


def _block(name: str, kind: str, sights: Iterator[str], text: Text, old: bool) -> Iterator[str]:
    hidden: set[str] = set()

    def cell(marks: str, cell_id: str, head: str, content: str = "{}") -> str:
        sight = next(sights)
        # A call is part of its answer, and a result part of its call.
        is_part = "tool]" in head
        is_old = old or (is_part and any(cell_id.startswith(f"{owner}.") for owner in hidden))
        if sight == "hidden":
            hidden.add(cell_id)
        said, rest = text.word(is_old or sight != "seen"), ""
        if sight == "hidden":
            rest = HIDING[text.count % len(HIDING)]
        elif sight == "summary":
            rest = f" history=summary summary={text.word(is_old)}"
        elif sight == "paragraph":
            said = f"{text.word(is_old)}\n\n{text.word(True)}"
            rest = " history=summary"
        else:
            rest = SHOWING[text.count % 2]
        if sight == "paragraph" and ("<" in content or "`" in content):
            # The first paragraph of a call or of a fenced block is the whole of it.
            said = text.word(is_old)
        body = "\n\n".join([content.format(one) for one in said.split("\n\n")])
        return f"# {marks} [^{cell_id}]\n\n[^{cell_id}]: [{head}{rest}\n\n{body}\n\n"

    if kind in ("user", "system"):
        yield cell("%%", name, f"markdown] role={kind}")
    elif kind == "agent":
        yield (
            f'# %% [^{name}]\n\n[^{name}]: [markdown] definition="agent" name="{name}"\n\n'
            f"---\nmodels: [m]\n---\n\n{text.word(True)}\n\n"
        )
    elif kind == "code":
        yield cell("%%", name, "code]", "```python\n{}\n```")
        yield cell("%%%", f"{name}.1", "python] status=success", "stdout> {}")
    elif kind == "reset":
        yield (
            f"# %%% [^{name}]\n\n[^{name}]: [bot] reset=1 boot=1 virtual=1\n\n{text.word(True)}\n\n"
        )
    else:
        yield cell("%%%", name, f"bot]{' reasoning=1' if kind == 'thought' else ''}")
        if kind == "tool":
            yield cell("%%%", f"{name}.n1{name}", 'tool] name="f"', "<f><q>{}</q></f>")
            yield cell("%%%", f"{name}.n2{name}", 'tool] name="f"', "<f><q>{}</q></f>")
            yield cell("%%%", f"{name}.n1{name}.1", "tool] status=success")
            yield cell("%%%", f"{name}.n1{name}.2", "tool] status=failure")


def secrets_in(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if word.startswith("secret")}


def opened(text: str) -> Incoming:
    return read("talk.msg.md", text)[0]


def again(written: Output, target: str) -> Incoming:
    if written.files is not None:
        files = [(name, Document.open(name, text)) for name, text in written.files.items()]
        return read_folder("folder", files)
    kind = {"stf-semicolon": "stf"}.get(target, target)
    return read(f"1{ENDINGS[target]}", written.text, kind)[0]


def all_of(written: Output) -> str:
    return written.text if written.files is None else "".join(written.files.values())


def shown(conversation: Conversation) -> str:
    """All that the model sees, as text."""
    found = context_of(conversation, agent_in(conversation)).conversation
    return dumped([message.to_wire()["parts"] for message in found.messages])


def visible(written: Output, target: str) -> str:
    """What is not hidden in what was written."""
    if target in SAYS_VISIBILITY:
        return shown(again(written, target).conversation)
    return all_of(written)


# -- the properties ---------------------------------------------------------------------------


@given(blocks=BLOCKS)
def test_a_request_and_the_view_are_the_same(blocks: list[tuple[str, list[str]]]) -> None:
    text = message_file(blocks)
    incoming = opened(text)
    assert incoming.document is not None
    view = ModelView(incoming.document, ESTIMATE)
    assert secrets_in(shown(incoming.conversation)) == set()
    seen_cells = {cell.label for cell in view.cells if cell.sight.is_sent}
    assert {label for entry in view.entries[1:] for label in entry.labels} == seen_cells
    for service in REQUESTS:
        request, _ = write_request(view.context.conversation, service, view.context.agent.options)
        assert write(incoming, service).text == request
        assert secrets_in(request) == set()
    assert secrets_in(page("talk", [incoming.document])) <= secrets_in(_preamble_and_agents(text))


def _preamble_and_agents(text: str) -> str:
    """What is nobody's message, and stands on a page."""
    cards = [cell for cell in text.split("# %") if 'definition="agent"' in cell]
    return text.partition("# %")[0] + "".join(cards)


@pytest.mark.parametrize("first", READABLE)
@given(blocks=BLOCKS, data=st.data())
def test_nothing_hidden_is_visible_after_one_or_two_conversions(
    first: str, blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    incoming = opened(message_file(blocks))
    once = write(incoming, first)
    assert secrets_in(visible(once, first)) == set()
    second = data.draw(st.sampled_from(TARGETS))
    back = again(once, first)
    twice = write(back, second)
    assert secrets_in(visible(twice, second)) == set()
    if first in SAYS_VISIBILITY:
        # Nothing became hidden either, and a request is the same by any way.
        assert set(_WORD.findall(shown(back.conversation))) == set(
            _WORD.findall(shown(incoming.conversation))
        )


CHECKED = ("msgmd", "messages", "stf", "stf-semicolon", "chatbuilder")


@pytest.mark.parametrize("first", READABLE)
@given(blocks=BLOCKS, data=st.data())
def test_what_was_converted_once_or_twice_draws_no_problem(
    first: str, blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    """No error and no warning, whatever of a file is hidden."""
    once = write(opened(message_file(blocks)), first)
    if first != "msgmd":
        assert problems_of(once, first) == []
    second = data.draw(st.sampled_from(CHECKED))
    if (first, second) != ("msgmd", "msgmd"):
        assert problems_of(write(again(once, first), second), second) == []


HALF_HIDDEN = {
    "results of one call": [
        ("%%%", "a", "[bot]", "open1"),
        ("%%%", "a.n", '[tool] name="f"', "<f/>"),
        ("%%%", "a.n.1", "[tool] status=success history=exclude", "secret1"),
        ("%%%", "a.n.2", "[tool] status=success", "open2"),
        ("%%%", "a.n.3", "[tool] status=failure history=exclude", "secret2"),
        ("%%%", "a.n.4", "[tool] status=success", "open3"),
    ],
    "a call with a summary": [
        ("%%%", "a", "[bot] history=summary summary=open1", "secret1"),
        ("%%%", "a.n", '[tool] name="f" history=summary summary=open2', "<f><q>secret2</q></f>"),
        ("%%%", "a.n.1", "[tool] status=success", "open3"),
    ],
    "code with a summary": [
        ("%%", "c", "[code] history=summary summary=open1", "```python\nsecret1\n```"),
        ("%%%", "c.1", "[python] status=success", "stdout> open2"),
        ("%%", "m", "[markdown]", "open3"),
    ],
    "code without its run": [
        ("%%", "c", "[code] history=exclude", "```python\nsecret1\n```"),
        ("%%%", "c.1", "[python] status=success", "stdout> open1"),
        ("%%%", "c.1.2", "[python] status=success mime_type=text/html history=none", "secret2"),
        ("%%", "m", "[markdown] history=summary", "open2\n\nsecret3"),
        ("%%", "n", "[markdown]", "open3"),
    ],
}


@pytest.mark.parametrize("first", READABLE)
@pytest.mark.parametrize("what", HALF_HIDDEN)
def test_what_is_half_hidden_draws_no_problem_elsewhere(what: str, first: str) -> None:
    text = "---\nagents: {bot: {}}\n---\n\n" + "".join(
        f"# {marks} [^{cell_id}]\n\n[^{cell_id}]: {definition}\n\n{said}\n\n"
        for marks, cell_id, definition, said in HALF_HIDDEN[what]
    )
    once = write(opened(text), first)
    assert problems_of(once, first) == []
    for second in CHECKED:
        twice = write(again(once, first), second)
        assert problems_of(twice, second) == []
        assert set(_WORD.findall(visible(twice, second))) >= {"open1", "open2", "open3"}


def test_results_of_a_call_stay_in_their_order_through_messages() -> None:
    """Those that the model sees are a message apart from those that it does not see."""
    text = "# %%% [^a]\n\n[^a]: [assistant]\n\nx\n\n"
    text += '# %%% [^a.n]\n\n[^a.n]: [tool] name="f"\n\n<f/>\n\n'
    for number, mark in enumerate(("history=exclude", "", "history=exclude", ""), 1):
        cell_id = f"a.n.{number}"
        text += f"# %%% [^{cell_id}]\n\n[^{cell_id}]: [tool] status=success {mark}\n\nx\n\n"
    written = write(again(write(opened(text), "messages"), "messages"), "msgmd")
    assert re.findall(r"^# %%% \[\^(.*)\]", written.text, re.MULTILINE)[2:] == [
        f"a.n.{number}" for number in (1, 2, 3, 4)
    ]
    assert written.losses == ()


def problems_of(written: Output, target: str) -> list[str]:
    if target not in CHECKED:
        return []
    files = written.files or {f"1{ENDINGS[target]}": written.text}
    found = [one for name, text in files.items() for one in check_text(text, path=f"talk/{name}")]
    return [f"{one.code} {one.message}" for one in found if one.severity <= Severity.WARNING]


@pytest.mark.parametrize("second", TARGETS)
@given(blocks=BLOCKS)
def test_what_a_notebook_marks_stays_hidden(
    second: str, blocks: list[tuple[str, list[str]]]
) -> None:
    """A notebook that was written with everything."""
    once = write(opened(message_file(blocks)), NOTEBOOK, everything=True)
    twice = write(again(once, NOTEBOOK), second)
    assert secrets_in(visible(twice, second)) == set()


@pytest.mark.parametrize("target", TARGETS)
@given(blocks=BLOCKS)
def test_every_message_that_is_not_written_is_named(
    target: str, blocks: list[tuple[str, list[str]]]
) -> None:
    incoming = opened(message_file(blocks))
    written = write(incoming, target)
    named = {loss.message_index for loss in written.losses}
    text = all_of(written)
    for index, one in enumerate(incoming.conversation.messages):
        words = set(_WORD.findall(dumped(one.to_wire()["parts"])))
        if not words <= set(_WORD.findall(text)):
            assert index in named
    assert not secrets_in(" ".join(loss.what for loss in written.losses))


@pytest.mark.parametrize("target", [t for t in TARGETS if t not in REQUESTS])
@given(blocks=BLOCKS)
def test_everything_is_written_if_asked_for_and_the_exposed_is_named(
    target: str, blocks: list[tuple[str, list[str]]]
) -> None:
    incoming = opened(message_file(blocks))
    written = write(incoming, target, everything=True)
    text = all_of(written)
    named = {loss.message_index for loss in written.losses}
    for index, one in enumerate(incoming.conversation.messages):
        words = set(_WORD.findall(dumped(one.to_wire()["parts"])))
        assert words <= set(_WORD.findall(text))
        if target not in SAYS_VISIBILITY and secrets_in(" ".join(words)):
            assert index in named


# -- messages in JSON -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meta",
    [
        {"history": "exclude"},
        {"history": "excluded"},
        {"history": "hidden"},
        {"history": 2},
        {"history": False},
        {"history": 0},
        {"isVirtual": True},
        {"isVirtual": True, "isBootMessage": True},
        {"history": "summary", "summary": "open1"},
        {"history": "exclude", "id": None},
        {"history": "exclude", "id": "a b", "definition": False},
        {"history": "exclude", "id": "other", "definition": False},
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_messages_in_json_say_who_sees_them(meta: dict[str, object], target: str) -> None:
    wires = [
        message("user", part("text", text="open2"), meta={"id": "other"}),
        message(
            "assistant",
            part("thinking", text="secret1"),
            part("text", text="secret2"),
            part("tool_call", toolCallId="c", toolName="f", arguments={"a": "secret3"}),
            meta=meta,
        ),
        message("user", part("text", text="secret4"), meta=meta),
        message(
            "tool", part("tool_result", toolCallId="c", isError=False, content="secret5"), meta=meta
        ),
        message("user", part("text", text="open3")),
    ]
    incoming = read("talk.messages.json", dumped(wires))[0]
    written = write(incoming, target)
    assert secrets_in(visible(written, target)) == set()
    assert {"open2", "open3"} <= set(_WORD.findall(visible(written, target)))


MARKS = st.sampled_from(("seen", "exclude", "virtual", "summary", "reset"))
SAID = st.lists(st.tuples(st.sampled_from(("user", "assistant", "call")), MARKS), max_size=6)


_MARKED: dict[str, dict[str, object]] = {
    "exclude": {"history": "exclude"},
    "virtual": {"isVirtual": True},
    "reset": {"isReset": True},
}


def marked_messages(said: Sequence[tuple[str, str]]) -> str:
    """Messages in JSON, in which every word says whether the model may see it."""
    text = Text()
    last = max((n for n, (_, mark) in enumerate(said) if mark == "reset"), default=-1)
    wires = []
    for number, (role, mark) in enumerate(said):
        word = text.word(number <= last or mark != "seen")
        meta: dict[str, object] = dict(_MARKED.get(mark, {}))
        if mark == "summary":
            meta = {"history": "summary", "summary": text.word(number <= last)}
        parts = [part("text", text=word), part("image", mimeType="image/png", url=f"{word}.png")]
        if role == "call":
            given = {"a": word}
            parts = [part("tool_call", toolCallId=f"c{number}", toolName="f", arguments=given)]
        elif role == "assistant":
            parts = [part("thinking", text=word), parts[0]]
        wires.append(message("user" if role == "user" else "assistant", *parts, meta=meta))
        if role == "call":
            # The result of a call that resets follows the reset.
            word = text.word(number < last or mark not in ("seen", "reset"))
            done = part("tool_result", toolCallId=f"c{number}", isError=False, content=word)
            wires.append(message("tool", done, meta={**meta, "isReset": False}))
    return dumped(wires)


@pytest.mark.parametrize("first", READABLE)
@given(said=SAID, data=st.data())
def test_marks_of_messages_hold_after_one_or_two_conversions(
    first: str, said: list[tuple[str, str]], data: st.DataObject
) -> None:
    incoming = read("talk.messages.json", marked_messages(said))[0]
    once = write(incoming, first)
    assert secrets_in(visible(once, first)) == set()
    second = data.draw(st.sampled_from(TARGETS))
    assert secrets_in(visible(write(again(once, first), second), second)) == set()


def test_what_stands_before_a_reset_in_messages_is_hidden() -> None:
    wires = [
        message("user", part("text", text="secret1")),
        message(
            "assistant",
            part("text", text="secret2"),
            part("tool_call", toolCallId="c", toolName="f", arguments={"a": "secret3"}),
            meta={"isReset": True},
        ),
        message("user", part("text", text="open1")),
    ]
    incoming = read("talk.messages.json", dumped(wires))[0]
    for target in TARGETS:
        assert set(_WORD.findall(visible(write(incoming, target), target))) == {"open1"}


def test_the_prompt_and_the_model_come_along_through_messages() -> None:
    text = message_file([("user", ["seen"] * 5), ("tool", ["seen"] * 5)])
    incoming = opened(text)
    back = again(write(incoming, "messages"), "messages")
    for service in REQUESTS:
        assert write(back, service).text == write(incoming, service).text
    request = json.loads(write(back, "openai").text)
    assert request["model"] == "m"
    assert request["messages"][0] == {"role": "system", "content": "open1"}


def test_a_boot_message_is_written_as_one() -> None:
    text = dumped(
        {
            "agents": [
                {
                    "name": "guide",
                    "path": "./guide",
                    "metadata": {"bootMessage": {"message": "Welcome.", "meta": {}}},
                }
            ]
        }
    )
    written = write(read("agents.json", text)[0], "msgmd").text
    assert re.search(r"\[guide\] .*virtual=1", written)
    assert re.search(r"\[guide\] .*boot=1", written)
    assert shown(read("talk.msg.md", written)[0].conversation) == "[]"


@pytest.mark.parametrize(
    "mark",
    [
        *("virtual=True", "virtual=TRUE", "virtual=yes", "history=NONE", "history=hidden"),
        *("history=exlude", "history=none,", "history=“exclude”", "history=2"),
        *("history:exclude", "virtual: 1", "history＝none", r"history\=none", "x history = 0"),
        *("title=x,history=exclude", "title=x;virtual=1", "history=include,virtual=1"),
        *("'history'=none", '"history": "exclude"', '"virtual": true'),
        *("history=include title=x,history=0", "title=x，history＝none", "title=x,history:0"),
    ],
)
def test_a_mark_that_is_nearly_right_hides_too(mark: str) -> None:
    text = (
        f"# %%% [^a]\n\n[^a]: [bot] {mark}\n\nsecret1\n\n# %% [^q]\n\n[^q]: [markdown]\n\nopen1\n"
    )
    for target in TARGETS:
        assert set(_WORD.findall(visible(write(opened(text), target), target))) == {"open1"}


@pytest.mark.parametrize(
    ("at_home", "after", "seen"),
    [
        ("[^a]: [markdown] history=exclude\n", ["[^a]: [markdown]"], {"open1"}),
        ("", ["[^a]: [markdown] history=exclude", "[^a]: [markdown]"], {"open1"}),
        ("", ["[^a]: [markdown]", "[^a]: [markdown] history=exclude"], {"secret1", "open1"}),
    ],
)
def test_of_two_definitions_the_one_at_home_counts_or_the_first(
    at_home: str, after: list[str], seen: set[str]
) -> None:
    text = f"# %% [^a]\n{at_home}\nsecret1\n\n# %% [^q]\n\n[^q]: [markdown]\n\nopen1\n\n"
    incoming = opened(text + "\n".join(after) + "\n")
    for target in REQUESTS:
        assert set(_WORD.findall(visible(write(incoming, target), target))) == seen


@pytest.mark.parametrize(
    "mark", ["reset=True", 'reset="TRUE"', "reset=yes", "reset = 1", "reset: 1"]
)
def test_a_reset_that_is_nearly_right_resets(mark: str) -> None:
    old = "# %% [^q]\n\n[^q]: [markdown]\n\nsecret1\n\n"
    text = f"{old}# %%% [^a]\n\n[^a]: [bot] {mark}\n\nsecret2\n\n# %% [^r]\n\nopen1\n"
    incoming = opened(text)
    assert incoming.document is not None
    for target in TARGETS:
        assert set(_WORD.findall(visible(write(incoming, target), target))) == {"open1"}
    cells = ModelView(incoming.document, ESTIMATE).cells
    assert [cell.id for cell in cells if cell.sight.is_sent] == ["r"]


@pytest.mark.parametrize(
    "line",
    [
        *("[^a] [markdown] history=none", "[^a]\uff1a[markdown] history=none"),
        *("[^A]: [markdown] history=none", "[^b]: [markdown] virtual=1"),
    ],
)
@pytest.mark.parametrize("header", ["# %% [^a]", "# %%"])
def test_a_definition_at_home_that_is_nearly_right_hides_too(header: str, line: str) -> None:
    if header == "# %%" and not line.startswith(("[^A]:", "[^b]:")):
        # Nothing says then that the line defines a cell.
        return
    incoming = opened(f"{header}\n\n{line}\n\nsecret1\n\n# %% [^q]\n\n[^q]: [markdown]\n\nopen1\n")
    for target in TARGETS:
        assert set(_WORD.findall(visible(write(incoming, target), target))) == {"open1"}


@pytest.mark.parametrize("answer", ["#%%% [^a]\n\n[^a]: [bot]", "# %%% [^a]\n\n[^b]: [bot]"])
def test_calls_of_an_excluded_answer_are_hidden_also_where_its_head_is_wrong(answer: str) -> None:
    call = '# %%% [^a.x]\n\n[^a.x]: [tool] name="f"\n\n<f><q>secret1</q></f>\n\n'
    result = "# %%% [^a.x.1]\n\n[^a.x.1]: [tool] status=success\n\nsecret2\n\n"
    hidden = "# %% [^h]\n\n[^h]: [markdown] history=none\n\nsecret3\n\n"
    shown = "# %% [^q]\n\n[^q]: [markdown]\n\nopen1\n"
    incoming = opened(f"{hidden}{answer} history=exclude\n\n{call}{result}{shown}")
    for target in TARGETS:
        assert set(_WORD.findall(visible(write(incoming, target), target))) == {"open1"}


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_section_does_not_record_is_not_written(target: str) -> None:
    """A message file of its own would record all of it."""
    text = (
        "---\nmessage_section: Talk\n---\n\n# Notes\n\n# %% [^s]\n\n[^s]: [markdown]\n\nsecret1\n\n"
        "# Talk\n\n# %% [^q]\n\n[^q]: [markdown]\n\nopen1\n"
    )
    written = write(read("notes.md", text)[0], target)
    assert "secret1" not in all_of(written)
    assert set(_WORD.findall(visible(written, target))) == {"open1"}
    assert "this cell is outside the section and is not recorded" in [
        loss.what for loss in written.losses
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_two_answers_with_one_id_stay_where_they_stand(target: str) -> None:
    wires = [
        message("user", part("text", text="open1")),
        message("assistant", part("text", text="open2"), meta={"id": "same"}),
        message("user", part("text", text="open3")),
        message("assistant", part("text", text="open4"), meta={"id": "same"}),
    ]
    written = write(read("talk.messages.json", dumped(wires))[0], target)
    found = list(dict.fromkeys(_WORD.findall(visible(written, target))))
    assert found == ["open1", "open2", "open3", "open4"]


# -- transcripts of agents ---------------------------------------------------------------------

TRANSCRIPTS = Path(__file__).parents[1] / "data" / "transcripts"
LEFT = {
    # A branch that was left, and what stood before the conversation was compacted.
    "claude-code/aaaaaaaa-0000-4000-8000-000000000001.jsonl": ("Rewrite it in Rust.", "cart first"),
    # What a sub-agent was told: the call says it, too.
    "claude-code/old.jsonl": ('"content": "Count all files."',),
    "codex/rollout-2026-03-04T09-00-00-019c0000-0000-7000-8000-000000000001.jsonl": (
        "Delete everything.",
        "Which tests fail?",
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_an_agent_no_longer_sees_is_not_sent(name: str) -> None:
    path = TRANSCRIPTS / name
    text = path.read_text("utf-8")
    assert all(left in text for left in LEFT[name])
    incoming = read(path.name, text)[0]
    for target in TARGETS:
        written = write(incoming, target)
        shown_text = visible(written, target)
        assert not [left for left in LEFT[name] if left in shown_text]


def test_a_transcript_as_a_message_file_has_no_problem() -> None:
    for path in sorted(TRANSCRIPTS.rglob("*.json*")):
        if path.parent.parent == TRANSCRIPTS:
            written = write(read(path.name, path.read_text("utf-8"))[0], "msgmd").text
            assert check_text(written, path="talk.msg.md") == []
