"""The features of editors, on offsets and plain values: one module for each."""
