"""The rules that look at files of every format."""
