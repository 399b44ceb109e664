"""Long lines that a careless pattern would take for ever to read, by grammar.

They are aimed at our own patterns: what Markdown itself does with ten thousand nested
lists is not for us to mend. VS Code colours no line of more than 20,000 characters; a
tenth of that is plenty for a pattern that goes astray.
"""

from collections.abc import Iterable

LENGTH = 2_000


def _long(*pieces: str, after: str = "", before: str = "") -> list[str]:
    return [after + (piece * LENGTH)[: LENGTH - len(after)] + before for piece in pieces]


_ATTRIBUTES = (" ", " a", "a=", ' a="b"', ' a="\\"', "' ", " a=b", " a = ", '"', " a_", "]")


def _definitions(head: str, pieces: Iterable[str]) -> list[str]:
    return [text for piece in pieces for text in _long(piece, after=head)]


HOSTILE = {
    "text.html.markdown.msgmd": [
        *_long(" ", "[^", "]", "\\", "\\[^a] ", "[^a.", "a ", "[^a] ", after="# %% "),
        *_long(".", "a.", "a", " ", "^", after="# %% [^", before="]"),
        *_definitions("# %% x[^a]\n[^a]: [t]", _ATTRIBUTES),
        *_definitions("[^a]: [t]", (" a=b", ' a="b"', " a = ", " definition=agent")),
        *_long("#", " ", "`", "~", "\\#", "%", "\t", "-", "0"),
        *_long(" ", ",", "-", "A1 ", "->", after="<!-- msgls: ignore "),
        *_long(" ", "-", after="---\n"),
    ],
    "source.stf": [
        *_long(" ", "@", "a", "/*", "*/", "#", after="@"),
        *_long("a=", "a ", "a = ", "{", '"', 'a="\\"', "a='b' ", "\\", "{a:", "//", after="@user "),
        *_long('"', "\\", '"\\', "a", "a:", "1", "1e", "-", "/*", "{", '"a" ', "ä", after="@raw\n"),
        *_long(" ", "a", "{", "@", after="@call\n"),
    ],
    "text.html.markdown.chatbuilder": [
        *_long(" ", "a", ":", "a:", "a-", "1.", "msgls: ignore ", after="; "),
        *_long("1", "1.", "1.1.1-", "2025-", "a-", "(", "v1.", "0123456789abcdef-", after="; a: "),
        *_long(" ", "a ", "user ", after="; role: "),
        *_long(";", "role:", "0-"),
        *_long(" ", "a", "`", after="a\n\\```"),
    ],
    "source.msgjson": _long('"', "\\", " "),
}
