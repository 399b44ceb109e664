"""The block of a code cell does not say its language.

## What it does
Looks at the first fenced block of every cell of type `code`, the one that runs.

## Why it matters
The language after the fence decides how the code is run and highlighted.

## Example
````markdown
# %% Count the files[^c1]

[^c1]: [code]

```
len(files)
```
````
Use instead:
````markdown
# %% Count the files[^c1]

[^c1]: [code]

```python
len(files)
```
````

## Fix safety
There is no fix: the language is not guessed.
"""

from collections.abc import Iterable

from msgls.formats.base import CellRole
from msgls.rules.base import CellRule, Problem, Severity, Subject


class CodeWithoutLanguage(CellRule):
    code = "MSG403"
    name = "code-without-language"
    severity = Severity.HINT
    texts = {
        "message": "this code has no language: add it after the fence",
    }
    roles = (CellRole.CODE,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        block = subject.cell.code_block
        if block is None or block.info.end > block.info.start:
            return ()
        return (self.problem(subject.label, block.fence),)
