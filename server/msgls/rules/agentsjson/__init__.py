"""The rules of ``agents.json``, one file each."""
