"""What the server answers, one module for each feature; imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgls.lsp.handlers import (
        actions as actions,
    )
    from msgls.lsp.handlers import (
        choices as choices,
    )
    from msgls.lsp.handlers import (
        commands as commands,
    )
    from msgls.lsp.handlers import (
        completion as completion,
    )
    from msgls.lsp.handlers import (
        configuration as configuration,
    )
    from msgls.lsp.handlers import (
        content as content,
    )
    from msgls.lsp.handlers import (
        defining as defining,
    )
    from msgls.lsp.handlers import (
        definition as definition,
    )
    from msgls.lsp.handlers import (
        diagnostics as diagnostics,
    )
    from msgls.lsp.handlers import (
        fixes as fixes,
    )
    from msgls.lsp.handlers import (
        folding as folding,
    )
    from msgls.lsp.handlers import (
        formatting as formatting,
    )
    from msgls.lsp.handlers import (
        hierarchy as hierarchy,
    )
    from msgls.lsp.handlers import (
        highlight as highlight,
    )
    from msgls.lsp.handlers import (
        hints as hints,
    )
    from msgls.lsp.handlers import (
        hover as hover,
    )
    from msgls.lsp.handlers import (
        language as language,
    )
    from msgls.lsp.handlers import (
        lenses as lenses,
    )
    from msgls.lsp.handlers import (
        linked as linked,
    )
    from msgls.lsp.handlers import (
        links as links,
    )
    from msgls.lsp.handlers import (
        moving as moving,
    )
    from msgls.lsp.handlers import (
        outline as outline,
    )
    from msgls.lsp.handlers import (
        page as page,
    )
    from msgls.lsp.handlers import (
        pasting as pasting,
    )
    from msgls.lsp.handlers import (
        references as references,
    )
    from msgls.lsp.handlers import (
        rename as rename,
    )
    from msgls.lsp.handlers import (
        selection as selection,
    )
    from msgls.lsp.handlers import (
        symbols as symbols,
    )
    from msgls.lsp.handlers import (
        sync as sync,
    )
    from msgls.lsp.handlers import (
        tokens as tokens,
    )
    from msgls.lsp.handlers import (
        view as view,
    )
    from msgls.lsp.handlers import (
        watching as watching,
    )


def __getattr__(name: str) -> Any:
    """Import a module of this package: the one place where handlers are loaded late."""
    return importlib.import_module(f"{__name__}.{name}")
