"""All rules together on what people and models really write: ordinary Markdown draws nothing.

Whatever is expected anyway is said in the tables, by its code.
"""

from collections.abc import Iterable

import pytest

from msgls.document.document import Document
from msgls.rules.base import Rule
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from tests.notation import each
from tests.rules.support import absolute, message
from tests.snapshots import snapshot_of

FRONTMATTER = "---\nagents:\n  gpt: {models: [gpt-4o]}\n---\n\n"
QUESTION = "# %% A question[^q1]\n\n[^q1]: [markdown]\n\n"
ANSWER = '# %%% An answer[^a1]\n\n[^a1]: [gpt] time="2025-05-30T00:00:00+08:00"\n\n'
THANKS = "\n\n# %% Thanks[^q2]\n\n[^q2]: [markdown]\n\nThat helps.\n"

CONTENTS = {
    "footnotes": """\
As Rayleigh says[^1], and others after him[^note].[^2] So it is[^sic].

[^1]: Rayleigh, 1871.
[^note]: A [link](https://example.org/a_(b)) first, `code` then.
[^2]: [The title](https://example.org/page?a=1&b=2), seen yesterday.
[^sic]: [sic] he wrote it so.

    And the note goes on here.
""",
    "footnotes named like words": """\
One[^first-note], two[^2nd], three[^日本].

[^first-note]: [Title](https://example.org)
[^2nd]: Text = more text
[^日本]: 脚注です。
""",
    "headings of every level": """\
# One

## Two ##

### Three

#### Four

##### Five

###### Six

#

Setext one
==========

Setext two
----------

# 50%% of all
#hashtag, #1 of all
""",
    "seven signs below a line": "A heading\n=======\n\nText.\n\nAnother\n-------\n\nText.\n",
    "lines across": "Above.\n\n---\n\n***\n\n___\n\n- - -\n\nBelow.\n",
    "tables": """\
| a | b |
|---|:-:|
| `x` | 1 \\| 2 |
| [^1] in a cell | - |

[^1]: A note to the table.
""",
    "html": """\
<details>
<summary>More</summary>

<p align="center"><img src="a.png" alt="x"/></p>

</details>

<!-- a comment
through two lines -->
""",
    "math": """\
$$
\\sum_{i=1}^{n} x_i^2 = \\left[ \\frac{a}{b} \\right]
$$

Inline $a_1 < b^{2}$ and \\(x\\), \\[y\\], 100 % and 50%% of it.
""",
    "code with cells of its own": """\
```python
# %% Load
import pandas as pd

# %%% Deep
#%% sloppy
print("# %% not a cell")
```

~~~text
```
# %% still inside
~~~

    # %% indented code
    [^x]: [tool] name="indented"
""",
    "this format, quoted": """\
````markdown
---
agents: {broken: [
---

# %% Hello[^q1]

[^q1]: [markdwn] histroy=exclude

# %%% Call[^a1.9f3d]

[^a1.9f3d]: [tool]

```xml
<unclosed>
```

# %%% Answer[^a1]

[^a1]: [nobody] time="yesterday"
````
""",
    "a longer fence around a shorter one": "````\n```\n# %% x\n```\n````\n\nDone.\n",
    "a merge, quoted": "```diff\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n```\n",
    "quotes": """\
> # %% A quote of a marker
> [^q9]: [tool] name="x"
>
> > Deeper.
>>>>>>> Deepest.

> ```
> # %% in a quoted fence
> ```
""",
    "lists": """\
- [ ] open
- [x] done
  - nested [link][ref]
    1. deeper

1. First:

   ```python
   # %% in a list
   x = 1
   ```

2. Second:
   - ```sh
     # %% at once
     echo hi
     ```

10) Tenth

* star
+ plus

[ref]: https://example.org "Title"
""",
    "inline code": """\
Write `# %% title[^id]` and `[^id]: [type]`, or a class like `[^a-z]`.
A ``literal ` tick [^x]`` too. `[^/]+` matches.
""",
    "links and images": """\
[a](https://example.org) ![b](c.png "d") <https://example.org/x>
[1]: https://example.org
![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4)
""",
    "escapes": "\\# %% not a cell\n\n\\## %%% nor this\n\n\\[^q9]: [tool] not a definition\n",
    "yaml in the text": "---\nkey: value\nlist: [1, 2\n---\n\ndefault_agent: nobody\n",
    "xml and json": '<invoke name="x"><a>1</b></invoke>\n\n{"agents": [}, "history": "none"}\n',
    "what programs print": "stdout> a\nstderr> b\nTraceback (most recent call last):\n  File x\n",
    "what mermaid and latex comment": "%% a comment\n%%% another\n100%% sure\n",
    "words like attributes": 'history=none virtual=1 reset=1 status="maybe" time=now\n',
    "keys that are none": """\
Set `OPENAI_API_KEY=sk-...` or `sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`, a risk-free thing.
curl -H "Authorization: Bearer $TOKEN" -H "Authorization: Bearer <token>"
""",
    "dialogue": "# User\n\nHello\n\n# Assistant\n\nHi! How can I help?\n\n## System\n\nx\n",
    "scripts and signs": "猫🙂 عربى ½ … “quoted” — dash\n\n\u2028 \u0085 \x0c \x0b end\n",
    "only blank lines": "\n \n\t\n\n",
    "a suppression": "<!-- msgls: ignore MSG302 -->\n\nText.\n",
    "a fence that its list item ends": "- ```\n  code\n\nText after the list.\n",
}

