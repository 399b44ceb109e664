"""The features of message files, one module a noun; what each owes is in ``features``."""
