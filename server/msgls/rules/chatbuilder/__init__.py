"""The rules of ChatBuilder messages, one file each."""
