"""The features of messages, deltas and session entries in JSON."""
