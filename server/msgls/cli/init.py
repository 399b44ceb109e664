"""``msgls init``: write a configuration, and keep other Markdown tools away.

Other tools break message files: they re-level ``# %%``, escape footnotes and sweep
them to the end. ``--protect`` writes the entries that make them ignore our files.
``--merge-driver`` lets git merge message files by cell.

Comments in the written files are in English, because the files are shared with others.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgls.cli.exits import FOUND, OK, UsageProblem, note, problems_of
from msgls.cli.speaking import said
from msgls.formats.json5 import elements, members, parse
from msgls.host.discovery import OWN_FILE
from msgls.host.files import read_text, write_new
from msgls.host.folders import put_text
from msgls.host.processes import program
from msgls.rules.settings import OPTIONS, SettingsError, toml_table
from msgls.text.lines import line_bounds, newline_of
from msgls.text.phrases import Phrase, about
from msgls.text.spans import Edit, Span, apply_edits

PATTERN = "*.msg.md"
ANYWHERE = f"**/{PATTERN}"
ATTRIBUTES = f"{PATTERN} merge=msgls"

_CLI2_OTHERS = (".markdownlint-cli2.yaml", ".markdownlint-cli2.cjs", ".markdownlint-cli2.mjs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    folder = Phrase("a folder; default: the current folder")
    add("folder", nargs="?", default=".", metavar="PATH", help=folder)
    protect = Phrase("make rumdl, markdownlint, mdformat and Prettier ignore message files")
    add("--protect", action="store_true", help=protect)
    driver = Phrase("set up git to merge message files by cell in this repository")
    add("--merge-driver", action="store_true", help=driver)


def run(options: argparse.Namespace) -> int:
    """Write what is missing; existing settings are kept."""
    folder = Path(options.folder)
    if not folder.is_dir():
        raise UsageProblem(about(options.folder, Phrase("this is not a folder")))
    by_hand: list[Phrase] = []
    with problems_of(options.folder):
        if options.protect:
            _protect(folder, by_hand)
        if options.merge_driver:
            _drive_merges(folder, by_hand)
        if not options.protect and not options.merge_driver:
            _configure(folder)
    for advice in by_hand:
        note(advice)
    return FOUND if by_hand else OK


def _configure(folder: Path) -> None:
    path = folder / OWN_FILE
    if path.exists():
        _report(path, Phrase("already exists"))
        return
    write_new(path, default_configuration())
    _report(path, Phrase("written"))


def _report(path: Path, what: Phrase) -> None:
    print(said(about(path, what)))


def default_configuration() -> str:
    """Every setting with its default, as comments."""
    lines = ["# Settings of msgls. What is commented out is the default.", ""]
    table = ""
    for option in sorted(OPTIONS, key=lambda option: "." in option.key):
        above, _, name = option.key.rpartition(".")
        if above != table:
            lines += [f"[{above}]"]
            table = above
        lines += [f"# {option.description}", f"# {name} = {_toml(option.default)}", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return "{}" if isinstance(value, dict) else f'"{value}"'


# -- git --------------------------------------------------------------------------------------


def _drive_merges(folder: Path, by_hand: list[Phrase]) -> None:
    """Write ``.gitattributes``, and the merge driver into the configuration of the repository.

    The first is shared with everybody. Without the second, git merges line by line as before.
    """
    path = folder / ".gitattributes"
    what = Phrase("{pattern} is already merged by cell", pattern=PATTERN)
    if _has_added_line(path, ATTRIBUTES):
        what = Phrase("{pattern} is now merged by cell", pattern=PATTERN)
    _report(path, what)
    for key, value in (("name", "by cell"), ("driver", merge_driver())):
        if not _git(folder, "config", f"merge.msgls.{key}", value):
            command = f"git config merge.msgls.{key} '{value}'"
            by_hand.append(Phrase("in the repository, run: {command}", command=command))


def merge_driver() -> str:
    """The command for git to call; with the path of this Python if `msgls` is not on ``PATH``."""
    # Quoted for the shell that git calls. Git itself quotes the paths that it puts in.
    command = "msgls" if shutil.which("msgls") else f'"{sys.executable}" -m msgls'
    return f"{command} merge %O %A %B --marker-size %L --path %P"


def _git(folder: Path, *arguments: str) -> bool:
    try:
        done = subprocess.run(
            [program("git"), "-C", str(folder), *arguments], capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


# -- other tools ------------------------------------------------------------------------------


def _protect(folder: Path, by_hand: list[Phrase]) -> None:
    for name in (".prettierignore", ".markdownlintignore"):
        (_now if _has_added_line(folder / name, PATTERN) else _already)(folder / name)
    others = [name for name in _CLI2_OTHERS if (folder / name).exists()]
    if others:
        by_hand.append(_add_by_hand(folder / others[0], repr(ANYWHERE), "`ignores`"))
    else:
        _add_json(folder / ".markdownlint-cli2.jsonc", by_hand)
    _add_toml(folder / ".mdformat.toml", (), by_hand)
    _add_toml(*_rumdl_place(folder), by_hand)


def _rumdl_place(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The file that configures rumdl, else a new one: a second one would override the first."""
    for name in (".rumdl.toml", "rumdl.toml"):
        if (folder / name).exists():
            return folder / name, ("global",)
    project = folder / "pyproject.toml"
    if project.exists() and re.search(r"^\[tool\.rumdl\b", read_text(project), re.MULTILINE):
        return project, ("tool", "rumdl")
    return folder / ".rumdl.toml", ("global",)


