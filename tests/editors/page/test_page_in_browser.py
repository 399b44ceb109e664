"""The page of a hostile transcript in a real browser: nothing runs, nothing loads.

A server on this machine stands for the web: whatever the page would load, it would see. The
pictures that are taken are for people to look at.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NoReturn

import pytest

from msgls.cli.main import main

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PICTURES = ROOT / ".vscode-test/pictures"
DRIVER = HERE.parent / "vscode/node_modules/playwright-core"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE_S = 120
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d7"
        "63f8cfc000000301010018dd8db00000000049454e44ae426082"
    )
).decode()

RUN = "window.ran=1;alert(1);fetch('WEB/fetched')"
HOSTILE = f"""
<script>{RUN}</script><script src="WEB/script.js"></script>
<img src="WEB/image.png" onerror="{RUN}" onload="{RUN}"><img src=x onerror={RUN}>
<svg onload="{RUN}"><script>{RUN}</script><image href="WEB/svg.png"/>
<use href="WEB/use.svg#a"/></svg>
<math><mtext><mglyph><style><img src=x onerror={RUN}></style></mglyph></mtext></math>
<style>@import "WEB/style.css"; body {{ background: url(WEB/background.png) !important }}</style>
<link rel="stylesheet" href="WEB/link.css"><link rel="prefetch" href="WEB/prefetch">
<link rel="dns-prefetch" href="//dns.example"><link rel="preconnect" href="WEB/">
<iframe src="WEB/frame.html" srcdoc="<script>{RUN}</script>"></iframe>
<object data="WEB/object"></object><embed src="WEB/embed">
<meta http-equiv="refresh" content="0;url=WEB/refresh"><base href="WEB/">
<form action="WEB/form"><input autofocus onfocus="{RUN}"><button formaction="javascript:{RUN}">
<video src="WEB/video" poster="WEB/poster" autoplay onerror="{RUN}"></video><audio src="WEB/audio">
<details open ontoggle="{RUN}"><summary>x</summary></details>
<body onload="{RUN}" style="background:url(WEB/body.png)"><p style="background:url(WEB/p.png)">x
</pre></code></div></article></main></title></style></textarea></noscript><script>{RUN}</script>

<div style="background: url('WEB/div.png')">