# What is told anyway, and rightly so.
EXPECTED = {
    "a reference to nothing": ("See [^nowhere] for more.\n", ["MSG105"]),
    "a power in the prose": ("x[^2] is a square.\n", ["MSG105"]),
}

CONVERSATION = """\
---
agents:
  gpt:
    models: [gpt-4o]
    context_window: 128000
    max_output_tokens: 4000
    system_prompt: |
      Be brief.
default_agent: gpt
title: anything # goes
---

# About this file

Any Markdown.[^p] And a footnote.

[^p]: [Paper](https://example.org)

# %% Rules[^s1]

[^s1]: [markdown] role=system

Be kind.

# %% A critic[^t1]

[^t1]: [markdown] definition="agent" name="critic"

---
models: [o3]
temperature: 1
---

Finds what is wrong.

# %% Count the files[^q1]

[^q1]: [markdown]

How many are there?

## %%% Thinking[^a0]

[^a0]: [gpt] time="2025-05-30T00:00:00+08:00" reasoning=1

I should look.

## %%% I look[^a1]

[^a1]: [gpt] time="2025-05-30T00:00:01+08:00"

Let me see.

### %%% List[^a1.9f3c81d0]

[^a1.9f3c81d0]: [tool] name="list_files"

```xml
<list_files><path>.</path></list_files>
```

### %%% Listed[^a1.9f3c81d0.1]

[^a1.9f3c81d0.1]: [tool] status="success" duration=0.5s

a.py
# b.py
[^x] c.py

# %% Run it[^c1]

[^c1]: [code]

This counts:

```python
# %% inside
print(3)
```

# %%% Out[^c1.1]

[^c1.1]: [python] time="2025-05-30T00:00:02+08:00" status="success" duration=10ms

stdout> 3
stderr> a warning

# %%% A picture[^c1.2]

[^c1.2]: [python] status="success" mime_type="image/png"

iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4
//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==

# %%% The critic[^a2]

[^a2]: [critic] time="2025-05-30T00:00:03+08:00" history=summary summary="All is well."

All is well, see above.

# %%% By a model's name[^a3]

[^a3]: [gpt-4o] time="2025-05-30T00:00:04Z"

Three.

# %% Thanks

No id, no definition.
"""


def drawn(path: str, source: str, rules: Iterable[Rule] = RULES) -> list[tuple[str, str, str]]:
    """What all rules find: code, the text that it stands on, and the message."""

    def fail(rule: Rule, error: Exception) -> None:
        raise AssertionError(f"{rule.code} raised") from error

    document = Document.open(path, source)
    problems = Checker(snapshot_of(document), list(rules), on_rule_error=fail).problems()
    return [(p.code, absolute(document, p).of(source), message(p)) for p in problems]