def _write(path: Path, text: str) -> None:
    put_text(path, text)
    _now(path)


def _now(path: Path) -> None:
    _report(path, Phrase("{pattern} is now ignored", pattern=PATTERN))


def _already(path: Path) -> None:
    _report(path, Phrase("{pattern} is already ignored", pattern=PATTERN))


def _add_by_hand(path: Path, pattern: str, key: str) -> Phrase:
    return about(path, Phrase("add {pattern} to {key} by hand", pattern=pattern, key=key))


def _has_added_line(path: Path, line: str) -> bool:
    """Add a line at the end of a file, if it is missing."""
    text = read_text(path) if path.exists() else ""
    if line in [" ".join(one.split()) for one in text.split("\n")]:
        return False
    newline = newline_of(text)
    apart = newline if text and not text.endswith("\n") else ""
    put_text(path, f"{text}{apart}{line}{newline}")
    return True


def _add_toml(path: Path, table: tuple[str, ...], by_hand: list[Phrase]) -> None:
    """Add the pattern to the list ``exclude`` of a table."""
    text = read_text(path) if path.exists() else ""
    try:
        before = toml_table(text, str(path), table)
    except SettingsError as error:
        by_hand.extend(error.problems)
        return
    listed = (before or {}).get("exclude", [])
    if ANYWHERE in listed or PATTERN in listed:
        _already(path)
        return
    after = _with_exclude(text, ".".join(table), before is not None, "exclude" in (before or {}))
    try:
        read = toml_table(after, str(path), table)
    except SettingsError:
        read = None
    # Parsed again: if the edit does not have the intended effect, the file is left alone.
    if read is None or dict(read) != {**(before or {}), "exclude": [ANYWHERE, *listed]}:
        where = f"`{'.'.join(table)}.exclude`" if table else "`exclude`"
        by_hand.append(_add_by_hand(path, repr(ANYWHERE), where))
        return
    _write(path, after)