![remote](WEB/remote.png) ![svg](data:image/svg+xml;base64,PHN2Zy8+) ![js](javascript:{RUN})
![attributes](x"onerror="{RUN}) [click](javascript:{RUN})
[data](data:text/html,<script>{RUN}</script>)
[case](JAVASCRIPT:{RUN}) [entity](javascript&colon;{RUN}) [tab](java&Tab;script:{RUN})
[vb](vbscript:x) [file](file:///etc/passwd) [relative](//WEB/x) [reference][r] <javascript:{RUN}>
[title](https://example.com "x\\" onmouseover=\\"{RUN}")

[r]: javascript:{RUN}

```"><script>{RUN}</script>
</code></pre><script>{RUN}</script>
```

`</code><script>{RUN}</script>`

| <script>{RUN}</script> | [x](javascript:{RUN}) |
|:-:|-|
| `</td><script>{RUN}</script>` | ![y](WEB/cell.png) |

LONG
""".replace("LONG", "x" * 20_000 + " " + "很长" * 5_000)

ACTIVE = {
    "audio", "base", "embed", "form", "iframe", "input", "link", "math", "noscript", "object",
    "script", "svg", "template", "video",
}  # fmt: skip
TITLE = f'"><script>{RUN}</script><img src=x onerror={RUN}>'


def transcript(web: str) -> str:
    hostile = HOSTILE.replace("WEB", web)
    # A definition is one line, and an id or a value has its own rules: what they take is tried.
    value = f"<script>{RUN}</script><img src={web}/value.png>".replace("WEB", web)
    cells = [
        f"---\nagents:\n  bot: {{}}\n---\n\n{hostile}\n\n```\nclosed\n```\n",
        f"# %% {TITLE}[^m1]\n\n[^m1]: [markdown]\n{hostile}",
        f"# %% {TITLE}[^m2]\n\n[^m2]: [raw] history=0\n{hostile}",
        f"# %%% {TITLE}[^a1]\n\n[^a1]: [bot] time='{value}'\n{hostile}",
        f"# %%% [^a2]\n\n[^a2]: [bot] reasoning=1\n{hostile}",
        f"# %%% [^a1.n]\n\n[^a1.n]: [tool] name='{value}'\n\n<x><y>{hostile}</y></x>\n",
        f"# %%% [^a1.n.1]\n\n[^a1.n.1]: [tool] status=failure duration='{value}'\n{hostile}",
        "# %% [^c1]\n\n[^c1]: [code]\n\n```html\n" + hostile.replace("```", "") + "\n```\n",
        f"# %%% [^c1.1]\n\n[^c1.1]: [python] status=success\n\n{_output(hostile)}\n",
        f"# %%% [^c1.2]\n\n[^c1.2]: [python] status=success mime_type=image/png\n\n{PIXEL}\n",
        "# %%% [^c1.3]\n\n[^c1.3]: [python] status=success mime_type=image/svg+xml\n\n"
        + _output(f'<svg onload="{RUN}"><image href="{web}/in-svg.png"/></svg>'),
        f'# %%% [^c1.4]\n\n[^c1.4]: [python] status=success mime_type="image/png"\n\n"{value}\n',
        f"# %%% [^{value.replace(' ', '')}]\n\nAn answer.\n",
    ]
    return "\n".join(cells)


def _output(text: str) -> str:
    return "\n".join(f"stdout> {line}" for line in text.split("\n") if not line.startswith("```"))


class Web:
    """A server that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"window.ran = 1")

            def log_message(self, format: str, *values: object) -> None:
                """Nothing: what counts is in ``asked``."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web()
    yield server
    server.close()


def not_tested(reason: str) -> NoReturn:
    message = f"THE PAGE IS NOT TESTED IN A BROWSER: {reason}; try `make editors vscode`"
    if os.environ.get("CI"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def needed(name: str, *programs: str) -> str:
    found = next(filter(None, map(shutil.which, programs)), None)
    return found or not_tested(f"there is no {name}")


def looked_at(folder: Path, page: Path, shots: list[dict[str, Any]]) -> dict[str, Any]:
    """Open a page in the browser, open all that is folded, follow its own links, and report."""
    node = needed("Node", "node")
    browser = os.environ.get("CHROMIUM") or needed("Chromium", *BROWSERS)
    if not DRIVER.is_dir():
        not_tested("what drives the browser is not there")
    story = {"browser": browser, "page": str(page), "report": str(folder / "report.json")}
    (folder / "story.json").write_text(json.dumps(story | {"shots": shots}), "utf-8")
    PICTURES.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [node, str(HERE / "look.mjs"), str(folder / "story.json")],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    return report


def shot(name: str, scheme: str, width: int = 1280, **more: Any) -> dict[str, Any]:
    picture = str(PICTURES / f"page-{name}.png")
    return {"width": width, "height": 1000, "scheme": scheme, "picture": picture, **more}


def rendered(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, "utf-8")
    assert main(["render", str(folder / name), "-o", str(folder / "page.html")]) == 0
    return folder / "page.html"


def test_nothing_runs_and_nothing_loads(tmp_path: Path, web: Web) -> None:
    page = rendered(tmp_path, "hostile.msg.md", transcript(web.address))
    shots = [shot("hostile-light", "light"), shot("hostile-phone", "dark", 400)]
    report = looked_at(tmp_path, page, shots)
    assert web.asked == []
    assert report["requests"] == []
    assert report["dialogs"] == []
    assert report["navigations"] == []
    # Nor was anything tried that the policy had to forbid.
    assert report["errors"] == []
    for seen in report["shots"]:
        assert seen["ran"] is None
        assert seen["handlers"] == []
        assert not ACTIVE & {*seen["tags"]}
        allowed = re.compile(r"#|https://example\.com|data:image/png;base64,|" + web.address)
        assert [target for target in seen["targets"] if not allowed.match(target)] == []
        # Long lines scroll in their own place, on a telephone too.
        assert seen["overflow"] == 0
        assert seen["pictures"] == 1
        # What was written can be read, tags and all.
        assert seen["text"].count("<script>window.ran=1") > 20
    assert [seen["colour"] for seen in report["shots"]] == ["rgb(255, 255, 255)", "rgb(22, 24, 29)"]


def test_the_policy_holds_where_all_else_fails(tmp_path: Path, web: Web) -> None:
    """HTML put into the page as it is: the browser itself refuses it."""
    page = rendered(tmp_path, "a.msg.md", "# %% [^m1]\n\n[^m1]: [markdown]\n\nHERE\n")
    address = web.address
    injected = (
        f'<script>{RUN.replace("WEB", address)}</script><img src="{address}/i.png" onerror="{RUN}">'
        f'<style>body {{ background: url({address}/b.png) }}</style><p style="color: red">'
        f'<iframe src="{address}/f"></iframe><link rel="stylesheet" href="{address}/s.css">'
    )
    text = page.read_text("utf-8")
    assert "HERE" in text
    page.write_text(text.replace("HERE", injected), "utf-8")
    report = looked_at(tmp_path, page, [shot("policy", "light")])
    assert web.asked == []
    assert report["dialogs"] == []
    assert report["shots"][0]["ran"] is None
    assert "Content Security Policy" in " ".join(report["errors"])


def test_the_example_looks_as_it_should(tmp_path: Path) -> None:
    source = (ROOT / "examples/good.msg.md").read_text("utf-8")
    page = rendered(tmp_path, "good.msg.md", source)
    shots = [shot(f"good-{scheme}", scheme, fold=True) for scheme in ("light", "dark")]
    report = looked_at(tmp_path, page, shots)
    assert report["errors"] == report["requests"] == []
    for seen in report["shots"]:
        assert seen["broken"] == []
        # All that is folded could be opened.
        assert seen["open"] == 1
        # Headings go down one level at a time.
        steps = zip(seen["headings"], seen["headings"][1:], strict=False)
        assert seen["headings"][0] == 1
        assert all(after <= before + 1 for before, after in steps)


def record(kind: str, content: object, number: int, **more: object) -> str:
    """A line of a session of Claude Code."""
    message = {"role": kind, "id": f"msg-{number}", "model": "claude-opus-4-6", "content": content}
    return json.dumps({
        "type": kind, "sessionId": "s", "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "timestamp": f"2026-02-03T10:0{number // 2}:00.000Z", "message": message, **more,
    })  # fmt: skip


def use(name: str, **arguments: str) -> dict[str, object]:
    return {"type": "tool_use", "id": f"toolu_{name}1", "name": name, "input": arguments}


def result(name: str, content: object, is_error: bool = False) -> list[dict[str, object]]:
    block = {"type": "tool_result", "tool_use_id": f"toolu_{name}1", "content": content}
    return [{**block, "is_error": is_error}]


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


CHART = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
SESSION = [
    record("user", "The total is wrong when the cart is empty. Fix it, and show me a chart.", 0),
    record("assistant", [
        {"type": "thinking", "thinking": "An empty cart: `max` of nothing raises."},
        text("I will look at the cart and run its tests."),
        use("Read", file_path="/srv/shop/cart.py"), use("Bash", command="pytest -q tests/cart"),
    ], 1),
    record("user", [
        *result("Read", "def total(items):\n    return max(items)\n"),
        *result("Bash", "E   ValueError: max() arg is an empty sequence\n1 failed", is_error=True),
    ], 2),
    record("assistant", [text("It takes the largest price instead of adding them up."), use(
        "Edit", file_path="/srv/shop/cart.py",
        old_string="def total(items):\n    return max(items)\n",
        new_string="def total(items):\n    # Nothing costs nothing.\n    return sum(items)\n",
    )], 3),
    record("user", result("Edit", "The file /srv/shop/cart.py has been updated."), 4),
    record("assistant", [use("Chart", title="Totals by day")], 5),
    record("user", result("Chart", [text("One red bar."), CHART]), 6),
    record("assistant", [
        text("Done. `total` adds up now:\n\n- an empty cart costs **0**\n- all 12 tests pass\n"),
    ], 7),
    json.dumps({"type": "ai-title", "aiTitle": "Fix the total of an empty cart", "sessionId": "s"}),
]  # fmt: skip


def test_a_session_of_an_agent_looks_as_it_should(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("\n".join(SESSION) + "\n", "utf-8")
    talk = tmp_path / "talk.msg.md"
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(talk)]) == 0
    page = rendered(tmp_path, "talk.msg.md", talk.read_text("utf-8"))
    shots = [
        shot(f"session-{scheme}", scheme, fold=True, open="Edit") for scheme in ("light", "dark")
    ]
    report = looked_at(tmp_path, page, shots)
    assert report["errors"] == report["requests"] == []
    for seen in report["shots"]:
        assert seen["open"] == 5
        assert seen["overflow"] == 0
        assert (seen["pictures"], seen["broken"]) == (1, [])
        for shown in ("Bash pytest -q tests/cart failed", "-    return max(items)", "One red bar."):
            assert shown in seen["text"]


def test_on_paper_nothing_is_folded_and_nothing_is_dark(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("\n".join(SESSION) + "\n", "utf-8")
    talk = tmp_path / "talk.msg.md"
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(talk)]) == 0
    page = rendered(tmp_path, "talk.msg.md", talk.read_text("utf-8"))
    report = looked_at(tmp_path, page, [shot("print", "dark", media="print", links=False)])
    (seen,) = report["shots"]
    assert seen["open"] == 0
    for shown in ("-    return max(items)", "One red bar."):
        assert shown in seen["text"]
    assert seen["colour"] == "rgb(255, 255, 255)"
    assert "Contents" not in seen["text"]


def test_a_long_session_lays_out_only_what_is_seen(tmp_path: Path) -> None:
    turns = [
        record("user" if number % 2 else "assistant", [text(f"Words {number}. " * 30)], number)
        for number in range(1, 2001)
    ]
    (tmp_path / "s.jsonl").write_text("\n".join(turns) + "\n", "utf-8")
    talk = tmp_path / "talk.msg.md"
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(talk)]) == 0
    page = rendered(tmp_path, "talk.msg.md", talk.read_text("utf-8"))
    (seen,) = looked_at(tmp_path, page, [shot("long", "light", links=False)])["shots"]
    assert seen["laidOut"] < 100
    assert seen["articles"] == 2000
