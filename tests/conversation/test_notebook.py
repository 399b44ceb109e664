"""Notebooks: written so that Jupyter reads them, and read back as they were."""

import json
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.api import check_text
from msgls.conversation.sources import read
from msgls.conversation.targets import write
from tests.conversation.corpus import CORPUS, NOTEBOOK, PIXEL, dumped, message, part
from tests.conversation.notebooks import canonical, differences, joined


def check(text: str) -> None:
    notebook = nbformat.reads(text, nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)


def there(notebook: dict[str, Any]) -> str:
    return write(read("a.ipynb", json.dumps(notebook))[0], "msgmd").text


def back(text: str) -> dict[str, Any]:
    written = write(read("a.msg.md", text)[0], "notebook", everything=True).text
    check(written)
    found: dict[str, Any] = json.loads(written)
    return found


def test_a_notebook_comes_back_with_counts_outputs_and_metadata() -> None:
    found = back(there(NOTEBOOK))
    wanted = json.loads(json.dumps(NOTEBOOK))
    wanted["cells"][2]["id"] = "c1"
    told = [(each.cell, each.where, each.kind) for each in differences(wanted, found)]
    assert told == [(1, "outputs.4", "colours")]


@pytest.mark.parametrize("name", CORPUS)
def test_every_kind_of_source_becomes_a_valid_notebook(name: str) -> None:
    written = write(read(*CORPUS[name])[0], "notebook").text
    check(written)


RUNS = f"""\
---
agents:
  Ada:
    models: [m]
jupyter:
  kernelspec:
    display_name: Python 3
    name: python3
---

# My notes

# %% What is it?[^q1]

[^q1]: [markdown]

What is it?

# %%% [^a1]

[^a1]: [Ada] time="2025-05-30T09:30:00+08:00" history=exclude

A number.

# %% [^你好]

[^你好]: [code]

First the sum:

```python
print("a", end="")
6 * 7
```

# %%% [^你好.6]

[^你好.6]: [python] time="2025-05-30T09:30:01+08:00" status="failure" duration=12ms \
execution_count=1 newline=0

stdout> a  b
stdout>
stderr> c

# %%% [^你好.6.2]

[^你好.6.2]: [python] status="success" output="result"

stdout> 42

# %%% [^你好.6.3]

[^你好.6.3]: [python] status="success" mime_type="image/png" alt="<Figure>" history=exclude

{PIXEL}

# %%% [^你好.6.4]

[^你好.6.4]: [python] status="failure" output="error"

stderr> Traceback (most recent call last)
stderr> ValueError: no

# %% [^c2]

[^c2]: [code]

```bash
true
```

# %%% [^c2.2]

[^c2.2]: [bash] time="2025-05-30T09:30:02+08:00" status="success" duration=1ms
"""


def test_a_message_file_comes_back_as_it_was() -> None:
    notebook = back(RUNS)
    assert [cell["cell_type"] for cell in notebook["cells"]] == ["markdown"] * 2 + ["code"] * 2
    assert [cell.get("execution_count") for cell in notebook["cells"]] == [None, None, 1, 2]
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    code = notebook["cells"][2]
    assert joined(code["source"]) == 'print("a", end="")\n6 * 7'
    assert [output["output_type"] for output in code["outputs"]] == [
        "stream", "stream", "execute_result", "display_data", "error",
    ]  # fmt: skip
    assert code["outputs"][1]["text"] == ["c"]
    assert code["outputs"][4]["ename"] == "ValueError"
    assert notebook["cells"][3]["metadata"]["vscode"]["languageId"] == "bash"
    assert there(notebook) == RUNS


def test_runs_of_a_notebook_that_jupyter_ran_again_have_no_old_times() -> None:
    notebook = back(RUNS)
    notebook["cells"][2]["execution_count"] = 9
    text = there(notebook)
    assert "[^你好.9]: [python] status=" in text
    assert "12ms" not in text


def test_only_the_last_run_is_kept_and_that_is_said() -> None:
    twice = RUNS + '\n# %%% [^c2.3]\n\n[^c2.3]: [bash] status="success"\n\nstdout> x\n'
    written = write(read("a.msg.md", twice)[0], "notebook", everything=True)
    assert [loss.what for loss in written.losses] == [
        "the message `a1` is visible now, though the model does not see it: history=exclude",
        "the message `你好.6.3` is visible now, though the model does not see it: history=exclude",
        "the run `c2.2` is not kept, only the last one",
    ]


