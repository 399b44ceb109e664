"""msgls: a language server and command-line tool for message files.

Owns the version and nothing else: this file is run before any part of the
package, so it must not import one.
"""

__version__ = "0.1.0"
