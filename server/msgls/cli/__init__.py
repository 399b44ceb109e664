"""The command line: one file a subcommand. Knows nothing of LSP."""
