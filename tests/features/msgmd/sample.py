"""A conversation with one of everything, for tests that ask at many places."""

from msgls.document.document import Document

PATH = "chat.msg.md"

CONVERSATION = """---
default_agent: helper
agents:
  helper:
    models: [gpt-x, "gpt y"]
    context_window: 1000
    system_prompt: Be kind
  "second one":
    reasoning: true
---

Some words.

# %% Question 🦊[^m1]

[^m1]: [markdown] history=exclude

What is `x`, and what is [^note]? See [^a1].

[^note]: An ordinary footnote.

# %%% Answer[^a1]

[^a1]: [helper] time="2025-05-30T09:30:00+08:00" reasoning=1

I will look.

# %%% Look[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file><path>a</path></read_file>

# %%% Looked[^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="success" duration=0.5s

text

# %% Code[^c1]

[^c1]: [code]

```python
# %% not a cell[^m9]
print(1)
```

# %%% Run[^c1.1]

[^c1.1]: [python] status="success"

<!-- msgls: ignore MSG302, MSG405 -->
stdout> 1

# %% Critic[^t1]

[^t1]: [markdown] definition="agent" name="critic"

---
models: [gpt-z]
---

You are a critic.

# %%% Verdict[^a2]

[^a2]: [critic]

Fine.
"""


def opened(text: str = CONVERSATION, path: str = PATH) -> Document:
    """A document of that text."""
    return Document.open(path, text)
