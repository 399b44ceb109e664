"""The file contains a key or a token.

## What it does
Looks everywhere in files of every format, in fences, attributes and the frontmatter
too, for five things: keys with the prefix or the shape that a vendor gives them
(`sk-ant-…`, `ghp_…`, `AKIA…` and about a hundred others), private keys between `BEGIN`
and `END` lines, tokens after `Bearer`, passwords in addresses (`https://user:…@host`),
and values of names such as `api_key`, `token` or `password`. Each must be long enough,
and most must look random. Examples like `sk-...`, `YOUR_KEY` or addresses of
`example.com` are not reported.

## Why it matters
Anyone who gets the file gets the key: the model and its provider, a repository, a colleague.
A key that was in a file once should be revoked, not only removed.

## Example
```markdown
# %% Why does this fail?[^q1]

[^q1]: [markdown]

curl -H "Authorization: Bearer" followed by a real token
```
Use instead:
```markdown
# %% Why does this fail?[^q1]

[^q1]: [markdown]

curl -H "Authorization: Bearer $TOKEN"
```

## Fix safety
Not safe: the fix keeps the prefix and replaces the rest with as many asterisks, so the
text is no longer what was sent.
"""

from collections.abc import Iterator, Sequence

from msgls.document.snapshot import Snapshot
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.text.secrets import find_secrets, may_hold_secrets, redacted
from msgls.text.spans import Edit


class Secret(CellRule):
    code = "MSG701"
    name = "secret"
    severity = Severity.WARNING
    texts = {
        "message.assigned": (
            "this looks like a secret, a random value for `{owner}`, {length} characters: revoke "
            "it, and remove it"
        ),
        "message.vendor": (
            "this looks like a key of {owner}, starting with `{prefix}`, {length} characters: "
            "revoke it, and remove it"
        ),
        "message.private": (
            "this looks like a private key, {length} characters: replace it, and remove it"
        ),
        "message.address": (
            "this looks like a password in an address, {length} characters: change it, and remove "
            "it"
        ),
        "message.bearer": (
            "this looks like an access token, {length} characters: revoke it, and remove it"
        ),
        "fix.redact": "Replace it with asterisks",
    }

    def screen(self, texts: Sequence[str]) -> set[int]:
        """Very few cells hold one."""
        return may_hold_secrets(texts)

    def check(self, subject: Subject) -> Iterator[Problem]:
        for secret in find_secrets(subject.cell.text):
            args = {
                "owner": secret.owner,
                "prefix": secret.prefix,
                "length": str(secret.span.length),
            }
            yield self.problem(subject.label, secret.span, f"message.{secret.kind}", **args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        placed = snapshot.document.cell(problem.label)
        for secret in find_secrets(placed.cell.text):
            if secret.span == problem.span:
                text = redacted(placed.cell.text, secret)
                edit = Edit(secret.span.shift(placed.start_offset), text)
                yield Fix.of("fix.redact", edit)
