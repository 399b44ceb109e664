"""The language server: the only place that knows pygls and lsprotocol."""
