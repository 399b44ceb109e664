"""The formats that hold conversations, each an implementation of ``base.Format``."""
