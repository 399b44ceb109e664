"""What editors offer, on offsets and plain values. One file a feature."""
