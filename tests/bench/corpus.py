"""Files of any size for the benchmarks: the same text for the same size, every run.

Questions are short, answers and tool results long, as in real transcripts: a cell has
about 850 characters on average, every second answer calls a tool, every fifth turn runs code.
"""

from __future__ import annotations

import random

_WORDS = (  # noqa: SIM905 - a list literal would be forty lines
    "model answer context window parser cell marker footnote nonce tool result history message "
    "editor server client token budget outline folding hover rename agent frontmatter section "
    "the a of and to in that it is for on with as by from which this be or an at not are"
).split()
_CJK = "消息文件记录对话历史代理工具调用结果代码执行输出标题元数据脚注定义内容"

FRONTMATTER = (
    "---\nagents:\n  gpt:\n    models: [gpt-large]\n    context_window: 200000000\n"
    "  claude:\n    models: [claude-large]\ndefault_agent: gpt\n---\n\nA conversation.\n\n"
)


def _paragraph(source: random.Random) -> str:
    lines = []
    for _ in range(source.randint(1, 5)):
        words = source.choices(_WORDS, k=source.randint(6, 14))
        if source.random() < 0.1:
            words.append("".join(source.choices(_CJK, k=8)))
        if source.random() < 0.05:
            words.append("😀")
        if source.random() < 0.1:
            words.append("`code()`")
        lines.append(" ".join(words) + ".")
    return "\n".join(lines) + "\n\n"


def _body(source: random.Random) -> str:
    pieces = [_paragraph(source) for _ in range(source.randint(3, 12))]
    if source.random() < 0.4:
        pieces.insert(1, "## " + source.choice(_WORDS).title() + "\n\n")
    if source.random() < 0.4:
        code = "".join(f"    value_{n} = compute({n})  # %% no cell\n" for n in range(6))
        pieces.append(f"```python\ndef run():\n{code}```\n\n")
    if source.random() < 0.5:
        pieces.append(_list(source))
    if source.random() < 0.15:
        rows = "".join(f"| {word} | `{word}()` | {len(word)} |\n" for word in _WORDS[:6])
        pieces.append(f"| name | call | length |\n|---|---|---|\n{rows}\n")
    if source.random() < 0.1:
        pieces.append(f"> {_sentence(source)}\n\n")
    return "".join(pieces)


def _list(source: random.Random) -> str:
    """A list as models write them: bold heads, some numbers, some nesting."""
    lines = []
    for number in range(1, source.randint(4, 8)):
        mark = f"{number}." if source.random() < 0.4 else "-"
        lines.append(f"{mark} **{source.choice(_WORDS)}**: {_sentence(source)}\n")
        if source.random() < 0.3:
            lines.append(f"   - {_sentence(source)}\n")
    return "".join(lines) + "\n"


def _sentence(source: random.Random) -> str:
    words = source.choices(_WORDS, k=source.randint(5, 12))
    if source.random() < 0.15:
        words.append(f"[{words[0]}](docs/{words[1]}.md)")
    if source.random() < 0.2:
        words[2] = f"*{words[2]}*"
    return " ".join(words) + "."


def _turn(source: random.Random, number: int) -> str:
    """A question, its answer, and now and then a tool call with its result or a run of code."""
    time = f"2025-05-30T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}+08:00"
    text = f"# %% Question {number}[^q{number}]\n\n[^q{number}]: [markdown]\n\n{_paragraph(source)}"
    agent = source.choice(("gpt", "claude"))
    text += f'# %%% Answer[^a{number}]\n\n[^a{number}]: [{agent}] time="{time}"\n\n{_body(source)}'
    if source.random() < 0.5:
        call = f"a{number}.{number:08x}"
        text += f'## %%% Read[^{call}]\n\n[^{call}]: [tool] name="read_file"\n\n'
        text += "<read_file>\n  <path>server/main.py</path>\n</read_file>\n\n"
        text += f'## %%% Read, done[^{call}.1]\n\n[^{call}.1]: [tool] status="success" '
        text += f"duration=0.5s\n\n{_body(source)}"
    if source.random() < 0.2:
        text += (
            f"# %% Code[^c{number}]\n\n[^c{number}]: [code]\n\n```python\nprint({number})\n```\n\n"
        )
        text += f'# %%% Out[^c{number}.1]\n\n[^c{number}.1]: [python] status="success"\n\n'
        text += f"stdout> {number}\n\n"
    return text


def message_file(size: int) -> str:
    """A message file of about ``size`` characters, without a problem in it."""
    source = random.Random(20250530)
    pieces = [FRONTMATTER]
    length = len(FRONTMATTER)
    number = 0
    while length < size:
        number += 1
        pieces.append(_turn(source, number))
        length += len(pieces[-1])
    return "".join(pieces)


def one_cell(size: int) -> str:
    """A file whose only cell has about ``size`` characters."""
    source = random.Random(7)
    pieces = ["# %%% All of it[^a1]\n\n[^a1]: [gpt]\n\n"]
    length = 0
    while length < size:
        pieces.append(_body(source))
        length += len(pieces[-1])
    return "".join(pieces)


def simple_text_file(size: int) -> str:
    """A Simple Text Format file of about ``size`` characters, without a problem in it."""
    source = random.Random(20250530)
    pieces: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        before = len(pieces)
        pieces.append(f"@user id=q{number}\n{_paragraph(source)}@ai id=a{number}\n{_body(source)}")
        if source.random() < 0.5:
            pieces.append(f"@call id=c{number}\nread_file {{path: 'server/main.py'}}\n")
            pieces.append(f"@tool call_id=c{number}\n@# read again\n{_body(source)}")
        if source.random() < 0.1:
            pieces.append("@raw\n{role: 'user', content: 'And then?'}\n@end\n")
        length += sum(map(len, pieces[before:]))
    return "".join(pieces)
