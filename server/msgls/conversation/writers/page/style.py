"""The style sheet of the page: light and dark, for screens, phones and paper.

Owns the colours. Each has a contrast of at least 4.5 to its background in both schemes, which
a test checks.
"""

from collections.abc import Mapping

# Each name with its value on a light and on a dark page.
COLOURS: Mapping[str, tuple[str, str]] = {
    "page": ("#ffffff", "#16181d"),
    "text": ("#1c1f24", "#e4e6ea"),
    "muted": ("#5a6270", "#a3abb8"),
    "line": ("#d5d9e0", "#383e49"),
    "link": ("#0550ae", "#7cb8ff"),
    "raised": ("#f5f6f8", "#1f232a"),
    "user": ("#0550ae", "#7cb8ff"),
    "assistant": ("#6639ba", "#c4a5ff"),
    "system": ("#7a4100", "#f2b366"),
    "tool": ("#1a6334", "#72d08d"),
    "failure": ("#b3161f", "#ff9a94"),
    "keyword": ("#a3123f", "#ff9db0"),
    "string": ("#0a5c2b", "#93d9a3"),
    "comment": ("#5a6270", "#a3abb8"),
    "name": ("#5b2ea6", "#cfb4ff"),
    "number": ("#0550ae", "#8cc4ff"),
}

# By colour: the classes that Pygments gives to tokens.
_TOKENS: Mapping[str, str] = {
    "keyword": "k kc kd kn kp kr kt ow nt gd",
    "string": "s sa sb sc dl sd s2 se sh si sx sr s1 ss gi na",
    "comment": "c ch cm cp cpf c1 cs go",
    "name": "nb nc nd ne nf fm nn gh gu bp",
    "number": "m mb mf mh mi mo il no nl",
}

_LAYOUT = """
*, ::before, ::after { box-sizing: border-box }
html { color-scheme: light dark; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100% }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--page);
  color: var(--text); font: 1rem/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere }
a { color: var(--link) }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem }
header p, .about { color: var(--muted); margin: 0; font-size: .875rem }
nav { margin: 1.25rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem;
  max-height: 40vh; overflow: auto; font-size: .875rem }
nav h2 { font-size: .875rem; margin: 0 0 .25rem }
nav ol { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: .2rem 0; color: var(--text); text-decoration: none;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
nav a:hover { text-decoration: underline }
.role { font-weight: 600 }
.user > .head .role, nav .user { color: var(--user) }
.assistant > .head .role, nav .assistant { color: var(--assistant) }
.system > .head .role, nav .system { color: var(--system) }
.tool > .head .role, nav .tool { color: var(--tool) }
article { border-left: 3px solid var(--line); padding: .1rem 0 .1rem 1rem; margin: 0 0 1.75rem;
  content-visibility: auto; contain-intrinsic-size: auto 8rem }
article.user { border-color: var(--user) }
article.assistant { border-color: var(--assistant) }
article.system { border-color: var(--system) }
article.tool { border-color: var(--tool) }
article.unseen, .unseen { border-left-style: dashed }
.head { display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline;
  margin-bottom: .35rem }
.head h2 { font-size: 1rem; margin: 0; font-weight: 400; unicode-bidi: isolate }
.head a { color: var(--muted); text-decoration: none }
.head a:hover { text-decoration: underline }
.title { font-weight: 600 }
.mark { font-size: .8rem; color: var(--muted); border: 1px dashed var(--muted);
  border-radius: 1rem; padding: 0 .6rem }
.failed { color: var(--failure) }
section { margin-bottom: 1.75rem }
.content > :first-child { margin-top: 0 }
.content > :last-child { margin-bottom: 0 }
h3, h4, h5, h6 { line-height: 1.3; margin: 1.25em 0 .5em }
h3 { font-size: 1.2rem }
h4 { font-size: 1.1rem }
h5, h6 { font-size: 1rem }
p, ul, ol, blockquote { margin: .6em 0 }
blockquote { padding-left: 1rem; border-left: 3px solid var(--line); margin-left: 0;
  color: var(--muted) }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5em 0 }
img { max-width: 100%; height: auto; background: #fff; border-radius: .25rem }
code, pre { font: .875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono",
  monospace }
code { background: var(--raised); padding: .1em .3em; border-radius: .25rem }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem;
  padding: .7rem .9rem; overflow: auto; max-height: 80vh; margin: .6em 0; overflow-wrap: normal;
  tab-size: 4; unicode-bidi: plaintext }
pre code { background: none; padding: 0; font-size: 1em }
.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; max-height: none }
.wide { overflow: auto }
table { border-collapse: collapse; margin: .6em 0 }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left;
  overflow-wrap: normal }
th { background: var(--raised) }
.right { text-align: right }
.center { text-align: center }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6em 0 }
summary { cursor: pointer; padding: .35rem .8rem; border-radius: .4rem }
summary:hover { background: var(--raised) }
details[open] > summary { border-bottom: 1px solid var(--line); border-radius: .4rem .4rem 0 0 }
details > .content { padding: .7rem .8rem }
.gist { font: .875em ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  color: var(--muted) }
.agents { border-left: 3px solid var(--line); margin-bottom: 1.75rem }
.diff ins, .diff del { text-decoration: none }
.diff ins { color: var(--string) }
.diff del { color: var(--keyword) }
.inert { color: var(--muted) }
.stderr { border-color: var(--failure) }
.label { font-size: .8rem; color: var(--muted); margin: .6em 0 -.4em }
.stderr-label { color: var(--failure) }
@media (min-width: 62rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 2.5rem;
    grid-template-rows: auto 1fr auto }
  header { grid-column: 1 / -1; margin-bottom: 1.5rem }
  nav { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); margin: 0; align-self: start;
    grid-row: 2 }
  main { grid-column: 2 }
  body.single > main { grid-column: 1 / -1 }
}
@media print {
  body { display: block; max-width: none; padding: 0; font-size: 10pt }
  header { margin-bottom: 1.5rem }
  nav, .head .anchor { display: none }
  summary { list-style: none }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: none; overflow: visible }
  .head, summary, h3, h4, h5, h6 { break-after: avoid }
  img, tr { break-inside: avoid }
  article, details::details-content { content-visibility: visible; block-size: auto }
}
"""


