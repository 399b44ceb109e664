"""Runners: programs that execute code, each run as a process of its own.

The server and the command line execute nothing. They start a runner, which has a kernel of
Jupyter execute code, and talk to it in lines of JSON. Its standard input takes requests:

- ``{"do": "start", "language", "kernel", "folder"}``, the first one: ``kernel`` names one, or is
  null, and then the language chooses it; the kernel runs in ``folder``;
- ``{"do": "run", "code", "stem", "timeout"}``: ``stem`` is how the names of files begin that hold
  what is too much for a cell, and ``timeout`` a number of seconds or null;
- ``{"do": "input", "text"}``: what a program read; null is the end of its input;
- ``{"do": "interrupt"}`` and ``{"do": "restart"}``.

Standard output has what happens, each with its ``event``:

- ``kernel``: it is ready (``name``, ``title``); again after a restart;
- ``failed``: there is none (``why``: ``extra``, ``kernel`` or ``start``; ``said``, ``kernels``);
- ``started``: the code is being executed (``count``);
- ``text``: complete ``lines`` of a ``stream``, and the ``rest``, which is not complete;
- ``data``: a ``kind`` (``result``, ``display``, ``update``) in one or more ways: ``data`` is a list
  of ``[MIME type, content, file, about]``, one of content and file null; ``about`` is what must be
  said beside the content; ``id`` is that of a display;
- ``error``: the ``lines`` of a traceback; where these are only its end, all of it is in ``file``;
- ``file``: what follows of the text is in a file (``name``; null where that cannot be written);
- ``clear``: what was shown so far is to go;
- ``input``: the program reads (``prompt``, ``password``);
- ``done``: the code has ended (``status``: ``ok``, ``error``, ``died``, ``timeout``, ``restarted``;
  ``seconds``; ``dropped``, the number of characters that were kept nowhere; ``left_out``, that of
  outputs which were too many; ``lost``, whether the kernel's word that all was shown did not come;
  ``code``, the exit code of a kernel that died).

The runner ends with its input, and the kernel with it.
"""
