"""The rules of the message file, one file each."""
