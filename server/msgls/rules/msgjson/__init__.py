"""The rules of messages, deltas and session entries in JSON."""