def test_only_what_the_model_sees_is_written_and_the_rest_is_named() -> None:
    incoming = read("a.msg.md", RUNS)[0]
    written = write(incoming, "notebook")
    check(written.text)
    assert [loss.what for loss in written.losses] == [
        "the message `a1` is not written, because the model does not see it: history=exclude",
        "the message `你好.6.3` is not written, because the model does not see it: history=exclude",
        "not written, because the model does not see it: the frontmatter, the preamble",
        "not written, because the model does not see it: prose beside code",
    ]
    notebook = json.loads(written.text)
    assert notebook["metadata"] == {"kernelspec": {"display_name": "Python 3", "name": "python3"}}
    assert [cell["cell_type"] for cell in notebook["cells"]] == ["markdown", "code", "code"]
    kinds = [output["output_type"] for output in notebook["cells"][1]["outputs"]]
    assert kinds == ["stream", "stream", "execute_result", "error"]
    hidden = ("A number.", PIXEL, "My notes", "Ada", "First the sum")
    assert not [word for word in hidden if word in written.text]


def test_agents_of_messages_in_json_are_not_written_either() -> None:
    agents = [{"name": "other", "systemPrompt": "A secret"}]
    wires = [message("user", part("text", text="Hi"), meta={"agents": agents})]
    incoming = read("a.messages.json", dumped(wires))[0]
    written = write(incoming, "notebook")
    assert "A secret" not in written.text
    told = [loss.what for loss in written.losses]
    assert "not written, because the model does not see it: the agents" in told
    assert "A secret" in write(incoming, "notebook", everything=True).text


def test_of_an_output_with_a_summary_only_that_is_shown() -> None:
    hidden = 'alt="<Figure>" history=exclude'
    text = RUNS.replace(hidden, 'alt="<Secret>" history=summary summary="A chart"')
    written = write(read("a.msg.md", text)[0], "notebook").text
    check(written)
    outputs = json.loads(written)["cells"][1]["outputs"]
    assert outputs[3] == {"output_type": "stream", "name": "stdout", "text": ["A chart\n"]}
    assert not [word for word in ("Secret", PIXEL) if word in written]


def test_attachments_stay_attached() -> None:
    cell = {
        "cell_type": "markdown",
        "id": "a",
        "metadata": {},
        "source": "See:\n\n![it](attachment:plot.png)",
        "attachments": {"plot.png": {"image/png": PIXEL}},
    }
    notebook = {**NOTEBOOK, "cells": [cell]}
    assert canonical(back(there(notebook))) == notebook


def shows(*outputs: dict[str, Any], count: int | None = 3) -> dict[str, Any]:
    """A code cell with these outputs."""
    about = {"cell_type": "code", "id": "a", "metadata": {}, "source": "f()"}
    return {**about, "execution_count": count, "outputs": [*outputs]}


def data(kind: str = "display_data", **more: Any) -> dict[str, Any]:
    counted = {"execution_count": 3} if kind == "execute_result" else {}
    return {"output_type": kind, "metadata": {}, **counted, **more}


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def markdown(source: str, kind: str = "markdown", **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "id": "a", "metadata": {}, "source": source, **more}


COMES_BACK = {
    "blank lines around": markdown("\n\n  # Title\n\nText.  \n \n"),
    "nothing but blanks": markdown("\n \n"),
    "images in a text": markdown("A:\n![a](b.png)\n\n\n![](c.png) \nB\n"),
    "an image alone": markdown("\n![a](b.png)"),
    "a raw cell with an image": markdown("a\n\n![a](b.png)\n", "raw"),
    "an attachment in SVG": markdown(
        "![](attachment:a.svg)\n", attachments={"a.svg": {"image/svg+xml": "PHN2Zy8+"}}
    ),
    "HTML with blanks": shows(data(data={"text/html": "\n\n  <b>\n", "text/plain": "<HTML>"})),
    "JavaScript, which is text": shows(data(data={"application/javascript": "alert(1)\n"})),
    "JSON that is a text or lists": shows(
        data(data={"application/json": "1"}), data(data={"application/x+json": ["a", "b"]})
    ),
    "a type that is none": shows(
        data(data={"application/papermill.record/text/plain": "'a'", "unknown": "b"})
    ),
    "a picture that is none": shows(data(data={"image/png": "<script>"})),
    "the count 0": shows(data(data={"text/html": "<b>"}), count=0),
    "a result with another count": shows(
        data("execute_result", data={"text/plain": "1"}, execution_count=2)
    ),
    "a progress bar in pieces": shows(stream("a"), stream("b\n")),
}


@pytest.mark.parametrize("name", COMES_BACK)
def test_what_was_found_in_real_notebooks_comes_back(name: str) -> None:
    notebook = {**NOTEBOOK, "cells": [COMES_BACK[name]]}
    incoming = read("a.ipynb", json.dumps(notebook))[0]
    written = write(incoming, "msgmd")
    assert not written.losses
    assert not [e for e in check_text(written.text, path="a.msg.md") if e.code.startswith("MSG2")]
    assert [*differences(notebook, back(written.text))] == []


