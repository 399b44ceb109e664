//! Starts msgls for Zed. A server that no extension names is one that Zed does not know.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, LanguageServerId, Result};

const MISSING: &str = "msgls is not on the PATH. Install it (`uv tool install msgls` or \
`pipx install msgls`), or name it in the settings: lsp.msgls.binary.path";

struct Msgls;

impl zed::Extension for Msgls {
    fn new() -> Self {
        Msgls
    }

    fn language_server_command(
        &mut self,
        _id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let binary = LspSettings::for_worktree("msgls", worktree)?.binary;
        let named = binary.as_ref().and_then(|binary| binary.path.clone());
        let arguments = binary.and_then(|binary| binary.arguments);
        Ok(zed::Command {
            command: named.or_else(|| worktree.which("msgls")).ok_or(MISSING)?,
            args: arguments.unwrap_or_else(|| vec!["serve".into()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        let settings = LspSettings::for_worktree("msgls", worktree)?.settings;
        Ok(settings.map(|settings| zed::serde_json::json!({ "msgls": settings })))
    }
}

zed::register_extension!(Msgls);