@each("shape", ["\n", "\r\n", "\r", "bom"])
@pytest.mark.parametrize("name", CONTENTS)
def test_ordinary_markdown_in_an_answer_draws_nothing(name: str, shape: str) -> None:
    content = CONTENTS[name]
    source = FRONTMATTER + QUESTION + "How?\n\n" + ANSWER + content + THANKS
    source = "\ufeff" + source if shape == "bom" else source.replace("\n", shape)
    assert drawn("chat.msg.md", source) == []


@pytest.mark.parametrize("name", CONTENTS)
def test_nor_in_a_message_or_a_raw_one(name: str) -> None:
    content = CONTENTS[name]
    for kind in ("markdown", "raw"):
        source = FRONTMATTER + QUESTION.replace("[markdown]", f"[{kind}]") + content + THANKS
        # Where there is only a title, the model sees nothing.
        codes = [] if content.strip(" \t\r\n") else ["MSG604"]
        assert [code for code, _, _ in drawn("chat.msg.md", source)] == codes


@pytest.mark.parametrize("name", CONTENTS)
def test_nor_in_a_preamble_or_in_the_text_above_a_section(name: str) -> None:
    content = CONTENTS[name]
    source = FRONTMATTER + content + "\n\n" + QUESTION + "How?\n"
    assert drawn("chat.msg.md", source) == []
    head = FRONTMATTER.replace("agents:", "message_section: The record\nagents:")
    source = head + content + "\n\n# The record\n\n" + QUESTION + "How?\n"
    assert drawn("notes.md", source) == []


@pytest.mark.parametrize("name", CONTENTS)
def test_nor_in_the_result_of_a_tool(name: str) -> None:
    call = '# %%% C[^a1.9f3c]\n\n[^a1.9f3c]: [tool] name="x"\n\n<x/>\n\n'
    result = '# %%% R[^a1.9f3c.1]\n\n[^a1.9f3c.1]: [tool] status="success"\n\n'
    source = FRONTMATTER + QUESTION + "How?\n\n" + ANSWER + call + result + CONTENTS[name] + THANKS
    assert drawn("chat.msg.md", source) == []


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_told_all_the_same(name: str) -> None:
    content, codes = EXPECTED[name]
    source = FRONTMATTER + QUESTION + "How?\n\n" + ANSWER + content + THANKS
    assert [code for code, _, _ in drawn("chat.msg.md", source)] == codes


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_whole_conversation_draws_nothing_but_hints(newline: str) -> None:
    found = drawn("chat.msg.md", CONVERSATION.replace("\n", newline))
    # A cell that defines an agent is not sent, and one has no id.
    assert [code for code, _, _ in found] == ["MSG603", "MSG107"]


BROKEN = [
    CONVERSATION,
    *CONTENTS.values(),
    "#%% near\n######## %% miss\n# %% A[^a]\n# %% A[^a]\n[^b]: [tool] x=\n```\nopen\n",
    "---\nagents: {a: [\n---\n<<<<<<< a\n=======\n>>>>>>> b\n# %%% R[^a.b.c.d]\n",
    "---\nagents: {a: {temperature: 9}}\ndefault_agent: b\n---\n# %% Q[^q]\n",
    "---\nmessage_section",
    "message_section: true\n",
    "ghp" + "_q7Rk2VbN9xTf4WmZc8Lp3HsJ6dYg1AuEoB5i\n",
]


@pytest.mark.parametrize("path", ["README.md", "notes.MD", "a.txt", "chat.msg", "no-suffix"])
@pytest.mark.parametrize("source", BROKEN, ids=range(len(BROKEN)))
def test_a_file_that_is_not_ours_draws_nothing_whatever_it_holds(path: str, source: str) -> None:
    assert drawn(path, source) == []


def test_the_rules_do_look_at_these_texts() -> None:
    # Else all of the above could not fail.
    for source in BROKEN[-6:-3]:
        assert drawn("chat.msg.md", source) != []
    assert drawn("chat.msg.md", BROKEN[-1]) != []