def test_of_cells_with_one_id_the_first_keeps_it() -> None:
    cells = [markdown("a"), markdown("b"), {**shows(), "id": "c1"}]
    written = write(read("a.ipynb", json.dumps({**NOTEBOOK, "cells": cells}))[0], "msgmd")
    assert [e.code for e in check_text(written.text, path="a.msg.md")] == []
    assert [cell["id"] for cell in back(written.text)["cells"]] == ["a", "c2", "c1"]


NAMED = {
    "what was written over": (
        shows(stream("\r10%"), stream("\r20%\n")),
        "not kept: colours, and text that was overwritten",
    ),
    "nothing but a return": (
        shows(stream("\r"), data(data={"text/html": "a"})),
        "not kept: colours, and text that was overwritten",
    ),
    "colours of a text": (
        shows(data(data={"text/plain": "\x1b[1mtrue"})),
        "the colours of a text are not kept",
    ),
    "carriage returns of a text": (
        shows(data(data={"text/plain": "1\r\n2"})),
        "the carriage returns of a text are not kept",
    ),
    "carriage returns of a traceback": (
        shows(data("error", ename="E", evalue="x", traceback=["a\r\nE: x"])),
        "the carriage returns of a traceback are not kept",
    ),
    "a third stream": (shows(stream("a\n", "stdin")), "the stream `stdin` is written as output"),
    "an attachment of two types": (
        markdown("a", attachments={"a": {"image/png": PIXEL, "image/svg+xml": "PHN2Zy8+"}}),
        "only the image/png of the attachment `a` is kept",
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_what_cannot_come_back_is_named(name: str) -> None:
    cell, what = NAMED[name]
    cell = {key: value for key, value in cell.items() if key != "metadata"} | {"metadata": {}}
    written = write(read("a.ipynb", json.dumps({**NOTEBOOK, "cells": [cell]}))[0], "msgmd")
    assert {loss.what for loss in written.losses} == {what}
    assert [*differences({**NOTEBOOK, "cells": [cell]}, back(written.text))]


@pytest.mark.parametrize(
    "metadata",
    [{}, {"language_info": {"name": ""}}, {"kernelspec": {"name": "ir", "display_name": ""}}],
)
@pytest.mark.parametrize("everything", [False, True])
def test_metadata_come_back_whatever_they_say(metadata: dict[str, Any], everything: bool) -> None:
    notebook = {**NOTEBOOK, "metadata": metadata, "cells": [shows()]}
    text = there(notebook)
    written = write(read("a.msg.md", text)[0], "notebook", everything=everything).text
    check(written)
    assert json.loads(written)["metadata"] == metadata


OLD = {
    "nbformat": 3,
    "nbformat_minor": 0,
    "metadata": {"name": "old", "language": "Julia", "signature": "sha256:0"},
    "worksheets": [
        {
            "metadata": {},
            "cells": [
                {"cell_type": "heading", "level": 2, "metadata": {}, "source": "Two\nlines"},
                {"cell_type": "html", "metadata": {}, "source": "<b>"},
                {
                    "cell_type": "code",
                    "collapsed": True,
                    "language": "python",
                    "metadata": {},
                    "prompt_number": 4,
                    "input": ["1\n", "2"],
                    "outputs": [
                        {"output_type": "stream", "stream": "stderr", "text": "a\n"},
                        {
                            "output_type": "pyout",
                            "prompt_number": 4,
                            "metadata": {"png": {"width": 1}},
                            "text": "2",
                            "png": PIXEL,
                        },
                        {"output_type": "display_data", "metadata": {}, "json": "[1]"},
                        {
                            "output_type": "pyerr",
                            "ename": "E",
                            "evalue": "x",
                            "traceback": ["T", "E: x"],
                        },
                    ],
                },
            ],
        }
    ],
}


def test_a_notebook_of_nbformat_3_is_read_as_jupyter_reads_it() -> None:
    written = write(read("a.ipynb", json.dumps(OLD))[0], "msgmd")
    assert not written.losses
    assert "```Julia\n1\n2\n```" in written.text
    wanted = json.loads(json.dumps(nbformat.reads(json.dumps(OLD), 4)))  # type: ignore[no-untyped-call]
    found = back(written.text)
    for cell, other in zip(wanted["cells"], found["cells"], strict=True):
        # It had none.
        cell["id"] = other["id"]
    assert [*differences(wanted, found)] == []


def test_streams_that_say_nothing_are_named_and_what_shows_nothing_is_kept() -> None:
    nothing: list[dict[str, Any]] = [
        {"output_type": "stream", "name": "stdout", "text": []},
        {"output_type": "display_data", "data": {}, "metadata": {}},
        {"output_type": "execute_result", "data": {}, "metadata": {}, "execution_count": 1},
    ]
    some = {"output_type": "stream", "name": "stdout", "text": "a\n"}
    cell = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": "f()",
        "execution_count": 1,
        "outputs": [*nothing, some],
    }
    source = json.dumps({**NOTEBOOK, "cells": [cell]}, indent=1)
    written = write(read("a.ipynb", source)[0], "msgmd")
    assert 'output="display"\n\n# %%% [^a.1.2]' in written.text
    told = [loss.what for loss in written.losses]
    assert told == ["an empty output was left out"]
    found = back(written.text)["cells"][0]["outputs"]
    assert [each["output_type"] for each in found] == ["display_data", "execute_result", "stream"]
    assert [each.get("data") for each in found] == [{}, {}, None]


@pytest.mark.parametrize(
    ("metadata", "wanted", "told"),
    [
        (
            {"kernelspec": {"display_name": "Julia", "language": "julia"}, "x": 1},
            {"x": 1, "language_info": {"name": "julia"}},
            ["`kernelspec` is not kept: it has no `name`"],
        ),
        (
            {"kernelspec": {"name": "ir"}, "language_info": {"version": "4"}},
            {"kernelspec": {"name": "ir", "display_name": "ir"}},
            ["`language_info` is not kept: it has no `name`"],
        ),
    ],
)
def test_metadata_that_jupyter_rejects_are_named(
    metadata: dict[str, Any], wanted: dict[str, Any], told: list[str]
) -> None:
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "Hi"}
    text = there({**NOTEBOOK, "metadata": metadata, "cells": [cell]})
    written = write(read("a.msg.md", text)[0], "notebook")
    check(written.text)
    assert json.loads(written.text)["metadata"] == wanted
    assert [loss.what for loss in written.losses] == told


