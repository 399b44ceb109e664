"""Tool calls on the page: a summary in one line, and edits as differences.

Knows the argument names of the tools of common agents. Other arguments are shown as JSON.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from msgls.conversation.messages import ToolCall
from msgls.conversation.writers.page.differences import Edit, changes, difference
from msgls.conversation.writers.page.elements import Safe, code_block, joined
from msgls.text.lines import shorten

_LONGEST_SUMMARY = 100
# The arguments that summarise a call best, in order of preference.
_SUMMARY_KEYS = (
    "command", "cmd", "pattern", "query", "url", "file_path", "filePath", "absolute_path",
    "notebook_path", "path", "dir_path", "description", "task_name", "subject", "skill", "prompt",
    "message", "input", "patchText", "patch", "code", "text",
)  # fmt: skip
_FILE = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file")
_BEFORE_AND_AFTER = (
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
    ("old_text", "new_text"),
    ("oldText", "newText"),
)
_WRITTEN = ("content", "file_text", "contents")
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "powershell"})
_BLANKS = re.compile(r"\s+")
_BREAK = re.compile(r"\r\n?")
_PATCHED_FILE = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_PATCH = re.compile(r"\s*(?:\*\*\* Begin Patch|diff --git |--- \S.*\n\+\+\+ \S)")


def summary_of(call: ToolCall) -> str:
    """A summary of a call in one line; empty if its arguments have no text."""
    arguments = call.arguments
    if not isinstance(arguments, Mapping):
        return one_line(call.raw_args_text or "")
    for key in _SUMMARY_KEYS:
        text = _words(arguments.get(key))
        files = _PATCHED_FILE.findall(text)
        if text.strip():
            return one_line(", ".join(files) if files else text)
    return one_line(next((text for text in map(_words, arguments.values()) if text.strip()), ""))


def one_line(text: str) -> str:
    """The beginning of a text, on one line."""
    return shorten(_BLANKS.sub(" ", text[: _LONGEST_SUMMARY * 4]).strip(), _LONGEST_SUMMARY)


def _words(value: object) -> str:
    """A text, or the words of a command."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        is_script = len(value) == 3 and value[0] in _SHELLS and value[1] in ("-lc", "-c")
        return str(value[2]) if is_script else " ".join(value)
    return ""


def arguments(call: ToolCall) -> Safe:
    """The arguments of a call: edits as differences, file contents as code, the rest as JSON."""
    given = call.arguments
    if given is None:
        text = call.raw_args_text or ""
        return code_block(text, "xml" if text.lstrip().startswith("<") else "")
    if not isinstance(given, Mapping):
        return code_block(as_json(given), "json")
    shown, blocks = set[str](), list[Safe]()
    path = next((given[key] for key in _FILE if isinstance(given.get(key), str)), "")
    for keys in _BEFORE_AND_AFTER:
        edit = _edit(given, keys, path)
        if edit is not None:
            blocks.append(difference(edit))
            shown.update(keys)
    edits = given.get("edits")
    if isinstance(edits, list):
        found = [_any_edit(one, path) for one in edits]
        if found and all(found):
            blocks += [difference(edit) for edit in found if edit is not None]
            shown.add("edits")
    for key, value in given.items():
        if isinstance(value, str) and _PATCH.match(value):
            blocks.append(changes(_BREAK.sub("\n", value).split("\n"), path))
            shown.add(key)
        elif isinstance(value, str) and path and key in _WRITTEN:
            blocks.append(code_block(value, path.rpartition(".")[2]))
            shown.add(key)
    if blocks:
        # The path is already in the summary.
        shown.update(_FILE)
    rest = {key: value for key, value in given.items() if key not in shown}
    if rest or not blocks:
        blocks.insert(0, code_block(as_json(rest), "json"))
    return joined(blocks)


def _edit(given: Mapping[str, Any], keys: tuple[str, str], path: str) -> Edit | None:
    before, after = given.get(keys[0]), given.get(keys[1])
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    return Edit(path, before, after)


def _any_edit(given: object, path: str) -> Edit | None:
    if not isinstance(given, Mapping):
        return None
    found = [_edit(given, keys, path) for keys in _BEFORE_AND_AFTER]
    return next((edit for edit in found if edit is not None), None)


def as_json(value: Any) -> str:
    """A value as JSON that people can read."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return "… nested too deeply to be shown"