def _with_exclude(text: str, table: str, has_table: bool, has_key: bool) -> str:
    newline = newline_of(text)
    line = f'exclude = ["{ANYWHERE}"]{newline}'
    if not table:
        if has_key:
            return re.sub(r"(?m)^(exclude\s*=\s*\[)", _first_of_list, text, count=1)
        return line + text
    head = re.compile(rf"(?m)^\[{re.escape(table)}\][^\n]*\n?")
    found = head.search(text)
    if found is None:
        if has_table:
            return text
        apart = "" if not text else newline if text.endswith("\n") else newline * 2
        return f"{text}{apart}[{table}]{newline}{line}"
    start = found.end()
    above, below = text[:start], text[start:]
    if has_key:
        return above + re.sub(r"(?m)^(exclude\s*=\s*\[)", _first_of_list, below, count=1)
    return f"{above}{'' if above.endswith(newline) else newline}{line}{below}"


def _first_of_list(match: re.Match[str]) -> str:
    return f'{match.group(1)}"{ANYWHERE}", '


def _add_json(path: Path, by_hand: list[Phrase]) -> None:
    """Add the pattern to the list ``ignores`` of a JSON file that may have comments."""
    # Imported late: few projects have this file.
    text = read_text(path) if path.exists() else ""
    if not text.strip():
        _write(path, f'{{\n  "ignores": ["{ANYWHERE}"]\n}}\n')
    elif ANYWHERE in (texts_in(text, "ignores") or ()):
        _already(path)
    elif (after := with_text(text, "ignores", ANYWHERE)) is not None:
        _write(path, after)
    else:
        by_hand.append(_add_by_hand(path, f'"{ANYWHERE}"', '"ignores"'))


# -- Adding to a JSON file that people edit by hand: comments, commas and indentation are kept.
# Owns how a string is added to a list in the file. The result is parsed again, and must be the same
# value with the string added; otherwise, the file is left alone.

# What may be between a value and the bracket after it, or before the first bracket.
_GAP = re.compile(r"(?:[\s\ufeff,]|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*[\s\S]*?\*/")
_INDENT = re.compile(r"[ \t]*")


def texts_in(text: str, key: str) -> list[object] | None:
    """The list at a key of a JSON object: empty if the key is missing.

    ``None`` if the text is not an object, or the value is not a list.
    """
    said = parse(text).value
    listed = said.get(key, []) if isinstance(said, dict) else None
    return listed if isinstance(listed, list) else None


def with_text(text: str, key: str, added: str) -> str | None:
    """The text with ``added`` at the end of the list ``key``; ``None`` if that cannot be done."""
    listed = texts_in(text, key)
    if listed is None:
        return None
    literal = json.dumps(added, ensure_ascii=False)
    found = [member for member in members(text) if member.key == key]
    if found:
        opening = found[-1].value_span.start
        spans = [span.shift(opening) for span in elements(found[-1].value_span.of(text))]
        edits = _append(text, opening, spans, literal)
    else:
        opening = _after_gap(text, 0)
        spans = [Span(m.key_span.start, m.value_span.end) for m in members(text)]
        edits = _append(text, opening, spans, f"{json.dumps(key)}: [{literal}]")
    after = apply_edits(text, edits)
    said = {**parse(text).value, key: [*listed, added]}
    return after if parse(after).value == said else None


def _append(text: str, opening: int, inner: Sequence[Span], added: str) -> Iterator[Edit]:
    """Add an element after those in the brackets that open at ``opening``."""
    if not inner:
        yield Edit(Span(opening + 1, opening + 1), added)
        return
    last = inner[-1]
    after = text[last.end : _after_gap(text, last.end)]
    has_comma = "," in _COMMENT.sub("", after)
    if not has_comma:
        yield Edit(Span(last.end, last.end), ",")
    # After the comments, which are about the last element.
    at = last.end + len(after.rstrip())
    if "\n" in after:
        yield Edit(
            Span(at, at), newline_of(text) + _indent(text, last.start) + added + "," * has_comma
        )
    else:
        yield Edit(Span(at, at), f" {added}")


def _after_gap(text: str, start: int) -> int:
    found = _GAP.match(text, start)
    return start if found is None else found.end()


def _indent(text: str, offset: int) -> str:
    found = _INDENT.match(text, line_bounds(text, offset)[0])
    return "" if found is None else found.group()