def style_sheet() -> str:
    """The style sheet of a page."""
    # Printed pages are always light.
    dark = f"@media screen and (prefers-color-scheme: dark) {{ :root {_variables(1)} }}"
    return _sheet(f":root {_variables(0)}\n{dark}")


def vscode_style_sheet() -> str:
    """The style sheet for a view of VS Code, with the colours and fonts of its theme."""
    light, dark = _variables(0), _variables(1)
    return _sheet(f"body {light}\n.vscode-dark, .vscode-high-contrast {dark}\n{_IN_VSCODE}")


_IN_VSCODE = """
body.vscode-light, body.vscode-dark, body.vscode-high-contrast {
  --page: var(--vscode-editor-background); --text: var(--vscode-editor-foreground);
  --muted: var(--vscode-descriptionForeground); --link: var(--vscode-textLink-foreground);
  --raised: var(--vscode-textCodeBlock-background);
  --line: var(--vscode-editorWidget-border, var(--vscode-contrastBorder));
  color-scheme: light dark; max-width: none; padding: 1rem 1.25rem 60vh;
  font: var(--vscode-markdown-font-size, 14px)/1.55 var(--vscode-font-family) }
body.vscode-light { color-scheme: light }
body.vscode-dark { color-scheme: dark }
code, pre { font-family: var(--vscode-editor-font-family) }
@media (max-width: 62rem) { body[class] nav { max-height: 11rem } }
"""


def _sheet(schemes: str) -> str:
    tokens = "\n".join(
        [
            f"{', '.join([f'pre .{name}' for name in names.split()])} {{ color: var(--{colour}) }}"
            for colour, names in _TOKENS.items()
        ]
    )
    return f"\n{schemes}{_LAYOUT}{tokens}\n"


def _variables(scheme: int) -> str:
    return "{ " + "; ".join([f"--{name}: {pair[scheme]}" for name, pair in COLOURS.items()]) + " }"