# -- any notebook -----------------------------------------------------------------------------

# An open fence is closed, and that is told.
WORDS = st.text(st.sampled_from("ab1 \n#%`>[]^:\\<&\"'é你\t"), max_size=12).filter(
    lambda text: "```" not in text
)
LINE = st.text(st.sampled_from("ab1 #%`>[]^:\\<&\"'é你\t"), min_size=1, max_size=8)
IMAGES = ["![a](b.png)", "![](<b c.png>) ", "", " ", "a"]
SOURCE = WORDS | st.lists(st.sampled_from(IMAGES), max_size=5).map("\n".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)
METADATA = st.dictionaries(st.sampled_from(["x y", "é", "z"]), VALUES, max_size=2)
DATA = st.fixed_dictionaries(
    {},
    optional={
        "text/plain": WORDS,
        "text/html": WORDS,
        "application/javascript": WORDS,
        "image/png": st.just(PIXEL),
        "application/json": VALUES,
        "application/vnd.x+json": VALUES,
    },
).filter(bool)
ENDS = st.sampled_from(["", "\n", "\n\n"])
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINE, min_size=1), ENDS)
OUTPUTS = st.lists(
    st.one_of(
        st.builds(
            lambda name, text: {"output_type": "stream", "name": name, "text": text},
            st.sampled_from(["stdout", "stderr"]),
            TEXT,
        ),
        st.builds(
            lambda data, metadata: {
                "output_type": "display_data",
                "data": data,
                "metadata": metadata,
            },
            DATA,
            METADATA,
        ),
        st.builds(
            lambda name, value, lines: {
                "output_type": "error",
                "ename": name,
                "evalue": value,
                "traceback": lines,
            },
            SOURCE,
            WORDS,
            st.lists(LINE, min_size=1, max_size=3),
        ),
    ),
    max_size=4,
)
CELLS = st.one_of(
    st.builds(
        lambda kind, source, metadata: {"cell_type": kind, "source": source, "metadata": metadata},
        st.sampled_from(["markdown", "raw"]),
        SOURCE,
        METADATA,
    ),
    st.builds(
        lambda source, metadata, count, outputs: {
            "cell_type": "code",
            "source": source,
            "metadata": metadata,
            "execution_count": count,
            "outputs": outputs,
        },
        WORDS,
        METADATA,
        st.none() | st.integers(1, 9),
        OUTPUTS,
    ),
)


@given(st.lists(CELLS, min_size=1, max_size=4), METADATA)
def test_any_notebook_comes_back(cells: list[dict[str, Any]], metadata: dict[str, Any]) -> None:
    for number, cell in enumerate(cells):
        cell["id"] = f"n{number}"
    info = {"language_info": {"name": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata | info, "cells": cells}
    assert canonical(back(there(notebook))) == canonical(notebook), dumped(notebook)
