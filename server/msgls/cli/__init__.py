"""The command line: one module for each subcommand. Knows nothing of LSP."""
