"""The table of all requests and notifications that the server handles."""

from __future__ import annotations

from lsprotocol import types as lsp

from msgls.features.command_table import COMMANDS
from msgls.features.legend import COMPLETION_TRIGGERS, MODIFIERS, TYPES
from msgls.lsp import handlers
from msgls.lsp.protocol import Route

_LEGEND = lsp.SemanticTokensLegend(token_types=list(TYPES), token_modifiers=list(MODIFIERS))

_ANY_FILE = lsp.FileOperationRegistrationOptions(
    filters=[lsp.FileOperationFilter(lsp.FileOperationPattern(glob="**"), scheme="file")]
)

TABLE: tuple[Route, ...] = (
    Route(lsp.INITIALIZED, "", lambda: handlers.configuration.initialized),
    Route(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, "", lambda: handlers.configuration.changed),
    Route(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, "", lambda: handlers.watching.changed),
    Route(lsp.WORKSPACE_DID_CREATE_FILES, "", lambda: handlers.watching.created, _ANY_FILE),
    Route(lsp.WORKSPACE_DID_RENAME_FILES, "", lambda: handlers.watching.renamed, _ANY_FILE),
    Route(lsp.WORKSPACE_DID_DELETE_FILES, "", lambda: handlers.watching.deleted, _ANY_FILE),
    Route(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "", lambda: handlers.watching.folders),
    Route(lsp.TEXT_DOCUMENT_DID_OPEN, "", lambda: handlers.sync.opened),
    Route(lsp.TEXT_DOCUMENT_DID_CHANGE, "", lambda: handlers.sync.changed),
    Route(
        lsp.TEXT_DOCUMENT_DID_SAVE,
        "",
        lambda: handlers.sync.saved,
        lsp.SaveOptions(include_text=True),
    ),
    Route(lsp.TEXT_DOCUMENT_DID_CLOSE, "", lambda: handlers.sync.closed),
    Route(lsp.TEXT_DOCUMENT_HOVER, "hover", lambda: handlers.hover.hover),
    Route(
        lsp.TEXT_DOCUMENT_COMPLETION,
        "completion",
        lambda: handlers.completion.completion,
        lsp.CompletionOptions(trigger_characters=list(COMPLETION_TRIGGERS), resolve_provider=True),
    ),
    Route(lsp.COMPLETION_ITEM_RESOLVE, "completion", lambda: handlers.completion.resolve),
    Route(lsp.TEXT_DOCUMENT_DEFINITION, "definition", lambda: handlers.definition.definition),
    Route(lsp.TEXT_DOCUMENT_REFERENCES, "references", lambda: handlers.references.references),
    Route(
        lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
        "highlight",
        lambda: handlers.highlight.document_highlight,
    ),
    Route(
        lsp.TEXT_DOCUMENT_RENAME,
        "rename",
        lambda: handlers.rename.rename,
        lsp.RenameOptions(prepare_provider=True),
    ),
    Route(lsp.TEXT_DOCUMENT_PREPARE_RENAME, "rename", lambda: handlers.rename.prepare),
    Route(
        lsp.TEXT_DOCUMENT_LINKED_EDITING_RANGE,
        "linked",
        lambda: handlers.linked.linked_editing_range,
    ),
    Route(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "outline", lambda: handlers.outline.document_symbol),
    Route(
        lsp.TEXT_DOCUMENT_DIAGNOSTIC,
        "diagnostics",
        lambda: handlers.diagnostics.document_diagnostic,
        lsp.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=True, identifier="msgls"
        ),
    ),
    Route(
        lsp.WORKSPACE_DIAGNOSTIC, "diagnostics", lambda: handlers.diagnostics.workspace_diagnostic
    ),
    Route(lsp.WORKSPACE_SYMBOL, "symbols", lambda: handlers.symbols.workspace_symbol),
    Route(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT, "", lambda: handlers.content.content),
    Route(
        lsp.WORKSPACE_WILL_RENAME_FILES, "rename", lambda: handlers.moving.will_rename, _ANY_FILE
    ),
    Route(lsp.TEXT_DOCUMENT_FOLDING_RANGE, "folding", lambda: handlers.folding.folding_range),
    Route(
        lsp.TEXT_DOCUMENT_SELECTION_RANGE, "selection", lambda: handlers.selection.selection_range
    ),
    Route(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "tokens", lambda: handlers.tokens.full, _LEGEND),
    Route(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
        "tokens",
        lambda: handlers.tokens.delta,
        _LEGEND,
    ),
    Route(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "tokens", lambda: handlers.tokens.in_range, _LEGEND
    ),
    Route(
        lsp.TEXT_DOCUMENT_DOCUMENT_LINK,
        "links",
        lambda: handlers.links.document_link,
        lsp.DocumentLinkOptions(),
    ),
    Route(
        lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "hierarchy", lambda: handlers.hierarchy.prepare
    ),
    Route(lsp.CALL_HIERARCHY_INCOMING_CALLS, "hierarchy", lambda: handlers.hierarchy.incoming),
    Route(lsp.CALL_HIERARCHY_OUTGOING_CALLS, "hierarchy", lambda: handlers.hierarchy.outgoing),
    Route(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        "actions",
        lambda: handlers.actions.code_action,
        lsp.CodeActionOptions(
            code_action_kinds=[
                "quickfix",
                "refactor",
                "source.fixAll.msgls",
                "source.convert.msgls",
                "navigate",
            ],
            resolve_provider=True,
        ),
    ),
    Route(lsp.CODE_ACTION_RESOLVE, "actions", lambda: handlers.actions.resolve),
    Route(lsp.TEXT_DOCUMENT_CODE_LENS, "lenses", lambda: handlers.lenses.code_lens),
    Route(lsp.CODE_LENS_RESOLVE, "lenses", lambda: handlers.lenses.resolve),
    Route(lsp.TEXT_DOCUMENT_INLAY_HINT, "hints", lambda: handlers.hints.inlay_hint),
    Route(lsp.TEXT_DOCUMENT_FORMATTING, "formatting", lambda: handlers.formatting.formatting),
    Route(
        lsp.TEXT_DOCUMENT_RANGE_FORMATTING,
        "formatting",
        lambda: handlers.formatting.range_formatting,
        lsp.DocumentRangeFormattingOptions(ranges_support=True),
    ),
    Route(
        lsp.TEXT_DOCUMENT_RANGES_FORMATTING,
        "formatting",
        lambda: handlers.formatting.ranges_formatting,
    ),
    Route(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL, "", lambda: handlers.commands.cancelled),
    Route(
        lsp.WORKSPACE_EXECUTE_COMMAND,
        "",
        lambda: handlers.commands.execute,
        lsp.ExecuteCommandOptions(commands=[command.id for command in COMMANDS]),
    ),
    Route("msgls/cellLenses", "lenses", lambda: handlers.lenses.cell_lenses),
    Route("msgls/cells", "outline", lambda: handlers.outline.cells),
    Route("msgls/choices", "", lambda: handlers.choices.choices),
    Route("msgls/newFile", "", lambda: handlers.choices.new_file),
    Route("msgls/languageOf", "", lambda: handlers.language.language_of),
    Route("msgls/asContent", "", lambda: handlers.pasting.as_content),
    Route("msgls/link", "", lambda: handlers.pasting.link),
    Route("msgls/missingDefinition", "on-type", lambda: handlers.defining.missing_definition),
    Route("msgls/viewOf", "", lambda: handlers.view.view_of),
    Route("msgls/sourceOf", "", lambda: handlers.view.source_of),
    Route("msgls/page", "", lambda: handlers.page.shown),
    Route("msgls/tokens", "", lambda: handlers.view.tokens),
    Route("msgls/hidden", "", lambda: handlers.view.hidden),
)
